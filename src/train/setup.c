/*
 * setup.c: the beginning of a training run: data, vocabularies, model, checkpoints to resume.
 */
#include <string.h>

#include "base/mem.h"
#include "train/options.h"
#include "train/session.h"

static struct dgm_length read_length(const struct dgm_settings *settings, const char *name)
{
    struct dgm_length length;

    length.value = dgm_settings_length(settings, name, &length.unit);
    return length;
}

static dgm_status read_settings(struct dgm_session *session)
{
    const struct dgm_settings *s = session->settings;
    const char *schedule = dgm_settings_text(s, "lr-schedule");
    int64_t average = dgm_settings_int(s, "average");

    session->seed = (uint32_t)dgm_settings_int(s, "seed");
    session->accumulate = dgm_settings_int(s, "accumulate");
    session->patience = dgm_settings_int(s, "early-stopping");
    session->by_bleu = strcmp(dgm_settings_text(s, "valid-metrics"), "bleu") == 0;
    session->keep = (size_t)dgm_settings_int(s, "keep-last");
    if ((int64_t)session->keep < average)
        session->keep = (size_t)average;
    session->after = read_length(s, "after");
    session->display = read_length(s, "disp-freq");
    session->save = read_length(s, "save-freq");
    session->validate = read_length(s, "valid-freq");
    if (strchr("ue", session->save.unit) == NULL || strchr("ue", session->validate.unit) == NULL ||
        session->display.unit != 'u')
        return dgm_fail(session->env, DGM_USAGE, "save-freq and valid-freq count updates (u) or "
                        "epochs (e), disp-freq updates (u)");
    session->order_options.seed = session->seed;
    session->order_options.batch_tokens = dgm_settings_int(s, "batch-tokens");
    session->order_options.batch_sentences = dgm_settings_int(s, "batch-size");
    session->order_options.window = dgm_settings_int(s, "length-buckets");
    session->schedule.kind = strcmp(schedule, "noam") == 0       ? DGM_SCHEDULE_NOAM
                             : strcmp(schedule, "constant") == 0 ? DGM_SCHEDULE_CONSTANT
                                                                 : DGM_SCHEDULE_INVERSE_SQRT;
    session->schedule.rate = dgm_settings_real(s, "lr");
    session->schedule.warmup = (double)dgm_settings_int(s, "warmup");
    session->schedule.initial = dgm_settings_real(s, "warmup-init-lr");
    session->schedule.dim = (double)dgm_settings_int(s, "dim-emb");
    return DGM_OK;
}

/* The values a resumed run must agree with, one `key = value` line each. */
static dgm_status describe_settings(struct dgm_session *session)
{
    size_t i;

    for (i = 0; i < session->settings->count; i++) {
        const char *name = session->settings->items[i].opt->name;
        const char *value = session->settings->items[i].value;
        int is_ours = 0, k;
        for (k = 0; dgm_train_table[k].name != NULL; k++)
            is_ours |= strcmp(dgm_train_table[k].name, name) == 0;
        if (is_ours && value != NULL && dgm_train_option_matters(name))
            DGM_TRY(dgm_buf_add_format(session->env, &session->settings_text, "%s = %s\n", name,
                                       value));
    }
    return dgm_buf_add_text(session->env, &session->settings_text, "");
}

/* ---- data ---------------------------------------------------------------------------------- */

static const char *file_of(const struct dgm_session *session, const char *name, size_t i)
{
    return dgm_settings_count(session->settings, name) > i
               ? dgm_settings_item(session->settings, name, i)
               : NULL;
}

static dgm_status check_files(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    if (dgm_settings_count(session->settings, "train-sets") != 2)
        return dgm_fail(env, DGM_USAGE, "--train-sets names %zu files; expected two, source and "
                        "target", dgm_settings_count(session->settings, "train-sets"));
    session->has_valid = dgm_settings_count(session->settings, "valid-sets") == 2;
    if (!session->has_valid && dgm_settings_count(session->settings, "valid-sets") != 0)
        return dgm_fail(env, DGM_USAGE, "--valid-sets names %zu files; expected two, source and "
                        "target", dgm_settings_count(session->settings, "valid-sets"));
    if (!session->has_valid && session->patience > 0)
        return dgm_fail(env, DGM_USAGE, "--early-stopping needs --valid-sets");
    return DGM_OK;
}

static enum dgm_bad_line on_bad_line(const struct dgm_settings *settings)
{
    const char *what = dgm_settings_text(settings, "on-bad-line");

    return strcmp(what, "skip") == 0      ? DGM_BAD_LINE_SKIP
           : strcmp(what, "replace") == 0 ? DGM_BAD_LINE_REPLACE
                                          : DGM_BAD_LINE_ERROR;
}

