/*
 * lock.c: lock files over POSIX record locks.
 *
 * A holder may remove its file while another process has it open and is about to lock it: what
 * counts is therefore the file that has the name once the lock is granted.
 */
#include "base/file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/vfs.h"

enum { ATTEMPTS = 100 };

/* ---- what this process holds ----------------------------------------------------------------- */

/*
 * Record locks of POSIX exclude other processes and never one's own: a second lock of the same file
 * is granted, and closing any descriptor of the file drops the first. So whoever takes a lock looks
 * here first, by device and inode, before anything is opened. This table is a global of the library
 * that is written after it was filled; the other one is a number (opencl/system/loader.c). Its
 * mutex is held from the look to the entry, so that what was seen stays true until then.
 */

/* Trainers that one process may run at a time, each with a folder of its own. */
enum { MOST = 256 };

static struct held {
    dev_t device;
    ino_t inode;
    pid_t holder; /* a child inherits the table and none of the locks; 0: a free entry */
} table[MOST];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* In a forked child. Another thread may have had the mutex, maybe for long, over a file system that
 * does not answer: nobody would give it back. The child has a single thread yet, and no locks. */
static void renew_mutex(void)
{
    pthread_mutex_init(&mutex, NULL);
}

static void renew_in_children(void)
{
    (void)pthread_atfork(NULL, NULL, renew_mutex);
}

static void enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, renew_in_children);
    pthread_mutex_lock(&mutex);
}

static void leave(void)
{
    pthread_mutex_unlock(&mutex);
}

static struct held *find_held(const struct stat *file)
{
    for (int i = 0; i < MOST; i++)
        if (table[i].holder == getpid() && table[i].device == file->st_dev &&
            table[i].inode == file->st_ino)
            return &table[i];
    return NULL;
}

/* Whether this process, not the one it was forked from, holds the file; 0 if there is none. */
static int is_held(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 && find_held(&file) != NULL;
}

/* Notes an open file as held; 0 if the table is full. */
static int hold(int fd)
{
    struct stat file;

    if (fstat(fd, &file) != 0)
        return 0;
    for (int i = 0; i < MOST; i++)
        if (table[i].holder != getpid()) {
            table[i].device = file.st_dev;
            table[i].inode = file.st_ino;
            table[i].holder = getpid();
            return 1;
        }
    return 0;
}

static void release(int fd)
{
    struct stat file;
    struct held *entry;

    if (fstat(fd, &file) == 0 && (entry = find_held(&file)) != NULL)
        entry->holder = 0;
}

static void let_go(struct dgm_env *env, struct dgm_lock *lock)
{
    if (lock->fd >= 0)
        env->vfs->close(env->vfs->user, lock->fd);
    lock->fd = -1;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* -1: there is one already. */
static int try_to_make(struct dgm_env *env, const char *path)
{
    return env->vfs->open(env->vfs->user, path, O_RDWR | O_CREAT | O_EXCL, 0666);
}

/* Without following a link, and without waiting for the other end of a pipe. */
static int try_to_open(struct dgm_env *env, const char *path)
{
    return env->vfs->open(env->vfs->user, path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
}

static dgm_status open_file(struct dgm_env *env, struct dgm_lock *lock, const char *path)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        lock->fd = try_to_make(env, path);
        lock->made = lock->fd >= 0;
        if (lock->fd < 0 && errno == EEXIST)
            lock->fd = try_to_open(env, path);
        if (lock->fd >= 0)
            return DGM_OK;
        if (errno != EINTR && errno != ENOENT)
            break;
    }
    return dgm_file_fail(env, DGM_FAILURE, path,
                         "expected to write a lock there, to a regular file or a new one");
}

static dgm_status check_regular(struct dgm_env *env, const struct dgm_lock *lock, const char *path)
{
    struct dgm_file_info info;

    if (env->vfs->info(env->vfs->user, lock->fd, path, 0, &info) != 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot open the lock");
    if (info.kind != DGM_FILE_REGULAR)
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                           "not a regular file; expected one for the lock, or none");
    return DGM_OK;
}

