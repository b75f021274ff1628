/*
 * final_model.h: a run's final model: a mean of checkpoints, or the best, or the last.
 */
#ifndef DGM_TRAIN_STORE_FINAL_MODEL_H
#define DGM_TRAIN_STORE_FINAL_MODEL_H

#include "train/run.h"
#include "train/store/checkpoint.h"
#include "train/trainee.h"

/*
 * Replaces the parameters by the mean over the newest `count` regular checkpoints, or over all
 * where the run has saved fewer. DGM_MODEL naming those that are missing or damaged; with may_lack
 * they are warned of and left out, as long as one is whole.
 */
dgm_status dgm_final_model_average(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                                   struct dgm_params *params, size_t count, int may_lack);

/*
 * Replaces the parameters by those of the best checkpoint: of best.gguf or, if that is missing,
 * damaged or another's, of the checkpoint of state->best_update. DGM_MODEL saying what is missing
 * where no file has them; with may_lack the parameters stay as they are, with a warning.
 */
dgm_status dgm_final_model_best(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                                struct dgm_params *params, const struct dgm_train_state *state,
                                int may_lack);

/* The final model: the mean of the last checkpoints, the best one, or the last; written to
 * --model. */
dgm_status dgm_final_model_make(const struct dgm_run *run, struct dgm_trainee *trainee,
                                const struct dgm_checkpoints *checkpoints);

/* Of the values of all parameters, as files have them; never 0. */
dgm_status dgm_final_model_checksum(struct dgm_env *env, const struct dgm_params *params,
                                    uint64_t *sum);

#endif
