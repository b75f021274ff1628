/*
 * trainer_start.c: the beginning of a training run: its settings, a new model or the newest
 * checkpoint, its data; or a dry run of it.
 */
#include "train/trainer_parts.h"

#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_load.h"
#include "train/learner.h"
#include "train/plan/batch_size.h"
#include "train/plan/memory.h"
#include "train/plan/plan.h"
#include "train/step/freeze.h"
#include "train/store/resume_settings.h"
#include "train/watch/announce.h"

/* Whether the setting has "-" for a file, or for one of several. */
static int names_standard_input(const struct dgm_setting *setting)
{
    if (setting->opt->type == DGM_OPT_FILE)
        return setting->value != NULL && strcmp(setting->value, "-") == 0;
    for (size_t i = 0; i < setting->item_count; i++)
        if (strcmp(setting->items[i], "-") == 0)
            return 1;
    return 0;
}

/* A text is read more than once: for the vocabularies, for the batches, and after a resume. */
static dgm_status refuse_standard_input(const struct dgm_run *run)
{
    const struct dgm_settings *settings = run->settings;

    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_opt *opt = settings->items[i].opt;

        if (opt->reread && names_standard_input(&settings->items[i]))
            return dgm_fail(run->env, DGM_USAGE,
                            "--%s names standard input, which can be read only once; expected a "
                            "file, since training reads its text several times",
                            opt->name);
    }
    return DGM_OK;
}

/* ---- a new model, or the newest checkpoint -------------------------------------------------- */

static dgm_status freeze(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    return dgm_freeze(run->env, trainee->params, dgm_settings_text(run->settings, "freeze"));
}

static dgm_status begin(struct dgm_run *run, struct dgm_trainee *trainee, int is_resumed)
{
    return trainee->learner->begin != NULL ? trainee->learner->begin(run, trainee, is_resumed)
                                           : DGM_OK;
}

/* A dry run builds a step and does not run it: 64 bytes stand for all parameters. */
static dgm_status pretend_to_allocate(const struct dgm_run *run, struct dgm_params *params)
{
    params->device = run->device;
    DGM_TRY(dgm_device_alloc(run->env, params->device, &params->values, 64));
    return dgm_device_alloc(run->env, params->device, &params->grads, 64);
}

static dgm_status allocate(struct dgm_run *run, struct dgm_trainee *trainee,
                           struct dgm_stepper *stepper)
{
    DGM_TRY(trainee->learner->allocate(run, trainee));
    DGM_TRY(dgm_params_initialise(run->env, trainee->params, run->options.seed));
    DGM_TRY(begin(run, trainee, 0));
    return dgm_stepper_allocate(run, trainee, stepper);
}

static dgm_status start_afresh(struct dgm_run *run, struct dgm_trainee *trainee,
                               struct dgm_stepper *stepper)
{
    DGM_TRY(trainee->learner->make(run, trainee));
    DGM_TRY(freeze(run, trainee));
    if (dgm_settings_flag(run->settings, "dry-run"))
        return pretend_to_allocate(run, trainee->params);
    return allocate(run, trainee, stepper);
}

/* Its writer may have been killed between the checkpoint and best.gguf. */
static dgm_status mark_best_again(const struct dgm_run *run,
                                  const struct dgm_checkpoints *checkpoints)
{
    const struct dgm_train_state *state = &run->state;

    if (state->best_update == 0 || state->best_update != state->updates || dgm_run_rank(run) != 0)
        return DGM_OK;
    return dgm_checkpoints_mark_best(run->env, checkpoints, checkpoints->newest);
}

static dgm_status resume(struct dgm_trainer *trainer, const struct dgm_gguf *file)
{
    struct dgm_run *run = &trainer->run;
    struct dgm_trainee *trainee = &trainer->trainee;
    struct dgm_checkpoints *checkpoints = &trainer->checkpoints;
    struct dgm_stepper *stepper = &trainer->stepper;

    DGM_TRY(dgm_resume_settings_compare(run, trainee->learner, trainer->resume.settings.data,
                                        checkpoints->folder, file));
    DGM_TRY(trainee->learner->load(run, trainee, file));
    DGM_TRY(freeze(run, trainee));
    DGM_TRY(dgm_stepper_allocate(run, trainee, stepper));
    DGM_TRY(dgm_checkpoint_parts_moments(run->env, file, &stepper->optimizer));
    if (stepper->ema.rate > 0) /* so far the parameters have the mean */
        DGM_TRY(dgm_checkpoint_parts_values(run->env, file, trainee->params));
    DGM_TRY(dgm_resume_load_state(run, &trainer->resume, checkpoints, file));
    DGM_TRY(begin(run, trainee, 1));
    DGM_TRY(dgm_checkpoints_expect(run->env, checkpoints, file));
    return mark_best_again(run, checkpoints);
}

