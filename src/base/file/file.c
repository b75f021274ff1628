/* file.c: opening, reading and writing through the table of system calls. */
#include "base/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/magic.h"
#include "base/file/vfs.h"

enum { READ_PIECE = 64 << 10 };

/* Linux writes at most 2 GiB at once, and macOS refuses to write more. */
#define WRITE_PIECE ((size_t)1 << 20)
#define READ_MOST ((size_t)1 << 30)
dgm_status dgm_file_fail(struct dgm_env *env, dgm_status status, const char *path,
                         const char *advice)
{
    char reason[128];
    int number = errno;
    if (strerror_r(number, reason, sizeof reason) != 0)
        strcpy(reason, "system error");
    if (number == ENOMEM)
        status = DGM_MEMORY;
    return dgm_fail_at(env, status, path, 0, 0, "%s%s%s", reason, advice != NULL ? "; " : "",
                       advice != NULL ? advice : "");
}

int dgm_file_open_as(struct dgm_env *env, const char *path, int flags, unsigned mode)
{
    int fd;

    do
        fd = env->vfs->open(env->vfs->user, path, flags, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

dgm_status dgm_file_open(struct dgm_env *env, int *fd, const char *path, long long *bytes,
                         int *is_regular)
{
    const struct dgm_vfs *vfs = env->vfs;
    long long size = 0;
    int regular = 0, opened = 0;
    if (strcmp(path, "-") != 0)
        opened = dgm_file_open_as(env, path, O_RDONLY, 0);
    if (opened < 0)
        return dgm_file_fail(env, DGM_DATA, path, "expected a regular file");
    if (vfs->size(vfs->user, opened, &size, &regular) != 0) {
        dgm_file_fail(env, DGM_DATA, path, "expected a regular file");
        dgm_file_close(env, opened);
        return env->error.status;
    }
    *fd = opened;
    if (bytes != NULL)
        *bytes = size;
    if (is_regular != NULL)
        *is_regular = regular;
    return DGM_OK;
}

void dgm_file_close(struct dgm_env *env, int fd)
{
    if (fd > 2)
        env->vfs->close(env->vfs->user, fd);
}

/*
 * Waits until a descriptor that is set not to block can go on; returns 0 if that cannot help.
 * Standard input and output may be set so by another program that shares them, at any time.
 */
static int wait_for(int fd, short events)
{
    struct pollfd one;
    if (errno == EINTR)
        return 1;
    if (errno != EAGAIN)
        return 0;
    one.fd = fd;
    one.events = events;
    one.revents = 0;
    return poll(&one, 1, -1) >= 0 || errno == EINTR;
}

dgm_status dgm_file_read_some(struct dgm_env *env, size_t *got, int fd, const char *path,
                              void *data, size_t count)
{
    const struct dgm_vfs *vfs = env->vfs;
    long result;
    while ((result = vfs->read(vfs->user, fd, data, count)) < 0 && wait_for(fd, POLLIN))
        DGM_TRY(dgm_poll(env));
    if (result < 0)
        return dgm_file_fail(env, DGM_FAILURE, path, NULL);
    if ((size_t)result > count)
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                           "the system read %ld bytes where %zu were asked for", result, count);
    *got = (size_t)result;
    return DGM_OK;
}

int dgm_file_read_at(struct dgm_env *env, int fd, void *to, size_t count, long long offset,
                     size_t *got)
{
    *got = 0;
    while (*got < count) {
        const size_t left = count - *got, piece = left < READ_MOST ? left : READ_MOST;
        const long result =
            env->vfs->pread(env->vfs->user, fd, (char *)to + *got, piece, offset + (long long)*got);
        if (result < 0 && errno == EINTR)
            continue;
        if (result < 0 || (size_t)result > piece)
            return -1;
        if (result == 0)
            break;
        *got += (size_t)result;
    }
    return 0;
}

dgm_status dgm_file_write_all(struct dgm_env *env, int fd, const char *path, const void *bytes,
                              size_t count, long long offset)
{
    const struct dgm_vfs *vfs = env->vfs;
    const char *at = bytes;
    while (count > 0) {
        size_t piece = count < WRITE_PIECE ? count : WRITE_PIECE;
        long result = offset < 0 ? vfs->write(vfs->user, fd, at, piece)
                                 : vfs->pwrite(vfs->user, fd, at, piece, offset);
        if (result < 0 && wait_for(fd, POLLOUT))
            continue;
        if (result < 0)
            return dgm_file_fail(env, DGM_FAILURE, path, NULL);
        if (result == 0 || (size_t)result > piece)
            return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                               "the system wrote %ld bytes where %zu were asked for", result,
                               piece);
        at += result;
        count -= (size_t)result;
        if (offset >= 0)
            offset += result;
    }
    return DGM_OK;
}

