/*
 * second_name.c: a second name for a file; a copy where the file system knows no second names (exFAT, many
 * network mounts).
 */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"

enum { PIECE = 64 << 10, PATH_SIZE = 1400 };

static dgm_status copy_open(struct dgm_env *env, int fd, const char *from, struct dgm_saver *saver)
{
    char piece[PIECE];
    size_t got;

    do {
        DGM_TRY(dgm_file_read_some(env, &got, fd, from, piece, sizeof piece));
        DGM_TRY(dgm_saver_add(env, saver, piece, got));
    } while (got > 0);
    return DGM_OK;
}

static dgm_status copy(struct dgm_env *env, const char *from, const char *to)
{
    struct dgm_saver saver;
    dgm_status status;
    int fd = -1;

    DGM_TRY(dgm_file_open(env, &fd, from, NULL, NULL));
    status = dgm_saver_begin(env, &saver, to);
    if (status == DGM_OK) {
        status = copy_open(env, fd, from, &saver);
        if (status == DGM_OK)
            status = dgm_saver_commit(env, &saver);
        else
            dgm_saver_abandon(env, &saver);
    }
    dgm_file_close(env, fd);
    return status;
}

/* Two names of one file are the one case in which rename leaves the first. */
dgm_status dgm_file_second_name(struct dgm_env *env, const char *from, const char *to)
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
