/*
 * file.h: every access to files: one table that tests can replace, whole-file reading, a line
 * reader that splits on LF only, and atomic saving.
 */
#ifndef DGM_BASE_FILE_H
#define DGM_BASE_FILE_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_gzip;

/* The system calls we use, so that a test can make any of them fail at the n-th call. Each
 * behaves as its POSIX namesake and sets errno; `size` fails with EISDIR on a directory. */
struct dgm_vfs {
    int (*open)(void *user, const char *path, int flags, unsigned mode);
    long (*read)(void *user, int fd, void *data, size_t count);
    long (*write)(void *user, int fd, const void *data, size_t count);
    long (*pread)(void *user, int fd, void *data, size_t count, long long offset);
    int (*sync)(void *user, int fd);
    int (*close)(void *user, int fd);
    int (*size)(void *user, int fd, long long *bytes, int *is_regular);
    int (*rename)(void *user, const char *from, const char *to);
    int (*remove)(void *user, const char *path);
    int (*link)(void *user, const char *from, const char *to);
    int (*truncate)(void *user, int fd, long long bytes);
    long (*pwrite)(void *user, int fd, const void *data, size_t count, long long offset);
    void *user;
};

extern const struct dgm_vfs dgm_vfs_system;

/* Records what errno says about `path`, then "; " and the advice (NULL: none). */
dgm_status dgm_file_fail(struct dgm_env *env, dgm_status status, const char *path,
                         const char *advice);

/* Opens for reading ("-" is standard input); directories are refused with DGM_DATA. `bytes` and
 * `is_regular` may be NULL. */
dgm_status dgm_file_open(struct dgm_env *env, int *fd, const char *path, long long *bytes,
                         int *is_regular);
/* Closes a descriptor other than the three standard ones. */
void dgm_file_close(struct dgm_env *env, int fd);
/* At most `count` bytes into data; *got is 0 only at the end. Repeats what a signal interrupts. */
dgm_status dgm_file_read_some(struct dgm_env *env, size_t *got, int fd, const char *path,
                              void *data, size_t count);
/* All of the bytes, however many calls it takes; offset -1 writes where the file stands. */
dgm_status dgm_file_write_all(struct dgm_env *env, int fd, const char *path, const void *bytes,
                              size_t count, long long offset);

/* Whole regular file into buf (emptied first); at most buf->limit bytes. "-" is standard input. */
dgm_status dgm_file_read(struct dgm_env *env, struct dgm_buf *buf, const char *path);

/* ---- reading lines ---------------------------------------------------------------------- */

/*
 * Only LF ends a line. One CR before it is removed; a byte-order mark at the start of the file is
 * removed; the last line may lack its LF. Every other byte, NUL included, is data. gzip is
 * unpacked on the way (gzip.h), or refused with a message where zlib is missing; UTF-16 and
 * directories are refused. Lines longer than `limit` are cut
 * there, at the start of a character, and `cut` says so; the rest of such a line is skipped, up
 * to 1 GiB, beyond which this is no text (/dev/zero).
 */
struct dgm_lines {
    const char *path;     /* borrowed; "-" is standard input */
    int fd;
    struct dgm_gzip *gzip; /* NULL: the file is plain */
    char *chunk;          /* 64 KiB read-ahead */
    size_t start, end;    /* unread bytes of `chunk` */
    struct dgm_buf line;
    size_t limit;         /* bytes of a line; default 16 MiB */
    long number;          /* of the line last read, from 1 */
    int cut;              /* the line last read was longer than `limit` */
    int had_cr;           /* some line so far ended in CR LF */
    int at_end, is_open, ended_without_lf;
};

dgm_status dgm_lines_open(struct dgm_env *env, struct dgm_lines *lines, const char *path);
/* Sets *more to 0 at the end of the file; otherwise lines->line holds the next line. */
dgm_status dgm_lines_next(struct dgm_env *env, struct dgm_lines *lines, int *more);
/* The first of the unread bytes that is no blank, tab, CR or LF, which stays unread: 0 at the end of
 * the file, and where 64 KiB have none. */
dgm_status dgm_lines_peek(struct dgm_env *env, struct dgm_lines *lines, char *byte);
/* Whether dgm_lines_next would return without waiting (for batching of interactive input). */
int dgm_lines_ready(struct dgm_lines *lines);
void dgm_lines_close(struct dgm_env *env, struct dgm_lines *lines);

/* ---- writing ------------------------------------------------------------------------------ */

/* Buffered output whose every error is kept and reported by flush and close. "-" is stdout. */
struct dgm_writer {
    char path[1024];
    int fd, is_open;
    int failed;           /* a write failed: the output is incomplete whatever follows */
    struct dgm_buf pending;
    long long written;    /* bytes handed to the system so far */
    dgm_write_fn sink;    /* NULL, or what takes the bytes instead of a file */
    void *sink_user;
};

dgm_status dgm_writer_open(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* The same for a function in place of a file: it receives whole buffers. */
void dgm_writer_open_sink(struct dgm_writer *writer, dgm_write_fn sink, void *user);
dgm_status dgm_writer_add(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                          size_t count);
dgm_status dgm_writer_flush(struct dgm_env *env, struct dgm_writer *writer);
/* Flushes and closes; never leaves the descriptor open. */
dgm_status dgm_writer_close(struct dgm_env *env, struct dgm_writer *writer);

/*
 * Atomic replacement: the content goes to a temporary file in the same folder, which is synced,
 * closed and renamed over `path`; then the folder is synced. After any failure, or a crash at any
 * moment, `path` holds either its old content or all of the new; the temporary file is removed.
 */
struct dgm_saver {
    struct dgm_writer writer;
    char path[1024];
};

dgm_status dgm_saver_begin(struct dgm_env *env, struct dgm_saver *saver, const char *path);
dgm_status dgm_saver_add(struct dgm_env *env, struct dgm_saver *saver, const void *bytes,
                         size_t count);
/* Overwrites bytes already added (a header whose checksums are known only at the end). */
dgm_status dgm_saver_patch(struct dgm_env *env, struct dgm_saver *saver, long long offset,
                           const void *bytes, size_t count);
/* Ends the saver, whatever it returns. */
dgm_status dgm_saver_commit(struct dgm_env *env, struct dgm_saver *saver);
/* Removes the temporary file; does nothing after a commit. */
void dgm_saver_abandon(struct dgm_env *env, struct dgm_saver *saver);

int dgm_file_exists(struct dgm_env *env, const char *path);
/* Whether two paths name the same file (device and inode). */
/* Bytes of a regular file and when it was changed or touched, in seconds; 0 if there is none. */
int dgm_file_age(const char *path, int64_t *bytes, int64_t *seconds);
/* Makes it a file of now; nothing where that cannot be. */
void dgm_file_touch(const char *path);

int dgm_file_same(const char *a, const char *b);

#endif
