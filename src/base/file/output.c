/*
 * output.c: what stands at a path that is to be written.
 */
#include "base/file/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"

enum { LINKS = 40 }; /* as many as Linux follows */

/* Sets the path, or its last name where `name` is relative: what a link says stands in its folder.
 * Links to folders before the last name are the system's business. */
static dgm_status set_path(struct dgm_env *env, struct dgm_output *output, const char *name,
                           size_t length, const char *asked)
{
    size_t folder = length > 0 && name[0] == '/' ? 0 : dgm_folder_length(output->path);

    if (length >= sizeof output->path - folder)
        return dgm_fail_at(env, DGM_USAGE, asked, 0, 0,
                           "path is too long; expected at most %zu bytes", sizeof output->path - 1);
    memcpy(output->path + folder, name, length);
    output->path[folder + length] = '\0';
    return DGM_OK;
}

/* The links of /proc/PID/fd stand for open descriptors: the files behind them are not replaced. */
static int is_descriptor(const char *path)
{
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

static dgm_status cannot_write(struct dgm_env *env, const char *path)
{
    return dgm_file_fail(env, DGM_FAILURE, path, "cannot write there");
}

/* Follows links until there is none; a link to nothing names the file to make. */
static dgm_status follow(struct dgm_env *env, struct dgm_output *output, const char *asked,
                         int *descriptor)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_file_info link;
    char text[sizeof output->path];

    *descriptor = is_descriptor(output->path);
    for (int links = 0; links <= LINKS && !*descriptor; links++) {
        long length;
        if (vfs->info(vfs->user, -1, output->path, 0, &link) != 0)
            return errno == ENOENT ? DGM_OK : cannot_write(env, asked);
        if (link.kind != DGM_FILE_LINK)
            return DGM_OK;
        length = vfs->read_link(vfs->user, output->path, text, sizeof text);
        if (length < 0)
            return dgm_file_fail(env, DGM_FAILURE, asked, "cannot read this link");
        DGM_TRY(set_path(env, output, text, (size_t)length, asked));
        *descriptor = is_descriptor(output->path);
    }
    if (*descriptor)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, asked, 0, 0, "a circle of symbolic links; expected a file");
}

/* 1 or 2 where this file is what standard output or standard error is; else -1. */
static int standard_stream(struct dgm_env *env, const struct dgm_file_info *info)
{
    struct dgm_file_info stream;

    for (int fd = 1; fd <= 2; fd++)
        if (env->vfs->info(env->vfs->user, fd, NULL, 1, &stream) == 0 &&
            stream.device == info->device && stream.inode == info->inode)
            return fd;
    return -1;
}

dgm_status dgm_output_find(struct dgm_env *env, struct dgm_output *output, const char *path)
{
    const struct dgm_vfs *vfs = env->vfs;
    int descriptor;

    *output = (struct dgm_output){ .fd = -1 };
    if (path[0] == '\0')
        return dgm_fail(env, DGM_USAGE, "an empty name; expected a file to write to");
    DGM_TRY(set_path(env, output, path, strlen(path), path));
    DGM_TRY(follow(env, output, path, &descriptor));
    if (vfs->info(vfs->user, -1, output->path, 1, &output->info) != 0)
        return errno == ENOENT ? DGM_OK : cannot_write(env, path);
    if (output->info.kind == DGM_FILE_FOLDER)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "a folder; expected a file to write to");
    if (descriptor || output->info.kind == DGM_FILE_REGULAR)
        output->fd = standard_stream(env, &output->info);
    output->kind = descriptor || output->fd > 0 || output->info.kind != DGM_FILE_REGULAR
                       ? DGM_OUTPUT_STREAM
                       : DGM_OUTPUT_REPLACE;
    return DGM_OK;
}

dgm_status dgm_output_find_file(struct dgm_env *env, struct dgm_output *output, const char *path)
{
    if (strcmp(path, "-") != 0) {
        DGM_TRY(dgm_output_find(env, output, path));
        if (output->kind != DGM_OUTPUT_STREAM)
            return DGM_OK;
    }
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "a stream, a device or a pipe; expected a "
                       "regular file, or the name of a new one");
}

/* ---- what is there --------------------------------------------------------------------------- */

/* Whether a file to replace begins so; *is_empty: it has no bytes, or there is none to replace. */
static dgm_status begins_with(struct dgm_env *env, const struct dgm_output *output,
                              const char *kind, int *begins, int *is_empty)
{
    char head[80];
    size_t got = 0;
    dgm_status status = DGM_OK;
    int fd;

    assert(strlen(kind) <= sizeof head);
    *begins = 0;
    *is_empty = output->kind != DGM_OUTPUT_REPLACE || output->info.bytes == 0;
    if (*is_empty)
        return DGM_OK;
    fd = dgm_file_open_as(env, output->path, O_RDONLY, 0);
    if (fd < 0 || dgm_file_read_at(env, fd, head, strlen(kind), 0, &got) != 0)
        status = dgm_file_fail(env, DGM_FAILURE, output->path, "cannot see what would be replaced");
    dgm_file_close(env, fd);
    *begins = got == strlen(kind) && memcmp(head, kind, got) == 0;
    return status;
}

dgm_status dgm_output_keep_others(struct dgm_env *env, const struct dgm_output *output,
                                  const char *kind, const char *what)
{
    int is_kind, is_empty;

    DGM_TRY(begins_with(env, output, kind, &is_kind, &is_empty));
    if (is_kind || is_empty)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, output->path, 0, 0,
                       "is no %s and would be replaced; expected one, or the name of a new file",
                       what);
}

dgm_status dgm_output_keep_model(struct dgm_env *env, const struct dgm_output *output)
{
    int is_model, is_empty;

    DGM_TRY(begins_with(env, output, "GGUF", &is_model, &is_empty));
    if (!is_model)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, output->path, 0, 0,
                       "is a model and would be replaced; expected another file to write to");
}
