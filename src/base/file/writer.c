/* writer.c: buffered output that never loses an error. */
#include "base/file/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/output.h"
#include "base/file/report.h"

enum { PENDING = 64 << 10 };

static dgm_status keep_path(struct dgm_env *env, char *out, size_t size, const char *path)
{
    size_t length = strlen(path);
    if (length >= size)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "path of %zu bytes; expected at most %zu",
                           length, size - 1);
    memcpy(out, path, length + 1);
    return DGM_OK;
}

/* A stream: a descriptor that is open already, or what the path names, as it is. */
static dgm_status open_stream(struct dgm_env *env, struct dgm_writer *writer, int fd)
{
    writer->fd = fd >= 0 ? fd : dgm_file_open_as(env, writer->path, O_WRONLY, 0);
    if (writer->fd < 0)
        return dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot write there");
    writer->is_open = 1;
    return DGM_OK;
}

/* A file that we may not write is not replaced either, whatever its folder allows. */
static dgm_status may_write(struct dgm_env *env, const struct dgm_writer *writer,
                            const char *target)
{
    const int fd = dgm_file_open_as(env, target, O_WRONLY, 0);

    if (fd < 0)
        return dgm_file_fail(env, DGM_FAILURE, writer->path, "cannot write there");
    env->vfs->close(env->vfs->user, fd);
    return DGM_OK;
}

static dgm_status open_replacement(struct dgm_env *env, struct dgm_writer *writer,
                                   const char *target, const struct dgm_file_info *old,
                                   int keeps_part)
{
    DGM_TRY(
        dgm_replacement_begin(env, &writer->replacement, target, writer->path, old, keeps_part));
    writer->fd = writer->replacement.fd;
    writer->is_open = 1;
    return DGM_OK;
}

static dgm_status open_path(struct dgm_env *env, struct dgm_writer *writer, const char *path,
                            int keeps_part)
{
    struct dgm_output output;
    *writer = (struct dgm_writer){ .fd = -1 };
    DGM_TRY(keep_path(env, writer->path, sizeof writer->path, path));
    if (strcmp(path, "-") == 0)
        return open_stream(env, writer, 1);
    DGM_TRY(dgm_output_find(env, &output, path));
    if (output.kind == DGM_OUTPUT_STREAM)
        return open_stream(env, writer, output.fd);
    if (output.kind == DGM_OUTPUT_NEW)
        return open_replacement(env, writer, output.path, NULL, keeps_part);
    DGM_TRY(may_write(env, writer, output.path));
    DGM_TRY(dgm_output_keep_model(env, &output));
    return open_replacement(env, writer, output.path, &output.info, keeps_part);
}

dgm_status dgm_writer_open(struct dgm_env *env, struct dgm_writer *writer, const char *path)
{
    return open_path(env, writer, path, 0);
}

dgm_status dgm_writer_open_part(struct dgm_env *env, struct dgm_writer *writer, const char *path)
{
    return open_path(env, writer, path, 1);
}

/* Devices, pipes and folders are no files to replace, least of all by root. */
dgm_status dgm_writer_open_own(struct dgm_env *env, struct dgm_writer *writer, const char *path)
{
    struct dgm_file_info old;
    int is_there = env->vfs->info(env->vfs->user, -1, path, 0, &old) == 0;
    int is_unknown = !is_there && errno != ENOENT;
    *writer = (struct dgm_writer){ .fd = -1 };
    if (strlen(path) >= sizeof writer->path)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "path is too long");
    strcpy(writer->path, path);
    if (is_unknown)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot write there");
    if (is_there && old.kind != DGM_FILE_REGULAR && old.kind != DGM_FILE_LINK)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "expected a regular file, or the name of a new one");
    return open_replacement(env, writer, path,
                            is_there && old.kind == DGM_FILE_REGULAR ? &old : NULL, 0);
}

