/*
 * folder.h: folders of checkpoints: making them, listing them, and holding them alone.
 */
#ifndef DGM_BASE_FOLDER_H
#define DGM_BASE_FOLDER_H

#include "base/env.h"

/* Makes a folder; an existing one is fine. DGM_FAILURE otherwise. */
dgm_status dgm_folder_make(struct dgm_env *env, const char *path);

/* Calls `found` with every name in the folder except . and .., in the order of their bytes. */
typedef dgm_status dgm_folder_fn(struct dgm_env *env, void *user, const char *name);
dgm_status dgm_folder_list(struct dgm_env *env, const char *path, dgm_folder_fn *found,
                           void *user);

/*
 * A lock file that one process at a time may hold; it names the holder. A lock whose holder is
 * dead is free. The descriptor stays open until release: closing any descriptor of the file
 * would drop the lock.
 */
struct dgm_lock {
    int fd; /* -1 when not held */
};

/* DGM_FAILURE with the holder's process number when somebody else holds it. */
dgm_status dgm_lock_take(struct dgm_env *env, struct dgm_lock *lock, const char *path);
void dgm_lock_drop(struct dgm_lock *lock);

#endif
