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
#include "train/step/exchange/lead.h"
#include "train/step/freeze.h"
#include "train/store/resume_settings.h"
#include "train/watch/announce.h"

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
static dgm_status refuse_standard_input(const struct dgm_run *run)
{
    const struct dgm_settings *settings = run->settings;
    size_t i;

    for (i = 0; i < settings->count; i++) {
        const struct dgm_opt *opt = settings->items[i].opt;

        if (opt->reread && names_standard_input(&settings->items[i]))
            return dgm_fail(run->env, DGM_USAGE,
                            "--%s names standard input, which can be "
                            "read only once; expected a file, since training reads its text "
                            "several times",
                            opt->name);
    }
    return DGM_OK;
}

/* ---- a new model, or the newest checkpoint -------------------------------------------------- */

static dgm_status freeze(const struct dgm_trainer *trainer)
{
    return dgm_freeze(trainer->run.env, trainer->trainee.params,
                      dgm_settings_text(trainer->run.settings, "freeze"));
}

static dgm_status begin(struct dgm_trainer *trainer, int is_resumed)
{
    return trainer->trainee.learner->begin != NULL
               ? trainer->trainee.learner->begin(&trainer->run, &trainer->trainee, is_resumed)
               : DGM_OK;
}

static dgm_status resume(struct dgm_trainer *trainer, const struct dgm_gguf *file)
{
    DGM_TRY(dgm_resume_settings_compare(&trainer->run, trainer->trainee.learner,
                                        trainer->resume.settings.data, trainer->checkpoints.folder,
                                        file));
    DGM_TRY(trainer->trainee.learner->load(&trainer->run, &trainer->trainee, file));
    DGM_TRY(freeze(trainer));
    DGM_TRY(dgm_stepper_allocate(&trainer->run, &trainer->trainee, &trainer->stepper));
    DGM_TRY(dgm_checkpoint_parts_moments(trainer->run.env, file, &trainer->stepper.optimizer));
    if (trainer->stepper.ema.rate > 0) /* so far the parameters have the mean */
        DGM_TRY(dgm_checkpoint_parts_values(trainer->run.env, file, trainer->trainee.params));
    DGM_TRY(dgm_resume_load_state(&trainer->run, &trainer->resume, &trainer->checkpoints, file));
    DGM_TRY(begin(trainer, 1));
    DGM_TRY(dgm_checkpoints_expect(trainer->run.env, &trainer->checkpoints, file));
    /* Its writer may have been killed between the checkpoint and best.gguf. */
    if (trainer->run.state.best_update == 0 ||
        trainer->run.state.best_update != trainer->run.state.updates ||
        dgm_run_rank(&trainer->run) != 0)
        return DGM_OK;
    return dgm_checkpoints_mark_best(trainer->run.env, &trainer->checkpoints,
                                     trainer->checkpoints.newest);
}

/* A dry run builds a step and does not run it: 64 bytes stand for all parameters. */
static dgm_status pretend_to_allocate(struct dgm_trainer *trainer)
{
    struct dgm_params *params = trainer->trainee.params;

    params->device = trainer->run.device;
    DGM_TRY(dgm_device_alloc(trainer->run.env, params->device, &params->values, 64));
    return dgm_device_alloc(trainer->run.env, params->device, &params->grads, 64);
}

static dgm_status allocate(struct dgm_trainer *trainer)
{
    DGM_TRY(trainer->trainee.learner->allocate(&trainer->run, &trainer->trainee));
    DGM_TRY(dgm_params_initialise(trainer->run.env, trainer->trainee.params,
                                  trainer->run.options.seed));
    DGM_TRY(begin(trainer, 0));
    return dgm_stepper_allocate(&trainer->run, &trainer->trainee, &trainer->stepper);
}

static dgm_status start_afresh(struct dgm_trainer *trainer)
{
    DGM_TRY(trainer->trainee.learner->make(&trainer->run, &trainer->trainee));
    DGM_TRY(freeze(trainer));
    if (dgm_settings_flag(trainer->run.settings, "dry-run"))
        return pretend_to_allocate(trainer);
    return allocate(trainer);
}

static dgm_status resume_newest(struct dgm_trainer *trainer, int *found)
{
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    status = dgm_checkpoints_newest(trainer->run.env, &trainer->checkpoints, &file, found);
    if (status == DGM_OK && *found)
        status = resume(trainer, &file);
    dgm_gguf_clear(trainer->run.env, &file);
    return status;
}

/* Rank 0 first: if it puts the text into a file (translation/sets/cache.h), the others find it
 * there. A dry run writes none. */
