/*
 * faulty_files.h: the system's files, of which one call fails, or all calls from one on: each in
 * the way of a rule. Calls that a rule does not name are neither counted nor touched.
 */
#ifndef DGM_FAULTY_FILES_H
#define DGM_FAULTY_FILES_H

#include <errno.h>
#include <string.h>

#include "base/file/vfs.h"

enum {
    CALL_OPEN = 1,
    CALL_READ = 2,
    CALL_WRITE = 4,
    CALL_SYNC = 8,
    CALL_CLOSE = 16,
    CALL_SIZE = 32,
    CALL_RENAME = 64,
    CALL_REMOVE = 128,
    CALL_LINK = 256,
    CALL_TRUNCATE = 512,
    CALL_MAKE_FOLDER = 1024,
    CALL_LIST = 2048, /* opendir, readdir, closedir */
    CALL_LOCK = 4096,
    CALL_ALL = 8191
};

struct fault_rule {
    const char *name;
    int error; /* errno of the call that fails; 0: it moves one byte of what was asked */
    unsigned calls;
    int for_ever; /* all later calls fail, too */
    int harmless; /* the caller is to go on as if nothing had happened */
};

struct faulty_files {
    struct dgm_vfs vfs; /* to be put into an environment */
    const struct fault_rule *rule;
    long calls, fail_at; /* counted calls so far; the one that fails, from 1; 0: none */
    const char *failed;  /* the first call that did, or NULL */
    long open_files;
};

/* Whether this call is to fail; it has set errno then. */
static inline int faulty_fails(struct faulty_files *files, unsigned call, const char *name)
{
    const struct fault_rule *rule = files->rule;

    if ((rule->calls & call) == 0)
        return 0;
    files->calls++;
    if (files->fail_at == 0 || files->calls < files->fail_at ||
        (files->calls > files->fail_at && !rule->for_ever))
        return 0;
    if (files->failed == NULL)
        files->failed = name;
    errno = rule->error;
    return 1;
}

static inline int faulty_open(void *user, const char *path, int flags, unsigned mode)
{
    struct faulty_files *files = user;
    int fd;

    if (faulty_fails(files, CALL_OPEN, "open"))
        return -1;
    fd = dgm_vfs_system.open(NULL, path, flags, mode);
    files->open_files += fd >= 0;
    return fd;
}

/* How much of `count` this call may move: -1 if it fails. */
static inline long faulty_count(struct faulty_files *files, unsigned call, const char *name,
                                size_t count)
{
    if (!faulty_fails(files, call, name))
        return (long)count;
    if (files->rule->error != 0)
        return -1;
    return count > 1 ? 1 : (long)count;
}

static inline long faulty_read(void *user, int fd, void *data, size_t count)
{
    long some = faulty_count(user, CALL_READ, "read", count);
    return some < 0 ? -1 : dgm_vfs_system.read(NULL, fd, data, (size_t)some);
}

static inline long faulty_pread(void *user, int fd, void *data, size_t count, long long offset)
{
    long some = faulty_count(user, CALL_READ, "pread", count);
    return some < 0 ? -1 : dgm_vfs_system.pread(NULL, fd, data, (size_t)some, offset);
}

static inline long faulty_write(void *user, int fd, const void *data, size_t count)
{
    long some = faulty_count(user, CALL_WRITE, "write", count);
    return some < 0 ? -1 : dgm_vfs_system.write(NULL, fd, data, (size_t)some);
}

static inline long faulty_pwrite(void *user, int fd, const void *data, size_t count,
                                 long long offset)
{
    long some = faulty_count(user, CALL_WRITE, "pwrite", count);
    return some < 0 ? -1 : dgm_vfs_system.pwrite(NULL, fd, data, (size_t)some, offset);
}

static inline int faulty_sync(void *user, int fd)
{
    return faulty_fails(user, CALL_SYNC, "fsync") ? -1 : dgm_vfs_system.sync(NULL, fd);
}

/* A close that fails has closed all the same, as on Linux. */
static inline int faulty_close(void *user, int fd)
{
    struct faulty_files *files = user;
    int fails = faulty_fails(files, CALL_CLOSE, "close"), error = errno;

    files->open_files--;
    dgm_vfs_system.close(NULL, fd);
    errno = error;
    return fails ? -1 : 0;
}

