/*
 * gguf_cursor.h: the place in a GGUF file up to which its header was understood
 * (internal).
 *
 * Nothing is taken before the bytes that remain were asked for. Every failure is
 * DGM_MODEL at the byte where the trouble starts.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_CURSOR_H
#define DGM_TENSOR_GGUF_GGUF_CURSOR_H

#include "tensor/gguf/gguf_rules.h"

struct dgm_gguf_cursor {
    struct dgm_env *env;
    struct dgm_gguf *file;
    size_t at;
    int is_short; /* it failed for want of bytes: more of the file may help */
};

/* A failure at a byte of the file. */
#define DGM_GGUF_FAIL(cursor, offset, ...) \
    dgm_fail_byte((cursor)->env, DGM_MODEL, (cursor)->file->name, (long long)(offset), __VA_ARGS__)

/* Bytes behind the cursor. */
size_t dgm_gguf_left(const struct dgm_gguf_cursor *r);

/* Whether so many bytes are there; the cursor remembers that they were not. */
int dgm_gguf_has(struct dgm_gguf_cursor *r, uint64_t count);

/* `what` names the thing in messages. */
dgm_status dgm_gguf_take_u32(struct dgm_gguf_cursor *r, uint32_t *out, const char *what);
dgm_status dgm_gguf_take_u64(struct dgm_gguf_cursor *r, uint64_t *out, const char *what);

/* The bytes of a string of at most `limit` bytes, in place. */
dgm_status dgm_gguf_take_string(struct dgm_gguf_cursor *r, const char **text, size_t *length,
                                size_t limit, const char *what);

/* A name that is new to `map`, entered there; it is copied to `name` for messages. */
dgm_status dgm_gguf_take_name(struct dgm_gguf_cursor *r, struct dgm_map *map,
                              char name[DGM_GGUF_NAME + 1], const char *what);

/*
 * The head of a file from its first `count` bytes, which stay borrowed; `total`: bytes of the whole
 * file. The data are not there, but where they lie is checked against `total`. *is_short: it failed
 * because the head is longer than `count` (gguf_read.c).
 */
dgm_status dgm_gguf_parse_head(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                               size_t count, size_t total, const char *name, int *is_short);

/* `count` key/value pairs, into file->keys (gguf_keys.c). */
dgm_status dgm_gguf_take_keys(struct dgm_gguf_cursor *r, size_t count);

#endif
