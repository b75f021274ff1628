/*
 * trainer.h: from data to a model file.
 *
 * A run is a function of its settings and data: threads, kills and resumes leave the bytes of the
 * model unchanged. Saving is the only side effect, and it is crash-safe
 * (train/store/checkpoint.h).
 */
#ifndef DGM_TRAIN_TRAINER_H
#define DGM_TRAIN_TRAINER_H

#include "base/flag.h"
#include "base/option/settings.h"
#include "device/choice.h"

struct dgm_ranks;

struct dgm_train_hooks {
    const dgm_flag *stop;     /* set: save after this update, or in the validation under way, and
                               * return; may be NULL */
    dgm_flag *save;           /* set: set it back; save then, log a line of status, and go on; may
                               * be NULL */
    struct dgm_ranks *ranks;  /* that train together (base/ranks/ranks.h), or NULL */
    dgm_progress_fn progress; /* may be NULL */
    void *progress_user;
};

struct dgm_learner;

/*
 * Trains what the learner describes (train/learner.h), with settings over the learner's tables, on
 * one device or several (train/step/replicas.h). DGM_OK: the run has ended by its own rules and
 * the model file is written; DGM_INTERRUPTED: stopped and saved, the same call continues.
 */
dgm_status dgm_trainer_run(struct dgm_env *env, const struct dgm_devices *devices,
                           const struct dgm_settings *settings, const struct dgm_train_hooks *hooks,
                           const struct dgm_learner *learner);

#endif
