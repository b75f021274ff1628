/*
 * checkpoint.h: a folder of checkpoints: saved atomically, rotated, found again after a crash.
 *
 * FILE.ckpt/ holds update-00001000.gguf (kept in rotation), at most one update-00001234-stop.gguf
 * (saved when a signal asked for it between two regular ones), best.gguf (a second name of the
 * best one), metrics.jsonl and lock. FILE.ckpt.old/ holds those of the run before, if a new one
 * took the name. The newest file that is whole is the one to resume from; a damaged one is reported
 * and passed over. Order is by update, never by clock.
 */
#ifndef DGM_TRAIN_STORE_CHECKPOINT_H
#define DGM_TRAIN_STORE_CHECKPOINT_H

#include "base/file/folder.h"
#include "base/file/lock.h"
#include "train/store/checkpoint_parts.h"

enum {
    DGM_CHECKPOINT_PATH = 1200,  /* bytes of a path to a checkpoint */
    DGM_CHECKPOINTS_MOST = 20000 /* regular checkpoints that a folder may keep */
};

struct dgm_checkpoints {
    char folder[1024];
    struct dgm_lock lock;
    int may_lack_lock; /* go on where the file system has no locks */
    int is_reader;     /* another process owns the folder: nothing in it is changed */
    int made;          /* the folder was not there before */
    int has_begun;     /* the run has: the folder stays */
    int64_t *regular;  /* updates of regular checkpoints that are, or should be, there, rising */
    size_t regular_count, regular_capacity;
    int64_t saves;   /* regular checkpoints of the run, those since removed included */
    int64_t stopped; /* update of the -stop checkpoint, or -1 */
    char newest[DGM_CHECKPOINT_PATH]; /* after dgm_checkpoints_newest: the file it opened, */
    int64_t newest_update;            /* and the update that its name says */
};

/* Makes the folder, takes the lock (dgm_lock_take), removes temporary files that dead processes
 * have left there and beside the model, lists what is there. */
dgm_status dgm_checkpoints_open(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                const char *model_path, int may_lack_lock);
/* Lists what is there, and changes nothing: for ranks whose rank 0 opens the folder. */
dgm_status dgm_checkpoints_look(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                const char *model_path);
/* A folder and a lock that were not there before go again, unless has_begun says that they are
 * needed: a run that is refused leaves nothing. */
void dgm_checkpoints_close(struct dgm_env *env, struct dgm_checkpoints *checkpoints);

/* Adds the parts to a writer that has the model already, and writes the file; then keeps the newest
 * `keep` regular ones. */
dgm_status dgm_checkpoints_save(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                struct dgm_gguf_writer *writer,
                                const struct dgm_checkpoint_parts *parts, int is_regular,
                                int is_best, size_t keep);

/* Path of the newest one that is there, whole or not; "none". */
void dgm_checkpoints_last(const struct dgm_checkpoints *checkpoints,
                          char path[DGM_CHECKPOINT_PATH]);

/*
 * Opens the newest checkpoint that is whole; *found = 0 if the folder holds none. DGM_MODEL when
 * there are some and none is usable: nothing is ever overwritten silently.
 */
dgm_status dgm_checkpoints_newest(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                  struct dgm_gguf *file, int *found);

/* best.gguf becomes a second name of a checkpoint: also on a resume from one that is the best so
 * far, since its writer may have been killed before it said so. */
dgm_status dgm_checkpoints_mark_best(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                                     const char *path);

/* Reads from the file to resume from, opened by dgm_checkpoints_newest, which checkpoints there
 * should be: one that was lost on the way is missed when the final model is made of it. */
dgm_status dgm_checkpoints_expect(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                  const struct dgm_gguf *file);

/* The path of a checkpoint, and of another file of the folder. */
void dgm_checkpoints_path(char path[DGM_CHECKPOINT_PATH], const struct dgm_checkpoints *checkpoints,
                          int64_t update, int is_regular);
void dgm_checkpoints_join(char path[DGM_CHECKPOINT_PATH], const struct dgm_checkpoints *checkpoints,
                          const char *name);

#endif
