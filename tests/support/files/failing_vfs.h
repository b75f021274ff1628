/*
 * failing_vfs.h: the system's calls, of which a chosen one fails: the n-th of all, or all of a
 * name.
 */
#ifndef DGM_FAILING_VFS_H
#define DGM_FAILING_VFS_H

#include <errno.h>
#include <string.h>

#include "base/env.h"
#include "base/file/vfs.h"

static struct {
    long calls;       /* so far */
    long fail_at;     /* the call that fails, from 1; 0: none */
    const char *name; /* NULL, or all calls of this name fail */
    int error;        /* with this errno */
    long open;        /* descriptors and folders that were opened and not closed */
    char failed[32];  /* what failed last */
} failing;

static inline int failing_now(const char *name)
{
    failing.calls++;
    if (failing.calls != failing.fail_at &&
        (failing.name == NULL || strcmp(failing.name, name) != 0))
        return 0;
    strcpy(failing.failed, name);
    errno = failing.error;
    return 1;
}

#define FAILING(type, name, parameters, arguments, failure)                  \
    static inline type failing_##name parameters                             \
    {                                                                        \
        (void)user;                                                          \
        return failing_now(#name) ? failure : dgm_vfs_system.name arguments; \
    }

FAILING(long, read, (void *user, int fd, void *data, size_t count), (NULL, fd, data, count), -1)
FAILING(long, write, (void *user, int fd, const void *data, size_t count), (NULL, fd, data, count),
        -1)
FAILING(long, pread, (void *user, int fd, void *data, size_t count, long long offset),
        (NULL, fd, data, count, offset), -1)
FAILING(long, pwrite, (void *user, int fd, const void *data, size_t count, long long offset),
        (NULL, fd, data, count, offset), -1)
FAILING(int, sync, (void *user, int fd), (NULL, fd), -1)
FAILING(int, size, (void *user, int fd, long long *bytes, int *is_regular),
        (NULL, fd, bytes, is_regular), -1)
FAILING(int, rename, (void *user, const char *from, const char *to), (NULL, from, to), -1)
FAILING(int, remove, (void *user, const char *path), (NULL, path), -1)
FAILING(int, link, (void *user, const char *from, const char *to), (NULL, from, to), -1)
FAILING(int, truncate, (void *user, int fd, long long bytes), (NULL, fd, bytes), -1)
FAILING(int, make_folder, (void *user, const char *path, unsigned mode), (NULL, path, mode), -1)
FAILING(int, remove_folder, (void *user, const char *path), (NULL, path), -1)
FAILING(const char *, next_name, (void *user, void *folder), (NULL, folder), NULL)
FAILING(int, lock, (void *user, int fd, long *holder), (NULL, fd, holder), -1)
FAILING(long, read_link, (void *user, const char *path, char *out, size_t size),
        (NULL, path, out, size), -1)
FAILING(int, restore, (void *user, int fd, unsigned mode, unsigned owner, unsigned group),
        (NULL, fd, mode, owner, group), -1)
FAILING(int, info, (void *user, int fd, const char *path, int follow, struct dgm_file_info *info),
        (NULL, fd, path, follow, info), -1)

static inline int failing_open(void *user, const char *path, int flags, unsigned mode)
{
    int fd = failing_now("open") ? -1 : dgm_vfs_system.open(user, path, flags, mode);

    failing.open += fd >= 0;
    return fd;
}

static inline void *failing_open_folder(void *user, const char *path)
{
    void *folder = failing_now("open_folder") ? NULL : dgm_vfs_system.open_folder(user, path);

    failing.open += folder != NULL;
    return folder;
}

/* As on Linux, what could not be closed well is closed all the same. */
static inline int failing_close(void *user, int fd)
{
    int result = dgm_vfs_system.close(user, fd);

    failing.open--;
    return failing_now("close") ? -1 : result;
}

static inline int failing_close_folder(void *user, void *folder)
{
    int result = dgm_vfs_system.close_folder(user, folder);

    failing.open--;
    return failing_now("close_folder") ? -1 : result;
}

/* From now on call number `fail_at` fails, and all of `name` (NULL: none). */
static inline void failing_begin(struct dgm_env *env, long fail_at, const char *name, int error)
{
    static struct dgm_vfs vfs;

    vfs = dgm_vfs_system;
    vfs.open = failing_open;
    vfs.read = failing_read;
    vfs.write = failing_write;
    vfs.pread = failing_pread;
    vfs.pwrite = failing_pwrite;
    vfs.sync = failing_sync;
    vfs.close = failing_close;
    vfs.size = failing_size;
    vfs.rename = failing_rename;
    vfs.remove = failing_remove;
    vfs.link = failing_link;
    vfs.truncate = failing_truncate;
    vfs.make_folder = failing_make_folder;
    vfs.remove_folder = failing_remove_folder;
    vfs.open_folder = failing_open_folder;
    vfs.next_name = failing_next_name;
    vfs.close_folder = failing_close_folder;
    vfs.lock = failing_lock;
    vfs.info = failing_info;
    vfs.read_link = failing_read_link;
    vfs.restore = failing_restore;
    memset(&failing, 0, sizeof failing);
    failing.fail_at = fail_at;
    failing.name = name;
    failing.error = error;
    env->vfs = &vfs;
}

static inline void failing_end(struct dgm_env *env)
{
    env->vfs = &dgm_vfs_system;
}

#endif