void dgm_writer_open_sink(struct dgm_writer *writer, dgm_write_fn sink, void *user)
{
    *writer = (struct dgm_writer){ .fd = -1, .sink = sink, .sink_user = user, .is_open = 1 };
}

static dgm_status pass_on(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                          size_t count)
{
    if (writer->sink == NULL)
        return dgm_file_write_all(env, writer->fd, writer->path, bytes, count, -1);
    return dgm_report_bytes(env, writer->sink, writer->sink_user, bytes, count);
}

/* Hands bytes to the system. After a failure nothing more is written: a hole is worse
 * than an end. */
static dgm_status hand_over(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                            size_t count)
{
    dgm_status status;
    if (writer->failed)
        return dgm_fail_at(env, DGM_FAILURE, writer->path, 0, 0,
                           "an earlier write failed; the output is incomplete");
    status = pass_on(env, writer, bytes, count);
    if (status == DGM_OK)
        writer->written += (long long)count;
    else
        writer->failed = 1;
    return status;
}

dgm_status dgm_writer_flush(struct dgm_env *env, struct dgm_writer *writer)
{
    dgm_status status = hand_over(env, writer, writer->pending.data, writer->pending.size);
    dgm_buf_reset(&writer->pending);
    return status;
}

dgm_status dgm_writer_add(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                          size_t count)
{
    if (writer->pending.size + count >= PENDING)
        DGM_TRY(dgm_writer_flush(env, writer));
    if (count >= PENDING)
        return hand_over(env, writer, bytes, count);
    return dgm_buf_add(env, &writer->pending, bytes, count);
}

dgm_status dgm_writer_add_text(struct dgm_env *env, struct dgm_writer *writer, const char *text)
{
    return dgm_writer_add(env, writer, text, strlen(text));
}

static dgm_status close_stream(struct dgm_env *env, struct dgm_writer *writer)
{
    const struct dgm_vfs *vfs = env->vfs;
    dgm_status status = dgm_writer_flush(env, writer);
    /* Interrupted, the descriptor is gone all the same. */
    if (writer->fd > 2 && vfs->close(vfs->user, writer->fd) != 0 && errno != EINTR &&
        status == DGM_OK)
        status = dgm_file_fail(env, DGM_FAILURE, writer->path, NULL);
    return status;
}

dgm_status dgm_writer_finish(struct dgm_env *env, struct dgm_writer *writer)
{
    if (!writer->is_open)
        return DGM_OK;
    if (writer->replacement.target[0] == '\0') {
        writer->is_open = 0;
        return close_stream(env, writer);
    }
    DGM_TRY(dgm_writer_flush(env, writer));
    return dgm_replacement_prepare(env, &writer->replacement, writer->path);
}

static dgm_status close_replacement(struct dgm_env *env, struct dgm_writer *writer)
{
    DGM_TRY(dgm_writer_flush(env, writer));
    return dgm_replacement_end(env, &writer->replacement, writer->path);
}

dgm_status dgm_writer_close(struct dgm_env *env, struct dgm_writer *writer)
{
    const int is_replacement = writer->replacement.target[0] != '\0';
    dgm_status status;
    if (!writer->is_open)
        return DGM_OK;
    status = is_replacement ? close_replacement(env, writer) : close_stream(env, writer);
    if (is_replacement) /* what is left of it after a failure */
        dgm_writer_abandon(env, writer);
    writer->is_open = 0;
    dgm_buf_clear(env, &writer->pending);
    return status;
}

void dgm_writer_abandon(struct dgm_env *env, struct dgm_writer *writer)
{
    struct dgm_replacement *replacement = &writer->replacement;
    if (replacement->temporary[0] != '\0') {
        if (replacement->keeps_part && !writer->failed)
            (void)dgm_writer_flush(env, writer);
        dgm_replacement_drop(env, replacement, writer->path, writer->written > 0);
    } else if (writer->is_open && replacement->target[0] == '\0') {
        (void)close_stream(env, writer);
    }
    writer->is_open = 0;
    dgm_buf_clear(env, &writer->pending);
}
