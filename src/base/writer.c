/* writer.c: buffered output that never loses an error. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/file.h"

enum { PENDING = 64 << 10 };

/* Copies a path into a writer or saver. */
static dgm_status keep_path(struct dgm_env *env, char *out, size_t size, const char *path)
{
    size_t length = strlen(path);
    if (length >= size)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "path of %zu bytes; expected at most %zu", length, size - 1);
    memcpy(out, path, length + 1);
    return DGM_OK;
}

dgm_status dgm_writer_open(struct dgm_env *env, struct dgm_writer *writer,
                           const char *path)
{
    const struct dgm_vfs *vfs = env->vfs;
    memset(writer, 0, sizeof *writer);
    DGM_TRY(keep_path(env, writer->path, sizeof writer->path, path));
    writer->fd = 1;
    if (strcmp(path, "-") != 0) {
        do
            writer->fd = vfs->open(vfs->user, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        while (writer->fd < 0 && errno == EINTR);
        if (writer->fd < 0)
            return dgm_file_fail(env, DGM_FAILURE, path, "cannot write there");
    }
    writer->is_open = 1;
    return DGM_OK;
}

void dgm_writer_open_sink(struct dgm_writer *writer, dgm_write_fn sink, void *user)
{
    memset(writer, 0, sizeof *writer);
    writer->fd = -1;
    writer->sink = sink;
    writer->sink_user = user;
    writer->is_open = 1;
}

static dgm_status pass_on(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                          size_t count)
{
    dgm_status status;
    if (writer->sink == NULL)
        return dgm_file_write_all(env, writer->fd, writer->path, bytes, count, -1);
    status = count > 0 ? writer->sink(writer->sink_user, bytes, count) : DGM_OK;
    if (status != DGM_OK)
        return dgm_fail(env, status, "the receiver of the result refused it");
    return DGM_OK;
}

/* Hands bytes to the system. After a failure nothing more is written: a hole is worse
 * than an end. */
static dgm_status hand_over(struct dgm_env *env, struct dgm_writer *writer,
                            const void *bytes, size_t count)
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
    dgm_status status =
        hand_over(env, writer, writer->pending.data, writer->pending.size);
    dgm_buf_reset(&writer->pending);
    return status;
}

dgm_status dgm_writer_add(struct dgm_env *env, struct dgm_writer *writer,
                          const void *bytes, size_t count)
{
    if (writer->pending.size + count >= PENDING)
        DGM_TRY(dgm_writer_flush(env, writer));
    if (count >= PENDING)
        return hand_over(env, writer, bytes, count);
    return dgm_buf_add(env, &writer->pending, bytes, count);
}

dgm_status dgm_writer_close(struct dgm_env *env, struct dgm_writer *writer)
{
    const struct dgm_vfs *vfs = env->vfs;
    dgm_status status = DGM_OK;
    if (writer->is_open) {
        status = dgm_writer_flush(env, writer);
        /* Interrupted, the descriptor is gone all the same. */
        if (writer->fd > 2 && vfs->close(vfs->user, writer->fd) != 0 && errno != EINTR &&
            status == DGM_OK)
            status = dgm_file_fail(env, DGM_FAILURE, writer->path, NULL);
    }
    dgm_buf_clear(env, &writer->pending);
    writer->is_open = 0;
    return status;
}
