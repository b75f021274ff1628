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
    session->by_sentence = strcmp(dgm_settings_text(s, "cost-type"), "mean") == 0;
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
        return dgm_fail(session->env, DGM_USAGE,
                        "save-freq and valid-freq count updates (u) or "
                        "epochs (e), disp-freq updates (u)");
    session->schedule.kind = strcmp(schedule, "noam") == 0       ? DGM_SCHEDULE_NOAM
                             : strcmp(schedule, "constant") == 0 ? DGM_SCHEDULE_CONSTANT
                                                                 : DGM_SCHEDULE_INVERSE_SQRT;
    session->schedule.rate = dgm_settings_real(s, "lr");
    session->schedule.warmup = (double)dgm_settings_int(s, "warmup");
    session->schedule.initial = dgm_settings_real(s, "warmup-init-lr");
    if (strcmp(dgm_settings_text(s, "optimizer"), "adadelta") == 0 &&
        dgm_settings_real(s, "weight-decay") > 0)
        return dgm_fail(session->env, DGM_USAGE,
                        "--weight-decay counts in learning rates, and "
                        "adadelta has none; expected --weight-decay 0");
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

/* Whether the setting has "-" for a file, or for one of several. */
static int names_standard_input(const struct dgm_setting *setting)
{
    size_t i;

    if (setting->opt->type == DGM_OPT_FILE)
        return setting->value != NULL && strcmp(setting->value, "-") == 0;
    for (i = 0; i < setting->item_count; i++)
        if (strcmp(setting->items[i], "-") == 0)
            return 1;
    return 0;
}

/* Vocabularies are learned from the text before it is encoded, and a resume reads it again. */
static dgm_status refuse_standard_input(struct dgm_session *session)
{
    const struct dgm_settings *settings = session->settings;
    size_t i;

    for (i = 0; i < settings->count; i++) {
        const char *name = settings->items[i].opt->name;
        if ((strncmp(name, "train-", 6) == 0 || strncmp(name, "valid-", 6) == 0) &&
            names_standard_input(&settings->items[i]))
            return dgm_fail(session->env, DGM_USAGE,
                            "--%s names standard input, which can be "
                            "read only once; expected a file, since training reads its text "
                            "several times",
                            name);
    }
    return DGM_OK;
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
        while (found != NULL && *found != '\0' && !(strncmp(found, text, *length + 1) == 0)) {
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
                             "the old setting, --overwrite, or another --model",
                             (int)length, line);
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
    struct dgm_buf config = { NULL, 0, 0, 0 };
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
    options.kind =
        strcmp(dgm_settings_text(settings, "optimizer"), "adadelta") == 0 ? DGM_ADADELTA : DGM_ADAM;
    options.rho = dgm_settings_real(settings, "adadelta-rho");
    options.eps =
        dgm_settings_real(settings, options.kind == DGM_ADADELTA ? "adadelta-eps" : "adam-eps");
    options.weight_decay = dgm_settings_real(settings, "weight-decay");
    options.clip_norm = dgm_settings_real(settings, "clip-norm");
    DGM_TRY(dgm_optimizer_init(session->env, &session->optimizer, session->params, &options));
    return session->accumulate > 1 ? dgm_optimizer_hold_sum(session->env, &session->optimizer)
                                   : DGM_OK;
}

static dgm_status load_state(struct dgm_session *session, const struct dgm_gguf *file)
{
    const struct dgm_checkpoints *checkpoints = &session->checkpoints;
    int64_t longest = dgm_settings_int(session->settings, "max-length") + 1; /* a parser's root */
    struct dgm_train_bounds bounds;

    bounds.updates = checkpoints->newest_update;
    bounds.per_update = session->accumulate;
    bounds.per_batch = dgm_settings_int(session->settings, "batch-tokens");
    if (bounds.per_batch < longest)
        bounds.per_batch = longest;
    DGM_TRY(dgm_train_state_load(session->env, file, &session->state));
    return dgm_train_state_check_run(session->env, checkpoints->newest, &session->state, &bounds);
}

static dgm_status resume(struct dgm_session *session, const struct dgm_gguf *file)
{
    DGM_TRY(compare_settings(session, file));
    DGM_TRY(session->learner->load(session, file));
    DGM_TRY(start_optimizer(session));
    DGM_TRY(dgm_checkpoints_moments(session->env, file, &session->optimizer));
    DGM_TRY(load_state(session, file));
    DGM_TRY(dgm_checkpoints_expect(session->env, &session->checkpoints, file));
    if (session->state.best_update == 0 || session->state.best_update != session->state.updates)
        return DGM_OK;
    return dgm_checkpoints_mark_best(session->env, &session->checkpoints,
                                     session->checkpoints.newest);
}

