/*
 * trainer.c: the training loop: updates, log lines, validation, checkpoints, the end.
 */
#include "train/trainer.h"

#include "base/mem.h"
#include "base/option/rules.h"
#include "base/ranks/ranks.h"
#include "base/system/clock.h"
#include "base/trace/trace.h"
#include "tensor/gguf/gguf_write.h"
#include "train/agree.h"
#include "train/due.h"
#include "train/judge.h"
#include "train/learner.h"
#include "train/plan/plan.h"
#include "train/step/exchange/reduce.h"
#include "train/store/final_model.h"
#include "train/store/guard.h"
#include "train/store/set_aside.h"
#include "train/trainer_parts.h"

/* Seconds of training so far, those before a resume included. */
static double elapsed(const struct dgm_trainer *trainer)
{
    return trainer->elapsed_before + dgm_clock() - trainer->started;
}

static double share_done(const struct dgm_trainer *trainer)
{
    return dgm_due_share(&trainer->run, &trainer->course, elapsed(trainer));
}

static int is_due(const struct dgm_trainer *trainer, struct dgm_length length)
{
    return dgm_due_is(&trainer->run, &trainer->course, length, trainer->epochs_before);
}

/* Until the end, if the run goes on at this speed. */
static double seconds_left(const struct dgm_trainer *trainer)
{
    double made = share_done(trainer) - trainer->share_before;
    double seconds = dgm_clock() - trainer->started;

    return made > 0 ? seconds * (1 - share_done(trainer)) / made : 0;
}

/* Early, so that nobody waits for what takes days; and once validations have had their share. */
static void predict_end(const struct dgm_trainer *trainer)
{
    const int64_t made = trainer->run.state.updates - trainer->updates_before;
    char left[32];

    if (made != 50 && made != 1000)
        return;
    dgm_clock_print(left, seconds_left(trainer));
    dgm_log(trainer->run.env, DGM_LOG_NOTE, "at this speed it ends in %s%s", left,
            trainer->run.options.patience > 0 ? ", or before, where validation no longer gains"
                                              : "");
}

