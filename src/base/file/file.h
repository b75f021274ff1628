/*
 * file.h: every access to files: one table that tests can replace, whole-file reading, a line
 * reader that splits on LF only, and atomic saving.
 */
#ifndef DGM_BASE_FILE_FILE_H
#define DGM_BASE_FILE_FILE_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_gzip;

enum dgm_file_kind { DGM_FILE_REGULAR, DGM_FILE_FOLDER, DGM_FILE_LINK, DGM_FILE_OTHER };

/* What a file is, whatever its name: device and inode tell one from another. */
struct dgm_file_info {
    enum dgm_file_kind kind;
    uint64_t device, inode;
    long long bytes;
    unsigned mode; /* the twelve bits of chmod */
    unsigned owner, group;
};

/* The system calls we use, so that a test can make any of them fail at the n-th call. Each
 * behaves as its POSIX namesake and sets errno; `size` fails with EISDIR on a directory. `info` is
 * fstat where fd >= 0; else stat of a path, or lstat where links are not followed. `restore` gives
 * a file mode and owner, the owner where the system lets us. `next_name` is the name in readdir's
 * entry, or NULL: at the end errno is 0. `lock` is F_SETLK for a whole file, to write; where a
 * process holds it, errno is EAGAIN and *holder that process, 0 if unknown. */
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
    int (*make_folder)(void *user, const char *path, unsigned mode);
    int (*remove_folder)(void *user, const char *path);
    void *(*open_folder)(void *user, const char *path);
    const char *(*next_name)(void *user, void *folder);
    int (*close_folder)(void *user, void *folder);
    int (*lock)(void *user, int fd, long *holder);
    int (*truncate)(void *user, int fd, long long bytes);
    long (*pwrite)(void *user, int fd, const void *data, size_t count, long long offset);
    int (*info)(void *user, int fd, const char *path, int follow, struct dgm_file_info *info);
    long (*read_link)(void *user, const char *path, char *out, size_t size);
    int (*restore)(void *user, int fd, unsigned mode, unsigned owner, unsigned group);
    void *user;
};

extern const struct dgm_vfs dgm_vfs_system;

/* Records what errno says about `path`, then "; " and the advice (NULL: none). Where the system
 * itself was out of memory, the status is DGM_MEMORY. */
dgm_status dgm_file_fail(struct dgm_env *env, dgm_status status, const char *path,
                         const char *advice);

/* Opens for reading ("-" is standard input); directories are refused with DGM_DATA. `bytes` and
 * `is_regular` may be NULL. */
dgm_status dgm_file_open(struct dgm_env *env, int *fd, const char *path, long long *bytes,
                         int *is_regular);
/* Closes a descriptor other than the three standard ones. */
void dgm_file_close(struct dgm_env *env, int fd);
/* At most `count` bytes into data; *got is 0 only at the end. Repeats what a signal interrupts,
 * unless the work is to end (dgm_poll). */
dgm_status dgm_file_read_some(struct dgm_env *env, size_t *got, int fd, const char *path,
                              void *data, size_t count);
/* All of the bytes, however many calls it takes; offset -1 writes where the file stands. */
dgm_status dgm_file_write_all(struct dgm_env *env, int fd, const char *path, const void *bytes,
                              size_t count, long long offset);

/* fsync, repeated when a signal interrupts it; as the system call otherwise: 0, or errno is set. */
int dgm_file_sync(struct dgm_env *env, int fd);
/* ftruncate in the same way. */
int dgm_file_truncate(struct dgm_env *env, int fd, long long bytes);

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
    const char *path; /* borrowed; "-" is standard input */
    int fd;
    struct dgm_gzip *gzip; /* NULL: the file is plain */
    char *chunk;           /* 64 KiB read-ahead */
    size_t start, end;     /* unread bytes of `chunk` */
    struct dgm_buf line;
    size_t limit; /* bytes of a line; default 16 MiB */
    long number;  /* of the line last read, from 1 */
    int cut;      /* the line last read was longer than `limit` */
    int had_cr;   /* some line so far ended in CR LF */
    int at_end, is_open, ended_without_lf;
    int keeps_mark;   /* a byte-order mark belongs to the text; else it is skipped */
    long long bytes;  /* of a regular file that is not packed; else 0 */
    long long filled; /* of them, read so far */
};