static inline int faulty_size(void *user, int fd, long long *bytes, int *is_regular)
{
    return faulty_fails(user, CALL_SIZE, "fstat")
               ? -1
               : dgm_vfs_system.size(NULL, fd, bytes, is_regular);
}

static inline int faulty_rename(void *user, const char *from, const char *to)
{
    return faulty_fails(user, CALL_RENAME, "rename") ? -1 : dgm_vfs_system.rename(NULL, from, to);
}

static inline int faulty_remove(void *user, const char *path)
{
    return faulty_fails(user, CALL_REMOVE, "unlink") ? -1 : dgm_vfs_system.remove(NULL, path);
}

static inline int faulty_link(void *user, const char *from, const char *to)
{
    return faulty_fails(user, CALL_LINK, "link") ? -1 : dgm_vfs_system.link(NULL, from, to);
}

static inline int faulty_truncate(void *user, int fd, long long bytes)
{
    return faulty_fails(user, CALL_TRUNCATE, "ftruncate")
               ? -1
               : dgm_vfs_system.truncate(NULL, fd, bytes);
}

static inline int faulty_info(void *user, int fd, const char *path, int follow,
                              struct dgm_file_info *info)
{
    return faulty_fails(user, CALL_SIZE, "stat")
               ? -1
               : dgm_vfs_system.info(NULL, fd, path, follow, info);
}

static inline int faulty_lock(void *user, int fd, long *holder)
{
    return faulty_fails(user, CALL_LOCK, "fcntl") ? -1 : dgm_vfs_system.lock(NULL, fd, holder);
}

/* ---- folders --------------------------------------------------------------------------------- */

static inline int faulty_make_folder(void *user, const char *path, unsigned mode)
{
    return faulty_fails(user, CALL_MAKE_FOLDER, "mkdir")
               ? -1
               : dgm_vfs_system.make_folder(NULL, path, mode);
}

static inline int faulty_remove_folder(void *user, const char *path)
{
    return faulty_fails(user, CALL_REMOVE, "rmdir") ? -1 : dgm_vfs_system.remove_folder(NULL, path);
}

static inline void *faulty_open_folder(void *user, const char *path)
{
    struct faulty_files *files = user;
    void *folder;

    if (faulty_fails(files, CALL_LIST, "opendir"))
        return NULL;
    folder = dgm_vfs_system.open_folder(NULL, path);
    files->open_files += folder != NULL;
    return folder;
}

static inline const char *faulty_next_name(void *user, void *folder)
{
    return faulty_fails(user, CALL_LIST, "readdir") ? NULL : dgm_vfs_system.next_name(NULL, folder);
}

static inline int faulty_close_folder(void *user, void *folder)
{
    struct faulty_files *files = user;
    int fails = faulty_fails(files, CALL_LIST, "closedir");

    files->open_files--;
    dgm_vfs_system.close_folder(NULL, folder);
    return fails ? -1 : 0;
}

/* From now on the `fail_at`-th call that the rule names fails. */
static inline void faulty_begin(struct faulty_files *files, const struct fault_rule *rule,
                                long fail_at)
{
    memset(files, 0, sizeof *files);
    files->vfs = dgm_vfs_system;
    files->vfs.open = faulty_open;
    files->vfs.read = faulty_read;
    files->vfs.pread = faulty_pread;
    files->vfs.write = faulty_write;
    files->vfs.pwrite = faulty_pwrite;
    files->vfs.sync = faulty_sync;
    files->vfs.close = faulty_close;
    files->vfs.size = faulty_size;
    files->vfs.rename = faulty_rename;
    files->vfs.remove = faulty_remove;
    files->vfs.link = faulty_link;
    files->vfs.truncate = faulty_truncate;
    files->vfs.info = faulty_info;
    files->vfs.lock = faulty_lock;
    files->vfs.make_folder = faulty_make_folder;
    files->vfs.remove_folder = faulty_remove_folder;
    files->vfs.open_folder = faulty_open_folder;
    files->vfs.next_name = faulty_next_name;
    files->vfs.close_folder = faulty_close_folder;
    files->vfs.user = files;
    files->rule = rule;
    files->fail_at = fail_at;
}

#endif
