/*
 * session.c: a training run as a whole: its settings, a new model or the newest checkpoint, its
 * checkpoints.
 */
#include "train/session.h"

#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_write.h"
#include "train/store/resume_settings.h"
#include "train/store/set_aside.h"
#include "train/plan/batch_size.h"
#include "train/step/exchange/lead.h"
#include "train/step/freeze.h"
#include "train/step/gather.h"

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

/* A text is read more than once: for the vocabularies, for the batches, and after a resume. */
static dgm_status refuse_standard_input(struct dgm_session *session)
{
    const struct dgm_settings *settings = session->run.settings;
    size_t i;

    for (i = 0; i < settings->count; i++) {
        const struct dgm_opt *opt = settings->items[i].opt;

        if (opt->reread && names_standard_input(&settings->items[i]))
            return dgm_fail(session->run.env, DGM_USAGE,
                            "--%s names standard input, which can be "
                            "read only once; expected a file, since training reads its text "
                            "several times",
                            opt->name);
    }
    return DGM_OK;
}

/* ---- a new model, or the newest checkpoint -------------------------------------------------- */

static dgm_status freeze(struct dgm_session *session)
{
    return dgm_freeze(session->run.env, session->trainee.params,
                      dgm_settings_text(session->run.settings, "freeze"));
}

static dgm_status begin(struct dgm_session *session, int is_resumed)
{
    return session->trainee.learner->begin != NULL
               ? session->trainee.learner->begin(&session->run, &session->trainee, is_resumed)
               : DGM_OK;
}

static dgm_status resume(struct dgm_session *session, const struct dgm_gguf *file)
{
    DGM_TRY(dgm_resume_settings_compare(&session->run, session->trainee.learner,
                                        session->resume.settings.data, session->checkpoints.folder,
                                        file));
    DGM_TRY(session->trainee.learner->load(&session->run, &session->trainee, file));
    DGM_TRY(freeze(session));
    DGM_TRY(dgm_stepper_allocate(&session->run, &session->trainee, &session->stepper));
    DGM_TRY(dgm_checkpoint_parts_moments(session->run.env, file, &session->stepper.optimizer));
    if (session->stepper.ema.rate > 0) /* so far the parameters have the mean */
        DGM_TRY(dgm_checkpoint_parts_values(session->run.env, file, session->trainee.params));
    DGM_TRY(dgm_resume_load_state(&session->run, &session->resume, &session->checkpoints, file));
    DGM_TRY(begin(session, 1));
    DGM_TRY(dgm_checkpoints_expect(session->run.env, &session->checkpoints, file));
    /* Its writer may have been killed between the checkpoint and best.gguf. */
    if (session->run.state.best_update == 0 ||
        session->run.state.best_update != session->run.state.updates ||
        dgm_run_rank(&session->run) != 0)
        return DGM_OK;
    return dgm_checkpoints_mark_best(session->run.env, &session->checkpoints,
                                     session->checkpoints.newest);
}

/* A dry run builds a step and does not run it: 64 bytes stand for all parameters. */
static dgm_status pretend_to_allocate(struct dgm_session *session)
{
    struct dgm_params *params = session->trainee.params;

    params->device = session->run.device;
    DGM_TRY(dgm_device_alloc(session->run.env, params->device, &params->values, 64));
    return dgm_device_alloc(session->run.env, params->device, &params->grads, 64);
}

static dgm_status allocate(struct dgm_session *session)
{
    DGM_TRY(session->trainee.learner->allocate(&session->run, &session->trainee));
    DGM_TRY(dgm_params_initialise(session->run.env, session->trainee.params,
                                  session->run.options.seed));
    DGM_TRY(begin(session, 0));
    return dgm_stepper_allocate(&session->run, &session->trainee, &session->stepper);
}

dgm_status dgm_session_allocate(struct dgm_session *session)
{
    struct dgm_params *params = session->trainee.params;

    dgm_device_release(session->run.env, params->device, params->values);
    dgm_device_release(session->run.env, params->device, params->grads);
    params->values = params->grads = NULL;
    return allocate(session);
}

static dgm_status start_afresh(struct dgm_session *session)
{
    DGM_TRY(session->trainee.learner->make(&session->run, &session->trainee));
    DGM_TRY(freeze(session));
    if (dgm_settings_flag(session->run.settings, "dry-run"))
        return pretend_to_allocate(session);
    return allocate(session);
}

static dgm_status resume_newest(struct dgm_session *session, int *found)
{
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    status = dgm_checkpoints_newest(session->run.env, &session->checkpoints, &file, found);
    if (status == DGM_OK && *found)
        status = resume(session, &file);
    dgm_gguf_clear(session->run.env, &file);
    return status;
}

