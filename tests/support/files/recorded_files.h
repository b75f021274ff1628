/*
 * recorded_files.h: the system's files, and a record of what changed in them: enough to build the
 * folders that a power cut after any call might leave.
 *
 * The model is weak on purpose: what was written to a file since its last fsync may be lost, be
 * there as zeros, or end at any 512 bytes; of the names made, moved and removed in a folder since
 * its last fsync any may be missing. Real file systems promise more, each something else.
 */
#ifndef DGM_RECORDED_FILES_H
#define DGM_RECORDED_FILES_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/vfs.h"

enum record_kind {
    RECORD_WRITE,       /* `count` bytes at `offset` of `file` */
    RECORD_TRUNCATE,    /* `file` has `offset` bytes */
    RECORD_SYNC,        /* of `file` */
    RECORD_NAME,        /* `to` names `file` */
    RECORD_RENAME,      /* what `from` names is `file`, and now `to` names it */
    RECORD_REMOVE,      /* `from` names nothing */
    RECORD_SYNC_FOLDER, /* of the folder `to` */
    RECORD_PROMISE      /* `offset`: what the caller was told is safe from now on */
};

struct record {
    enum record_kind kind;
    int file;
    long long offset;
    size_t count;
    void *bytes;
    char from[64], to[64]; /* paths below the root */
};

enum { RECORD_DESCRIPTORS = 256, RECORD_NAMES = 64, RECORD_FOLDER = -2 /* file of a folder */ };

struct recorded_files {
    struct dgm_vfs vfs; /* to be put into an environment */
    char root[1200];    /* only what lies below it is recorded; with a slash */
    struct record *records;
    size_t count, capacity;
    int files; /* numbers given so far */
    /* What is open: a file and where it stands, or a folder. */
    struct {
        int file; /* -1: none */
        long long at;
        char folder[64];
        int is_folder;
    } open[RECORD_DESCRIPTORS];
    /* What the running program sees. */
    struct record_name {
        char path[64];
        int file;
    } names[RECORD_NAMES];
    size_t name_count;
};

static inline struct record *record_add(struct recorded_files *all, enum record_kind kind, int file)
{
    struct record *record;

    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->records = realloc(all->records, all->capacity * sizeof *all->records);
        if (all->records == NULL)
            abort();
    }
    record = &all->records[all->count++];
    memset(record, 0, sizeof *record);
    record->kind = kind;
    record->file = file;
    return record;
}

/* The path below the root, empty for the root itself; NULL where it lies elsewhere. */
static inline const char *record_path(const struct recorded_files *all, const char *path)
{
    size_t length = strlen(all->root);

    if (strncmp(path, all->root, length - 1) != 0)
        return NULL;
    if (path[length - 1] == '\0')
        return path + length - 1;
    return path[length - 1] == '/' ? path + length : NULL;
}

static inline struct record_name *record_find(struct recorded_files *all, const char *path)
{
    size_t i;

    for (i = 0; i < all->name_count; i++)
        if (strcmp(all->names[i].path, path) == 0)
            return &all->names[i];
    return NULL;
}

static inline void record_set(struct record_name *names, size_t *count, const char *path, int file)
{
    size_t i;

    for (i = 0; i < *count && strcmp(names[i].path, path) != 0; i++)
        continue;
    if (i == *count && ++*count > RECORD_NAMES)
        abort();
    snprintf(names[i].path, sizeof names[i].path, "%s", path);
    names[i].file = file;
}

static inline void record_unset(struct record_name *names, size_t *count, const char *path)
{
    size_t i;

    for (i = 0; i < *count; i++)
        if (strcmp(names[i].path, path) == 0) {
            names[i] = names[--*count];
            return;
        }
}

/* ---- the calls ------------------------------------------------------------------------------- */

static inline void record_opened(struct recorded_files *all, int fd, const char *path, int flags)
{
    const struct record_name *name = record_find(all, path);

    if (flags & O_DIRECTORY) {
        all->open[fd].is_folder = 1;
        snprintf(all->open[fd].folder, sizeof all->open[fd].folder, "%.*s",
                 (int)(strlen(path) - (strlen(path) > 0 && path[strlen(path) - 1] == '/')), path);
        return;
    }
    if (name == NULL && (flags & O_CREAT) != 0) {
        record_set(all->names, &all->name_count, path, all->files++);
        name = record_find(all, path);
        snprintf(record_add(all, RECORD_NAME, name->file)->to, 64, "%s", path);
    }
    if (name == NULL)
        return;
    all->open[fd].file = name->file;
    if (flags & O_TRUNC)
        record_add(all, RECORD_TRUNCATE, name->file);
}

static inline int record_open(void *user, const char *path, int flags, unsigned mode)
{
    struct recorded_files *all = user;
    int fd = dgm_vfs_system.open(NULL, path, flags, mode);

    if (fd < 0 || fd >= RECORD_DESCRIPTORS)
        return fd;
    memset(&all->open[fd], 0, sizeof all->open[fd]);
    all->open[fd].file = -1;
    if (record_path(all, path) != NULL)
        record_opened(all, fd, record_path(all, path), flags);
    return fd;
}

