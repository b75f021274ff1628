/*
 * checkpoint.h: a folder of checkpoints: saved atomically, rotated, found again after a crash.
 *
 * FILE.ckpt/ holds update-00001000.gguf (kept in rotation), at most one update-00001234-stop.gguf
 * (saved when a signal ended the run between two regular ones), best.gguf (a second name of the
 * best one), metrics.jsonl and lock. The newest file that is whole is the one to resume from; a
 * damaged one is reported and passed over. Order is by update, never by clock.
 */
#ifndef DGM_TRAIN_CHECKPOINT_H
#define DGM_TRAIN_CHECKPOINT_H

#include "base/folder.h"
#include "train/optimizer.h"
#include "train/state.h"

struct dgm_checkpoints {
    char folder[1024];
    struct dgm_lock lock;
    int64_t *regular;       /* updates of regular checkpoints, ascending */
    size_t regular_count, regular_capacity;
    int64_t stopped;        /* update of the -stop checkpoint, or -1 */
};

/* Makes the folder, takes the lock, removes left-over temporary files, lists what is there. */
dgm_status dgm_checkpoints_open(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                const char *model_path);
void dgm_checkpoints_close(struct dgm_env *env, struct dgm_checkpoints *checkpoints);

/* Removes every checkpoint (--overwrite, --no-resume). */
dgm_status dgm_checkpoints_discard(struct dgm_env *env, struct dgm_checkpoints *checkpoints);

/* Adds moments, state and settings to a writer that has the model already, and writes the file;
 * then keeps the newest `keep` regular ones. `settings`: the training options as text, compared on
 * resume. */
dgm_status dgm_checkpoints_save(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                struct dgm_gguf_writer *writer,
                                const struct dgm_optimizer *optimizer,
                                const struct dgm_train_state *state, const char *settings,
                                int is_regular, int is_best, size_t keep);

/*
 * Opens the newest checkpoint that is whole; *found = 0 if the folder holds none. DGM_MODEL when
 * there are some and none is usable: nothing is ever overwritten silently.
 */
dgm_status dgm_checkpoints_newest(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                  struct dgm_gguf *file, int *found);

/* best.gguf becomes a second name of a checkpoint: also on a resume from one that is the best so far,
 * since its writer may have been killed before it said so. */
dgm_status dgm_checkpoints_mark_best(struct dgm_env *env,
                                     const struct dgm_checkpoints *checkpoints, const char *path);

/* Adam's moments, or Adadelta's means, from a checkpoint. */
dgm_status dgm_checkpoints_moments(struct dgm_env *env, const struct dgm_gguf *file,
                                   struct dgm_optimizer *optimizer);

/* Replaces the parameters by the mean over the newest `count` regular checkpoints. */
dgm_status dgm_checkpoints_average(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                   struct dgm_params *params, size_t count);

/* Replaces the parameters by those of best.gguf; *found = 0 if there is none. */
dgm_status dgm_checkpoints_best(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                struct dgm_params *params, int *found);

#endif
