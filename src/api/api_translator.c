/*
 * api_translator.c: translating and scoring lines behind the public interface.
 */
#include <string.h>

#include "api/context.h"
#include "base/mem.h"
#include "decode/translate.h"
#include "model/model.h"
#include "syntax/conllu.h"
#include "data/corpus.h"

/* One queued line: where its sentence is in `source`, or -1 for a blank one. */
struct queued {
    int32_t sentence;
};

struct dgm_translator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_model *models;
    size_t model_count;
    struct dgm_search search;
    struct dgm_search_options options;
    int n_best, keep_tokens, has_trees;
    int64_t batch_tokens;
    struct dgm_conllu_reader trees;
    struct dgm_conllu_sentence tree;
    char *tree_path;

    struct dgm_encoded encoded;
    int32_t *heads;
    size_t head_capacity;
    struct dgm_packed source, target; /* queued sentences that are not blank */
    struct queued *queue;
    size_t queue_count, queue_capacity;
    long line;                        /* lines added in all */
    int scoring;                      /* the queue holds pairs */
    int ran;                          /* results below belong to the queue */
    struct dgm_result *results;       /* (source.count) */
    double *logp;                     /* (source.count), scoring */
    size_t result_count;
    int warned;                       /* about trees, or lines too long */
    struct dgm_buf text;
};

/* ---- making and freeing ---------------------------------------------------------------------- */

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
    translator->n_best = chosen->n_best > 0 ? chosen->n_best : 1;
    translator->batch_tokens = chosen->batch_tokens > 0 ? chosen->batch_tokens : 2000;
    translator->keep_tokens = chosen->keep_tokens;
    if (options->beam > DGM_MAX_BEAM || translator->n_best > options->beam)
        return dgm_fail(env, DGM_USAGE, "beam %d, n_best %d; expected n_best <= beam <= %d",
                        options->beam, translator->n_best, (int)DGM_MAX_BEAM);
    return DGM_OK;
}

/* An ensemble needs the same ids for the same tokens. */
static dgm_status compare_vocabs(struct dgm_env *env, const struct dgm_model *a,
                                 const struct dgm_model *b, const char *path)
{
    int side;
    size_t i;

    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_vocab *va = dgm_pipeline_vocab(&a->pipeline, side);
        const struct dgm_vocab *vb = dgm_pipeline_vocab(&b->pipeline, side);
        int same = dgm_vocab_size(va) == dgm_vocab_size(vb);
        for (i = 0; same && i < dgm_vocab_size(va); i++)
            same = strcmp(dgm_vocab_token(va, (uint32_t)i, NULL),
                          dgm_vocab_token(vb, (uint32_t)i, NULL)) == 0;
        if (!same)
            return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                               "another vocabulary than the first model's; expected models that "
                               "were trained with the same one");
    }
    return DGM_OK;
}

static dgm_status load_models(struct dgm_env *env, struct dgm_translator *translator,
                              const dgm_translator_options *chosen)
{
    const struct dgm_transformer *nets[DGM_ENSEMBLE];
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
        nets[i] = &translator->models[i].net;
    }
    return dgm_search_init(env, &translator->search, nets, (int)chosen->model_count,
                           translator->device, &translator->options);
}

static dgm_status open_trees(struct dgm_env *env, struct dgm_translator *translator,
                             const char *path)
{
    struct dgm_conllu_options options;

    if (path == NULL)
        return DGM_OK;
    memset(&options, 0, sizeof options);
    options.lenient = 1;
    options.multi_root = DGM_MULTI_ROOT_KEEP;
    options.allow_unparsed = 1;
    options.allow_empty = 1;
    translator->tree_path = dgm_copy_text(env, path, strlen(path));
    if (translator->tree_path == NULL)
        return DGM_MEMORY;
    DGM_TRY(dgm_conllu_open(env, &translator->trees, translator->tree_path, &options));
    translator->has_trees = 1;
    return DGM_OK;
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
        status = dgm_device_open(&context->env, &made->device, "cpu", &context->device);
    if (status == DGM_OK)
        status = load_models(&context->env, made, &chosen);
    if (status == DGM_OK)
        status = open_trees(&context->env, made, chosen.trees);
    if (status != DGM_OK) {
        dgm_translator_free(made);
        return status;
    }
    *translator = made;
    return DGM_OK;
}

static void forget_results(struct dgm_env *env, struct dgm_translator *translator)
{
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
    forget_results(env, translator);
    if (translator->has_trees)
        dgm_conllu_close(env, &translator->trees);
    dgm_conllu_clear(env, &translator->tree);
    dgm_release(env, translator->tree_path);
    dgm_encoded_clear(env, &translator->encoded);
    dgm_release(env, translator->heads);
    dgm_packed_clear(env, &translator->source);
    dgm_packed_clear(env, &translator->target);
    dgm_release(env, translator->queue);
    dgm_buf_clear(env, &translator->text);
    dgm_search_clear(env, &translator->search);
    for (i = 0; i < translator->model_count; i++)
        dgm_model_clear(env, &translator->models[i]);
    dgm_release(env, translator->models);
    if (translator->device != NULL)
        dgm_device_close(env, translator->device);
    dgm_release(env, translator);
}

/* ---- queueing ------------------------------------------------------------------------------ */

