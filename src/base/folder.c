/*
 * folder.c: folders of checkpoints, over POSIX directory calls and record locks.
 */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/mem.h"

dgm_status dgm_folder_make(struct dgm_env *env, const char *path)
{
    struct stat found;

    if (mkdir(path, 0777) == 0)
        return DGM_OK;
    if (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return DGM_OK;
    return dgm_fail_at(env, DGM_FAILURE, path, 0, 0, "cannot make the folder: %s",
                       strerror(errno));
}

/* The names of a folder, sorted. */
struct names {
    char **items;
    size_t count, capacity;
};

static dgm_status add_name(struct dgm_env *env, struct names *names, const char *name)
{
    size_t i = names->count;
    char *copy;

    DGM_TRY(dgm_grow(env, &names->items, &names->capacity, names->count, sizeof *names->items));
    copy = dgm_copy_text(env, name, strlen(name));
    if (copy == NULL)
        return DGM_MEMORY;
    while (i > 0 && strcmp(names->items[i - 1], copy) > 0) {
        names->items[i] = names->items[i - 1];
        i--;
    }
    names->items[i] = copy;
    names->count++;
    return DGM_OK;
}

static dgm_status read_names(struct dgm_env *env, struct names *names, const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    dgm_status status = DGM_OK;

    if (folder == NULL)
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0, "%s; expected a folder",
                           strerror(errno));
    while (status == DGM_OK && (entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = add_name(env, names, entry->d_name);
    closedir(folder);
    return status;
}

dgm_status dgm_folder_list(struct dgm_env *env, const char *path, dgm_folder_fn *found,
                           void *user)
{
    struct names names = {NULL, 0, 0};
    dgm_status status = read_names(env, &names, path);
    size_t i;

    for (i = 0; i < names.count && status == DGM_OK; i++)
        status = found(env, user, names.items[i]);
    for (i = 0; i < names.count; i++)
        dgm_release(env, names.items[i]);
    dgm_release(env, names.items);
    return status;
}

/* ---- locks --------------------------------------------------------------------------------- */

static struct flock whole_file(short type)
{
    struct flock range;

    memset(&range, 0, sizeof range);
    range.l_type = type;
    range.l_whence = SEEK_SET;
    return range;
}

dgm_status dgm_lock_take(struct dgm_env *env, struct dgm_lock *lock, const char *path)
{
    struct flock range = whole_file(F_WRLCK);
    char text[32];
    int length;

    lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock->fd < 0)
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0, "cannot open the lock: %s",
                           strerror(errno));
    if (fcntl(lock->fd, F_SETLK, &range) != 0) {
        range = whole_file(F_WRLCK);
        if (fcntl(lock->fd, F_GETLK, &range) != 0)
            range.l_pid = 0;
        dgm_lock_drop(lock);
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                           "in use by process %ld; expected one trainer for each model",
                           (long)range.l_pid);
    }
    length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(lock->fd, 0) != 0 || write(lock->fd, text, (size_t)length) != length) {
        dgm_lock_drop(lock);
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0, "cannot write the lock: %s",
                           strerror(errno));
    }
    return DGM_OK;
}

void dgm_lock_drop(struct dgm_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    lock->fd = -1;
}