/* Whether the open file is still the one of this name. */
static dgm_status see_whether_current(struct dgm_env *env, const struct dgm_lock *lock,
                                      const char *path, int *is_current)
{
    const struct dgm_vfs *vfs = env->vfs;
    struct dgm_file_info open, named;

    *is_current = 0;
    if (vfs->info(vfs->user, lock->fd, path, 0, &open) != 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot look at the lock");
    if (vfs->info(vfs->user, -1, path, 0, &named) == 0)
        *is_current = open.device == named.device && open.inode == named.inode;
    else if (errno != ENOENT)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot look at the lock");
    return DGM_OK;
}

static dgm_status write_holder(struct dgm_env *env, const struct dgm_lock *lock, const char *path)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());

    if (dgm_file_truncate(env, lock->fd, 0) != 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot write the lock");
    return dgm_file_write_all(env, lock->fd, path, text, (size_t)length, 0);
}

/* ---- the lock -------------------------------------------------------------------------------- */

static dgm_status fail_in_use(struct dgm_env *env, const char *path, long holder)
{
    if (holder == 0)
        return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                           "in use by a process of another machine "
                           "or container; expected one trainer for each model");
    return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                       "in use by process %ld%s; expected one trainer for each model", holder,
                       holder == (long)getpid() ? ", which is this one" : "");
}

static void remove_made(struct dgm_env *env, const struct dgm_lock *lock, const char *path)
{
    if (lock->made)
        env->vfs->remove(env->vfs->user, path);
}

/* Errors of file systems that have no locks: NFS without its lock service, some of FUSE. */
static int says_no_locks(int error)
{
    return error == ENOLCK || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS ||
           error == EINVAL;
}

static dgm_status lock_file(struct dgm_env *env, struct dgm_lock *lock, const char *path,
                            int may_lack)
{
    const struct dgm_vfs *vfs = env->vfs;
    long holder = 0;
    int result;

    do
        result = vfs->lock(vfs->user, lock->fd, &holder);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return DGM_OK;
    if (errno == EAGAIN || errno == EACCES) {
        lock->made = 0; /* it is its holder's, whoever came first */
        return fail_in_use(env, path, holder);
    }
    if (!says_no_locks(errno))
        return dgm_file_fail(env, DGM_FAILURE, path, "cannot lock this file");
    if (!may_lack)
        return dgm_file_fail(env, DGM_FAILURE, path,
                             "this file system has no locks: expected a "
                             "--model on another one, or --no-lock if nothing else trains it");
    dgm_log(env, DGM_LOG_WARNING,
            "%s: this file system has no locks: nothing keeps a second trainer from this model",
            path);
    return DGM_OK;
}

static dgm_status take(struct dgm_env *env, struct dgm_lock *lock, const char *path, int may_lack)
{
    int attempt, is_current;

    for (attempt = 0; attempt < ATTEMPTS; attempt++) {
        DGM_TRY(open_file(env, lock, path));
        DGM_TRY(check_regular(env, lock, path));
        DGM_TRY(lock_file(env, lock, path, may_lack));
        DGM_TRY(see_whether_current(env, lock, path, &is_current));
        if (is_current)
            return write_holder(env, lock, path);
        let_go(env, lock);
    }
    return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                       "the lock is made and removed again and "
                       "again; expected one trainer for each model");
}

/* The lock of another trainer of this process would be granted, and lost with the descriptor. */
static dgm_status take_once(struct dgm_env *env, struct dgm_lock *lock, const char *path,
                            int may_lack)
{
    if (is_held(path))
        return fail_in_use(env, path, (long)getpid());
    DGM_TRY(take(env, lock, path, may_lack));
    if (hold(lock->fd))
        return DGM_OK;
    return dgm_fail_at(env, DGM_FAILURE, path, 0, 0, "this process holds too many locks already");
}

dgm_status dgm_lock_take(struct dgm_env *env, struct dgm_lock *lock, const char *path, int may_lack)
{
    dgm_status status;

    lock->fd = -1;
    lock->made = 0;
    enter();
    status = take_once(env, lock, path, may_lack);
    if (status != DGM_OK) {
        remove_made(env, lock, path);
        let_go(env, lock);
    }
    leave();
    return status;
}

static void end(struct dgm_env *env, struct dgm_lock *lock)
{
    release(lock->fd);
    let_go(env, lock);
}

void dgm_lock_drop(struct dgm_env *env, struct dgm_lock *lock)
{
    if (lock->fd < 0)
        return;
    enter();
    end(env, lock);
    leave();
}

void dgm_lock_undo(struct dgm_env *env, struct dgm_lock *lock, const char *path)
{
    if (lock->fd < 0)
        return;
    enter();
    remove_made(env, lock, path); /* while it is held: nobody else has it */
    end(env, lock);
    leave();
}
