/*
 * buf.h: a growing byte buffer with a mandatory limit, for text of unknown length.
 *
 * Zero-initialise, set `limit`, append, clear. The content is always followed by a NUL that is
 * not counted, so data can be handed to C functions once it is known to hold no NUL itself.
 */
#ifndef DGM_BASE_BUF_H
#define DGM_BASE_BUF_H

#include "base/env.h"

struct dgm_buf {
    char *data;  /* NULL while empty and never used */
    size_t size; /* bytes in use */
    size_t capacity;
    size_t limit; /* the most bytes it may hold; 0 means DGM_BUF_LIMIT */
};

#define DGM_BUF_LIMIT ((size_t)1 << 30)

dgm_status dgm_buf_add(struct dgm_env *env, struct dgm_buf *buf, const void *bytes, size_t count);
dgm_status dgm_buf_add_char(struct dgm_env *env, struct dgm_buf *buf, char c);
dgm_status dgm_buf_add_text(struct dgm_env *env, struct dgm_buf *buf, const char *text);
/* Formats of dgm_fail. */
dgm_status dgm_buf_add_format(struct dgm_env *env, struct dgm_buf *buf, const char *format, ...)
    DGM_FORMAT(3, 4);
/* A number as dgm_number_print writes it: the same bytes in every locale. */
dgm_status dgm_buf_add_real(struct dgm_env *env, struct dgm_buf *buf, double value, int digits);

/* Whether both hold the same bytes. */
int dgm_buf_same(const struct dgm_buf *a, const struct dgm_buf *b);

/* Exchanges what both hold. */
void dgm_buf_swap(struct dgm_buf *a, struct dgm_buf *b);
/* Empties it and keeps the memory. */
void dgm_buf_reset(struct dgm_buf *buf);
void dgm_buf_clear(struct dgm_env *env, struct dgm_buf *buf);

#endif
