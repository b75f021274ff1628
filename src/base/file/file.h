/*
 * file.h: opening, reading and writing files through the table of system calls (vfs.h).
 */
#ifndef DGM_BASE_FILE_FILE_H
#define DGM_BASE_FILE_FILE_H

#include "base/buf.h"
#include "base/env.h"

/* Records what errno says about `path`, then "; " and the advice (NULL: none). Where the system
 * itself was out of memory, the status is DGM_MEMORY. */
dgm_status dgm_file_fail(struct dgm_env *env, dgm_status status, const char *path,
                         const char *advice);

/* Opens for reading ("-" is standard input); directories are refused with DGM_DATA. `bytes` and
 * `is_regular` may be NULL. */
dgm_status dgm_file_open(struct dgm_env *env, int *fd, const char *path, long long *bytes,
                         int *is_regular);
/* Opens as the system call does, -1 and errno where it fails, repeated when a signal interrupts
 * it. */
int dgm_file_open_as(struct dgm_env *env, const char *path, int flags, unsigned mode);
/* Closes a descriptor other than the three standard ones. */
void dgm_file_close(struct dgm_env *env, int fd);
/* At most `count` bytes into data; *got is 0 only at the end. Repeats what a signal interrupts,
 * unless the work is to end (dgm_poll). */
dgm_status dgm_file_read_some(struct dgm_env *env, size_t *got, int fd, const char *path,
                              void *data, size_t count);
/* Bytes from `offset` on, `count` of them or as many as there are, as *got says; 0, or errno is
 * set. */
int dgm_file_read_at(struct dgm_env *env, int fd, void *to, size_t count, long long offset,
                     size_t *got);
/* All of the bytes, however many calls it takes; offset -1 writes where the file stands. */
dgm_status dgm_file_write_all(struct dgm_env *env, int fd, const char *path, const void *bytes,
                              size_t count, long long offset);

/* fsync, repeated when a signal interrupts it; as the system call otherwise: 0, or errno is set. */
int dgm_file_sync(struct dgm_env *env, int fd);
/* ftruncate in the same way. */
int dgm_file_truncate(struct dgm_env *env, int fd, long long bytes);

/* Whole regular file into buf (emptied first); at most buf->limit bytes. "-" is standard input. */
dgm_status dgm_file_read(struct dgm_env *env, struct dgm_buf *buf, const char *path);
/* The same of a text in UTF-8: a byte-order mark at its start, as some editors write it, is no part
 * of it. Packed data and what else is no text (magic.h) are refused with DGM_DATA. */
dgm_status dgm_file_read_text(struct dgm_env *env, struct dgm_buf *buf, const char *path);

int dgm_file_exists(struct dgm_env *env, const char *path);
/* Bytes of a regular file and when it was changed or touched, in seconds; 0 if there is none. */
int dgm_file_age(const char *path, int64_t *bytes, int64_t *seconds);
/* Makes it a file of now; nothing where that cannot be. */
void dgm_file_touch(const char *path);

/* Whether what is read from there cannot be read again: "-", a pipe, a terminal. */
int dgm_file_is_stream(struct dgm_env *env, const char *path);
/* Whether two paths name the same file (device and inode). */
int dgm_file_same(struct dgm_env *env, const char *a, const char *b);

#endif
