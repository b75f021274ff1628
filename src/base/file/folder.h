/*
 * folder.h: folders of checkpoints and caches: making them, making them durable, listing them.
 */
#ifndef DGM_BASE_FILE_FOLDER_H
#define DGM_BASE_FILE_FOLDER_H

#include "base/env.h"

/* Whether a path names a folder, or a link to one. */
int dgm_folder_is(struct dgm_env *env, const char *path);

/* Bytes of a path up to and including its last slash; 0 for a plain name. */
size_t dgm_folder_length(const char *path);

/*
 * Makes a folder with this mode (less the umask), and its name durable; an existing folder is fine,
 * and *made (which may be NULL) tells the two apart. DGM_FAILURE otherwise.
 */
dgm_status dgm_folder_make(struct dgm_env *env, const char *path, unsigned mode, int *made);

/* Makes durable which names a folder has: what was created, renamed and removed there. */
dgm_status dgm_folder_sync(struct dgm_env *env, const char *path);
/* The same for the folder that a file, or a folder, stands in. */
dgm_status dgm_folder_sync_parent(struct dgm_env *env, const char *path);

/* Calls `found` with every name in the folder except . and .., in the order of their bytes. */
typedef dgm_status dgm_folder_fn(struct dgm_env *env, void *user, const char *name);
dgm_status dgm_folder_list(struct dgm_env *env, const char *path, dgm_folder_fn *found, void *user);

#endif
