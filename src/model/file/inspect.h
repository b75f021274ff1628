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

struct dgm_inspection {
    size_t items;   /* shown of an array; lines of a long text */
    int verify;     /* compares checksums */
    int json;       /* else text */
    int no_tensors; /* lists keys alone */
};

/* Appends the report on a file. */
dgm_status dgm_inspect_file(struct dgm_env *env, const char *path,
                            const struct dgm_inspection *wanted, struct dgm_buf *out);

#endif
