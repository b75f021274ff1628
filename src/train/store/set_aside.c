/*
 * set_aside.c: the checkpoints of an earlier run make room for those of a new one, and none is
 * lost.
 *
 * FILE.ckpt becomes FILE.ckpt.old by one rename, and a FILE.ckpt.old that was there before goes
 * once its successor has the name. In between it is called FILE.ckpt.older. Killed between any two
 * calls, the newest generation is whole in FILE.ckpt or FILE.ckpt.old, and the one before in
 * FILE.ckpt.old or FILE.ckpt.older; the next time puts the names right.
 */
#include "train/store/set_aside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"

/* MORE: ".older" and a NUL. */
enum { PATH_SIZE = sizeof((struct dgm_checkpoints *)0)->folder + 16, MORE = 7 };

struct names {
    char folder[PATH_SIZE], old[PATH_SIZE], older[PATH_SIZE];
};

static int is_there(struct dgm_env *env, const char *path)
{
    struct dgm_file_info info;

    return env->vfs->info(env->vfs->user, -1, path, 0, &info) == 0 || errno != ENOENT;
}

static dgm_status move(struct dgm_env *env, const char *from, const char *to)
{
    if (env->vfs->rename(env->vfs->user, from, to) != 0)
        return dgm_file_fail(env, DGM_FAILURE, from,
                             "cannot move this folder aside; nothing was "
                             "lost. Try another --model");
    return DGM_OK;
}

/* Replaces a path to a link by what the link says: a whole path from the root, or else a new last
 * part. */
static dgm_status follow_link(struct dgm_env *env, char *path)
{
    char target[PATH_SIZE];
    const long length = env->vfs->read_link(env->vfs->user, path, target, sizeof target);
    size_t start;

    if (length < 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot read this link");
    start = target[0] != '/' ? dgm_folder_length(path) : 0;
    if (length == 0 || start + (size_t)length + MORE > PATH_SIZE)
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0, "leads to a path that is too long");
    memcpy(path + start, target, (size_t)length);
    path[start + (size_t)length] = '\0';
    return DGM_OK;
}

/* Where the folder is a link, to another disk perhaps, the link stays and the folder moves. */
static dgm_status follow_links(struct dgm_env *env, const char *folder, char path[PATH_SIZE])
{
    struct dgm_file_info info;

    strcpy(path, folder);
    for (int links = 0; links < 40; links++) {
        if (env->vfs->info(env->vfs->user, -1, path, 0, &info) != 0 || info.kind != DGM_FILE_LINK)
            return DGM_OK;
        DGM_TRY(follow_link(env, path));
    }
    return dgm_fail_at(env, DGM_FAILURE, folder, 0, 0, "a circle of symbolic links");
}

/* ---- a generation of old checkpoints --------------------------------------------------------- */

static int is_ours(const char *name)
{
    static const char *const names[] = { "best.gguf", "best.gguf.tmp-link", "metrics.jsonl",
                                         "lock" };
    size_t i, length = strlen(name);

    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return strncmp(name, ".tmp-", 5) == 0 || (strncmp(name, "update-", 7) == 0 && length > 5 &&
                                              strcmp(name + length - 5, ".gguf") == 0);
}

/* Refuses to remove a folder that holds anything but files of a training run. */
static dgm_status check_name(struct dgm_env *env, void *folder, const char *name)
{
    char quoted[DGM_QUOTE_SIZE];

    if (is_ours(name))
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    return dgm_fail_at(env, DGM_FAILURE, folder, 0, 0,
                       "holds \"%s\", which is no checkpoint, and would be replaced; expected it "
                       "elsewhere, or this folder under another name",
                       quoted);
}

static dgm_status remove_name(struct dgm_env *env, void *folder, const char *name)
{
    char path[2 * PATH_SIZE];

    if (snprintf(path, sizeof path, "%s/%s", (const char *)folder, name) < (int)sizeof path)
        env->vfs->remove(env->vfs->user, path);
    return DGM_OK;
}

