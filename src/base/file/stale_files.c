/*
 * stale_files.c: temporary files of saves that a kill has interrupted (saver.c) go at a later start.
 *
 * One that a living process writes must stay: here it has a number that lives, and wherever it is,
 * in another container or on another machine, it holds a lock on its file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/number/number.h"

enum { PATH_SIZE = 1400 };

/* The process of .tmp-PROCESS-NUMBER; 0: another name. */
static long process_of(const char *name)
{
    const char *digits = name + strlen(".tmp-"), *last;
    size_t length, more;
    int64_t process;

    if (strncmp(name, ".tmp-", strlen(".tmp-")) != 0)
        return 0;
    length = strspn(digits, "0123456789");
    last = digits + length + 1;
    if (length == 0 || digits[length] != '-')
        return 0;
    more = strspn(last, "0123456789");
    if (more == 0 || last[more] != '\0' || !dgm_number_int(&process, digits, length) ||
        process > INT32_MAX)
        return 0;
    return (long)process;
}

static int lives(long process)
{
    return kill((pid_t)process, 0) == 0 || errno != ESRCH;
}

/* Whether it is one of ours, and nobody holds it. What cannot be locked may be held. */
static int is_left(struct dgm_env *env, int fd, const char *magic)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_file_info info;
    char head[8];
    size_t length = strlen(magic);
    long holder;

    if (vfs->info(vfs->user, fd, NULL, 0, &info) != 0 || info.kind != DGM_FILE_REGULAR ||
        info.owner != (unsigned)geteuid())
        return 0;
    if (info.bytes > 0 && (vfs->pread(vfs->user, fd, head, length, 0) != (long)length ||
                           memcmp(head, magic, length) != 0))
        return 0;
    return vfs->lock(vfs->user, fd, &holder) == 0;
}

struct sweep {
    const char *folder, *magic;
};

/* The file is removed under its lock, so that no other sweep can have seen it free. */
static dgm_status look_at(struct dgm_env *env, void *user, const char *name)
{
    const struct dgm_vfs *vfs = env->vfs;
    const struct sweep *sweep = user;
    long process = process_of(name);
    char path[PATH_SIZE];
    int fd;

    if (process <= 0 || lives(process) ||
        snprintf(path, sizeof path, "%s%s", sweep->folder, name) >= (int)sizeof path)
        return DGM_OK;
    fd = vfs->open(vfs->user, path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0)
        return DGM_OK;
    if (is_left(env, fd, sweep->magic))
        vfs->remove(vfs->user, path);
    vfs->close(vfs->user, fd);
    return DGM_OK;
}

void dgm_stale_files_remove(struct dgm_env *env, const char *path, const char *magic)
{
    struct dgm_env quiet = *env;
    struct sweep sweep;
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');

    quiet.log = NULL;
    dgm_env_clear_error(&quiet);
    if (snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 0,
                 path) >= (int)sizeof folder)
        return;
    sweep.folder = folder;
    sweep.magic = magic;
    dgm_folder_list(&quiet, folder[0] != '\0' ? folder : ".", look_at, &sweep);
}
