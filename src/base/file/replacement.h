/*
 * replacement.h: a file that is written beside another one, and takes its place as a whole.
 *
 * After any failure, and after a crash at any moment, the target holds either all of its old
 * content or all of the new.
 */
#ifndef DGM_BASE_FILE_REPLACEMENT_H
#define DGM_BASE_FILE_REPLACEMENT_H

#include "base/env.h"
#include "base/file/vfs.h"

struct dgm_replacement {
    char target[1024];      /* what it makes or replaces; "" where there is none */
    char temporary[1024];   /* the file beside it; "" when there is none (left) */
    int fd;                 /* of the temporary file; -1 when it is closed */
    int keeps_part;         /* the temporary file is FILE.part, which a failure leaves there */
    uint64_t device, inode; /* of FILE.part, which another run may have moved away meanwhile */
    char kept[1024]; /* of several (outputs.h): where the old content is until all have theirs */
    int moves_aside; /* there are no second names: the old content must go there first */
};

/*
 * Begins to write a file that is to become `target`: a regular file (`old` says which) or a new one
 * (`old` is NULL). Its mode, and the owner where we may, are those of the old one. `shown` stands
 * in messages. FILE.part that an earlier run has left becomes FILE.part.old, unless that is there
 * and longer.
 */
dgm_status dgm_replacement_begin(struct dgm_env *env, struct dgm_replacement *replacement,
                                 const char *target, const char *shown,
                                 const struct dgm_file_info *old, int keeps_part);
/* Puts the file in its place. After a failure it is still to be dropped. */
dgm_status dgm_replacement_end(struct dgm_env *env, struct dgm_replacement *replacement,
                               const char *shown);
/* Its halves, for files that take their places together (outputs.h): the new content is synced and
 * closed; it gets the name of the target. The folder is then still to be synced, and
 * `temporary` to be emptied. */
dgm_status dgm_replacement_prepare(struct dgm_env *env, struct dgm_replacement *replacement,
                                   const char *shown);
dgm_status dgm_replacement_place(struct dgm_env *env, const struct dgm_replacement *replacement,
                                 const char *shown);
/* A name for a temporary file beside the target, of many; returns 0 if it is too long. */
int dgm_replacement_name(const struct dgm_replacement *replacement, char out[1024], int number);
/* Gives up: the target stays what it was. FILE.part stays, with a warning, if it has content. */
void dgm_replacement_drop(struct dgm_env *env, struct dgm_replacement *replacement,
                          const char *shown, int has_content);

/*
 * Removes the temporary files beside `path` that killed processes have left, if they are ours,
 * empty or begin with `magic` (at most 8 bytes), and nobody writes them any more. Failures are
 * ignored.
 */
void dgm_replacement_sweep(struct dgm_env *env, const char *path, const char *magic);

#endif
