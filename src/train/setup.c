/*
 * setup.c: the beginning of a training run: its settings, a new model or the newest checkpoint.
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
    session->decides = dgm_settings_text(s, "valid-metrics");
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
    session->schedule.kind = strcmp(schedule, "noam") == 0       ? DGM_SCHEDULE_NOAM
                             : strcmp(schedule, "constant") == 0 ? DGM_SCHEDULE_CONSTANT
                                                                 : DGM_SCHEDULE_INVERSE_SQRT;
    session->schedule.rate = dgm_settings_real(s, "lr");
    session->schedule.warmup = (double)dgm_settings_int(s, "warmup");
    session->schedule.initial = dgm_settings_real(s, "warmup-init-lr");
    return DGM_OK;
}

static int is_in(const struct dgm_opt *const *tables, const char *name)
{
    const struct dgm_opt *opt;

    for (; *tables != NULL; tables++)
        for (opt = *tables; opt->name != NULL; opt++)
            if (strcmp(opt->name, name) == 0)
                return 1;
    return 0;
}

/* The values a resumed run must agree with, one `key = value` line each. */
static dgm_status describe_settings(struct dgm_session *session)
{
    size_t i;

    for (i = 0; i < session->settings->count; i++) {
        const struct dgm_setting *setting = &session->settings->items[i];
        if (setting->value != NULL && dgm_train_option_matters(setting->opt) &&
            is_in(session->learner->run_tables, setting->opt->name))
            DGM_TRY(dgm_buf_add_format(session->env, &session->settings_text, "%s = %s\n",
                                       setting->opt->name, setting->value));
    }
    return dgm_buf_add_text(session->env, &session->settings_text, "");
}

/* ---- a new model, or the newest checkpoint -------------------------------------------------- */

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

/* The model's settings of this run as its file would hold them. */
static dgm_status describe_model(struct dgm_session *session, struct dgm_buf *text)
{
    struct dgm_env *env = session->env;
    struct dgm_settings now;
    dgm_status status = DGM_OK;
    size_t i;

    DGM_TRY(dgm_settings_init(env, &now, session->learner->model_tables));
    for (i = 0; i < now.count && status == DGM_OK; i++) {
        const char *name = now.items[i].opt->name;
        const char *value = dgm_settings_text(session->settings, name);
        if (value != NULL)
            status = dgm_settings_set(env, &now, name, value, "model");
    }
    if (status == DGM_OK)
        status = dgm_settings_dump(env, &now, text, 0);
    dgm_settings_clear(env, &now);
    return status;
}

static dgm_status compare_settings(struct dgm_session *session, const struct dgm_gguf *file)
{
    struct dgm_buf config = {NULL, 0, 0, 0};
    dgm_status status;
    size_t length;
    const char *saved = dgm_gguf_text(file, "dragoman.state.settings", &length);

    if (saved == NULL)
        return dgm_fail_at(session->env, DGM_MODEL, file->name, 0, 0,
                           "key dragoman.state.settings is missing");
    DGM_TRY(compare_text(session, saved, length, session->settings_text.data));
    status = describe_model(session, &config);
    saved = dgm_gguf_text(file, session->learner->config_key, &length);
    if (status == DGM_OK && saved != NULL)
        status = compare_text(session, saved, length, config.data);
    dgm_buf_clear(session->env, &config);
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
    DGM_TRY(dgm_optimizer_init(session->env, &session->optimizer, session->params, &options));
    return session->accumulate > 1 ? dgm_optimizer_hold_sum(session->env, &session->optimizer)
                                   : DGM_OK;
}

static dgm_status resume(struct dgm_session *session, const struct dgm_gguf *file)
{
    DGM_TRY(compare_settings(session, file));
    DGM_TRY(session->learner->load(session, file));
    DGM_TRY(start_optimizer(session));
    DGM_TRY(dgm_checkpoints_moments(session->env, file, &session->optimizer));
    DGM_TRY(dgm_train_state_load(session->env, file, &session->state));
    if (session->state.best_update != session->state.updates)
        return DGM_OK;
    return dgm_checkpoints_mark_best(session->env, &session->checkpoints, file->name);
}

static dgm_status start_afresh(struct dgm_session *session)
{
    DGM_TRY(session->learner->make(session));
    session->state.epoch = 1;
    if (dgm_settings_flag(session->settings, "dry-run"))
        return DGM_OK;
    DGM_TRY(session->learner->allocate(session));
    DGM_TRY(dgm_params_initialise(session->env, session->params, session->seed));
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
    const struct dgm_learner *learner = session->learner;
    uint64_t before;

    DGM_TRY(read_settings(session));
    DGM_TRY(learner->open(session));
    DGM_TRY(describe_settings(session));
    DGM_TRY(start_or_resume(session));
    before = session->state.train_checksum;
    DGM_TRY(learner->data(session));
    if (before != 0 && before != session->state.train_checksum &&
        !dgm_settings_flag(session->settings, "allow-data-change"))
        return dgm_fail(session->env, DGM_USAGE, "the training text is not the one that the "
                        "checkpoints were trained on. Try --allow-data-change or --overwrite");
    DGM_TRY(dgm_replicas_init(session));
    return learner->epoch(session, session->state.epoch, &session->batches);
}

void dgm_session_clear(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    dgm_report_close(env, &session->report);
    dgm_replicas_clear(session);
    dgm_optimizer_clear(env, &session->optimizer);
    session->learner->close(session);
    dgm_checkpoints_close(env, &session->checkpoints);
    dgm_buf_clear(env, &session->settings_text);
    dgm_release(env, session->self);
}
