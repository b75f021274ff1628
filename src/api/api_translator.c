/*
 * api_translator.c: translating and scoring lines behind the public interface.
 */
#include "api/translator.h"

#include <string.h>

#include "base/mem.h"
#include "decode/beam.h"

/* ---- making and freeing ---------------------------------------------------------------------- */

static dgm_status read_rule(struct dgm_env *env, struct dgm_search_options *options,
                            const char *name)
{
    options->rule = name != NULL ? dgm_beam_rule_find(name) : dgm_beam_rule_entry(0);
    if (options->rule == NULL)
        return dgm_fail(env, DGM_USAGE, "beam rule \"%s\"; expected fairseq or shrinking", name);
    return DGM_OK;
}

static dgm_status read_options(struct dgm_env *env, struct dgm_translator *translator,
                               const dgm_translator_options *chosen)
{
    struct dgm_search_options *options = &translator->options;
    const char *penalty = chosen->penalty != NULL ? chosen->penalty : "fairseq";

    options->beam = chosen->beam > 0 ? chosen->beam : 5;
    options->alpha = chosen->has_alpha ? chosen->alpha : 0.6;
    options->length_factor = chosen->length_factor > 0 ? chosen->length_factor : 2;
    options->length_extra = 10;
    options->max_length = INT32_MAX;
    options->forbidden = DGM_VOCAB_PAD;
    if (strcmp(penalty, "fairseq") == 0)
        options->penalty = DGM_PENALTY_FAIRSEQ;
    else if (strcmp(penalty, "gnmt") == 0)
        options->penalty = DGM_PENALTY_GNMT;
    else if (strcmp(penalty, "none") == 0)
        options->penalty = DGM_PENALTY_NONE;
    else
        return dgm_fail(env, DGM_USAGE, "penalty \"%s\"; expected fairseq, gnmt or none", penalty);
    DGM_TRY(read_rule(env, options, chosen->beam_rule));
    translator->n_best = chosen->n_best > 0 ? chosen->n_best : 1;
    translator->batch_tokens = chosen->batch_tokens > 0 ? chosen->batch_tokens : 2000;
    translator->keep_tokens = chosen->keep_tokens;
    if (options->beam > DGM_MAX_BEAM || translator->n_best > options->beam)
        return dgm_fail(env, DGM_USAGE, "beam %d, n_best %d; expected n_best <= beam <= %d",
                        options->beam, translator->n_best, (int)DGM_MAX_BEAM);
    return DGM_OK;
}

static dgm_status fail_other(struct dgm_env *env, const char *path, const char *what)
{
    return dgm_fail_at(env, DGM_MODEL, path, 0, 0, "another vocabulary%s than the first model's; "
                       "expected models that were trained with the same one", what);
}

/* An ensemble needs the same ids for the same tokens. */
static dgm_status compare_vocabs(struct dgm_env *env, const struct dgm_model *a,
                                 const struct dgm_model *b, const char *path)
{
    int side;
    size_t i;

    if (a->pipeline.multitask != b->pipeline.multitask)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0, "multitask = %s; expected what the first "
                           "model has", b->pipeline.multitask ? "true" : "false");
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_vocab *va = dgm_pipeline_vocab(&a->pipeline, side);
        const struct dgm_vocab *vb = dgm_pipeline_vocab(&b->pipeline, side);
        int same = dgm_vocab_size(va) == dgm_vocab_size(vb);
        for (i = 0; same && i < dgm_vocab_size(va); i++)
            same = strcmp(dgm_vocab_token(va, (uint32_t)i, NULL),
                          dgm_vocab_token(vb, (uint32_t)i, NULL)) == 0;
        if (!same)
            return fail_other(env, path, "");
    }
    return DGM_OK;
}

/* The same tags for all models of an ensemble that read any. */
static dgm_status take_tags(struct dgm_env *env, struct dgm_translator *translator,
                            const struct dgm_model *model, const char *path)
{
    const struct dgm_tags *tags = &model->pipeline.tags;

    if (dgm_tags_size(tags) == 0)
        return DGM_OK;
    if (translator->tags == NULL)
        translator->tags = tags;
    return dgm_tags_same(translator->tags, tags) ? DGM_OK : fail_other(env, path, " of tags");
}

