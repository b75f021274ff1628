/* average.h: the mean of the parameters of several model files. */
#ifndef DGM_MODEL_FILE_AVERAGE_H
#define DGM_MODEL_FILE_AVERAGE_H

#include "base/env.h"

/* Writes the mean of `count` files, at least 1, as a model. DGM_MODEL, which names the file, where
 * they are not of one configuration. */
dgm_status dgm_average_files(struct dgm_env *env, const char *const *paths, size_t count,
                             const char *out);

#endif
