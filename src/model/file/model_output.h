/* model_output.h: where a model that is made from others may go. */
#ifndef DGM_MODEL_FILE_MODEL_OUTPUT_H
#define DGM_MODEL_FILE_MODEL_OUTPUT_H

#include "base/file/output.h"

/* A new file, or a GGUF file that is none of the inputs; else DGM_USAGE. */
dgm_status dgm_model_output_find(struct dgm_env *env, struct dgm_output *output, const char *out,
                                 const char *const *paths, size_t count);

#endif
