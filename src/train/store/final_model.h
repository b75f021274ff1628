/*
 * final_model.h: a run's final model: a mean of checkpoints, or the best, or the last.
 */
#ifndef DGM_TRAIN_STORE_FINAL_MODEL_H
#define DGM_TRAIN_STORE_FINAL_MODEL_H

#include "train/run.h"
#include "train/store/checkpoint.h"
#include "train/trainee.h"

/*
 * The final model, written to --model: the mean over the last checkpoints (--average), the best one
 * where there is something to validate on, or the last. DGM_MODEL saying which checkpoints are
 * missing or damaged; with --allow-missing-checkpoints a warning does.
 */
dgm_status dgm_final_model_make(const struct dgm_run *run, struct dgm_trainee *trainee,
                                const struct dgm_checkpoints *checkpoints);

/* Of the values of all parameters, as files have them; never 0. */
dgm_status dgm_final_model_checksum(struct dgm_env *env, const struct dgm_params *params,
                                    uint64_t *sum);

#endif
