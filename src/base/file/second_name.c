/*
 * second_name.c: a second name for a file; a copy where the file system knows no second names
 * (exFAT, many network mounts).
 */
#include "base/file/second_name.h"

#include <stdio.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/writer.h"

enum { PIECE = 64 << 10, PATH_SIZE = 1400 };

static dgm_status copy_open(struct dgm_env *env, int fd, const char *from,
                            struct dgm_writer *writer)
{
    char piece[PIECE];
    size_t got;

    do {
        DGM_TRY(dgm_file_read_some(env, &got, fd, from, piece, sizeof piece));
        DGM_TRY(dgm_writer_add(env, writer, piece, got));
    } while (got > 0);
    return DGM_OK;
}

static dgm_status copy(struct dgm_env *env, const char *from, const char *to)
{
    struct dgm_writer writer = { 0 };
    dgm_status status;
    int fd = -1;

    DGM_TRY(dgm_file_open(env, &fd, from, NULL, NULL));
    DGM_TRY_OUT(dgm_writer_open_own(env, &writer, to));
    DGM_TRY_OUT(copy_open(env, fd, from, &writer));
    status = dgm_writer_close(env, &writer);
out:
    dgm_writer_abandon(env, &writer);
    dgm_file_close(env, fd);
    return status;
}

/* Two names of one file are the one case in which rename leaves the first. */
dgm_status dgm_second_name_make(struct dgm_env *env, const char *from, const char *to)
{
    const struct dgm_vfs *vfs = env->vfs;
    char temporary[PATH_SIZE];

    if (dgm_file_same(env, from, to))
        return DGM_OK;
    if (snprintf(temporary, sizeof temporary, "%s.tmp-link", to) >= (int)sizeof temporary)
        return dgm_fail_at(env, DGM_USAGE, to, 0, 0, "path is too long");
    vfs->remove(vfs->user, temporary); /* of a process that was killed */
    if (vfs->link(vfs->user, from, temporary) != 0)
        return copy(env, from, to);
    if (vfs->rename(vfs->user, temporary, to) == 0)
        return dgm_folder_sync_parent(env, to);
    dgm_file_fail(env, DGM_FAILURE, to, "cannot replace this file");
    vfs->remove(vfs->user, temporary);
    return env->error.status;
}
