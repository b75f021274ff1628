/*
 * saver.c: replacing a file so that a reader, or the next start after a crash, finds
 * either all of the old content or all of the new.
 *
 * The order matters: write, sync the file, close, rename, sync the folder. A rename that
 * reaches the disk before the data would leave an empty file behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/format.h"

enum { ATTEMPTS = 1000 };

/* Formats into a fixed field; returns 0 when it does not fit. */
static int print_path(char *out, size_t size, const char *format, ...) DGM_FORMAT(3, 4);

static int print_path(char *out, size_t size, const char *format, ...)
{
    va_list args;
    size_t length;
    va_start(args, format);
    length = dgm_format(out, size, format, args);
    va_end(args);
    return length < size;
}

/* Bytes of the path up to and including its last slash; 0 for a plain file name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Creates a file that did not exist: a name in use (a save that crashed, another thread)
 * is left alone and the next number tried. */
static dgm_status open_temporary(struct dgm_env *env, struct dgm_saver *saver)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_writer *writer = &saver->writer;
    int folder = (int)folder_length(saver->path);
    int attempt;
    for (attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!print_path(writer->path, sizeof writer->path, "%.*s.tmp-%ld-%d", folder,
                        saver->path, (long)getpid(), attempt)) {
            writer->path[0] = '\0';
            return dgm_fail_at(env, DGM_USAGE, saver->path, 0, 0, "path is too long");
        }
        writer->fd =
            vfs->open(vfs->user, writer->path, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (writer->fd >= 0) {
            writer->is_open = 1;
            return DGM_OK;
        }
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    writer->path[0] = '\0'; /* nothing to remove */
    return dgm_file_fail(env, DGM_FAILURE, saver->path, "cannot write in this folder");
}

dgm_status dgm_saver_begin(struct dgm_env *env, struct dgm_saver *saver, const char *path)
{
    memset(saver, 0, sizeof *saver);
    if (!print_path(saver->path, sizeof saver->path, "%s", path))
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "path is too long");
    return open_temporary(env, saver);
}

dgm_status dgm_saver_add(struct dgm_env *env, struct dgm_saver *saver, const void *bytes,
                         size_t count)
{
    return dgm_writer_add(env, &saver->writer, bytes, count);
}

dgm_status dgm_saver_patch(struct dgm_env *env, struct dgm_saver *saver, long long offset,
                           const void *bytes, size_t count)
{
    struct dgm_writer *writer = &saver->writer;
    dgm_status status;
    DGM_TRY(dgm_writer_flush(env, writer));
    if (offset < 0 || offset > writer->written ||
        (unsigned long long)(writer->written - offset) < count)
        return dgm_fail_at(
            env, DGM_FAILURE, saver->path, 0, 0,
            "patch of %zu bytes at %lld lies outside the %lld bytes written", count,
            offset, writer->written);
    status = dgm_file_write_all(env, writer->fd, saver->path, bytes, count, offset);
    if (status != DGM_OK)
        writer->failed = 1;
    return status;
}

static int sync_descriptor(const struct dgm_vfs *vfs, int fd)
{
    int result;
    do
        result = vfs->sync(vfs->user, fd);
    while (result != 0 && errno == EINTR);
    return result;
}

/* Makes the rename itself durable. Some file systems cannot sync a folder and say EINVAL.
 */
static dgm_status sync_folder(struct dgm_env *env, const char *path)
{
    const struct dgm_vfs *vfs = env->vfs;
    char folder[sizeof ((struct dgm_saver *)0)->path];
    size_t length = folder_length(path);
    dgm_status status = DGM_OK;
    int fd;
    if (length == 0)
        strcpy(folder, ".");
    else
        (void)print_path(folder, sizeof folder, "%.*s", (int)length, path);
    do
        fd = vfs->open(vfs->user, folder, O_RDONLY | O_DIRECTORY, 0);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return dgm_file_fail(env, DGM_FAILURE, folder, "cannot sync this folder");
    if (sync_descriptor(vfs, fd) != 0 && errno != EINVAL && errno != EBADF)
        status = dgm_file_fail(env, DGM_FAILURE, folder, "cannot sync this folder");
    vfs->close(vfs->user, fd);
    return status;
}

dgm_status dgm_saver_commit(struct dgm_env *env, struct dgm_saver *saver)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_writer *writer = &saver->writer;
    dgm_status status;
    DGM_TRY_OUT(dgm_writer_flush(env, writer));
    if (sync_descriptor(vfs, writer->fd) != 0) {
        status =
            dgm_file_fail(env, DGM_FAILURE, saver->path, "cannot sync the new content");
        goto out;
    }
    DGM_TRY_OUT(dgm_writer_close(env, writer));
    if (vfs->rename(vfs->user, writer->path, saver->path) != 0) {
        status = dgm_file_fail(env, DGM_FAILURE, saver->path, "cannot replace this file");
        goto out;
    }
    writer->path[0] = '\0'; /* the temporary file is no more */
    status = sync_folder(env, saver->path);
out:
    dgm_saver_abandon(env, saver);
    return status;
}

void dgm_saver_abandon(struct dgm_env *env, struct dgm_saver *saver)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_writer *writer = &saver->writer;
    if (writer->is_open)
        vfs->close(vfs->user, writer->fd);
    writer->is_open = 0;
    dgm_buf_clear(env, &writer->pending);
    if (writer->path[0] != '\0')
        vfs->remove(vfs->user, writer->path);
    writer->path[0] = '\0';
}
