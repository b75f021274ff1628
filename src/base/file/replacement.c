/*
 * replacement.c: replacing a file so that a reader, or the next start after a crash, finds either
 * all of the old content or all of the new.
 *
 * The order matters: write, sync the file, close, rename, sync the folder. POSIX does not say in
 * which order the data of a file and the names in its folder reach the disk: a rename that gets
 * there before the data would leave an empty file after a power cut, and the old content would be
 * gone. The second sync makes the rename itself last: without it a caller that reports success may
 * find the old file again. The temporary file stands in the folder of the target, since a rename is
 * atomic only within one file system.
 */
#include "base/file/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/loud.h"
#include "base/number/number.h"

enum { ATTEMPTS = 1000, PATH_SIZE = 1400 };

static int part_is_ours(struct dgm_env *env, const struct dgm_replacement *replacement)
{
    struct dgm_file_info info;
    return env->vfs->info(env->vfs->user, -1, replacement->temporary, 0, &info) == 0 &&
           info.device == replacement->device && info.inode == replacement->inode;
}

/* ---- the end --------------------------------------------------------------------------------- */

dgm_status dgm_replacement_prepare(struct dgm_env *env, struct dgm_replacement *replacement,
                                   const char *shown)
{
    const struct dgm_vfs *vfs = env->vfs;
    const int fd = replacement->fd;
    if (dgm_file_sync(env, fd) != 0)
        return dgm_file_fail(env, DGM_FAILURE, shown, "cannot sync the new content");
    replacement->fd = -1;
    /* Interrupted, the descriptor is gone all the same. */
    if (vfs->close(vfs->user, fd) != 0 && errno != EINTR)
        return dgm_file_fail(env, DGM_FAILURE, shown, NULL);
    return DGM_OK;
}

dgm_status dgm_replacement_place(struct dgm_env *env, const struct dgm_replacement *replacement,
                                 const char *shown)
{
    const struct dgm_vfs *vfs = env->vfs;
    if (replacement->keeps_part && !part_is_ours(env, replacement))
        return dgm_fail_at(env, DGM_FAILURE, replacement->temporary, 0, 0,
                           "was moved away while it was written, perhaps by another run with this "
                           "output; the result is where it went");
    if (vfs->rename(vfs->user, replacement->temporary, replacement->target) != 0)
        return dgm_file_fail(env, DGM_FAILURE, shown, "cannot replace this file");
    return DGM_OK;
}

dgm_status dgm_replacement_end(struct dgm_env *env, struct dgm_replacement *replacement,
                               const char *shown)
{
    DGM_TRY(dgm_replacement_prepare(env, replacement, shown));
    DGM_TRY(dgm_replacement_place(env, replacement, shown));
    replacement->temporary[0] = '\0'; /* the temporary file is no more */
    return dgm_folder_sync_parent(env, replacement->target);
}

void dgm_replacement_drop(struct dgm_env *env, struct dgm_replacement *replacement,
                          const char *shown, int has_content)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_env always = dgm_env_loud(env);
    if (replacement->fd >= 0)
        vfs->close(vfs->user, replacement->fd);
    replacement->fd = -1;
    if (replacement->keeps_part && has_content)
        dgm_log(&always, DGM_LOG_WARNING, "%s: not whole; what was written so far is in %s", shown,
                replacement->temporary);
    else if (!replacement->keeps_part || part_is_ours(env, replacement))
        vfs->remove(vfs->user, replacement->temporary);
    replacement->temporary[0] = '\0';
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* Creates a file that did not exist; errno says why not. */
static int create(struct dgm_env *env, struct dgm_replacement *replacement)
{
    const struct dgm_vfs *vfs = env->vfs;
    long holder;
    replacement->fd =
        dgm_file_open_as(env, replacement->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);

    if (replacement->fd >= 0)
        (void)vfs->lock(vfs->user, replacement->fd,
                        &holder); /* says that we live (see dgm_replacement_sweep) */
    return replacement->fd >= 0;
}

int dgm_replacement_name(const struct dgm_replacement *replacement, char out[1024], int number)
{
    return snprintf(out, 1024, "%.*s.tmp-%ld-%d", (int)dgm_folder_length(replacement->target),
                    replacement->target, (long)getpid(), number) < 1024;
}

/* A name in use (a save that crashed, another thread) is left alone and the next number tried. */
static dgm_status open_temporary(struct dgm_env *env, struct dgm_replacement *replacement,
                                 const char *shown)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!dgm_replacement_name(replacement, replacement->temporary, attempt)) {
            replacement->temporary[0] = '\0';
            return dgm_fail_at(env, DGM_USAGE, shown, 0, 0, "path is too long");
        }
        if (create(env, replacement))
            return DGM_OK;
        if (errno != EEXIST)
            break;
    }
    replacement->temporary[0] = '\0'; /* nothing to remove */
    return dgm_file_fail(env, DGM_FAILURE, shown, "cannot write in this folder");
}

/* Bytes of a regular file; -1 if it is none. */
static long long bytes_of(struct dgm_env *env, const char *path)
{
    struct dgm_file_info info;
    if (env->vfs->info(env->vfs->user, -1, path, 0, &info) != 0 || info.kind != DGM_FILE_REGULAR)
        return -1;
    return info.bytes;
}

