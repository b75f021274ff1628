/*
 * awkward_vfs.h: files in the test's folder, and a system that fails at the n-th call, or works in
 * the most awkward way.
 */
#ifndef DGM_TEST_AWKWARD_VFS_H
#define DGM_TEST_AWKWARD_VFS_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file/vfs.h"
#include "test.h"

static inline const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", test_dir(), name);
    return path;
}

static inline void put_file(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_INT(fwrite(bytes, 1, count, file), count);
    CHECK_INT(fclose(file), 0);
}

/* The files of the scratch folder. */
static inline int count_files(void)
{
    DIR *folder = opendir(test_dir());
    struct dirent *entry;
    int count = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder != NULL)
        closedir(folder);
    return count;
}

struct fault {
    int calls, fail_at, error; /* call number fail_at fails with `error`; 0: none */
    int awkward;               /* short reads and writes, every other call interrupted */
    int overlong;              /* write claims more than it was given */
    int open_files, syncs;
    int interrupted;
};

static inline int fails(struct fault *fault)
{
    if (++fault->calls == fault->fail_at) {
        errno = fault->error;
        return 1;
    }
    return 0;
}

static inline int is_interrupted(struct fault *fault)
{
    fault->interrupted = !fault->interrupted;
    if (!fault->awkward || !fault->interrupted)
        return 0;
    errno = EINTR;
    return 1;
}

static inline int fault_open(void *user, const char *path, int flags, unsigned mode)
{
    struct fault *fault = user;
    int fd;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    fd = dgm_vfs_system.open(NULL, path, flags, mode);
    fault->open_files += fd >= 0;
    return fd;
}

static inline long fault_read(void *user, int fd, void *data, size_t count)
{
    struct fault *fault = user;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    return dgm_vfs_system.read(NULL, fd, data, fault->awkward && count > 1 ? 1 : count);
}

static inline long fault_write(void *user, int fd, const void *data, size_t count)
{
    struct fault *fault = user;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    if (fault->overlong)
        return (long)count + 1;
    return dgm_vfs_system.write(NULL, fd, data, fault->awkward && count > 1 ? 1 : count);
}

static inline int fault_sync(void *user, int fd)
{
    struct fault *fault = user;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    fault->syncs++;
    return dgm_vfs_system.sync(NULL, fd);
}

/* A close that fails has closed all the same, as on Linux. */
static inline int fault_close(void *user, int fd)
{
    struct fault *fault = user;
    int failed = fails(fault);
    fault->open_files--;
    dgm_vfs_system.close(NULL, fd);
    return failed ? -1 : 0;
}

static inline int fault_rename(void *user, const char *from, const char *to)
{
    return fails(user) ? -1 : dgm_vfs_system.rename(NULL, from, to);
}

static inline struct dgm_vfs fault_vfs(struct fault *fault)
{
    struct dgm_vfs vfs = dgm_vfs_system;
    vfs.open = fault_open;
    vfs.read = fault_read;
    vfs.write = fault_write;
    vfs.sync = fault_sync;
    vfs.close = fault_close;
    vfs.rename = fault_rename;
    vfs.user = fault;
    return vfs;
}

#endif