/* The first line after a run begins a new queue. */
static void begin_queue(struct dgm_translator *translator)
{
    if (!translator->ran)
        return;
    forget_results(&translator->context->env, translator);
    dgm_packed_reset(&translator->source);
    dgm_packed_reset(&translator->target);
    translator->queue_count = 0;
    translator->ran = 0;
}

/* A tree that does not fit costs its line the syntax, never the translation. */
static dgm_status drop_tree(struct dgm_env *env, struct dgm_translator *translator,
                            const struct dgm_encoded *encoded)
{
    int32_t w;

    if (!translator->warned)
        dgm_log(env, DGM_LOG_WARNING, "line %ld: %s; translated without its tree (said once)",
                translator->line, env->error.message);
    translator->warned = 1;
    dgm_env_clear_error(env);
    for (w = 0; w < encoded->n_words; w++)
        translator->heads[w] = -1;
    return DGM_OK;
}

/* The heads of the line just encoded, from the next sentence of the tree file. */
static dgm_status read_heads(struct dgm_env *env, struct dgm_translator *translator)
{
    const struct dgm_encoded *encoded = &translator->encoded;
    dgm_status status;
    int more;

    DGM_TRY(dgm_reserve(env, &translator->heads, &translator->head_capacity,
                        (size_t)encoded->n_words + 1, sizeof *translator->heads));
    DGM_TRY(dgm_conllu_next(env, &translator->trees, &translator->tree, &more));
    if (!more)
        return dgm_fail_at(env, DGM_DATA, translator->tree_path, 0, 0,
                           "%ld sentences; expected one for each line of the input [E_ALIGN]",
                           translator->line - 1);
    status = dgm_corpus_heads(env, translator->heads, &translator->tree, encoded, "input",
                              translator->line);
    return status == DGM_DATA ? drop_tree(env, translator, encoded) : status;
}

/* The first tokens of a line that is longer than the model can read. */
static void cut_line(struct dgm_env *env, struct dgm_translator *translator)
{
    struct dgm_encoded *encoded = &translator->encoded;
    int32_t most = (int32_t)translator->models[0].net.config.max_length;

    if (encoded->n <= most)
        return;
    dgm_log(env, DGM_LOG_WARNING, "line %ld has %d tokens, the model reads %d: the rest is cut",
            translator->line, (int)encoded->n, (int)most);
    encoded->ids[most - 1] = encoded->ids[encoded->n - 1];
    encoded->words[most - 1] = -1;
    encoded->n = most;
}

static dgm_status queue_line(struct dgm_env *env, struct dgm_translator *translator,
                             int32_t sentence)
{
    DGM_TRY(dgm_grow(env, &translator->queue, &translator->queue_capacity,
                     translator->queue_count, sizeof *translator->queue));
    translator->queue[translator->queue_count++].sentence = sentence;
    return DGM_OK;
}

static dgm_status add_source(struct dgm_translator *translator, const char *line, size_t bytes,
                             int *is_blank)
{
    struct dgm_env *env = &translator->context->env;
    struct dgm_encoded *encoded = &translator->encoded;

    begin_queue(translator);
    translator->line++;
    DGM_TRY(dgm_pipeline_encode(env, &translator->models[0].pipeline, DGM_SOURCE, encoded,
                                line, bytes));
    if (translator->has_trees)
        DGM_TRY(read_heads(env, translator));
    *is_blank = encoded->n == 1;
    if (*is_blank)
        return queue_line(env, translator, -1);
    cut_line(env, translator);
    DGM_TRY(dgm_packed_add(env, &translator->source, encoded->ids, encoded->words, encoded->n,
                           translator->has_trees ? translator->heads : NULL, encoded->n_words));
    return queue_line(env, translator, translator->source.count - 1);
}

dgm_status dgm_translator_add(dgm_translator *translator, const char *line, size_t bytes)
{
    int is_blank;

    DGM_ENTER_HANDLE(translator);
    DGM_TRY(dgm_line_check(&translator->context->env, line, bytes));
    translator->scoring = 0;
    return add_source(translator, line, bytes, &is_blank);
}

dgm_status dgm_translator_add_pair(dgm_translator *translator, const char *source,
                                   size_t source_bytes, const char *target, size_t target_bytes)
{
    struct dgm_env *env;
    struct dgm_encoded *encoded;
    int is_blank;

    DGM_ENTER_HANDLE(translator);
    env = &translator->context->env;
    encoded = &translator->encoded;
    DGM_TRY(dgm_line_check(env, source, source_bytes));
    DGM_TRY(dgm_line_check(env, target, target_bytes));
    translator->scoring = 1;
    DGM_TRY(add_source(translator, source, source_bytes, &is_blank));
    if (is_blank)
        return DGM_OK;
    DGM_TRY(dgm_pipeline_encode(env, &translator->models[0].pipeline, DGM_TARGET, encoded, target,
                                target_bytes));
    cut_line(env, translator);
    return dgm_packed_add(env, &translator->target, encoded->ids, encoded->words, encoded->n,
                          NULL, encoded->n_words);
}

/* ---- results --------------------------------------------------------------------------------- */

static dgm_status score_queue(struct dgm_env *env, struct dgm_translator *translator)
{
    const struct dgm_transformer *nets[DGM_ENSEMBLE];
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
    begin_queue(translator);
    translator->ran = 1;
    *lines = translator->queue_count;
    translator->results =
        dgm_alloc(env, (size_t)translator->source.count, sizeof *translator->results);
    if (translator->results == NULL)
        return DGM_MEMORY;
    translator->result_count = (size_t)translator->source.count;
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
