/*
 * cache.h: files on disk that save work: built programs, verdicts of trials, measured parameters.
 *
 * They lie in one folder of the user's. Each is named by a key, the hash of everything that its
 * content depends on. Without a cache everything works, and takes longer.
 */
#ifndef DGM_DEVICE_OPENCL_SYSTEM_CACHE_H
#define DGM_DEVICE_OPENCL_SYSTEM_CACHE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/env.h"

enum { DGM_CL_PATH_SIZE = 900 };

/* Says in the debug log why there can be no cache, if that is so. */
void dgm_cl_cache_announce(struct dgm_env *env);

/*
 * The path of the file of a key in the folder of the cache, $XDG_CACHE_HOME/dragoman or
 * ~/.cache/dragoman; `ending` is ".bin" or other four bytes. `make` makes the folder, and the one
 * that it stands in; without `make`, DGM_OK does not mean that the folder exists. DGM_FAILURE if
 * there is no home for a cache, if the folder cannot be made, or is another's, or others may write
 * there.
 */
dgm_status dgm_cl_cache_path(struct dgm_env *env, uint64_t key, const char *ending,
                             char path[DGM_CL_PATH_SIZE], int make);

/* Bytes that can be stored under one key, at most. */
enum { DGM_CL_CACHE_LARGEST = (256 << 20) - 16 };

/* What is stored under the key; nothing if there is none, or it is damaged. */
void dgm_cl_cache_get(struct dgm_env *env, uint64_t key, struct dgm_buf *content);
/* Stores bytes, at least one. Errors are not reported: a cache is never worth one. */
void dgm_cl_cache_put(struct dgm_env *env, uint64_t key, const void *bytes, size_t size);
/* Removes what is stored under the key. */
void dgm_cl_cache_drop(struct dgm_env *env, uint64_t key);

/* Bytes that the programs of all devices may take on disk. Those of one device, driver and version
 * are some 5 MiB. */
#define DGM_CL_CACHE_MOST ((int64_t)128 << 20)

/* Removes programs and verdicts that were used longest ago until no more than that is there. */
void dgm_cl_cache_prune(struct dgm_env *env, int64_t most_bytes);

#endif