static dgm_status resume_newest(struct dgm_trainer *trainer, int *found)
{
    struct dgm_gguf file = { 0 };
    dgm_status status;

    status = dgm_checkpoints_newest(trainer->run.env, &trainer->checkpoints, &file, found);
    if (status == DGM_OK && *found)
        status = resume(trainer, &file);
    dgm_gguf_clear(trainer->run.env, &file);
    return status;
}

/* Rank 0 first: if it puts the text into a file (translation/sets/cache.h), the others find it
 * there. A dry run writes none. */
static dgm_status read_data(struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_course *course)
{
    const int is_dry = dgm_settings_flag(run->settings, "dry-run");
    const int is_lead = dgm_run_rank(run) == 0;

    /* The learner sets these anew. */
    run->state.valid_checksum = 0;
    run->state.window_bytes = 0;
    run->state.knows_valid = 1;
    if (!is_lead && !is_dry)
        DGM_TRY(dgm_lead_pass(run));
    DGM_TRY(trainee->learner->data(run, trainee, &course->windows));
    return is_lead && !is_dry ? dgm_lead_pass(run) : DGM_OK;
}

/* Model and data: from the newest checkpoint if there is one and may_resume, else new. */
static dgm_status prepare(struct dgm_trainer *trainer, int may_resume)
{
    struct dgm_run *run = &trainer->run;
    struct dgm_trainee *trainee = &trainer->trainee;
    struct dgm_course *course = &trainer->course;
    int found = 0;

    run->state.epoch = 1;
    if (may_resume)
        DGM_TRY(resume_newest(trainer, &found));
    trainer->is_new = !found;
    if (!found)
        DGM_TRY(start_afresh(run, trainee, &trainer->stepper));
    DGM_TRY(read_data(run, trainee, course));
    DGM_TRY(dgm_resume_begin_epoch(run, &trainer->resume, trainee, course, &trainer->checkpoints));
    if (found)
        dgm_log(run->env, DGM_LOG_NOTE, "resuming after update %lld",
                (long long)run->state.updates);
    DGM_TRY(dgm_stepper_join(run, trainee, &trainer->stepper));
    return dgm_batch_size_take(run, trainee, course, &trainer->stepper.replicas);
}

/* ---- --overwrite ---------------------------------------------------------------------------- */

/* Whether --overwrite lets the run start again although its checkpoints cannot be continued. The
 * log then has the reason, without the advice ("Try ...") that ends the message. */
static int may_start_again(const struct dgm_run *run, const struct dgm_checkpoints *checkpoints,
                           dgm_status status)
{
    const char *message = run->env->error.message, *advice = strstr(message, ". Try ");
    int length = (int)(advice != NULL ? (size_t)(advice - message) : strlen(message));
    int has_any = checkpoints->regular_count > 0 || checkpoints->stopped >= 0;

    if (!has_any || (status != DGM_USAGE && status != DGM_MODEL) ||
        !dgm_settings_flag(run->settings, "overwrite"))
        return 0;
    dgm_log(run->env, DGM_LOG_NOTE, "--overwrite: starting again, since %.*s", length, message);
    return 1;
}

/* Undoes everything since the learner read its options. */
static dgm_status forget_checkpoint(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;
    struct dgm_trainee *trainee = &trainer->trainee;

    dgm_env_clear_error(run->env);
    dgm_stepper_clear(run, trainee, &trainer->stepper);
    trainee->learner->close(run, trainee);
    memset(trainee->self, 0, trainee->learner->size);
    memset(&run->state, 0, sizeof run->state);
    trainee->params = NULL;
    trainee->corpus = NULL;
    dgm_windows_clear(run->env, &trainer->course.windows);
    trainer->resume.has_new_valid = 0;
    dgm_buf_reset(&trainer->resume.texts);
    trainer->checkpoints.newest[0] = '\0';
    return trainee->learner->open(run, trainee);
}