/* A dry run builds a step, and runs none: its parameters have places, with nothing there. */
static dgm_status pretend_to_allocate(struct dgm_session *session)
{
    struct dgm_params *params = session->params;

    params->device = session->device;
    DGM_TRY(dgm_device_alloc(session->env, params->device, &params->values, 64));
    return dgm_device_alloc(session->env, params->device, &params->grads, 64);
}

static dgm_status start_afresh(struct dgm_session *session)
{
    DGM_TRY(session->learner->make(session));
    if (dgm_settings_flag(session->settings, "dry-run"))
        return pretend_to_allocate(session);
    DGM_TRY(session->learner->allocate(session));
    DGM_TRY(dgm_params_initialise(session->env, session->params, session->seed));
    return start_optimizer(session);
}

static dgm_status resume_newest(struct dgm_session *session, int *found)
{
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    status = dgm_checkpoints_newest(session->env, &session->checkpoints, &file, found);
    if (status == DGM_OK && *found)
        status = resume(session, &file);
    dgm_gguf_clear(session->env, &file);
    return status;
}

/* Model and data, from the newest checkpoint if there is one and it may be. */
static dgm_status prepare(struct dgm_session *session, int may_resume)
{
    int found = 0;

    session->state.epoch = 1;
    if (may_resume)
        DGM_TRY(resume_newest(session, &found));
    session->is_new = !found;
    if (!found)
        DGM_TRY(start_afresh(session));
    DGM_TRY(dgm_session_take_data(session));
    if (found)
        dgm_log(session->env, DGM_LOG_NOTE, "resuming after update %lld",
                (long long)session->state.updates);
    return dgm_replicas_init(session);
}

/* ---- --overwrite ---------------------------------------------------------------------------- */

/* Other settings, other texts, or nothing that is whole: whatever it is, it is said, less the advice
 * that it ends with. */
static int may_start_again(const struct dgm_session *session, dgm_status status)
{
    const char *message = session->env->error.message, *advice = strstr(message, ". Try ");
    int length = (int)(advice != NULL ? (size_t)(advice - message) : strlen(message));

    int has_any = session->checkpoints.regular_count > 0 || session->checkpoints.stopped >= 0;

    if (!has_any || (status != DGM_USAGE && status != DGM_MODEL) ||
        !dgm_settings_flag(session->settings, "overwrite"))
        return 0;
    dgm_log(session->env, DGM_LOG_NOTE, "--overwrite: starting again, since %.*s", length, message);
    return 1;
}

/* Back to where the learner's options had been read. */
static dgm_status forget_checkpoint(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    dgm_env_clear_error(env);
    dgm_replicas_clear(session);
    dgm_optimizer_clear(env, &session->optimizer);
    session->learner->close(session);
    memset(session->self, 0, session->learner->size);
    memset(&session->state, 0, sizeof session->state);
    session->params = NULL;
    session->has_new_valid = 0;
    session->checkpoints.newest[0] = '\0';
    return session->learner->open(session);
}

dgm_status dgm_session_init(struct dgm_session *session)
{
    const struct dgm_settings *settings = session->settings;
    int may_resume = dgm_settings_flag(settings, "resume");
    dgm_status status;

    DGM_TRY(read_settings(session));
    DGM_TRY(refuse_standard_input(session));
    DGM_TRY(session->learner->open(session));
    DGM_TRY(describe_settings(session));
    if (dgm_settings_flag(settings, "dry-run"))
        return prepare(session, 0);
    DGM_TRY(dgm_checkpoints_open(session->env, &session->checkpoints,
                                 dgm_settings_text(settings, "model"),
                                 !dgm_settings_flag(settings, "lock")));
    status = prepare(session, may_resume);
    if (status == DGM_OK || !may_resume || !may_start_again(session, status))
        return status;
    DGM_TRY(forget_checkpoint(session));
    return prepare(session, 0);
}

dgm_status dgm_session_begin(struct dgm_session *session)
{
    if (session->is_new)
        DGM_TRY(dgm_checkpoints_set_aside(session->env, &session->checkpoints));
    session->checkpoints.has_begun = 1;
    return DGM_OK;
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
