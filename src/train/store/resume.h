/*
 * resume.h: what a resumed run must have in common with the run that it continues: its state and
 * its data.
 */
#ifndef DGM_TRAIN_STORE_RESUME_H
#define DGM_TRAIN_STORE_RESUME_H

#include "train/course.h"
#include "train/run.h"
#include "train/store/checkpoint.h"
#include "train/trainee.h"

struct dgm_resume {
    struct dgm_buf settings; /* of the run, as text, that a resumed one must agree with
                                (train/store/resume_settings.h) */
    /* What the checkpoint has; nothing in a new run. */
    struct dgm_train_state before;
    struct dgm_buf texts; /* of several (train/trainee.h) */
    int has_new_valid;    /* the validation text is another one */
};

void dgm_resume_clear(struct dgm_env *env, struct dgm_resume *resume);

/* Takes the state from a checkpoint; DGM_MODEL unless this run could have come to it. */
dgm_status dgm_resume_load_state(struct dgm_run *run, struct dgm_resume *resume,
                                 const struct dgm_checkpoints *checkpoints,
                                 const struct dgm_gguf *file);
/* Once the data are there, of a new run or a resumed one: holds a resumed run against them, and
 * begins the epoch. */
dgm_status dgm_resume_begin_epoch(struct dgm_run *run, struct dgm_resume *resume,
                                  const struct dgm_trainee *trainee, struct dgm_course *course,
                                  const struct dgm_checkpoints *checkpoints);

#endif