/* Rank 0 first: if it puts the text into a file (translation/sets/cache.h), the others find it
 * there. A dry run writes none. */
static dgm_status read_data(struct dgm_session *session)
{
    const int is_dry = dgm_settings_flag(session->run.settings, "dry-run");
    const int is_lead = dgm_run_rank(&session->run) == 0;

    /* The learner sets these anew. */
    session->run.state.valid_checksum = 0;
    session->run.state.window_bytes = 0;
    session->run.state.knows_valid = 1;
    if (!is_lead && !is_dry)
        DGM_TRY(dgm_lead_pass(&session->run));
    DGM_TRY(
        session->trainee.learner->data(&session->run, &session->trainee, &session->course.windows));
    return is_lead && !is_dry ? dgm_lead_pass(&session->run) : DGM_OK;
}

/* Model and data: from the newest checkpoint if there is one and may_resume, else new. */
static dgm_status prepare(struct dgm_session *session, int may_resume)
{
    int found = 0;

    session->run.state.epoch = 1;
    if (may_resume)
        DGM_TRY(resume_newest(session, &found));
    session->is_new = !found;
    if (!found)
        DGM_TRY(start_afresh(session));
    DGM_TRY(read_data(session));
    DGM_TRY(dgm_resume_begin_epoch(&session->run, &session->resume, &session->trainee,
                                   &session->course, &session->checkpoints));
    if (found)
        dgm_log(session->run.env, DGM_LOG_NOTE, "resuming after update %lld",
                (long long)session->run.state.updates);
    DGM_TRY(dgm_stepper_join(&session->run, &session->trainee, &session->stepper));
    return dgm_batch_size_take(&session->run, &session->trainee, &session->course,
                               &session->stepper.replicas);
}

/* ---- --overwrite ---------------------------------------------------------------------------- */

/* Whether --overwrite lets the run start again although its checkpoints cannot be continued. The
 * log then has the reason, without the advice ("Try ...") that ends the message. */
static int may_start_again(const struct dgm_session *session, dgm_status status)
{
    const char *message = session->run.env->error.message, *advice = strstr(message, ". Try ");
    int length = (int)(advice != NULL ? (size_t)(advice - message) : strlen(message));

    int has_any = session->checkpoints.regular_count > 0 || session->checkpoints.stopped >= 0;

    if (!has_any || (status != DGM_USAGE && status != DGM_MODEL) ||
        !dgm_settings_flag(session->run.settings, "overwrite"))
        return 0;
    dgm_log(session->run.env, DGM_LOG_NOTE, "--overwrite: starting again, since %.*s", length,
            message);
    return 1;
}

/* Undoes everything since the learner read its options. */
static dgm_status forget_checkpoint(struct dgm_session *session)
{
    struct dgm_env *env = session->run.env;

    dgm_env_clear_error(env);
    dgm_stepper_clear(&session->run, &session->trainee, &session->stepper);
    session->trainee.learner->close(&session->run, &session->trainee);
    memset(session->trainee.self, 0, session->trainee.learner->size);
    memset(&session->run.state, 0, sizeof session->run.state);
    session->trainee.params = NULL;
    session->trainee.corpus = NULL;
    dgm_windows_clear(env, &session->course.windows);
    session->resume.has_new_valid = 0;
    dgm_buf_reset(&session->resume.texts);
    session->checkpoints.newest[0] = '\0';
    return session->trainee.learner->open(&session->run, &session->trainee);
}

/* One rank owns the folder, the others read it. */
static dgm_status open_checkpoints(struct dgm_session *session)
{
    const char *model = dgm_settings_text(session->run.settings, "model");

    if (dgm_run_rank(&session->run) != 0)
        return dgm_checkpoints_look(session->run.env, &session->checkpoints, model);
    return dgm_checkpoints_open(session->run.env, &session->checkpoints, model,
                                !dgm_settings_flag(session->run.settings, "lock"));
}

dgm_status dgm_session_init(struct dgm_session *session)
{
    const struct dgm_settings *settings = session->run.settings;
    int may_resume = dgm_settings_flag(settings, "resume");
    dgm_status status;

    DGM_TRY(dgm_run_read(&session->run));
    DGM_TRY(dgm_stepper_read(&session->run, &session->stepper));
    DGM_TRY(refuse_standard_input(session));
    DGM_TRY(session->trainee.learner->open(&session->run, &session->trainee));
    DGM_TRY(dgm_resume_settings_describe(session->run.env, settings, session->trainee.learner,
                                         &session->resume.settings));
    if (dgm_settings_flag(settings, "dry-run"))
        return prepare(session, 0);
    DGM_TRY(open_checkpoints(session));
    status = prepare(session, may_resume);
    if (status == DGM_OK || !may_resume || !may_start_again(session, status))
        return status;
    DGM_TRY(forget_checkpoint(session));
    return prepare(session, 0);
}

