/* inspect.h: a report on any GGUF file, as text for people or as one JSON object. */
#ifndef DGM_MODEL_FILE_INSPECT_H
#define DGM_MODEL_FILE_INSPECT_H

#include "base/buf.h"

struct dgm_gguf_tensor;

/* Whether a key belongs to the state of a training run: it may differ between checkpoints of one
 * run, and is no part of the model. */
int dgm_inspect_is_state_key(const char *name);
/* The same of a tensor. */
int dgm_inspect_is_state(const struct dgm_gguf_tensor *tensor);

/* Appends the report on a file; `wanted` has at least 1 item, which is also a line of a long
 * text. */
dgm_status dgm_inspect_file(struct dgm_env *env, const char *path,
                            const dgm_inspect_options *wanted, struct dgm_buf *out);

#endif