int dgm_file_sync(struct dgm_env *env, int fd)
{
    int result;
    do
        result = env->vfs->sync(env->vfs->user, fd);
    while (result != 0 && errno == EINTR);
    return result;
}

int dgm_file_truncate(struct dgm_env *env, int fd, long long bytes)
{
    int result;
    do
        result = env->vfs->truncate(env->vfs->user, fd, bytes);
    while (result != 0 && errno == EINTR);
    return result;
}

dgm_status dgm_file_read(struct dgm_env *env, struct dgm_buf *buf, const char *path)
{
    dgm_status status = DGM_OK;
    char piece[READ_PIECE];
    size_t got, limit = buf->limit > 0 ? buf->limit : DGM_BUF_LIMIT;
    long long bytes = 0;
    int fd = -1, is_regular = 0;
    DGM_TRY(dgm_file_open(env, &fd, path, &bytes, &is_regular));
    dgm_buf_reset(buf);
    if (fd > 0 && !is_regular) {
        status =
            dgm_fail_at(env, DGM_DATA, path, 0, 0, "a device or a pipe; expected a regular file");
        goto out;
    }
    do {
        DGM_TRY_OUT(dgm_file_read_some(env, &got, fd, path, piece, sizeof piece));
        if (got > limit - buf->size) {
            status = dgm_fail_at(env, DGM_DATA, path, 0, 0, "file is longer than %zu bytes", limit);
            goto out;
        }
        DGM_TRY_OUT(dgm_buf_add(env, buf, piece, got));
    } while (got > 0);
out:
    dgm_file_close(env, fd);
    return status;
}

dgm_status dgm_file_read_text(struct dgm_env *env, struct dgm_buf *buf, const char *path)
{
    static const char mark[] = { '\xEF', '\xBB', '\xBF' };

    DGM_TRY(dgm_file_read(env, buf, path));
    DGM_TRY(dgm_magic_check_text(env, path, buf->data, buf->size));
    if (buf->size >= sizeof mark && memcmp(buf->data, mark, sizeof mark) == 0) {
        buf->size -= sizeof mark;
        memmove(buf->data, buf->data + sizeof mark, buf->size + 1); /* and the NUL behind */
    }
    return DGM_OK;
}

int dgm_file_exists(struct dgm_env *env, const char *path)
{
    /* Not to wait for the other end of a pipe. */
    const int fd = dgm_file_open_as(env, path, O_RDONLY | O_NONBLOCK, 0);

    if (fd < 0)
        return errno != ENOENT && errno != ENOTDIR;
    env->vfs->close(env->vfs->user, fd);
    return 1;
}

int dgm_file_is_stream(struct dgm_env *env, const char *path)
{
    struct dgm_file_info info;
    return strcmp(path, "-") == 0 || (env->vfs->info(env->vfs->user, -1, path, 1, &info) == 0 &&
                                      info.kind != DGM_FILE_REGULAR);
}

int dgm_file_same(struct dgm_env *env, const char *a, const char *b)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_file_info first, second;
    return vfs->info(vfs->user, -1, a, 1, &first) == 0 &&
           vfs->info(vfs->user, -1, b, 1, &second) == 0 && first.device == second.device &&
           first.inode == second.inode;
}

int dgm_file_age(const char *path, int64_t *bytes, int64_t *seconds)
{
    struct stat info;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    *bytes = (int64_t)info.st_size;
    *seconds = (int64_t)info.st_mtime;
    return 1;
}

void dgm_file_touch(const char *path)
{
    (void)utimensat(AT_FDCWD, path, NULL, 0);
}