/* FILE.part of an earlier run that did not end may hold hours of work: of two parts the longer is
 * kept. */
static dgm_status set_aside(struct dgm_env *env, struct dgm_replacement *replacement,
                            const char *shown)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_env always = dgm_env_loud(env);
    char old[sizeof replacement->temporary];
    long long bytes = bytes_of(env, replacement->temporary);
    if (bytes < 0)
        return dgm_fail_at(env, DGM_USAGE, replacement->temporary, 0, 0,
                           "expected a regular file, or nothing");
    if (snprintf(old, sizeof old, "%s.old", replacement->temporary) >= (int)sizeof old)
        return dgm_fail_at(env, DGM_USAGE, shown, 0, 0, "path is too long");
    if (bytes == 0 || bytes < bytes_of(env, old)) {
        if (vfs->remove(vfs->user, replacement->temporary) == 0)
            return DGM_OK;
    } else if (vfs->rename(vfs->user, replacement->temporary, old) == 0) {
        dgm_log(&always, DGM_LOG_WARNING,
                "%s: what a run that did not end has written is now in %s", replacement->temporary,
                old);
        return DGM_OK;
    }
    return dgm_file_fail(env, DGM_FAILURE, replacement->temporary, "cannot set this file aside");
}

/* Remembers which file FILE.part is. */
static dgm_status note_part(struct dgm_env *env, struct dgm_replacement *replacement,
                            const char *shown)
{
    struct dgm_file_info info;
    if (env->vfs->info(env->vfs->user, replacement->fd, NULL, 1, &info) != 0) {
        replacement->keeps_part = 0; /* it is empty */
        dgm_file_fail(env, DGM_FAILURE, shown, "cannot write there");
        dgm_replacement_drop(env, replacement, shown, 0);
        return env->error.status;
    }
    replacement->device = info.device;
    replacement->inode = info.inode;
    return DGM_OK;
}

static dgm_status open_part(struct dgm_env *env, struct dgm_replacement *replacement,
                            const char *shown)
{
    dgm_status status = DGM_OK;
    if (snprintf(replacement->temporary, sizeof replacement->temporary, "%s.part",
                 replacement->target) >= (int)sizeof replacement->temporary) {
        replacement->temporary[0] = '\0';
        return dgm_fail_at(env, DGM_USAGE, shown, 0, 0, "path is too long");
    }
    for (int attempt = 0; attempt < 3 && status == DGM_OK; attempt++) {
        if (create(env, replacement))
            return note_part(env, replacement, shown);
        if (errno != EEXIST)
            break;
        status = set_aside(env, replacement, shown);
    }
    if (status == DGM_OK)
        status = dgm_file_fail(env, DGM_FAILURE, shown, "cannot write in this folder");
    replacement->temporary[0] = '\0'; /* nothing to remove */
    return status;
}

/* The mode and, where we may, the owner of what is replaced: a private file stays one. */
static dgm_status take_over(struct dgm_env *env, const struct dgm_replacement *replacement,
                            const char *shown, const struct dgm_file_info *old)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_file_info info;
    if (vfs->info(vfs->user, replacement->fd, NULL, 1, &info) == 0 && info.mode == old->mode &&
        info.owner == old->owner && info.group == old->group)
        return DGM_OK;
    if (vfs->restore(vfs->user, replacement->fd, old->mode, old->owner, old->group) == 0)
        return DGM_OK;
    return dgm_file_fail(env, DGM_FAILURE, shown, "cannot give the new file the mode of the old");
}

dgm_status dgm_replacement_begin(struct dgm_env *env, struct dgm_replacement *replacement,
                                 const char *target, const char *shown,
                                 const struct dgm_file_info *old, int keeps_part)
{
    dgm_status status;
    *replacement = (struct dgm_replacement){ .fd = -1, .keeps_part = keeps_part };
    if (strlen(target) >= sizeof replacement->target)
        return dgm_fail_at(env, DGM_USAGE, target, 0, 0, "path is too long");
    strcpy(replacement->target, target);
    DGM_TRY(keeps_part ? open_part(env, replacement, shown)
                       : open_temporary(env, replacement, shown));
    status = old != NULL ? take_over(env, replacement, shown, old) : DGM_OK;
    if (status != DGM_OK)
        dgm_replacement_drop(env, replacement, shown, 0);
    return status;
}

/* ---- what kills have left -------------------------------------------------------------------- */

/*
 * The temporary file of a killed process goes at a later start. One that a living process writes
 * must stay: on this machine the number in its name is that of a process that lives, and wherever
 * the process is, in another container or on another machine, it holds a lock on its file.
 */

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

void dgm_replacement_sweep(struct dgm_env *env, const char *path, const char *magic)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    struct sweep sweep;
    char folder[PATH_SIZE];

    if (snprintf(folder, sizeof folder, "%.*s", (int)dgm_folder_length(path), path) >=
        (int)sizeof folder)
        return;
    sweep.folder = folder;
    sweep.magic = magic;
    dgm_folder_list(&quiet, folder[0] != '\0' ? folder : ".", look_at, &sweep);
}
