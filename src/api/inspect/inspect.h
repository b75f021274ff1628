/*
 * inspect.h: pieces of the report on a GGUF file.
 *
 * Values are written as JSON writes them, in the report for people too: control characters, and
 * those that reorder text, never reach the output as they are.
 */
#ifndef DGM_API_INSPECT_INSPECT_H
#define DGM_API_INSPECT_INSPECT_H

#include "base/buf.h"
#include "tensor/gguf/gguf.h"

struct dgm_inspect {
    struct dgm_env *env;
    const struct dgm_gguf *file;
    struct dgm_buf *out;
    size_t items; /* items shown of an array, characters being unlimited */
    int verify;
    int has_checksums;
    int no_tensors;
};

/* The escaped text without quotation marks; in them. */
dgm_status dgm_inspect_escape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t bytes);
dgm_status dgm_inspect_quote(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             size_t bytes);

/* "u32", "string", ... */
const char *dgm_inspect_type(enum dgm_gguf_value type);

/* The value of a key that is no array; item i of one that is. */
dgm_status dgm_inspect_scalar(struct dgm_inspect *inspect, const struct dgm_gguf_key *key);
dgm_status dgm_inspect_item(struct dgm_inspect *inspect, const struct dgm_gguf_key *key, size_t i);

/* Numbers of the parameters, the state of a training run left out. */
uint64_t dgm_inspect_parameters(const struct dgm_gguf *file);
/* Whether a tensor belongs to that state. */
int dgm_inspect_is_state(const struct dgm_gguf_tensor *tensor);

/* inspect_json.c */
dgm_status dgm_inspect_json(struct dgm_inspect *inspect);

#endif
