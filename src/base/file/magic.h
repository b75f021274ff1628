/*
 * magic.h: what files begin with that are not what a reader wants: packed data, archives,
 * documents, models. One list for whoever reads text or a model.
 */
#ifndef DGM_BASE_FILE_MAGIC_H
#define DGM_BASE_FILE_MAGIC_H

#include "base/env.h"

struct dgm_magic {
    const char *bytes;  /* in hexadecimal, "1F 8B"; "?" is any digit */
    size_t at;          /* where they stand */
    const char *name;   /* "a gzip file" */
    const char *advice; /* how it becomes what is wanted: "unpack it with gzip -d" */
    int may_be_text;    /* text begins so, too: told where a model is read alone */
};

/* What a reader wants: names for messages, of which "a GGUF file" is a row's own. */
#define DGM_MAGIC_TEXT "text in UTF-8"
#define DGM_MAGIC_GGUF "a GGUF file"

/* The row that the first bytes of a file are of, unless its name is `wanted`; NULL: they are of
 * none. */
const struct dgm_magic *dgm_magic_find(const void *bytes, size_t count, const char *wanted);
/* Whether more bytes behind these may make a row of text's. Bytes that are of one are, too, and
 * no line of text ends in the middle of one, so that a terminal is not kept waiting. */
int dgm_magic_may_begin(const void *bytes, size_t count);
/* Fails so where the bytes at the start of a file are of a row, and not what is wanted. */
dgm_status dgm_magic_check(struct dgm_env *env, dgm_status status, const char *path,
                           const void *bytes, size_t count, const char *wanted);
/* DGM_DATA where those of a text are. */
dgm_status dgm_magic_check_text(struct dgm_env *env, const char *path, const void *bytes,
                                size_t count);

#endif
