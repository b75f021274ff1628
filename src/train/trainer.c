/*
 * trainer.c: the training loop: updates, log lines, validation, checkpoints, the end.
 */
#include "train/trainer.h"

#include <string.h>

#include "base/file/output.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_write.h"
#include "train/store/final_model.h"
#include "train/store/guard.h"
#include "train/agree.h"
#include "train/plan/memory.h"
#include "train/step/exchange/lead.h"
#include "train/plan/plan.h"
#include "train/session.h"
#include "train/step/exchange/reduce.h"
#include "train/step/gather.h"
#include "train/step/update.h"

/* What the loop keeps for itself. */
struct loop {
    struct dgm_session *session;
    int64_t epochs_before; /* completed before the latest update */
    double share_before;   /* of the run that was done when this call began */
    int more;              /* the run goes on */
};

static int64_t completed_epochs(const struct dgm_session *session)
{
    return dgm_course_epochs(&session->course, &session->run.state);
}

/* ---- what is due --------------------------------------------------------------------------- */

/* Every `length` updates, or with the update that ends every `length`-th epoch; an update of
 * several batches may reach beyond that end. */
static int is_due(const struct loop *loop, struct dgm_length length)
{
    int64_t every = (int64_t)length.value;

    if (length.unit == 'e')
        return completed_epochs(loop->session) / every > loop->epochs_before / every;
    return loop->session->run.state.updates % every == 0;
}

/* The share of the run that is done, as --after counts it: 1 at its end. */
static double share_done(const struct dgm_session *session)
{
    const struct dgm_train_state *state = &session->run.state;
    double limit = session->run.options.after.value;

    switch (session->run.options.after.unit) {
    case 'u': return (double)state->updates / limit;
    case 't': return (double)state->labels / limit;
    case 'e': return ((double)state->epoch - 1 + dgm_course_share(&session->course, state)) / limit;
    case 'h': return dgm_session_elapsed(session) / (3600 * limit);
    case 'm': return dgm_session_elapsed(session) / (60 * limit);
    default: return dgm_session_elapsed(session) / limit;
    }
}

/* `seconds`: of training. A limit in hours, minutes or seconds is the only thing about a run that
 * depends on the speed of the machine. */
static int has_ended(const struct dgm_session *session, double seconds)
{
    const struct dgm_train_state *state = &session->run.state;
    double limit = session->run.options.after.value;

    switch (session->run.options.after.unit) {
    case 'u': return (double)state->updates >= limit;
    case 't': return (double)state->labels >= limit;
    case 'e': return (double)completed_epochs(session) >= limit;
    case 'h': return seconds >= 3600 * limit;
    case 'm': return seconds >= 60 * limit;
    default: return seconds >= limit;
    }
}

/* Tells the hook where the run is, and when it ends if it goes on at this speed. */
static void show_progress(const struct loop *loop)
{
    const struct dgm_session *session = loop->session;
    const struct dgm_train_hooks *hooks = session->hooks;
    double made = share_done(session) - loop->share_before;
    double seconds = dgm_report_clock() - session->started;
    char text[DGM_PROGRESS_SIZE];

    if (hooks->progress == NULL)
        return;
    dgm_report_progress(text, &session->report, &session->run.state,
                        made > 0 ? seconds * (1 - share_done(session)) / made : 0);
    hooks->progress(hooks->progress_user, session->run.state.batch,
                    dgm_course_guess_batches(&session->course), text);
}

