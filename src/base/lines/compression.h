/*
 * compression.h: packed data read as the plain bytes that were packed; for the line reader only.
 *
 * What a file begins with says how it is packed, not its name. Each way to pack has a file beside
 * this one, a line in compression_list.h and rows in base/file/magic.c; it needs a library, which
 * configure looks for (--enable-zlib, --disable-zlib), and without which such data is refused. The
 * packed bytes come through the table of system calls like any others.
 */
#ifndef DGM_BASE_LINES_COMPRESSION_H
#define DGM_BASE_LINES_COMPRESSION_H

#include "base/env.h"

struct dgm_compression {
    const char *name;   /* "gzip" */
    const char *suffix; /* what names of such files often end in: ".gz" */
    const char *kind;   /* the name that what it begins with has in the list of base/file/magic.c */
    const char *lacks;  /* the library that configure did not find; the rest is NULL then */
    /*
     * Begins with `count` bytes already read from `fd`, at most DGM_COMPRESSION_INPUT; the file
     * stays the caller's. `path` is borrowed.
     */
    dgm_status (*open)(struct dgm_env *env, void **state, int fd, const char *path,
                       const void *bytes, size_t count);
    /* At most `count` plain bytes; *got is 0 only at the end. Several packed files one after the
     * other are one. DGM_DATA: damaged or incomplete. */
    dgm_status (*read)(struct dgm_env *env, void *state, size_t *got, void *data, size_t count);
    void (*close)(struct dgm_env *env, void *state);
};

#define COMPRESSION(name) extern const struct dgm_compression dgm_compression_##name;
#include "base/lines/compression_list.h"
#undef COMPRESSION

/* All of them; NULL ends the list. */
extern const struct dgm_compression *const dgm_compressions[];

/* The one of a kind; NULL: such files are not unpacked here. */
const struct dgm_compression *dgm_compression_find(const char *kind);
/* How many bytes of a name are a suffix of packed files; 0 where it has none. */
size_t dgm_compression_suffix(const char *path);

#define DGM_COMPRESSION_INPUT ((size_t)64 << 10)

#endif
