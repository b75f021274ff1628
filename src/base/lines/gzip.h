/*
 * gzip.h: gzip data read as the plain bytes that were packed; for the line reader only.
 *
 * Needs zlib, which configure looks for (--enable-zlib, --disable-zlib); without it
 * dgm_gzip_open fails with a hint. The packed bytes come through the table of system
 * calls like any others, and zlib's memory from the environment.
 */
#ifndef DGM_BASE_LINES_GZIP_H
#define DGM_BASE_LINES_GZIP_H

#include "base/env.h"

struct dgm_gzip;

/*
 * Begins with `count` bytes already read from `fd`, at most DGM_GZIP_INPUT; the file
 * stays the caller's. `path` is borrowed.
 */
dgm_status dgm_gzip_open(struct dgm_env *env, struct dgm_gzip **gzip, int fd, const char *path,
                         const void *bytes, size_t count);

/* At most `count` plain bytes; *got is 0 only at the end. Several gzip files one after
 * the other are one, and zeros may follow. DGM_DATA: damaged or incomplete. */
dgm_status dgm_gzip_read(struct dgm_env *env, struct dgm_gzip *gzip, size_t *got, void *data,
                         size_t count);

/* NULL is allowed. */
void dgm_gzip_close(struct dgm_env *env, struct dgm_gzip *gzip);

#define DGM_GZIP_INPUT ((size_t)64 << 10)

#endif
