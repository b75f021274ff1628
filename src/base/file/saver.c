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

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/number/format.h"

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

/* Creates a file that did not exist; errno says why not. */
static int create(struct dgm_env *env, struct dgm_writer *writer)
{
    const struct dgm_vfs *vfs = env->vfs;
    long holder;
    do
        writer->fd = vfs->open(vfs->user, writer->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    while (writer->fd < 0 && errno == EINTR);
    writer->is_open = writer->fd >= 0;
    if (writer->is_open)
        (void)vfs->lock(vfs->user, writer->fd, &holder); /* says that we live (stale_files.c) */
    return writer->is_open;
}

/* A name in use (a save that crashed, another thread) is left alone and the next number tried. */
static dgm_status open_temporary(struct dgm_env *env, struct dgm_writer *writer)
{
    int folder = (int)folder_length(writer->target);
    int attempt;
    for (attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!print_path(writer->temporary, sizeof writer->temporary, "%.*s.tmp-%ld-%d", folder,
                        writer->target, (long)getpid(), attempt)) {
            writer->temporary[0] = '\0';
            return dgm_fail_at(env, DGM_USAGE, writer->path, 0, 0, "path is too long");
        }
        if (create(env, writer))
            return DGM_OK;
        if (errno != EEXIST)
            break;
    }
    writer->temporary[0] = '\0'; /* nothing to remove */
    return dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot write in this folder");
}

/* Bytes of a regular file; -1 if it is none. */
static long long bytes_of(struct dgm_env *env, const char *path)
{
    struct dgm_file_info info;
    if (env->vfs->info(env->vfs->user, -1, path, 0, &info) != 0 || info.kind != DGM_FILE_REGULAR)
        return -1;
    return info.bytes;
}

/* What a run that did not end has left may be hours of work: of two parts the longer is kept. */
static dgm_status set_aside(struct dgm_env *env, struct dgm_writer *writer)
{
    const struct dgm_vfs *vfs = env->vfs;
    char old[sizeof writer->temporary];
    long long bytes = bytes_of(env, writer->temporary);
    if (bytes < 0)
        return dgm_fail_at(env, DGM_USAGE, writer->temporary, 0, 0,
                           "expected a regular file, or nothing");
    if (!print_path(old, sizeof old, "%s.old", writer->temporary))
        return dgm_fail_at(env, DGM_USAGE, writer->path, 0, 0, "path is too long");
    if (bytes == 0 || bytes < bytes_of(env, old)) {
        if (vfs->remove(vfs->user, writer->temporary) == 0)
            return DGM_OK;
    } else if (vfs->rename(vfs->user, writer->temporary, old) == 0) {
        dgm_log(env, DGM_LOG_WARNING, "%s: what a run that did not end has written is now in %s",
                writer->temporary, old);
        return DGM_OK;
    }
    return dgm_file_fail(env, DGM_FAILURE, writer->temporary, "cannot set this file aside");
}

/* Remembers which file FILE.part is. */
static dgm_status note_part(struct dgm_env *env, struct dgm_writer *writer)
{
    struct dgm_file_info info;
    if (env->vfs->info(env->vfs->user, writer->fd, NULL, 1, &info) != 0) {
        writer->keeps_part = 0; /* it is empty */
        dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot write there");
        dgm_writer_abandon(env, writer);
        return env->error.status;
    }
    writer->device = info.device;
    writer->inode = info.inode;
    return DGM_OK;
}

int dgm_part_is_ours(struct dgm_env *env, const struct dgm_writer *writer)
{
    struct dgm_file_info info;
    return env->vfs->info(env->vfs->user, -1, writer->temporary, 0, &info) == 0 &&
           info.device == writer->device && info.inode == writer->inode;
}

static dgm_status open_part(struct dgm_env *env, struct dgm_writer *writer)
{
    dgm_status status = DGM_OK;
    int attempt;
    if (!print_path(writer->temporary, sizeof writer->temporary, "%s.part", writer->target)) {
        writer->temporary[0] = '\0';
        return dgm_fail_at(env, DGM_USAGE, writer->path, 0, 0, "path is too long");
    }
    for (attempt = 0; attempt < 3 && status == DGM_OK; attempt++) {
        if (create(env, writer))
            return note_part(env, writer);
        if (errno != EEXIST)
            break;
        status = set_aside(env, writer);
    }
    if (status == DGM_OK)
        status = dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot write in this folder");
    writer->temporary[0] = '\0'; /* nothing to remove */
    return status;
}

