/* vfs.c: the table of system calls that stands behind every file access. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/file.h"

static int system_open(void *user, const char *path, int flags, unsigned mode)
{
    (void)user;
    return open(path, flags | O_CLOEXEC, (mode_t)mode);
}

static long system_read(void *user, int fd, void *data, size_t count)
{
    (void)user;
    return (long)read(fd, data, count);
}

static long system_write(void *user, int fd, const void *data, size_t count)
{
    (void)user;
    return (long)write(fd, data, count);
}

static long system_pread(void *user, int fd, void *data, size_t count, long long offset)
{
    (void)user;
    return (long)pread(fd, data, count, (off_t)offset);
}

static long system_pwrite(void *user, int fd, const void *data, size_t count,
                          long long offset)
{
    (void)user;
    return (long)pwrite(fd, data, count, (off_t)offset);
}

static int system_sync(void *user, int fd)
{
    (void)user;
    return fsync(fd);
}

static int system_close(void *user, int fd)
{
    (void)user;
    return close(fd);
}

static int system_size(void *user, int fd, long long *bytes, int *is_regular)
{
    struct stat info;
    (void)user;
    if (fstat(fd, &info) != 0)
        return -1;
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    *bytes = (long long)info.st_size;
    *is_regular = S_ISREG(info.st_mode) != 0;
    return 0;
}

static int system_rename(void *user, const char *from, const char *to)
{
    (void)user;
    return rename(from, to);
}

static int system_remove(void *user, const char *path)
{
    (void)user;
    return unlink(path);
}

static int system_link(void *user, const char *from, const char *to)
{
    (void)user;
    return link(from, to);
}

static int system_truncate(void *user, int fd, long long bytes)
{
    (void)user;
    return ftruncate(fd, (off_t)bytes);
}

const struct dgm_vfs dgm_vfs_system = {
    .open = system_open,
    .read = system_read,
    .write = system_write,
    .pread = system_pread,
    .sync = system_sync,
    .close = system_close,
    .size = system_size,
    .rename = system_rename,
    .remove = system_remove,
    .link = system_link,
    .truncate = system_truncate,
    .pwrite = system_pwrite,
    .user = NULL,
};
