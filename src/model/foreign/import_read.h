/*
 * import_read.h: a model of another program, used as it lies there, without a file of ours.
 */
#ifndef DGM_MODEL_FOREIGN_IMPORT_READ_H
#define DGM_MODEL_FOREIGN_IMPORT_READ_H

#include "model/file/model.h"

/* Whether a path is that of such weights, by its name and its first bytes; a folder is not. */
int dgm_import_is_at(struct dgm_env *env, const char *path);

/* As dgm_model_load of what `import` would make of it without any option. */
dgm_status dgm_import_read(struct dgm_env *env, struct dgm_model *model, const char *path,
                           struct dgm_device *device, const enum dgm_compute_type *type);

#endif