static inline void record_written(struct recorded_files *all, int fd, const void *bytes, long count,
                                  long long offset)
{
    struct record *record;

    if (count <= 0 || all->open[fd].file < 0)
        return;
    record = record_add(all, RECORD_WRITE, all->open[fd].file);
    record->offset = offset;
    record->count = (size_t)count;
    record->bytes = malloc((size_t)count);
    if (record->bytes == NULL)
        abort();
    memcpy(record->bytes, bytes, (size_t)count);
}

static inline long record_write(void *user, int fd, const void *bytes, size_t count)
{
    struct recorded_files *all = user;
    long written = dgm_vfs_system.write(NULL, fd, bytes, count);

    record_written(all, fd, bytes, written, all->open[fd].at);
    if (written > 0)
        all->open[fd].at += written;
    return written;
}

static inline long record_pwrite(void *user, int fd, const void *bytes, size_t count,
                                 long long offset)
{
    long written = dgm_vfs_system.pwrite(NULL, fd, bytes, count, offset);

    record_written(user, fd, bytes, written, offset);
    return written;
}

static inline int record_truncate(void *user, int fd, long long bytes)
{
    struct recorded_files *all = user;
    int result = dgm_vfs_system.truncate(NULL, fd, bytes);

    if (result == 0 && all->open[fd].file >= 0)
        record_add(all, RECORD_TRUNCATE, all->open[fd].file)->offset = bytes;
    return result;
}

static inline int record_sync(void *user, int fd)
{
    struct recorded_files *all = user;

    if (all->open[fd].is_folder)
        snprintf(record_add(all, RECORD_SYNC_FOLDER, -1)->to, 64, "%s", all->open[fd].folder);
    else if (all->open[fd].file >= 0)
        record_add(all, RECORD_SYNC, all->open[fd].file);
    return 0; /* no test cuts the power here */
}

static inline int record_rename(void *user, const char *from, const char *to)
{
    struct recorded_files *all = user;
    int result = dgm_vfs_system.rename(NULL, from, to);
    const char *below = record_path(all, from);
    struct record *record;
    int file;

    if (result != 0 || below == NULL || record_find(all, below) == NULL)
        return result;
    file = record_find(all, below)->file;
    record = record_add(all, RECORD_RENAME, file);
    snprintf(record->from, sizeof record->from, "%s", below);
    snprintf(record->to, sizeof record->to, "%s", record_path(all, to));
    if (record_find(all, record->to) != NULL && record_find(all, record->to)->file == file) {
        all->count--; /* two names of one file: nothing happens */
        return result;
    }
    record_unset(all->names, &all->name_count, record->from);
    record_set(all->names, &all->name_count, record->to, file);
    return result;
}

static inline int record_remove(void *user, const char *path)
{
    struct recorded_files *all = user;
    int result = dgm_vfs_system.remove(NULL, path);
    const char *below = record_path(all, path);

    if (result != 0 || below == NULL)
        return result;
    snprintf(record_add(all, RECORD_REMOVE, -1)->from, 64, "%s", below);
    record_unset(all->names, &all->name_count, below);
    return result;
}

static inline int record_link(void *user, const char *from, const char *to)
{
    struct recorded_files *all = user;
    int result = dgm_vfs_system.link(NULL, from, to);
    const char *below = record_path(all, from);
    int file;

    if (result != 0 || below == NULL || record_find(all, below) == NULL)
        return result;
    file = record_find(all, below)->file;
    snprintf(record_add(all, RECORD_NAME, file)->to, 64, "%s", record_path(all, to));
    record_set(all->names, &all->name_count, record_path(all, to), file);
    return result;
}

static inline int record_make_folder(void *user, const char *path, unsigned mode)
{
    struct recorded_files *all = user;
    int result = dgm_vfs_system.make_folder(NULL, path, mode);

    if (result == 0 && record_path(all, path) != NULL)
        snprintf(record_add(all, RECORD_NAME, RECORD_FOLDER)->to, 64, "%s", record_path(all, path));
    return result;
}

static inline int record_remove_folder(void *user, const char *path)
{
    struct recorded_files *all = user;
    int result = dgm_vfs_system.remove_folder(NULL, path);

    if (result == 0 && record_path(all, path) != NULL)
        snprintf(record_add(all, RECORD_REMOVE, -1)->from, 64, "%s", record_path(all, path));
    return result;
}

/* Records what happens below `root` from now on. */
static inline void recorded_begin(struct recorded_files *all, const char *root)
{
    int i;

    memset(all, 0, sizeof *all);
    snprintf(all->root, sizeof all->root, "%.1100s/", root);
    for (i = 0; i < RECORD_DESCRIPTORS; i++)
        all->open[i].file = -1;
    all->vfs = dgm_vfs_system;
    all->vfs.open = record_open;
    all->vfs.write = record_write;
    all->vfs.pwrite = record_pwrite;
    all->vfs.truncate = record_truncate;
    all->vfs.sync = record_sync;
    all->vfs.rename = record_rename;
    all->vfs.remove = record_remove;
    all->vfs.link = record_link;
    all->vfs.make_folder = record_make_folder;
    all->vfs.remove_folder = record_remove_folder;
    all->vfs.user = all;
}

static inline void recorded_end(struct recorded_files *all)
{
    size_t i;

    for (i = 0; i < all->count; i++)
        free(all->records[i].bytes);
    free(all->records);
    memset(all, 0, sizeof *all);
}

#endif
