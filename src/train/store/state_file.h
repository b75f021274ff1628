/*
 * state_file.h: where a training run stands, in the file of a checkpoint.
 */
#ifndef DGM_TRAIN_STORE_STATE_FILE_H
#define DGM_TRAIN_STORE_STATE_FILE_H

#include "base/env.h"
#include "train/state.h"

struct dgm_gguf;
struct dgm_gguf_writer;

/* Keys dragoman.state.*. Loading checks each by itself and against the others: DGM_MODEL, and the
 * key, where no run of any length on any text could have left it so. */
dgm_status dgm_train_state_save(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                const struct dgm_train_state *state);
dgm_status dgm_train_state_load(struct dgm_env *env, const struct dgm_gguf *file,
                                struct dgm_train_state *state);

/* ---- against the rest of the run ------------------------------------------------------------ */

/* What the options and the name of the file allow. */
struct dgm_train_bounds {
    int64_t updates;    /* of the file, by its name */
    int64_t per_update; /* batches of an update */
    int64_t per_batch;  /* most tokens of a batch */
};

/* DGM_MODEL naming file and key unless the counters are those of such a run. */
dgm_status dgm_train_state_check_run(struct dgm_env *env, const char *file,
                                     const struct dgm_train_state *state,
                                     const struct dgm_train_bounds *bounds);
/* The same for the epoch they stand in, on the text they were counted on: it has so many batches,
 * and so many sentences in those that were used (asked only if there are that many batches). */
dgm_status dgm_train_state_check_batch(struct dgm_env *env, const char *file,
                                       const struct dgm_train_state *state, int64_t batches);
dgm_status dgm_train_state_check_sentences(struct dgm_env *env, const char *file,
                                           const struct dgm_train_state *state, int64_t sentences);

#endif
