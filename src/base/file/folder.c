/*
 * folder.c: folders of checkpoints and caches, through the table of system calls.
 */
#include "base/file/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/mem.h"

int dgm_folder_is(struct dgm_env *env, const char *path)
{
    struct dgm_file_info info;

    return env->vfs->info(env->vfs->user, -1, path, 1, &info) == 0 && info.kind == DGM_FILE_FOLDER;
}

size_t dgm_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

dgm_status dgm_folder_make(struct dgm_env *env, const char *path, unsigned mode, int *made)
{
    const struct dgm_vfs *vfs = env->vfs;
    int is_new = vfs->make_folder(vfs->user, path, mode) == 0;

    if (made != NULL)
        *made = is_new;
    if (is_new)
        return dgm_folder_sync_parent(env, path);
    if (errno != EEXIST)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot make this folder");
    if (dgm_folder_is(env, path))
        return DGM_OK;
    errno = ENOTDIR;
    return dgm_file_fail(env, DGM_FAILURE, path, "expected a folder, or nothing");
}

/* ---- durability ----------------------------------------------------------------------------- */

/* Some file systems cannot sync a folder and say EINVAL. */
dgm_status dgm_folder_sync(struct dgm_env *env, const char *path)
{
    const int fd = dgm_file_open_as(env, path, O_RDONLY | O_DIRECTORY, 0);
    dgm_status status = DGM_OK;

    if (fd < 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot sync this folder");
    if (dgm_file_sync(env, fd) != 0 && errno != EINVAL && errno != EBADF)
        status = dgm_file_fail(env, DGM_FAILURE, path, "cannot sync this folder");
    env->vfs->close(env->vfs->user, fd);
    return status;
}

dgm_status dgm_folder_sync_parent(struct dgm_env *env, const char *path)
{
    const size_t length = dgm_folder_length(path);
    char *parent = dgm_copy_text(env, length > 0 ? path : ".", length > 0 ? length : 1);
    dgm_status status;

    if (parent == NULL)
        return DGM_MEMORY;
    status = dgm_folder_sync(env, parent);
    dgm_release(env, parent);
    return status;
}

/* ---- listing -------------------------------------------------------------------------------- */

/* The names of a folder, sorted: readdir's order is that of the file system, and what is done with
 * the names must not depend on it. */
struct names {
    char **items;
    size_t count, capacity;
};

static dgm_status add_name(struct dgm_env *env, struct names *names, const char *name)
{
    char *copy;

    DGM_TRY(dgm_grow(env, &names->items, &names->capacity, names->count, sizeof *names->items));
    copy = dgm_copy_text(env, name, strlen(name));
    if (copy == NULL)
        return DGM_MEMORY;
    names->items[names->count++] = copy;
    return DGM_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name may be interrupted on its way over a network; the folder is then read on. */
static dgm_status read_open(struct dgm_env *env, struct names *names, const char *path,
                            void *folder)
{
    const struct dgm_vfs *vfs = env->vfs;
    const char *name;

    for (;;) {
        name = vfs->next_name(vfs->user, folder);
        if (name == NULL && errno == EINTR)
            continue;
        if (name == NULL)
            break;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            DGM_TRY(add_name(env, names, name));
    }
    return errno == 0 ? DGM_OK : dgm_file_fail(env, DGM_FAILURE, path, "cannot list this folder");
}

static dgm_status read_names(struct dgm_env *env, struct names *names, const char *path)
{
    const struct dgm_vfs *vfs = env->vfs;
    dgm_status status;
    void *folder;

    do
        folder = vfs->open_folder(vfs->user, path);
    while (folder == NULL && errno == EINTR);
    if (folder == NULL)
        return dgm_file_fail(env, DGM_FAILURE, path, "expected a folder");
    status = read_open(env, names, path, folder);
    vfs->close_folder(vfs->user, folder);
    return status;
}

dgm_status dgm_folder_list(struct dgm_env *env, const char *path, dgm_folder_fn *found, void *user)
{
    struct names names = { NULL, 0, 0 };
    dgm_status status = read_names(env, &names, path);

    if (names.count > 1)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    for (size_t i = 0; i < names.count && status == DGM_OK; i++)
        status = found(env, user, names.items[i]);
    for (size_t i = 0; i < names.count; i++)
        dgm_release(env, names.items[i]);
    dgm_release(env, names.items);
    return status;
}