dgm_status dgm_lines_open(struct dgm_env *env, struct dgm_lines *lines, const char *path);
/* Before the first line: a byte-order mark is text of that line. */
void dgm_lines_keep_mark(struct dgm_lines *lines);
/* Sets *more to 0 at the end of the file; otherwise lines->line holds the next line. */
dgm_status dgm_lines_next(struct dgm_env *env, struct dgm_lines *lines, int *more);
/* The first of the unread bytes that is no blank, tab, CR or LF, which stays unread: 0 at the end of
 * the file, and where 64 KiB have none. */
dgm_status dgm_lines_peek(struct dgm_env *env, struct dgm_lines *lines, char *byte);
/* Bytes of the file that the lines so far have taken. */
long long dgm_lines_taken(const struct dgm_lines *lines);
/* Whether dgm_lines_next would return without waiting (for batching of interactive input). */
int dgm_lines_ready(struct dgm_lines *lines);
void dgm_lines_close(struct dgm_env *env, struct dgm_lines *lines);

/* ---- writing ------------------------------------------------------------------------------ */

/*
 * Buffered output whose every error is kept and reported by flush and close.
 *
 * A file that is made or replaced holds either its old content or all of the new, after any failure
 * and a crash at any moment: what is written goes to a file beside it, which close syncs, renames
 * over it, and syncs the folder. What replaces a file has its mode. A stream is written as it is.
 */
struct dgm_writer {
    char path[1024];      /* for messages */
    char target[1024];    /* what close makes or replaces; "" for a stream */
    char temporary[1024]; /* the file beside it; "" when there is none (left) */
    int fd, is_open;
    int failed;             /* a write failed: the output is incomplete whatever follows */
    int keeps_part;         /* abandon leaves what was written, under its name FILE.part */
    uint64_t device, inode; /* of FILE.part, which another run may have moved away meanwhile */
    struct dgm_buf pending;
    long long written; /* bytes handed to the system so far */
    dgm_write_fn sink; /* NULL, or what takes the bytes instead of a file */
    void *sink_user;
};

/* Opens a path that a user names (output.h); "-" is standard output. */
dgm_status dgm_writer_open(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* The same for what takes long to compute: until it is whole it stands in FILE.part. What a run that
 * did not end has left there becomes FILE.part.old, unless that is there and longer. */
dgm_status dgm_writer_open_part(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* The same for a function in place of a file: it receives whole buffers. */
void dgm_writer_open_sink(struct dgm_writer *writer, dgm_write_fn sink, void *user);
dgm_status dgm_writer_add(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                          size_t count);
dgm_status dgm_writer_flush(struct dgm_env *env, struct dgm_writer *writer);
/* Ends the output as a whole one; never leaves the descriptor open, nor, after a failure, a
 * temporary file. */
dgm_status dgm_writer_close(struct dgm_env *env, struct dgm_writer *writer);
/* Ends it after a failure elsewhere: what was there before stays, a stream gets what is pending.
 * Does nothing after a close. */
void dgm_writer_abandon(struct dgm_env *env, struct dgm_writer *writer);

/* A writer of a file whose head is known only at the end. Nobody's choice of name: a symbolic link
 * at `path` is replaced, not followed. */
struct dgm_saver {
    struct dgm_writer writer;
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

/* For these two: begins to write the file beside `path`, a regular file (`old` says which) or none
 * (`old` is NULL); and ends it. */
dgm_status dgm_replace_begin(struct dgm_env *env, struct dgm_writer *writer, const char *path,
                             const struct dgm_file_info *old);
dgm_status dgm_replace_end(struct dgm_env *env, struct dgm_writer *writer);
/* Whether FILE.part is still what this writer has made. */
int dgm_part_is_ours(struct dgm_env *env, const struct dgm_writer *writer);

/* second_name.c: `to` becomes a second name of the file `from`, or a copy where the file system knows no
 * second names, as a whole and durably; what it was before stays until then. */
dgm_status dgm_file_second_name(struct dgm_env *env, const char *from, const char *to);

/* stale_files.c: removes the temporary files beside `path` that savers have left who were killed, if they
 * are ours, empty or begin with `magic` (at most 8 bytes), and nobody writes them any more. What
 * goes wrong goes unsaid. */
void dgm_stale_files_remove(struct dgm_env *env, const char *path, const char *magic);

int dgm_file_exists(struct dgm_env *env, const char *path);
/* Bytes of a regular file and when it was changed or touched, in seconds; 0 if there is none. */
int dgm_file_age(const char *path, int64_t *bytes, int64_t *seconds);
/* Makes it a file of now; nothing where that cannot be. */
void dgm_file_touch(const char *path);

/* Whether two paths name the same file (device and inode). */
int dgm_file_same(struct dgm_env *env, const char *a, const char *b);

#endif
