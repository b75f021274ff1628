/*
 * held.c: which lock files this process holds.
 */
#include "base/file/held.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Trainers that one process may run at a time, each with a folder of its own. */
enum { MOST = 256 };

static struct held {
    dev_t device;
    ino_t inode;
    pid_t holder; /* a child inherits the table and none of the locks; 0: a free entry */
} table[MOST];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void dgm_held_enter(void)
{
    pthread_mutex_lock(&mutex);
}

void dgm_held_leave(void)
{
    pthread_mutex_unlock(&mutex);
}

static struct held *find(const struct stat *file)
{
    int i;

    for (i = 0; i < MOST; i++)
        if (table[i].holder == getpid() && table[i].device == file->st_dev &&
            table[i].inode == file->st_ino)
            return &table[i];
    return NULL;
}

int dgm_held_has(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 && find(&file) != NULL;
}

int dgm_held_add(int fd)
{
    struct stat file;
    int i;

    if (fstat(fd, &file) != 0)
        return 0;
    for (i = 0; i < MOST; i++)
        if (table[i].holder != getpid()) {
            table[i].device = file.st_dev;
            table[i].inode = file.st_ino;
            table[i].holder = getpid();
            return 1;
        }
    return 0;
}

void dgm_held_remove(int fd)
{
    struct stat file;
    struct held *entry;

    if (fstat(fd, &file) == 0 && (entry = find(&file)) != NULL)
        entry->holder = 0;
}
