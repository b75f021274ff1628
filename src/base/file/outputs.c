/*
 * outputs.c: several files that take their places together.
 *
 * No system renames two files at once. So all that takes long or may fail is done before: every
 * file is written, synced and closed, and the old content of each has a second name. What remains
 * is a row of renames, which those second names can undo. The last file needs none: once it is in
 * its place, all are. So one file alone takes the calls that it always took (replacement.h).
 *
 * Where the file system knows no second names (exFAT, many network mounts), the old content is
 * moved aside instead; then for a moment there is no file of that name.
 */
#include "base/file/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"

enum { ATTEMPTS = 1000 };

static int is_file(const struct dgm_writer *writer)
{
    return writer->is_open && writer->replacement.target[0] != '\0';
}

dgm_status dgm_outputs_finish(struct dgm_env *env, struct dgm_writer *writers, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (writers[i].is_open)
            DGM_TRY(dgm_writer_flush(env, &writers[i]));
    for (i = 0; i < count; i++)
        DGM_TRY(dgm_writer_finish(env, &writers[i]));
    return DGM_OK;
}

/* ---- the old content ------------------------------------------------------------------------- */

static int link_old(struct dgm_env *env, const struct dgm_replacement *file)
{
    return env->vfs->link(env->vfs->user, file->target, file->kept) == 0;
}

/* An empty file: a rename onto a name that is in use would replace somebody's file. */
static int make_empty(struct dgm_env *env, const struct dgm_replacement *file)
{
    const struct dgm_vfs *vfs = env->vfs;
    int fd = vfs->open(vfs->user, file->kept, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd >= 0)
        vfs->close(vfs->user, fd);
    return fd >= 0;
}

/* Finds a name for the old content; after a failure errno says why there is none. */
static int take_name(struct dgm_env *env, struct dgm_replacement *file,
                     int (*take)(struct dgm_env *env, const struct dgm_replacement *file))
{
    int attempt;
    errno = EEXIST;
    for (attempt = 0; attempt < ATTEMPTS && (errno == EEXIST || errno == EINTR); attempt++)
        if (!dgm_replacement_name(file, file->kept, attempt))
            errno = ENAMETOOLONG;
        else if (take(env, file))
            return 1;
    file->kept[0] = '\0';
    return 0;
}

static void keep_old(struct dgm_env *env, struct dgm_replacement *file)
{
    file->moves_aside = !take_name(env, file, link_old) && errno != ENOENT;
}

static void forget_old(struct dgm_env *env, struct dgm_replacement *file)
{
    if (file->kept[0] != '\0')
        env->vfs->remove(env->vfs->user, file->kept);
    file->kept[0] = '\0';
}

static dgm_status move_aside(struct dgm_env *env, struct dgm_replacement *file, const char *shown)
{
    const struct dgm_vfs *vfs = env->vfs;
    int error;
    if (!take_name(env, file, make_empty))
        return dgm_file_fail(env, DGM_FAILURE, shown, "cannot move the old file aside");
    if (vfs->rename(vfs->user, file->target, file->kept) == 0)
        return DGM_OK;
    error = errno;
    forget_old(env, file);
    if (error == ENOENT) /* there is no old file */
        return DGM_OK;
    errno = error;
    return dgm_file_fail(env, DGM_FAILURE, shown, "cannot move the old file aside");
}

/* ---- going back ------------------------------------------------------------------------------ */

/* FILE.part is to survive a failure (replacement.h). What else is new goes. */
static void save_part(struct dgm_env *env, struct dgm_replacement *file)
{
    const struct dgm_vfs *vfs = env->vfs;
    if (file->keeps_part &&
        (vfs->link(vfs->user, file->target, file->temporary) == 0 ||
         (errno != EEXIST && vfs->rename(vfs->user, file->target, file->temporary) == 0)))
        return;
    file->temporary[0] = '\0';
}

static int restore_old(struct dgm_env *env, const struct dgm_replacement *file)
{
    const struct dgm_vfs *vfs = env->vfs;
    if (file->kept[0] != '\0')
        return vfs->rename(vfs->user, file->kept, file->target) == 0;
    return vfs->remove(vfs->user, file->target) == 0 || errno == ENOENT;
}

/* Adds to the message of the failure. */
static void add_to_error(struct dgm_env *env, const char *shown, const char *what, const char *kept)
{
    const dgm_error first = env->error;
    dgm_env_clear_error(env);
    dgm_fail_at(env, first.status, first.file, first.line, first.column, "%s; %s%s%s",
                first.message, shown, what, kept);
}

static void go_back(struct dgm_env *env, struct dgm_writer *writer, int is_placed)
{
    struct dgm_replacement *file = &writer->replacement;
    if (is_placed)
        save_part(env, file);
    if (!is_placed && !file->moves_aside) {
        forget_old(env, file);
    } else if ((is_placed || file->kept[0] != '\0') && !restore_old(env, file)) {
        if (file->kept[0] != '\0')
            add_to_error(env, writer->path, " could not go back, its old content is in ",
                         file->kept);
        else
            add_to_error(env, writer->path, " is new and could not be removed", "");
    }
    file->kept[0] = '\0';
}

/* ---- taking their places --------------------------------------------------------------------- */

/* Returns how many of the writers are in their places: all, unless the status says why not. */
static size_t place(struct dgm_env *env, struct dgm_writer *writers, size_t count,
                    dgm_status *status)
{
    size_t i;
    *status = DGM_OK;
    for (i = 0; i < count; i++) {
        struct dgm_replacement *file = &writers[i].replacement;
        if (!is_file(&writers[i]))
            continue;
        if (file->moves_aside)
            *status = move_aside(env, file, writers[i].path);
        if (*status == DGM_OK)
            *status = dgm_replacement_place(env, file, writers[i].path);
        if (*status != DGM_OK)
            break;
    }
    return i;
}

static int same_folder(const char *a, const char *b)
{
    const size_t length = dgm_folder_length(a);
    return length == dgm_folder_length(b) && memcmp(a, b, length) == 0;
}

/* Each folder once, all of them even after a failure. */
static dgm_status sync_folders(struct dgm_env *env, struct dgm_writer *writers, size_t count)
{
    dgm_status status = DGM_OK;
    size_t i, k;
    for (i = 0; i < count; i++) {
        const char *target = writers[i].replacement.target;
        for (k = 0; k < i; k++)
            if (is_file(&writers[k]) && same_folder(writers[k].replacement.target, target))
                break;
        if (k == i && is_file(&writers[i]) && dgm_folder_sync_parent(env, target) != DGM_OK)
            status = env->error.status;
    }
    return status;
}

dgm_status dgm_outputs_place(struct dgm_env *env, struct dgm_writer *writers, size_t count)
{
    size_t i, placed, last = count;
    dgm_status status;
    while (last > 0 && !is_file(&writers[last - 1]))
        last--;
    for (i = 0; i + 1 < last; i++)
        if (is_file(&writers[i]))
            keep_old(env, &writers[i].replacement);
    placed = place(env, writers, last, &status);
    if (status != DGM_OK) {
        for (i = last; i-- > 0;)
            if (is_file(&writers[i]))
                go_back(env, &writers[i], i < placed);
        return status;
    }
    status = sync_folders(env, writers, last);
    if (status != DGM_OK && last > 1)
        add_to_error(env, "all outputs", " are new", "");
    for (i = 0; i < last; i++) {
        forget_old(env, &writers[i].replacement);
        writers[i].replacement.temporary[0] = '\0'; /* the temporary file is no more */
    }
    return status;
}