/* Tells the hook where the run is, and when it ends. */
static void show_progress(const struct dgm_trainer *trainer)
{
    const struct dgm_train_hooks *hooks = trainer->hooks;
    char text[DGM_PROGRESS_SIZE];

    if (hooks->progress == NULL)
        return;
    dgm_report_progress(text, &trainer->report, &trainer->run.state, seconds_left(trainer));
    dgm_callback_begin(trainer->run.env);
    hooks->progress(hooks->progress_user, trainer->run.state.batch,
                    dgm_course_guess_batches(&trainer->course), text);
    dgm_callback_end(trainer->run.env);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static dgm_status save_parts(struct dgm_trainer *trainer, struct dgm_checkpoint_parts *parts,
                             int is_regular, int is_best)
{
    const struct dgm_learner *learner = trainer->trainee.learner;
    struct dgm_run *run = &trainer->run;
    struct dgm_gguf_writer writer = { 0 };
    dgm_real *values = NULL;
    dgm_status status;

    /* The state holds the length of the metrics file: its lines are on disk before the checkpoint
     * is, or a resume after a power cut would count on lines that are lost. */
    DGM_TRY_OUT(dgm_report_sync(run->env, &trainer->report));
    DGM_TRY_OUT(learner->save(run, &trainer->trainee, &writer, &values));
    DGM_TRY_OUT(dgm_checkpoints_save(run->env, &trainer->checkpoints, &writer, parts, is_regular,
                                     is_best, run->options.keep));
    /* With something pending the same update is saved once more: this one does not count. */
    if (run->state.pending == 0)
        trainer->requests.saved_updates = run->state.updates;
out:
    dgm_gguf_writer_clear(run->env, &writer);
    dgm_release(run->env, values);
    return status;
}

static dgm_status save_now(struct dgm_trainer *trainer, int is_regular, int is_best)
{
    const struct dgm_buf *texts = &trainer->trainee.texts;
    struct dgm_run *run = &trainer->run;
    dgm_real **moments = trainer->moments;
    dgm_status status;

    run->state.elapsed = elapsed(trainer);
    run->state.batches = dgm_course_batches(&trainer->course);
    status = dgm_trainer_lead(trainer, DGM_LEAD_MOMENTS);
    if (status == DGM_OK) {
        struct dgm_checkpoint_parts parts = {
            .optimizer = &trainer->stepper.optimizer,
            .state = &run->state,
            .settings = trainer->resume.settings.data,
            .texts = texts->size > 0 ? texts->data : "",
            .moments = { moments[0], moments[1] },
            .values = dgm_ema_hidden(&trainer->stepper.ema),
        };
        status = save_parts(trainer, &parts, is_regular, is_best);
    }
    dgm_release(run->env, moments[0]);
    dgm_release(run->env, moments[1]);
    moments[0] = moments[1] = NULL;
    return status;
}

static dgm_status save_traced(struct dgm_trainer *trainer, int is_regular, int is_best)
{
    DGM_TRY_TRACED(trainer->run.env, "checkpoint", save_now(trainer, is_regular, is_best));
    return DGM_OK;
}

/* A checkpoint of the present state; is_regular: one that is kept in rotation. A device is asked
 * for the values, and may ask in turn whether to stop (requests.c). */
static dgm_status save(struct dgm_trainer *trainer, int is_regular, int is_best)
{
    const enum dgm_phase phase = trainer->requests.phase;
    dgm_status status;
    int before = 0;

    trainer->requests.phase = DGM_PHASE_SAVE;
    status = dgm_trainer_show_mean(trainer, &before);
    if (status == DGM_OK)
        status = save_traced(trainer, is_regular, is_best);
    dgm_ema_hide(&trainer->stepper.ema, before);
    trainer->requests.phase = phase;
    return status;
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Does not save the same update twice: only updates change the state. */
static dgm_status save_news(struct dgm_trainer *trainer)
{
    if (trainer->requests.saved_updates == trainer->run.state.updates)
        return DGM_OK;
    return save(trainer, 0, 0);
}

static dgm_status save_and_tell(void *user)
{
    struct dgm_trainer *trainer = user;
    char path[DGM_CHECKPOINT_PATH];

    DGM_TRY(save_news(trainer));
    dgm_checkpoints_last(&trainer->checkpoints, path);
    dgm_report_status(trainer->run.env, &trainer->report, &trainer->run.state, path);
    return DGM_OK;
}

/* After an update: saves, stops, if that is asked for. DGM_INTERRUPTED: saved and stopped. */
static dgm_status obey_requests(struct dgm_trainer *trainer)
{
    int stops = 0;

    DGM_TRY(dgm_requests_obey(&trainer->requests, &stops));
    if (!stops)
        return DGM_OK;
    DGM_TRY(save_news(trainer));
    DGM_TRY(dgm_trainer_lead_timeline(trainer));
    return dgm_fail(trainer->run.env, DGM_INTERRUPTED,
                    "stopped at update %lld; the same command goes on",
                    (long long)trainer->run.state.updates);
}

/* ---- validation ---------------------------------------------------------------------------- */

/* The learner's validation, which may be stopped at any step: the state that is saved then is that
 * from before the validation, and the status is DGM_INTERRUPTED. */
static dgm_status validate(struct dgm_trainer *trainer, struct dgm_judge *judge)
{
    struct dgm_requests *requests = &trainer->requests;
    struct dgm_run *run = &trainer->run;
    dgm_status status;
    int was_shown;

    requests->before = run->state;
    DGM_TRY(dgm_trainer_show_mean(trainer, &was_shown));
    requests->phase = DGM_PHASE_VALIDATION;
    status = trainer->trainee.learner->validate(run, &trainer->trainee,
                                                &trainer->stepper.replicas.items[0], judge);
    requests->phase = DGM_PHASE_READY;
    dgm_ema_hide(&trainer->stepper.ema, was_shown);
    if (status != DGM_INTERRUPTED)
        return status;
    /* Stopped: `before` says that this validation is pending, and that is what is saved. Log lines
     * of metrics that were complete already are cut from the metrics file on resume. */
    dgm_env_clear_error(run->env);
    run->state = requests->before;
    return obey_requests(trainer);
}

/* Of what was validated. */
static dgm_status sum_best(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;
    int before;
    dgm_status status;

    DGM_TRY(dgm_trainer_show_mean(trainer, &before));
    status = dgm_final_model_checksum(run->env, trainer->trainee.params, &run->state.best_checksum);
    dgm_ema_hide(&trainer->stepper.ema, before);
    return status;
}

/* Of the model and the latest update's gradient, if the learner measures its model. Changes nothing
 * that is trained. */
static dgm_status look_at_health(struct dgm_trainer *trainer)
{
    const struct dgm_learner *learner = trainer->trainee.learner;
    struct dgm_stepper *stepper = &trainer->stepper;
    struct dgm_run *run = &trainer->run;
    struct dgm_gradient_norms norms;
    struct dgm_health health;
    int done = 0;

    if (learner->probe != NULL)
        DGM_TRY(
            learner->probe(run, &trainer->trainee, &stepper->replicas.items[0], &health, &done));
    if (!done)
        return DGM_OK;
    DGM_TRY(dgm_trainer_lead(trainer, DGM_LEAD_GRADIENT));
    DGM_TRY(dgm_gradient_norms_read(run->env, &stepper->optimizer, stepper->figures.norm, &norms));
    return dgm_train_health(run, &trainer->told, &trainer->report, &health, &norms);
}

/* ---- after an update ------------------------------------------------------------------------- */

static dgm_status report_update(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;

    DGM_TRY(dgm_trainer_lead(trainer, DGM_LEAD_FIGURES));
    return dgm_report_update(run->env, &trainer->report, &run->state, &trainer->stepper.figures,
                             dgm_clock());
}

/* The second half of what follows an update: what is pending, and the end. A run that resumes from
 * a checkpoint made in the middle of a validation begins here. */
static dgm_status finish_update(struct dgm_trainer *trainer, int end)
{
    struct dgm_train_state *state = &trainer->run.state;
    struct dgm_judge judge = { .decides = trainer->run.options.decides,
                               .state = state,
                               .report = &trainer->report };
    int is_regular;

    if (state->pending & DGM_PENDING_VALIDATION)
        DGM_TRY_TRACED(trainer->run.env, "validation", validate(trainer, &judge));
    if (judge.is_best)
        DGM_TRY(sum_best(trainer));
    if (dgm_due_early_end(&trainer->run))
        end = 1;
    is_regular = (state->pending & DGM_PENDING_SAVE) != 0 || end;
    state->pending = 0;
    state->finished = end;
    if (is_regular || judge.is_best)
        DGM_TRY(save(trainer, is_regular, judge.is_best));
    return DGM_OK;
}

/* What is due is written down as pending before anything of it is done: a checkpoint that is made
 * on the way says what is left to do. */
static dgm_status after_update(struct dgm_trainer *trainer)
{
    const struct dgm_run_options *options = &trainer->run.options;
    struct dgm_train_state *state = &trainer->run.state;
    const int end = dgm_due_end(&trainer->run, &trainer->course, elapsed(trainer));

    show_progress(trainer);
    if (!end)
        predict_end(trainer);
    if (is_due(trainer, options->display) || end)
        DGM_TRY(report_update(trainer));
    if (is_due(trainer, options->validate) || end) {
        /* Before anything is pending: its line is in the metrics file once, even where the
         * validation is interrupted and made up for. */
        DGM_TRY(look_at_health(trainer));
        if (trainer->trainee.has_valid)
            state->pending |= DGM_PENDING_VALIDATION;
    }
    if (is_due(trainer, options->save) || end)
        state->pending |= DGM_PENDING_SAVE;
    return finish_update(trainer, end);
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* The time that this call needs to begin does not count: however slow the machine, a call makes an
 * update. */
static int has_ended_before(const struct dgm_trainer *trainer)
{
    return dgm_due_end(&trainer->run, &trainer->course, trainer->elapsed_before);
}

/* A run without any update leaves a checkpoint all the same, from which a longer one goes on. */
static dgm_status save_nothing(struct dgm_trainer *trainer)
{
    if (trainer->run.state.updates > 0)
        return DGM_OK;
    trainer->run.state.finished = 1;
    return save(trainer, 1, 0);
}

static dgm_status run_loop(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;
    struct dgm_train_state *state = &run->state;
    /* --after 0u, or a limit that an earlier run has reached. */
    int is_over = has_ended_before(trainer) || dgm_due_early_end(run);

    trainer->share_before = share_done(trainer);
    trainer->updates_before = state->updates;
    if (is_over && state->pending == 0)
        return save_nothing(trainer);
    if (trainer->resume.has_new_valid)
        dgm_judge_forget(run->env, &run->state);
    /* The checkpoint was made in the middle of a validation: the update before it is complete, the
     * rest of what belongs to it is made up for. */
    if (state->pending != 0) {
        DGM_TRY(finish_update(trainer, has_ended_before(trainer)));
        is_over = state->finished;
    }
    while (!is_over) {
        DGM_TRY(obey_requests(trainer));
        trainer->epochs_before = dgm_course_epochs(&trainer->course, state);
        DGM_TRY(dgm_trainer_lead_update(trainer));
        DGM_TRY(after_update(trainer));
        if (dgm_timeline_is_over(&trainer->timeline))
            DGM_TRY(dgm_trainer_lead_timeline(trainer));
        is_over = state->finished;
    }
    return DGM_OK;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* The mean of --ema stays in the place of the values: training is over. */
static dgm_status finish(struct dgm_trainer *trainer)
{
    int before;

    DGM_TRY(dgm_trainer_show_mean(trainer, &before));
    return dgm_final_model_make(&trainer->run, &trainer->trainee, &trainer->checkpoints);
}

/* Takes possession of the folder of checkpoints, in which those of another run are set aside, and
 * of the log. */
static dgm_status take_folder(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;

    if (trainer->is_new)
        DGM_TRY(dgm_checkpoints_set_aside(run->env, &trainer->checkpoints));
    trainer->checkpoints.has_begun = 1;
    DGM_TRY(dgm_report_open(run->env, &trainer->report, trainer->checkpoints.folder, &run->state));
    trainer->elapsed_before = run->state.elapsed;
    trainer->requests.saved_updates = run->state.pending == 0 ? run->state.updates : -1;
    trainer->started = dgm_clock();
    return DGM_OK;
}

/* What rank 0, or the only process, does. What was checked on the device is told even where the run
 * fails or is stopped. */
static dgm_status run_and_finish(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;
    const struct dgm_crew *crew = trainer->stepper.crew;
    dgm_status status;

    DGM_TRY(take_folder(trainer));
    status = run_loop(trainer);
    dgm_device_check_end(run->env, &trainer->stepper.check);
    if (crew != NULL) {
        dgm_sent_log(run->env, &crew->sent);
        dgm_waits_log(run, &crew->waits);
    }
    DGM_TRY(status);
    DGM_TRY_TRACED(run->env, "model", finish(trainer));
    DGM_TRY(dgm_trainer_lead_timeline(trainer));
    return dgm_trainer_lead(trainer, DGM_LEAD_END);
}

static dgm_status run_all(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;

    DGM_TRY(dgm_agree_settings(run));
    DGM_TRY(dgm_rules_check(run->env, run->settings));
    DGM_TRY(dgm_plan_check(run));
    if (dgm_settings_flag(run->settings, "dry-run"))
        return dgm_trainer_predict(trainer);
    DGM_TRY(dgm_guard_check(run->env, run->settings));
    DGM_TRY(dgm_timeline_check(run));
    DGM_TRY(dgm_trainer_start(trainer));
    dgm_reduce_note(run);
    DGM_TRY(dgm_agree(run, &trainer->trainee));
    DGM_TRY(dgm_timeline_begin(run, &trainer->timeline));
    dgm_device_check_begin(run, &trainer->stepper.replicas, &trainer->stepper.check);
    return dgm_run_rank(run) == 0 ? run_and_finish(trainer) : dgm_trainer_follow(trainer);
}

static dgm_status train(struct dgm_env *env, const struct dgm_devices *devices,
                        const struct dgm_settings *settings, const struct dgm_train_hooks *hooks,
                        const struct dgm_learner *learner)
{
    const dgm_poll_fn outer = env->poll;
    void *const outer_user = env->poll_user;
    struct dgm_trainer trainer = {
        .run = { .env = env,
                 .devices = devices,
                 .device = devices->items[0],
                 .settings = settings,
                 .ranks = hooks->ranks,
                 .stop = hooks->stop },
        .hooks = hooks,
        .trainee.learner = learner,
        .checkpoints.lock.fd = -1,
        .report.fd = -1,
        .requests = { .run = &trainer.run,
                      .save = hooks->save,
                      .answer = save_and_tell,
                      .user = &trainer },
    };
    dgm_status status;

    DGM_TRY(dgm_new(env, &trainer.trainee.self, 1, learner->size));
    env->poll = dgm_requests_poll;
    env->poll_user = &trainer.requests;
    status = run_all(&trainer);
    dgm_timeline_clear(&trainer.run, &trainer.timeline);
    if (hooks->ranks != NULL)
        dgm_ranks_settle(env, hooks->ranks, status);
    /* Where other ranks may still read from this one's memory, the process ends with it. */
    if (hooks->ranks == NULL || !hooks->ranks->is_unsafe)
        dgm_trainer_clear(&trainer);
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