/* One rank owns the folder, the others read it. */
static dgm_status open_checkpoints(const struct dgm_run *run, struct dgm_checkpoints *checkpoints)
{
    const char *model = dgm_settings_text(run->settings, "model");

    if (dgm_run_rank(run) != 0)
        return dgm_checkpoints_look(run->env, checkpoints, model);
    return dgm_checkpoints_open(run->env, checkpoints, model,
                                !dgm_settings_flag(run->settings, "lock"));
}

/* The rule of its row is about what was typed: a file's settings may be those of a dry run without
 * texts, which is not made ready. */
static dgm_status check_patience(const struct dgm_run *run, const struct dgm_trainee *trainee)
{
    return trainee->has_valid || run->options.patience == 0
               ? DGM_OK
               : dgm_fail(run->env, DGM_USAGE, "--early-stopping needs --valid-sets");
}

static dgm_status make_ready(struct dgm_trainer *trainer)
{
    struct dgm_run *run = &trainer->run;
    const struct dgm_learner *learner = trainer->trainee.learner;
    int may_resume = dgm_settings_flag(run->settings, "resume");
    dgm_status status;

    DGM_TRY(dgm_run_read(run));
    dgm_schedule_read(run->settings, &trainer->stepper.schedule);
    DGM_TRY(refuse_standard_input(run));
    DGM_TRY(learner->open(run, &trainer->trainee));
    DGM_TRY(check_patience(run, &trainer->trainee));
    DGM_TRY(
        dgm_resume_settings_describe(run->env, run->settings, learner, &trainer->resume.settings));
    if (dgm_settings_flag(run->settings, "dry-run"))
        return prepare(trainer, 0);
    DGM_TRY(open_checkpoints(run, &trainer->checkpoints));
    status = prepare(trainer, may_resume);
    if (status == DGM_OK || !may_resume || !may_start_again(run, &trainer->checkpoints, status))
        return status;
    DGM_TRY(forget_checkpoint(trainer));
    return prepare(trainer, 0);
}

static dgm_status plan_memory(struct dgm_trainer *trainer)
{
    return dgm_memory_plan(&trainer->run, &trainer->trainee, &trainer->course,
                           &trainer->stepper.replicas);
}

dgm_status dgm_trainer_start(struct dgm_trainer *trainer)
{
    const struct dgm_run *run = &trainer->run;

    DGM_TRY(make_ready(trainer));
    dgm_announce(run, trainer->stepper.replicas.count);
    DGM_TRY(trainer->trainee.learner->announce(run, &trainer->trainee));
    return plan_memory(trainer);
}

/* ---- a dry run ------------------------------------------------------------------------------- */

/* Memory and values after all, for updates. */
static dgm_status allocate_now(void *user)
{
    struct dgm_trainer *trainer = user;
    struct dgm_params *params = trainer->trainee.params;

    dgm_device_release(trainer->run.env, params->device, params->values);
    dgm_device_release(trainer->run.env, params->device, params->grads);
    params->values = params->grads = NULL;
    return allocate(&trainer->run, &trainer->trainee, &trainer->stepper);
}

static dgm_status update(void *user)
{
    return dgm_trainer_update(user);
}

/* Counts parameters from the options alone where they are enough, else from the data. */
dgm_status dgm_trainer_predict(struct dgm_trainer *trainer)
{
    const struct dgm_learner *learner = trainer->trainee.learner;
    const struct dgm_plan_updates updates = { allocate_now, update, trainer };
    int done = 0;

    if (learner->sketch != NULL)
        DGM_TRY(learner->sketch(&trainer->run, &trainer->trainee, &done));
    if (!done)
        DGM_TRY(make_ready(trainer));
    DGM_TRY(learner->announce(&trainer->run, &trainer->trainee));
    DGM_TRY(plan_memory(trainer));
    return dgm_plan_report(&trainer->run, trainer->trainee.params, &updates);
}

/* ---- the end --------------------------------------------------------------------------------- */

void dgm_trainer_clear(struct dgm_trainer *trainer)
{
    struct dgm_env *env = trainer->run.env;

    dgm_report_close(env, &trainer->report);
    dgm_stepper_clear(&trainer->run, &trainer->trainee, &trainer->stepper);
    trainer->trainee.learner->close(&trainer->run, &trainer->trainee);
    dgm_course_clear(env, &trainer->course);
    dgm_checkpoints_close(env, &trainer->checkpoints);
    dgm_resume_clear(env, &trainer->resume);
    dgm_buf_clear(env, &trainer->trainee.texts);
    dgm_release(env, trainer->trainee.self);
}