static dgm_status load_models(struct dgm_env *env, struct dgm_translator *translator,
                              const dgm_translator_options *chosen)
{
    const struct dgm_net *nets[DGM_ENSEMBLE];
    size_t i;

    if (chosen->model_count < 1 || chosen->model_count > DGM_ENSEMBLE)
        return dgm_fail(env, DGM_USAGE, "%zu models; expected 1..%d", chosen->model_count,
                        (int)DGM_ENSEMBLE);
    translator->models = dgm_alloc(env, chosen->model_count, sizeof *translator->models);
    if (translator->models == NULL)
        return DGM_MEMORY;
    for (i = 0; i < chosen->model_count; i++) {
        DGM_TRY(dgm_model_load(env, &translator->models[i], chosen->models[i],
                               translator->device, 0));
        translator->model_count++;
        if (i > 0)
            DGM_TRY(compare_vocabs(env, &translator->models[0], &translator->models[i],
                                   chosen->models[i]));
        DGM_TRY(take_tags(env, translator, &translator->models[i], chosen->models[i]));
        nets[i] = &translator->models[i].net;
    }
    return dgm_search_init(env, &translator->search, nets, (int)chosen->model_count,
                           translator->device, &translator->options);
}

dgm_status dgm_translator_new(dgm_context *context, const dgm_translator_options *options,
                              dgm_translator **translator)
{
    dgm_translator_options chosen;
    struct dgm_translator *made;
    dgm_status status;

    DGM_ENTER(context);
    DGM_TRY(dgm_argument_check(&context->env, translator, "translator"));
    *translator = NULL;
    DGM_TRY(dgm_options_take(&context->env, &chosen, sizeof chosen, options,
                             "dgm_translator_options"));
    made = dgm_alloc(&context->env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    status = read_options(&context->env, made, &chosen);
    if (status == DGM_OK)
        status = dgm_context_open_device(context, &made->device);
    if (status == DGM_OK)
        status = load_models(&context->env, made, &chosen);
    if (status == DGM_OK)
        status = dgm_translator_open_trees(made, &chosen);
    if (status == DGM_OK)
        status = dgm_translator_open_sight(made, &chosen);
    if (status != DGM_OK) {
        dgm_translator_free(made);
        return status;
    }
    *translator = made;
    return DGM_OK;
}

void dgm_translator_forget(struct dgm_translator *translator)
{
    struct dgm_env *env = &translator->context->env;
    size_t i;

    for (i = 0; i < translator->result_count; i++)
        dgm_result_clear(env, &translator->results[i]);
    dgm_release(env, translator->results);
    dgm_release(env, translator->logp);
    translator->results = NULL;
    translator->logp = NULL;
    translator->result_count = 0;
}

void dgm_translator_free(dgm_translator *translator)
{
    struct dgm_env *env;
    size_t i;

    if (translator == NULL)
        return;
    env = &translator->context->env;
    dgm_translator_forget(translator);
    dgm_tree_file_close(env, &translator->trees);
    dgm_release(env, translator->tree_path);
    dgm_parse_lines_clear(env, &translator->lines);
    dgm_parser_clear(env, &translator->parser);
    dgm_encoded_clear(env, &translator->encoded);
    dgm_packed_clear(env, &translator->source);
    dgm_packed_clear(env, &translator->target);
    dgm_release(env, translator->queue);
    dgm_buf_clear(env, &translator->text);
    dgm_sight_clear(env, &translator->sight);
    dgm_buf_clear(env, &translator->words);
    dgm_buf_clear(env, &translator->json);
    dgm_search_clear(env, &translator->search);
    for (i = 0; i < translator->model_count; i++)
        dgm_model_clear(env, &translator->models[i]);
    dgm_release(env, translator->models);
    if (translator->device != NULL)
        dgm_device_close(env, translator->device);
    dgm_release(env, translator);
}

void dgm_translator_begin(struct dgm_translator *translator)
{
    if (!translator->ran)
        return;
    dgm_translator_forget(translator);
    dgm_packed_reset(&translator->source);
    dgm_packed_reset(&translator->target);
    dgm_parse_lines_reset(&translator->lines);
    dgm_buf_reset(&translator->words);
    translator->queue_count = 0;
    translator->ran = 0;
}

/* ---- results --------------------------------------------------------------------------------- */

static dgm_status score_queue(struct dgm_env *env, struct dgm_translator *translator)
{
    const struct dgm_net *nets[DGM_ENSEMBLE];
    size_t i;

    translator->logp = dgm_alloc(env, translator->result_count, sizeof *translator->logp);
    if (translator->logp == NULL)
        return DGM_MEMORY;
    for (i = 0; i < translator->model_count; i++)
        nets[i] = &translator->models[i].net;
    return dgm_translate_score(env, nets, (int)translator->model_count, translator->device,
                               &translator->source, &translator->target,
                               translator->batch_tokens, translator->logp);
}

dgm_status dgm_translator_run(dgm_translator *translator, size_t *lines)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    dgm_translator_begin(translator);
    translator->ran = 1;
    *lines = translator->queue_count;
    translator->results =
        dgm_alloc(env, (size_t)translator->source.count, sizeof *translator->results);
    if (translator->results == NULL)
        return DGM_MEMORY;
    translator->result_count = (size_t)translator->source.count;
    DGM_TRY(dgm_translator_parse(translator));
    if (translator->scoring)
        return score_queue(env, translator);
    return dgm_translate_all(env, &translator->search, &translator->source,
                             translator->batch_tokens, translator->results);
}