static dgm_status read_data(struct dgm_trainer *trainer)
{
    const int is_dry = dgm_settings_flag(trainer->run.settings, "dry-run");
    const int is_lead = dgm_run_rank(&trainer->run) == 0;

    /* The learner sets these anew. */
    trainer->run.state.valid_checksum = 0;
    trainer->run.state.window_bytes = 0;
    trainer->run.state.knows_valid = 1;
    if (!is_lead && !is_dry)
        DGM_TRY(dgm_lead_pass(&trainer->run));
    DGM_TRY(
        trainer->trainee.learner->data(&trainer->run, &trainer->trainee, &trainer->course.windows));
    return is_lead && !is_dry ? dgm_lead_pass(&trainer->run) : DGM_OK;
}

/* Model and data: from the newest checkpoint if there is one and may_resume, else new. */
static dgm_status prepare(struct dgm_trainer *trainer, int may_resume)
{
    int found = 0;

    trainer->run.state.epoch = 1;
    if (may_resume)
        DGM_TRY(resume_newest(trainer, &found));
    trainer->is_new = !found;
    if (!found)
        DGM_TRY(start_afresh(trainer));
    DGM_TRY(read_data(trainer));
    DGM_TRY(dgm_resume_begin_epoch(&trainer->run, &trainer->resume, &trainer->trainee,
                                   &trainer->course, &trainer->checkpoints));
    if (found)
        dgm_log(trainer->run.env, DGM_LOG_NOTE, "resuming after update %lld",
                (long long)trainer->run.state.updates);
    DGM_TRY(dgm_stepper_join(&trainer->run, &trainer->trainee, &trainer->stepper));
    return dgm_batch_size_take(&trainer->run, &trainer->trainee, &trainer->course,
                               &trainer->stepper.replicas);
}

/* ---- --overwrite ---------------------------------------------------------------------------- */

/* Whether --overwrite lets the run start again although its checkpoints cannot be continued. The
 * log then has the reason, without the advice ("Try ...") that ends the message. */
static int may_start_again(const struct dgm_trainer *trainer, dgm_status status)
{
    const char *message = trainer->run.env->error.message, *advice = strstr(message, ". Try ");
    int length = (int)(advice != NULL ? (size_t)(advice - message) : strlen(message));

    int has_any = trainer->checkpoints.regular_count > 0 || trainer->checkpoints.stopped >= 0;

    if (!has_any || (status != DGM_USAGE && status != DGM_MODEL) ||
        !dgm_settings_flag(trainer->run.settings, "overwrite"))
        return 0;
    dgm_log(trainer->run.env, DGM_LOG_NOTE, "--overwrite: starting again, since %.*s", length,
            message);
    return 1;
}

/* Undoes everything since the learner read its options. */
static dgm_status forget_checkpoint(struct dgm_trainer *trainer)
{
    struct dgm_env *env = trainer->run.env;

    dgm_env_clear_error(env);
    dgm_stepper_clear(&trainer->run, &trainer->trainee, &trainer->stepper);
    trainer->trainee.learner->close(&trainer->run, &trainer->trainee);
    memset(trainer->trainee.self, 0, trainer->trainee.learner->size);
    memset(&trainer->run.state, 0, sizeof trainer->run.state);
    trainer->trainee.params = NULL;
    trainer->trainee.corpus = NULL;
    dgm_windows_clear(env, &trainer->course.windows);
    trainer->resume.has_new_valid = 0;
    dgm_buf_reset(&trainer->resume.texts);
    trainer->checkpoints.newest[0] = '\0';
    return trainer->trainee.learner->open(&trainer->run, &trainer->trainee);
}

/* One rank owns the folder, the others read it. */
static dgm_status open_checkpoints(struct dgm_trainer *trainer)
{
    const char *model = dgm_settings_text(trainer->run.settings, "model");

    if (dgm_run_rank(&trainer->run) != 0)
        return dgm_checkpoints_look(trainer->run.env, &trainer->checkpoints, model);
    return dgm_checkpoints_open(trainer->run.env, &trainer->checkpoints, model,
                                !dgm_settings_flag(trainer->run.settings, "lock"));
}

static dgm_status make_ready(struct dgm_trainer *trainer)
{
    const struct dgm_settings *settings = trainer->run.settings;
    int may_resume = dgm_settings_flag(settings, "resume");
    dgm_status status;

    DGM_TRY(dgm_run_read(&trainer->run));
    DGM_TRY(dgm_stepper_read(&trainer->run, &trainer->stepper));
    DGM_TRY(refuse_standard_input(&trainer->run));
    DGM_TRY(trainer->trainee.learner->open(&trainer->run, &trainer->trainee));
    DGM_TRY(dgm_resume_settings_describe(trainer->run.env, settings, trainer->trainee.learner,
                                         &trainer->resume.settings));
    if (dgm_settings_flag(settings, "dry-run"))
        return prepare(trainer, 0);
    DGM_TRY(open_checkpoints(trainer));
    status = prepare(trainer, may_resume);
    if (status == DGM_OK || !may_resume || !may_start_again(trainer, status))
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
    return allocate(trainer);
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