static dgm_status learn_pipeline(struct dgm_session *session, struct dgm_pipeline *pipeline)
{
    const struct dgm_settings *settings = session->settings;
    struct dgm_corpus_learn_options learn;

    memset(&learn, 0, sizeof learn);
    learn.merges = (long)dgm_settings_int(settings, "bpe-merges");
    learn.codes = dgm_settings_text(settings, "codes");
    learn.vocab[DGM_SOURCE] = file_of(session, "vocabs", 0);
    learn.vocab[DGM_TARGET] = file_of(session, "vocabs", 1);
    learn.vocab_size = (size_t)dgm_settings_int(settings, "dim-vocabs");
    learn.min_count = dgm_settings_int(settings, "min-freq");
    learn.on_bad = on_bad_line(settings);
    DGM_TRY(dgm_model_pipeline(session->env, pipeline, settings));
    return dgm_corpus_learn(session->env, pipeline, file_of(session, "train-sets", 0),
                            file_of(session, "train-sets", 1), &learn);
}

static void report_corpus(struct dgm_session *session, const char *name,
                          const struct dgm_corpus *corpus)
{
    dgm_log(session->env, DGM_LOG_NOTE,
            "%s: %ld pairs read, %d used, %ld blank, %ld longer than max-length, %ld ill-formed",
            name, corpus->lines, (int)corpus->source.count, corpus->blank, corpus->too_long,
            corpus->bad);
}

static dgm_status load_data(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    int32_t longest = (int32_t)session->model.net.config.max_length;
    const char *trees = dgm_settings_text(session->settings, "train-trees");

    if (dgm_syntax_needs_trees(&session->model.net.syntax) && trees == NULL)
        return dgm_fail(env, DGM_USAGE, "--syntax %s needs trees; expected --train-trees FILE",
                        session->model.net.config.syntax);
    DGM_TRY(dgm_corpus_load(env, &session->train, &session->model.pipeline,
                            file_of(session, "train-sets", 0), file_of(session, "train-sets", 1),
                            trees, longest, on_bad_line(session->settings)));
    report_corpus(session, "training text", &session->train);
    session->state.train_checksum = session->train.checksum;
    if (!session->has_valid)
        return DGM_OK;
    DGM_TRY(dgm_corpus_load(env, &session->valid, &session->model.pipeline,
                            file_of(session, "valid-sets", 0), file_of(session, "valid-sets", 1),
                            dgm_settings_text(session->settings, "valid-trees"), longest,
                            on_bad_line(session->settings)));
    report_corpus(session, "validation text", &session->valid);
    return DGM_OK;
}

/* ---- a new model, or the newest checkpoint -------------------------------------------------- */

static dgm_status make_model(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    struct dgm_pipeline pipeline;
    dgm_status status;

    memset(&pipeline, 0, sizeof pipeline);
    status = learn_pipeline(session, &pipeline);
    if (status == DGM_OK)
        status = dgm_model_make(env, &session->model, session->settings, &pipeline);
    dgm_pipeline_clear(env, &pipeline);
    DGM_TRY(status);
    session->state.epoch = 1;
    return DGM_OK;
}

/* The first line of `text` that `other` lacks. */
static const char *first_difference(const char *text, const char *other, size_t *length)
{
    for (; *text != '\0'; text += *length + 1) {
        const char *found = other;
        *length = strcspn(text, "\n");
        while (found != NULL && *found != '\0' &&
               !(strncmp(found, text, *length + 1) == 0)) {
            found = strchr(found, '\n');
            found = found != NULL ? found + 1 : NULL;
        }
        if (found == NULL || *found == '\0')
            return text;
    }
    return NULL;
}

static dgm_status compare_text(struct dgm_session *session, const char *saved, size_t saved_length,
                               const char *now)
{
    char *old = dgm_copy_text(session->env, saved, saved_length);
    const char *line;
    dgm_status status = DGM_OK;
    size_t length;

    if (old == NULL)
        return DGM_MEMORY;
    line = first_difference(now, old, &length);
    if (line != NULL)
        status = dgm_fail_at(session->env, DGM_USAGE, session->checkpoints.folder, 0, 0,
                             "checkpoints were trained with another setting than \"%.*s\". Try "
                             "the old setting, --overwrite, or another --model", (int)length,
                             line);
    dgm_release(session->env, old);
    return status;
}

