/* vfs.c: the table of system calls that stands behind every file access. */
#include "base/file/vfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

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

static long system_pwrite(void *user, int fd, const void *data, size_t count, long long offset)
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

static int system_info(void *user, int fd, const char *path, int follow, struct dgm_file_info *info)
{
    struct stat found;
    (void)user;
    if ((fd >= 0 ? fstat(fd, &found) : follow ? stat(path, &found) : lstat(path, &found)) != 0)
        return -1;
    info->kind = S_ISREG(found.st_mode)   ? DGM_FILE_REGULAR
                 : S_ISDIR(found.st_mode) ? DGM_FILE_FOLDER
                 : S_ISLNK(found.st_mode) ? DGM_FILE_LINK
                                          : DGM_FILE_OTHER;
    info->device = (uint64_t)found.st_dev;
    info->inode = (uint64_t)found.st_ino;
    info->bytes = (long long)found.st_size;
    info->mode = (unsigned)found.st_mode & 07777;
    info->owner = (unsigned)found.st_uid;
    info->group = (unsigned)found.st_gid;
    return 0;
}

static long system_read_link(void *user, const char *path, char *out, size_t size)
{
    (void)user;
    return (long)readlink(path, out, size);
}

/* The owner first: to change it takes special bits from the mode. */
static int system_restore(void *user, int fd, unsigned mode, unsigned owner, unsigned group)
{
    (void)user;
    if (fchown(fd, (uid_t)owner, (gid_t)group) != 0)
        mode &= 0777;
    return fchmod(fd, (mode_t)mode);
}

/* ---- folders -------------------------------------------------------------------------------- */

static int system_make_folder(void *user, const char *path, unsigned mode)
{
    (void)user;
    return mkdir(path, (mode_t)mode);
}

static int system_remove_folder(void *user, const char *path)
{
    (void)user;
    return rmdir(path);
}

static void *system_open_folder(void *user, const char *path)
{
    (void)user;
    return opendir(path);
}

static const char *system_next_name(void *user, void *folder)
{
    struct dirent *entry;
    (void)user;
    errno = 0;
    entry = readdir(folder);
    return entry != NULL ? entry->d_name : NULL;
}

static int system_close_folder(void *user, void *folder)
{
    (void)user;
    return closedir(folder);
}

/* ---- locks and the table -------------------------------------------------------------------- */

static struct flock whole_file(void)
{
    struct flock range = { 0 };
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

/* Asked a second time where the holder lets go between the two calls. A holder beyond a network, or
 * in another container, has no number here. */
static int system_lock(void *user, int fd, long *holder)
{
    (void)user;
    *holder = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        struct flock range = whole_file();
        if (fcntl(fd, F_SETLK, &range) == 0)
            return 0;
        if (errno != EAGAIN && errno != EACCES)
            return -1;
        range = whole_file();
        if (fcntl(fd, F_GETLK, &range) == 0 && range.l_type != F_UNLCK) {
            *holder = range.l_pid > 0 ? (long)range.l_pid : 0;
            break;
        }
    }
    errno = EAGAIN;
    return -1;
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
    .make_folder = system_make_folder,
    .remove_folder = system_remove_folder,
    .open_folder = system_open_folder,
    .next_name = system_next_name,
    .close_folder = system_close_folder,
    .lock = system_lock,
    .truncate = system_truncate,
    .pwrite = system_pwrite,
    .info = system_info,
    .read_link = system_read_link,
    .restore = system_restore,
    .user = NULL,
};