/* The mode and, where we may, the owner of what is replaced: a private file stays one. */
static dgm_status take_over(struct dgm_env *env, const struct dgm_writer *writer,
                            const struct dgm_file_info *old)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_file_info info;
    if (vfs->info(vfs->user, writer->fd, NULL, 1, &info) == 0 && info.mode == old->mode &&
        info.owner == old->owner && info.group == old->group)
        return DGM_OK;
    if (vfs->restore(vfs->user, writer->fd, old->mode, old->owner, old->group) == 0)
        return DGM_OK;
    return dgm_file_fail(env, DGM_FAILURE, writer->path,
                         "cannot give the new file the mode of the old");
}

dgm_status dgm_replace_begin(struct dgm_env *env, struct dgm_writer *writer, const char *path,
                             const struct dgm_file_info *old)
{
    dgm_status status;
    if (!print_path(writer->target, sizeof writer->target, "%s", path))
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "path is too long");
    DGM_TRY(writer->keeps_part ? open_part(env, writer) : open_temporary(env, writer));
    status = old != NULL ? take_over(env, writer, old) : DGM_OK;
    if (status != DGM_OK)
        dgm_writer_abandon(env, writer);
    return status;
}

/* Devices, pipes and folders are no files to replace, least of all by root. */
dgm_status dgm_saver_begin(struct dgm_env *env, struct dgm_saver *saver, const char *path)
{
    struct dgm_writer *writer = &saver->writer;
    struct dgm_file_info old;
    int is_there = env->vfs->info(env->vfs->user, -1, path, 0, &old) == 0;
    int is_unknown = !is_there && errno != ENOENT;
    memset(saver, 0, sizeof *saver);
    if (!print_path(writer->path, sizeof writer->path, "%s", path))
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "path is too long");
    if (is_unknown)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot write there");
    if (is_there && old.kind != DGM_FILE_REGULAR && old.kind != DGM_FILE_LINK)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "expected a regular file, or the name of a "
                           "new one");
    return dgm_replace_begin(env, writer, path,
                             is_there && old.kind == DGM_FILE_REGULAR ? &old : NULL);
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
        return dgm_fail_at(env, DGM_FAILURE, writer->path, 0, 0,
                           "patch of %zu bytes at %lld lies outside the %lld bytes written", count,
                           offset, writer->written);
    status = dgm_file_write_all(env, writer->fd, writer->path, bytes, count, offset);
    if (status != DGM_OK)
        writer->failed = 1;
    return status;
}

/* Everything up to the rename; the descriptor is closed whatever happens. */
static dgm_status put_in_place(struct dgm_env *env, struct dgm_writer *writer)
{
    const struct dgm_vfs *vfs = env->vfs;
    DGM_TRY(dgm_writer_flush(env, writer));
    if (dgm_file_sync(env, writer->fd) != 0)
        return dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot sync the new content");
    writer->is_open = 0;
    /* Interrupted, the descriptor is gone all the same. */
    if (vfs->close(vfs->user, writer->fd) != 0 && errno != EINTR)
        return dgm_file_fail(env, DGM_FAILURE, writer->path, NULL);
    if (writer->keeps_part && !dgm_part_is_ours(env, writer))
        return dgm_fail_at(env, DGM_FAILURE, writer->temporary, 0, 0,
                           "was moved away while it was written, perhaps by another run with this "
                           "output; the result is where it went");
    if (vfs->rename(vfs->user, writer->temporary, writer->target) != 0)
        return dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot replace this file");
    writer->temporary[0] = '\0'; /* the temporary file is no more */
    return dgm_folder_sync_parent(env, writer->target);
}

dgm_status dgm_replace_end(struct dgm_env *env, struct dgm_writer *writer)
{
    dgm_status status = put_in_place(env, writer);
    dgm_writer_abandon(env, writer);
    return status;
}

dgm_status dgm_saver_commit(struct dgm_env *env, struct dgm_saver *saver)
{
    return dgm_writer_close(env, &saver->writer);
}

void dgm_saver_abandon(struct dgm_env *env, struct dgm_saver *saver)
{
    dgm_writer_abandon(env, &saver->writer);
}