/* DGM_USAGE unless there is such a result. */
static dgm_status check_line(struct dgm_translator *translator, size_t line)
{
    if (!translator->ran || line >= translator->queue_count)
        return dgm_fail(&translator->context->env, DGM_USAGE,
                        "result of line %zu; expected a run, and a line below %zu", line,
                        translator->queue_count);
    return DGM_OK;
}

dgm_status dgm_translator_count(dgm_translator *translator, size_t line, size_t *count)
{
    int32_t s;

    DGM_ENTER_HANDLE(translator);
    DGM_TRY(check_line(translator, line));
    s = translator->queue[line].sentence;
    *count = 0;
    if (s >= 0)
        *count = translator->scoring ? 1 : (size_t)translator->results[s].count;
    if (*count > (size_t)translator->n_best)
        *count = (size_t)translator->n_best;
    return DGM_OK;
}

dgm_status dgm_translator_result(dgm_translator *translator, size_t line, size_t rank,
                                 const char **text, size_t *bytes, double *score, double *logp)
{
    struct dgm_env *env;
    const struct dgm_hypothesis *item;
    size_t count;
    int32_t s, length;
    double value;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    DGM_TRY(dgm_translator_count(translator, line, &count));
    if (rank >= count)
        return dgm_fail(env, DGM_USAGE, "result %zu of line %zu; there are %zu", rank, line,
                        count);
    s = translator->queue[line].sentence;
    dgm_buf_reset(&translator->text);
    DGM_TRY(dgm_buf_add_text(env, &translator->text, ""));
    if (translator->scoring) {
        value = translator->logp[s];
        length = dgm_packed_length(&translator->target, s);
    } else {
        item = &translator->results[s].items[rank];
        value = item->logp;
        length = item->length;
        DGM_TRY(dgm_pipeline_decode(env, &translator->models[0].pipeline, &translator->text,
                                    item->tokens, item->length, !translator->keep_tokens));
    }
    if (text != NULL)
        *text = translator->text.data;
    if (bytes != NULL)
        *bytes = translator->text.size;
    if (score != NULL)
        *score = dgm_search_score(&translator->options, value, length);
    if (logp != NULL)
        *logp = value;
    return DGM_OK;
}