dgm_status dgm_session_begin(struct dgm_session *session)
{
    if (session->is_new)
        DGM_TRY(dgm_checkpoints_set_aside(session->run.env, &session->checkpoints));
    session->checkpoints.has_begun = 1;
    return DGM_OK;
}

void dgm_session_clear(struct dgm_session *session)
{
    struct dgm_env *env = session->run.env;

    dgm_report_close(env, &session->report);
    dgm_stepper_clear(&session->run, &session->trainee, &session->stepper);
    session->trainee.learner->close(&session->run, &session->trainee);
    dgm_course_clear(env, &session->course);
    dgm_checkpoints_close(env, &session->checkpoints);
    dgm_resume_clear(env, &session->resume);
    dgm_buf_clear(env, &session->trainee.texts);
    dgm_release(env, session->trainee.self);
}

/* ---- saving ---------------------------------------------------------------------------------- */

double dgm_session_elapsed(const struct dgm_session *session)
{
    return session->elapsed_before + dgm_report_clock() - session->started;
}

dgm_status dgm_session_show_mean(struct dgm_session *session, int *before)
{
    if (dgm_ema_is_scattered(&session->stepper.ema)) {
        DGM_TRY(dgm_lead_give(&session->run, DGM_LEAD_MEAN));
        DGM_TRY(dgm_gather_mean(session->run.env, &session->stepper));
    }
    *before = dgm_ema_show(&session->stepper.ema);
    return DGM_OK;
}

static dgm_status save(struct dgm_session *session, int is_regular, int is_best)
{
    dgm_real *moments[2] = { NULL, NULL };
    struct dgm_checkpoint_parts parts = {
        .optimizer = &session->stepper.optimizer,
        .state = &session->run.state,
        .settings = session->resume.settings.data,
        .texts = session->trainee.texts.size > 0 ? session->trainee.texts.data : "",
    };
    struct dgm_gguf_writer writer;
    dgm_real *values = NULL;
    dgm_status status;

    parts.values = dgm_ema_hidden(&session->stepper.ema);
    session->run.state.elapsed = dgm_session_elapsed(session);
    session->run.state.batches = dgm_course_batches(&session->course);
    memset(&writer, 0, sizeof writer);
    if (session->stepper.crew != NULL) {
        DGM_TRY_OUT(dgm_lead_give(&session->run, DGM_LEAD_MOMENTS));
        DGM_TRY_OUT(dgm_gather_moments(session->run.env, &session->stepper, moments));
    }
    parts.moments[0] = moments[0];
    parts.moments[1] = moments[1];
    /* The state holds the length of the metrics file: its lines are on disk before the checkpoint
     * is, or a resume after a power cut would count on lines that are lost. */
    DGM_TRY_OUT(dgm_report_sync(session->run.env, &session->report));
    DGM_TRY_OUT(session->trainee.learner->save(&session->run, &session->trainee, &writer, &values));
    DGM_TRY_OUT(dgm_checkpoints_save(session->run.env, &session->checkpoints, &writer, &parts,
                                     is_regular, is_best, session->run.options.keep));
    /* With something pending the same update is saved once more: this one does not count. */
    if (session->run.state.pending == 0)
        session->requests.saved_updates = session->run.state.updates;
out:
    dgm_gguf_writer_clear(session->run.env, &writer);
    dgm_release(session->run.env, values);
    dgm_release(session->run.env, moments[0]);
    dgm_release(session->run.env, moments[1]);
    return status;
}

static dgm_status save_traced(struct dgm_session *session, int is_regular, int is_best)
{
    DGM_TRY_TRACED(session->run.env, "checkpoint", save(session, is_regular, is_best));
    return DGM_OK;
}

/* A device is asked for the values, and may ask in turn whether to stop (requests.c). */
dgm_status dgm_session_save(struct dgm_session *session, int is_regular, int is_best)
{
    const enum dgm_phase phase = session->requests.phase;
    dgm_status status;
    int before = 0;

    session->requests.phase = DGM_PHASE_SAVE;
    status = dgm_session_show_mean(session, &before);
    if (status == DGM_OK)
        status = save_traced(session, is_regular, is_best);
    dgm_ema_hide(&session->stepper.ema, before);
    session->requests.phase = phase;
    return status;
}
