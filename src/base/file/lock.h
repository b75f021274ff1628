/*
 * lock.h: a lock file that one holder at a time may have, in this process or another.
 *
 * A lock whose holder is dead is free. The descriptor stays open until release: closing any
 * descriptor of the file would drop the lock.
 */
#ifndef DGM_BASE_FILE_LOCK_H
#define DGM_BASE_FILE_LOCK_H

#include "base/env.h"

struct dgm_lock {
    int fd;   /* -1 when not held */
    int made; /* the file was not there before */
};

/*
 * The file is made, or opened if it is a regular one and no link, and gets the number of this
 * process. DGM_FAILURE with the holder's process number when somebody else holds it; and where the
 * file system knows no locks, unless `may_lack` lets it go without, with a warning.
 */
dgm_status dgm_lock_take(struct dgm_env *env, struct dgm_lock *lock, const char *path,
                         int may_lack);
void dgm_lock_drop(struct dgm_env *env, struct dgm_lock *lock);
/* The same, and the file goes if it was not there before. */
void dgm_lock_undo(struct dgm_env *env, struct dgm_lock *lock, const char *path);

#endif