/* Of rank 0, between updates: ends it on all ranks, if it has not ended. */
static dgm_status end_timeline(struct dgm_session *session)
{
    if (session->timeline.is_on)
        DGM_TRY(dgm_lead_give(&session->run, DGM_LEAD_TIMELINE));
    return dgm_timeline_end(&session->run, &session->timeline);
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Does not save the same update twice: only updates change the state. */
static dgm_status save_now(struct dgm_session *session)
{
    if (session->requests.saved_updates == session->run.state.updates)
        return DGM_OK;
    return dgm_session_save(session, 0, 0);
}

static dgm_status save_and_tell(void *user)
{
    struct dgm_session *session = user;
    char path[DGM_CHECKPOINT_PATH];

    DGM_TRY(save_now(session));
    dgm_checkpoints_last(&session->checkpoints, path);
    dgm_report_status(session->run.env, &session->report, &session->run.state, path);
    return DGM_OK;
}

/* After an update: saves, stops, if that is asked for. DGM_INTERRUPTED: saved and stopped. */
static dgm_status obey_requests(struct dgm_session *session)
{
    int stops = 0;

    DGM_TRY(dgm_requests_obey(&session->requests, &stops));
    if (!stops)
        return DGM_OK;
    DGM_TRY(save_now(session));
    DGM_TRY(end_timeline(session));
    return dgm_fail(session->run.env, DGM_INTERRUPTED,
                    "stopped at update %lld; the same command goes "
                    "on",
                    (long long)session->run.state.updates);
}

/* ---- validation and saving ----------------------------------------------------------------- */

/* The learner's validation, which may be stopped at any step: the state that is saved then is that
 * from before the validation, and the status is DGM_INTERRUPTED. */
static dgm_status validate(struct dgm_session *session, struct dgm_judge *judge)
{
    struct dgm_requests *requests = &session->requests;
    dgm_status status;
    int was_shown;

    requests->before = session->run.state;
    DGM_TRY(dgm_session_show_mean(session, &was_shown));
    requests->phase = DGM_PHASE_VALIDATION;
    status = session->trainee.learner->validate(&session->run, &session->trainee,
                                                &session->stepper.replicas.items[0], judge);
    requests->phase = DGM_PHASE_READY;
    dgm_ema_hide(&session->stepper.ema, was_shown);
    if (status != DGM_INTERRUPTED)
        return status;
    /* Stopped: `before` says that this validation is pending, and that is what is saved. Log lines
     * of metrics that were complete already are cut from the metrics file on resume. */
    dgm_env_clear_error(session->run.env);
    session->run.state = requests->before;
    return obey_requests(session);
}

/* Of what was validated. */
static dgm_status sum_best(struct dgm_session *session)
{
    int before;
    dgm_status status;

    DGM_TRY(dgm_session_show_mean(session, &before));
    status = dgm_final_model_checksum(session->run.env, session->trainee.params,
                                      &session->run.state.best_checksum);
    dgm_ema_hide(&session->stepper.ema, before);
    return status;
}

/* The second half of what follows an update: what is pending, and the end. A run that resumes from
 * a checkpoint made in the middle of a validation begins here. */
static dgm_status finish_update(struct loop *loop, int end)
{
    struct dgm_session *session = loop->session;
    struct dgm_train_state *state = &session->run.state;
    struct dgm_judge judge = { .decides = session->run.options.decides,
                               .state = state,
                               .report = &session->report };
    int is_regular;

    if (state->pending & DGM_PENDING_VALIDATION)
        DGM_TRY_TRACED(session->run.env, "validation", validate(session, &judge));
    if (judge.is_best)
        DGM_TRY(sum_best(session));
    if (session->run.options.patience > 0 && state->stalled >= session->run.options.patience)
        end = 1;
    is_regular = (state->pending & DGM_PENDING_SAVE) != 0 || end;
    state->pending = 0;
    state->finished = end;
    if (is_regular || judge.is_best)
        DGM_TRY(dgm_session_save(session, is_regular, judge.is_best));
    loop->more = !end;
    return DGM_OK;
}

/* How long ranks wait for each other, and what they send. */
static dgm_status report_crew(struct dgm_session *session, struct dgm_crew *crew)
{
    struct dgm_figures *figures = &session->stepper.figures;

    DGM_TRY(dgm_lead_give(&session->run, DGM_LEAD_WAITS));
    DGM_TRY(dgm_crew_tell_waits(session->run.env, crew));
    figures->waits = crew->waits.shares;
    figures->ranks = crew->ranks->count;
    figures->has_sent = dgm_sent_since(&crew->sent, figures->sent);
    return DGM_OK;
}

static dgm_status report_update(struct dgm_session *session)
{
    if (session->stepper.crew != NULL)
        DGM_TRY(report_crew(session, session->stepper.crew));
    return dgm_report_update(session->run.env, &session->report, &session->run.state,
                             &session->stepper.figures, dgm_report_clock());
}

/* Of the model and the latest update's gradient, if the learner measures its model. Changes nothing
 * that is trained. */
static dgm_status look_at_health(struct dgm_session *session)
{
    const struct dgm_learner *learner = session->trainee.learner;
    struct dgm_gradient_norms norms;
    struct dgm_health health;
    int done = 0;

    if (learner->probe != NULL)
        DGM_TRY(learner->probe(&session->run, &session->trainee,
                               &session->stepper.replicas.items[0], &health, &done));
    if (!done)
        return DGM_OK;
    if (session->stepper.crew != NULL) {
        DGM_TRY(dgm_lead_give(&session->run, DGM_LEAD_GRADIENT));
        DGM_TRY(dgm_gather_gradient(session->run.env, &session->stepper));
    }
    DGM_TRY(dgm_gradient_norms_read(session->run.env, &session->stepper.optimizer,
                                    session->stepper.figures.norm, &norms));
    return dgm_train_health(&session->run, &session->symptoms, &session->report, &health, &norms);
}

/* What is due is written down as pending before anything of it is done: a checkpoint that is made
 * on the way says what is left to do. */
static dgm_status after_update(struct loop *loop)
{
    struct dgm_session *session = loop->session;
    struct dgm_train_state *state = &session->run.state;
    int end = has_ended(session, dgm_session_elapsed(session));

    show_progress(loop);
    if (is_due(loop, session->run.options.display) || end)
        DGM_TRY(report_update(session));
    if (is_due(loop, session->run.options.validate) || end) {
        /* Before anything is pending: its line is in the metrics file once, even where the
         * validation is interrupted and made up for. */
        DGM_TRY(look_at_health(session));
        if (session->trainee.has_valid)
            state->pending |= DGM_PENDING_VALIDATION;
    }
    if (is_due(loop, session->run.options.save) || end)
        state->pending |= DGM_PENDING_SAVE;
    return finish_update(loop, end);
}

/* Whether no update is to be made: --after 0u, or a limit that an earlier run has reached. The time
 * that this call needs to begin does not count: however slow the machine, a call makes an
 * update. */
static int is_over(const struct dgm_session *session)
{
    return has_ended(session, session->elapsed_before) ||
           (session->run.options.patience > 0 &&
            session->run.state.stalled >= session->run.options.patience);
}

/* A run without any update leaves a checkpoint all the same, from which a longer one goes on. */
static dgm_status save_nothing(struct dgm_session *session)
{
    if (session->run.state.updates > 0)
        return DGM_OK;
    session->run.state.finished = 1;
    return dgm_session_save(session, 1, 0);
}

/* Scores of two validation texts do not compare. */
static void forget_best(struct dgm_session *session)
{
    int had_one = session->run.state.best_update > 0;

    session->run.state.best = 0;
    session->run.state.best_update = 0;
    session->run.state.best_checksum = 0;
    session->run.state.stalled = 0;
    if (had_one)
        dgm_log(session->run.env, DGM_LOG_NOTE,
                "the validation text is another one than that of the "
                "checkpoints: the best score is forgotten");
}

/* On all ranks. */
static dgm_status make_update(struct dgm_session *session)
{
    dgm_status status;

    session->requests.phase = DGM_PHASE_UPDATE;
    status = dgm_update_run(&session->run, &session->trainee, &session->course, &session->stepper);
    session->requests.phase = DGM_PHASE_READY;
    return status;
}

/* Of rank 0. */
static dgm_status lead_update(struct dgm_session *session)
{
    struct dgm_crew *crew = session->stepper.crew;

    if (crew != NULL)
        dgm_crew_note(crew, DGM_SENT_BESIDE);
    DGM_TRY(dgm_lead_give(&session->run, DGM_LEAD_UPDATE));
    DGM_TRY(make_update(session));
    if (crew != NULL)
        dgm_sent_end_update(&crew->sent, crew->ranks);
    return DGM_OK;
}

static dgm_status run_loop(struct dgm_session *session)
{
    struct loop loop = { .session = session, .more = !is_over(session) };

    loop.share_before = share_done(session);
    if (!loop.more && session->run.state.pending == 0)
        return save_nothing(session);
    if (session->resume.has_new_valid)
        forget_best(session);
    /* The checkpoint was made in the middle of a validation: the update before it is complete, the
     * rest of what belongs to it is made up for. */
    if (session->run.state.pending != 0)
        DGM_TRY(finish_update(&loop, has_ended(session, session->elapsed_before)));
    while (loop.more) {
        DGM_TRY(obey_requests(session));
        loop.epochs_before = completed_epochs(session);
        DGM_TRY(lead_update(session));
        DGM_TRY(after_update(&loop));
        if (dgm_timeline_is_over(&session->timeline))
            DGM_TRY(end_timeline(session));
    }
    return DGM_OK;
}

/* ---- beginning and end --------------------------------------------------------------------- */

static dgm_status write_model(struct dgm_session *session)
{
    struct dgm_env *env = session->run.env;
    struct dgm_gguf_writer writer;
    struct dgm_output output;
    dgm_real *values = NULL;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    DGM_TRY_OUT(session->trainee.learner->save(&session->run, &session->trainee, &writer, &values));
    DGM_TRY_OUT(
        dgm_gguf_add_i64(env, &writer, "dragoman.training.updates", session->run.state.updates));
    DGM_TRY_OUT(
        dgm_gguf_add_i64(env, &writer, "dragoman.training.labels", session->run.state.labels));
    DGM_TRY_OUT(dgm_gguf_add_u64(env, &writer, "dragoman.training.data",
                                 session->run.state.train_checksum));
    if (session->run.state.reduce[0] != '\0')
        DGM_TRY_OUT(dgm_gguf_add_text(env, &writer, "dragoman.training.reduce",
                                      session->run.state.reduce,
                                      strlen(session->run.state.reduce)));
    DGM_TRY_OUT(
        dgm_output_find_file(env, &output, dgm_settings_text(session->run.settings, "model")));
    status = dgm_gguf_write(env, &writer, output.path);
out:
    dgm_gguf_writer_clear(env, &writer);
    dgm_release(env, values);
    return status;
}

/* The final model: the mean of the last checkpoints, the best one, or the last. */
static dgm_status finish(struct dgm_session *session)
{
    int64_t average = dgm_settings_int(session->run.settings, "average");
    int may_lack = dgm_settings_flag(session->run.settings, "allow-missing-checkpoints"), before;

    DGM_TRY(dgm_session_show_mean(session, &before)); /* and it stays: training is over */
    if (average > 1)
        DGM_TRY(dgm_final_model_average(session->run.env, &session->checkpoints,
                                        session->trainee.params, (size_t)average, may_lack));
    else if (session->trainee.has_valid && session->run.state.best_update > 0)
        DGM_TRY(dgm_final_model_best(session->run.env, &session->checkpoints,
                                     session->trainee.params, &session->run.state, may_lack));
    DGM_TRY(write_model(session));
    dgm_log(session->run.env, DGM_LOG_NOTE, "finished after update %lld; model written to %s",
            (long long)session->run.state.updates,
            dgm_settings_text(session->run.settings, "model"));
    return DGM_OK;
}

/* The devices beside the first: their names, and warnings if they are unlike, or too many. */
static void announce_more_devices(const struct dgm_session *session)
{
    const struct dgm_devices *devices = session->run.devices;
    const int used = session->stepper.replicas.count;
    int i, are_alike = 1;

    for (i = 1; i < used; i++) {
        dgm_log(session->run.env, DGM_LOG_NOTE, "device: %s", devices->items[i]->title);
        are_alike &= strcmp(devices->items[i]->title, session->run.device->title) == 0;
    }
    if (!are_alike)
        dgm_log(session->run.env, DGM_LOG_NOTE,
                "devices of different kinds round differently: the "
                "bytes of the model depend on which of them compute, and in what order");
    if (used < devices->count)
        dgm_log(session->run.env, DGM_LOG_WARNING,
                "devices share the batches of an update: %d of %d "
                "have nothing to do with --accumulate %lld",
                devices->count - used, devices->count, (long long)session->run.options.accumulate);
}

static void announce_ranks(const struct dgm_session *session)
{
    const struct dgm_ranks *ranks = session->run.ranks;
    const long long batches = (long long)session->run.options.accumulate;

    if (ranks == NULL)
        return;
    dgm_log(session->run.env, DGM_LOG_NOTE,
            "ranks: %d, %d on this machine; this is the log of rank 0", ranks->count,
            ranks->locals);
    if (ranks->count > session->run.options.accumulate)
        dgm_log(session->run.env, DGM_LOG_WARNING,
                "ranks share the batches of an update: %d of %d have none to compute with "
                "--accumulate %lld",
                (int)(ranks->count - batches), ranks->count, batches);
    else if (batches % ranks->count != 0)
        dgm_log(session->run.env, DGM_LOG_NOTE,
                "ranks share the batches of an update: some wait for others with %d ranks and "
                "--accumulate %lld, which is no multiple",
                ranks->count, batches);
}

static dgm_status announce(struct dgm_session *session)
{
    struct dgm_env *env = session->run.env;

    dgm_log(env, DGM_LOG_NOTE, "device: %s; seed %u", session->run.device->title,
            (unsigned)session->run.options.seed);
    announce_more_devices(session);
    announce_ranks(session);
    DGM_TRY(session->trainee.learner->announce(&session->run, &session->trainee));
    return dgm_memory_plan(&session->run, &session->trainee, &session->course,
                           &session->stepper.replicas);
}

/* For updates that a dry run measures. */
static dgm_status allocate_late(void *user)
{
    return dgm_session_allocate(user);
}

static dgm_status make_another_update(void *user)
{
    return make_update(user);
}

/* Counts parameters: from the options alone where they are enough, else from the data. */
static dgm_status dry_run(struct dgm_session *session)
{
    const struct dgm_plan_updates updates = { allocate_late, make_another_update, session };
    int done = 0;

    if (session->trainee.learner->sketch != NULL)
        DGM_TRY(session->trainee.learner->sketch(&session->run, &session->trainee, &done));
    if (!done)
        DGM_TRY(dgm_session_init(session));
    DGM_TRY(session->trainee.learner->announce(&session->run, &session->trainee));
    DGM_TRY(dgm_memory_plan(&session->run, &session->trainee, &session->course,
                            &session->stepper.replicas));
    return dgm_plan_report(&session->run, session->trainee.params, &updates);
}

/* What another rank does of an order. */
static dgm_status obey(struct dgm_session *session, enum dgm_lead_order order)
{
    struct dgm_env *env = session->run.env;
    dgm_real *moments[2]; /* are rank 0's */

    switch (order) {
    case DGM_LEAD_UPDATE: return make_update(session);
    case DGM_LEAD_GRADIENT: return dgm_gather_gradient(env, &session->stepper);
    case DGM_LEAD_MOMENTS: return dgm_gather_moments(env, &session->stepper, moments);
    case DGM_LEAD_MEAN: return dgm_gather_mean(env, &session->stepper);
    case DGM_LEAD_TIMELINE: return dgm_timeline_end(&session->run, &session->timeline);
    case DGM_LEAD_WAITS: return dgm_crew_tell_waits(env, session->stepper.crew);
    case DGM_LEAD_END: break;
    }
    return DGM_OK;
}

static dgm_status follow(struct dgm_session *session)
{
    enum dgm_lead_order order = DGM_LEAD_UPDATE;

    while (order != DGM_LEAD_END) {
        DGM_TRY(dgm_lead_hear(&session->run, &order));
        DGM_TRY(obey(session, order));
    }
    return DGM_OK;
}

static dgm_status run(struct dgm_session *session)
{
    dgm_status status;

    DGM_TRY(dgm_timeline_check(session->run.env, session->run.settings));
    DGM_TRY(dgm_plan_check(&session->run));
    DGM_TRY(dgm_reduce_check(session->run.env, session->run.settings));
    if (dgm_settings_flag(session->run.settings, "dry-run"))
        return dry_run(session);
    DGM_TRY(dgm_guard_check(session->run.env, session->run.settings));
    DGM_TRY(dgm_session_init(session));
    DGM_TRY(announce(session));
    dgm_reduce_note(&session->run);
    DGM_TRY(dgm_agree(&session->run, &session->trainee, session->resume.settings.data));
    DGM_TRY(dgm_timeline_begin(&session->run, &session->timeline));
    dgm_device_check_begin(&session->run, &session->stepper.replicas, &session->stepper.check);
    if (dgm_run_rank(&session->run) != 0)
        return follow(session);
    DGM_TRY(dgm_session_begin(session));
    DGM_TRY(dgm_report_open(session->run.env, &session->report, session->checkpoints.folder,
                            &session->run.state.log_bytes));
    session->elapsed_before = session->run.state.elapsed;
    session->requests.saved_updates =
        session->run.state.pending == 0 ? session->run.state.updates : -1;
    session->started = dgm_report_clock();
    session->report.shown_labels = (double)session->run.state.labels;
    /* What was checked on the device is told even where the run fails or is stopped. */
    status = run_loop(session);
    dgm_device_check_end(session->run.env, &session->stepper.check);
    if (session->stepper.crew != NULL) {
        dgm_sent_log(session->run.env, &session->stepper.crew->sent);
        dgm_waits_log(&session->run, &session->stepper.crew->waits);
    }
    DGM_TRY(status);
    DGM_TRY_TRACED(session->run.env, "model", finish(session));
    DGM_TRY(end_timeline(session));
    return dgm_lead_give(&session->run, DGM_LEAD_END);
}

static dgm_status train(struct dgm_env *env, const struct dgm_devices *devices,
                        const struct dgm_settings *settings, const struct dgm_train_hooks *hooks,
                        const struct dgm_learner *learner)
{
    const dgm_poll_fn outer = env->poll;
    void *const outer_user = env->poll_user;
    struct dgm_session session;
    dgm_status status;

    memset(&session, 0, sizeof session);
    session.run.env = env;
    session.run.devices = devices;
    session.run.device = devices->items[0];
    session.run.settings = settings;
    session.run.ranks = hooks->ranks;
    session.run.stop = hooks->stop;
    session.hooks = hooks;
    session.requests = (struct dgm_requests){ &session.run, hooks->stop, hooks->save,
                                              .answer = save_and_tell, .user = &session };
    session.trainee.learner = learner;
    session.report.fd = -1;
    session.checkpoints.lock.fd = -1;
    session.trainee.self = dgm_alloc(env, 1, learner->size);
    if (session.trainee.self == NULL)
        return DGM_MEMORY;
    env->poll = dgm_requests_poll;
    env->poll_user = &session.requests;
    status = run(&session);
    dgm_timeline_clear(&session.run, &session.timeline);
    if (hooks->ranks != NULL)
        dgm_ranks_settle(env, hooks->ranks, status);
    /* Where other ranks may still read from this one's memory, the process ends with it. */
    if (hooks->ranks == NULL || !hooks->ranks->is_unsafe)
        dgm_session_clear(&session);
    env->poll = outer;
    env->poll_user = outer_user;
    return status;
}

dgm_status dgm_trainer_run(struct dgm_env *env, const struct dgm_devices *devices,
                           const struct dgm_settings *settings, const struct dgm_train_hooks *hooks,
                           const struct dgm_learner *learner)
{
    struct dgm_settings own;
    dgm_status status;

    DGM_TRY(dgm_settings_copy(env, &own, settings));
    status = learner->settle(env, &own);
    if (status == DGM_OK)
        status = train(env, devices, &own, hooks, learner);
    dgm_settings_clear(env, &own);
    return status;
}