static dgm_status compare_settings(struct dgm_session *session, const struct dgm_gguf *file)
{
    struct dgm_settings now;
    struct dgm_buf config = {NULL, 0, 0, 0};
    struct dgm_env *env = session->env;
    dgm_status status;
    size_t length, i;
    const char *saved = dgm_gguf_text(file, "dragoman.state.settings", &length);

    if (saved == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "key dragoman.state.settings is missing");
    DGM_TRY(compare_text(session, saved, length, session->settings_text.data));
    DGM_TRY(dgm_settings_init(env, &now, dgm_model_tables));
    status = DGM_OK;
    for (i = 0; i < now.count && status == DGM_OK; i++) {
        const char *name = now.items[i].opt->name;
        const char *value = dgm_settings_text(session->settings, name);
        if (value != NULL)
            status = dgm_settings_set(env, &now, name, value, "model");
    }
    if (status == DGM_OK)
        status = dgm_settings_dump(env, &now, &config, 0);
    saved = dgm_gguf_text(file, "dragoman.config", &length);
    if (status == DGM_OK && saved != NULL)
        status = compare_text(session, saved, length, config.data);
    dgm_settings_clear(env, &now);
    dgm_buf_clear(env, &config);
    return status;
}

static dgm_status start_optimizer(struct dgm_session *session)
{
    const struct dgm_settings *settings = session->settings;
    struct dgm_optimizer_options options;

    options.beta1 = dgm_settings_real(settings, "adam-beta1");
    options.beta2 = dgm_settings_real(settings, "adam-beta2");
    options.eps = dgm_settings_real(settings, "adam-eps");
    options.weight_decay = dgm_settings_real(settings, "weight-decay");
    options.clip_norm = dgm_settings_real(settings, "clip-norm");
    return dgm_optimizer_init(session->env, &session->optimizer, &session->model.net.params,
                              &options);
}

static dgm_status resume(struct dgm_session *session, const struct dgm_gguf *file)
{
    DGM_TRY(compare_settings(session, file));
    DGM_TRY(dgm_model_from_gguf(session->env, &session->model, file, session->device, 1));
    DGM_TRY(start_optimizer(session));
    DGM_TRY(dgm_checkpoints_moments(session->env, file, &session->optimizer));
    return dgm_train_state_load(session->env, file, &session->state);
}

static dgm_status start_afresh(struct dgm_session *session)
{
    DGM_TRY(make_model(session));
    if (dgm_settings_flag(session->settings, "dry-run"))
        return DGM_OK;
    DGM_TRY(dgm_transformer_allocate(session->env, &session->model.net, session->device, 1));
    DGM_TRY(dgm_params_initialise(session->env, &session->model.net.params, session->seed));
    return start_optimizer(session);
}

static dgm_status start_or_resume(struct dgm_session *session)
{
    struct dgm_gguf file;
    int found = 0;
    dgm_status status;

    if (dgm_settings_flag(session->settings, "dry-run"))
        return start_afresh(session);
    memset(&file, 0, sizeof file);
    DGM_TRY(dgm_checkpoints_open(session->env, &session->checkpoints,
                                 dgm_settings_text(session->settings, "model")));
    if (!dgm_settings_flag(session->settings, "resume") ||
        dgm_settings_flag(session->settings, "overwrite"))
        DGM_TRY(dgm_checkpoints_discard(session->env, &session->checkpoints));
    status = dgm_checkpoints_newest(session->env, &session->checkpoints, &file, &found);
    if (status == DGM_OK && found)
        status = resume(session, &file);
    else if (status == DGM_OK)
        status = start_afresh(session);
    dgm_gguf_clear(session->env, &file);
    if (status == DGM_OK && found)
        dgm_log(session->env, DGM_LOG_NOTE, "resuming after update %lld",
                (long long)session->state.updates);
    return status;
}

dgm_status dgm_session_init(struct dgm_session *session)
{
    uint64_t before;

    DGM_TRY(read_settings(session));
    DGM_TRY(check_files(session));
    DGM_TRY(describe_settings(session));
    DGM_TRY(start_or_resume(session));
    before = session->state.train_checksum;
    DGM_TRY(load_data(session));
    if (before != 0 && before != session->state.train_checksum &&
        !dgm_settings_flag(session->settings, "allow-data-change"))
        return dgm_fail(session->env, DGM_USAGE, "the training text is not the one that the "
                        "checkpoints were trained on. Try --allow-data-change or --overwrite");
    dgm_step_init(&session->step, session->device);
    DGM_TRY(dgm_graph_init(session->env, &session->graph, session->device));
    return dgm_order_make(session->env, &session->order, &session->train,
                          &session->order_options, session->state.epoch);
}

void dgm_session_clear(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    dgm_report_close(env, &session->report);
    dgm_graph_clear(&session->graph);
    dgm_step_clear(env, &session->step);
    dgm_batch_clear(env, &session->batch);
    dgm_order_clear(env, &session->order);
    dgm_corpus_clear(env, &session->train);
    dgm_corpus_clear(env, &session->valid);
    dgm_optimizer_clear(env, &session->optimizer);
    dgm_model_clear(env, &session->model);
    dgm_checkpoints_close(env, &session->checkpoints);
    dgm_buf_clear(env, &session->settings_text);
    dgm_release(env, session->losses);
}