static dgm_status remove_generation(struct dgm_env *env, char *folder)
{
    DGM_TRY(dgm_folder_list(env, folder, check_name, folder));
    DGM_TRY(dgm_folder_list(env, folder, remove_name, folder));
    if (env->vfs->remove_folder(env->vfs->user, folder) != 0)
        return dgm_file_fail(env, DGM_FAILURE, folder, "cannot remove this folder");
    return DGM_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Completes the renames that a kill has interrupted. */
static dgm_status put_names_right(struct dgm_env *env, struct names *names)
{
    if (!is_there(env, names->older))
        return DGM_OK;
    return is_there(env, names->old) ? remove_generation(env, names->older)
                                     : move(env, names->older, names->old);
}

/* Changes all names, or none. */
static dgm_status change_names(struct dgm_env *env, const struct names *names, int *had_old)
{
    dgm_status status;

    *had_old = is_there(env, names->old);
    if (*had_old)
        DGM_TRY(move(env, names->old, names->older));
    status = move(env, names->folder, names->old);
    if (status != DGM_OK && *had_old)
        env->vfs->rename(env->vfs->user, names->older, names->old);
    return status;
}

static void change_names_back(struct dgm_env *env, const struct names *names, int had_old)
{
    const struct dgm_vfs *vfs = env->vfs;

    vfs->remove_folder(vfs->user, names->folder);
    if (vfs->rename(vfs->user, names->old, names->folder) == 0 && had_old)
        vfs->rename(vfs->user, names->older, names->old);
}

/* Makes a new folder with a lock of its own. The old lock goes with the old folder. */
static dgm_status begin_anew(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                             struct names *names)
{
    char path[PATH_SIZE + 8];
    struct dgm_lock lock;

    snprintf(path, sizeof path, "%s/lock", names->folder);
    DGM_TRY(dgm_folder_make(env, names->folder, 0777, NULL));
    DGM_TRY(dgm_lock_take(env, &lock, path, checkpoints->may_lack_lock));
    checkpoints->made = 1;
    remove_name(env, names->old, "lock");
    dgm_lock_drop(env, &checkpoints->lock);
    checkpoints->lock = lock;
    checkpoints->regular_count = 0;
    checkpoints->saves = 0;
    checkpoints->stopped = -1;
    checkpoints->newest[0] = '\0';
    return DGM_OK;
}

/* Where the oldest generation cannot be removed, it stays and the run goes on: nothing is lost. */
static dgm_status remove_older(struct dgm_env *env, struct names *names)
{
    dgm_status status = remove_generation(env, names->older);

    if (status == DGM_OK || status == DGM_MEMORY)
        return status;
    dgm_log(env, DGM_LOG_WARNING, "%s: %s; these are the checkpoints before those in %s",
            names->older, env->error.message, names->old);
    dgm_env_clear_error(env);
    return DGM_OK;
}

static int holds_models(struct dgm_env *env, const struct dgm_checkpoints *checkpoints)
{
    char best[PATH_SIZE + 16];

    snprintf(best, sizeof best, "%s/best.gguf", checkpoints->folder);
    return checkpoints->regular_count > 0 || checkpoints->stopped >= 0 || is_there(env, best);
}

dgm_status dgm_checkpoints_set_aside(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    struct names names;
    dgm_status status;
    int had_old;

    DGM_TRY(follow_links(env, checkpoints->folder, names.folder));
    strcat(strcpy(names.old, names.folder), ".old");
    strcat(strcpy(names.older, names.folder), ".older");
    DGM_TRY(put_names_right(env, &names));
    if (!holds_models(env, checkpoints))
        return DGM_OK;
    if (is_there(env, names.old))
        DGM_TRY(dgm_folder_list(env, names.old, check_name, names.old));
    DGM_TRY(change_names(env, &names, &had_old));
    status = begin_anew(env, checkpoints, &names);
    if (status != DGM_OK) {
        change_names_back(env, &names, had_old);
        return status;
    }
    dgm_log(env, DGM_LOG_NOTE, "the checkpoints that were in %s are now in %s%s", names.folder,
            names.old, had_old ? ", in place of those before them" : "");
    return had_old ? remove_older(env, &names) : DGM_OK;
}
