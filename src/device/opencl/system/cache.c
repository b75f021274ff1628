/*
 * cache.c: the folder of the cache, files by their keys in it, and the removal of the oldest.
 *
 * A file begins with its own checksum. It is replaced atomically; one that is damaged is removed,
 * and made again. Nothing that goes wrong here is an error of the user's.
 */
#include "device/opencl/system/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/vfs.h"
#include "base/file/writer.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "device/opencl/system/environment.h"

/* ---- the folder ----------------------------------------------------------------------------- */

/*
 * A driver runs what stands there. So the folder is made for us alone, and is used only if it is
 * ours and nobody else may write in it: in a home that several share, such as /tmp, others may have
 * made it before.
 */
enum { OTHERS_MAY_WRITE = 022 };

static dgm_status check(struct dgm_env *env, const char *path)
{
    const struct dgm_vfs *vfs = env->vfs;
    const unsigned us = (unsigned)geteuid();
    struct dgm_file_info name, folder;

    if (vfs->info(vfs->user, -1, path, 0, &name) != 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? DGM_OK
                   : dgm_file_fail(env, DGM_FAILURE, path, "no cache there");
    if (vfs->info(vfs->user, -1, path, 1, &folder) != 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "no cache there");
    if (folder.kind == DGM_FILE_FOLDER && name.owner == us && folder.owner == us &&
        !(folder.mode & OTHERS_MAY_WRITE))
        return DGM_OK;
    return dgm_fail_at(env, DGM_FAILURE, path, 0, 0,
                       "others may write there; expected a folder of "
                       "yours that nobody else may write to (chmod 700)");
}

/* As dgm_cl_cache_path: the folder alone. */
static dgm_status find_folder(struct dgm_env *env, char path[DGM_CL_PATH_SIZE], int make)
{
    if (!dgm_cl_cache_home(path, DGM_CL_PATH_SIZE - 60))
        return dgm_fail(env, DGM_FAILURE,
                        "there is no folder for a cache: set XDG_CACHE_HOME, or "
                        "HOME, to an absolute path");
    if (make)
        DGM_TRY(dgm_folder_make(env, path, 0700, NULL));
    strcat(path, "/dragoman");
    if (make)
        DGM_TRY(dgm_folder_make(env, path, 0700, NULL));
    return check(env, path);
}

void dgm_cl_cache_announce(struct dgm_env *env)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    char path[DGM_CL_PATH_SIZE];

    if (find_folder(&quiet, path, 0) != DGM_OK && quiet.error.file[0] != '\0')
        dgm_log(env, DGM_LOG_DEBUG, "%s: no cache of OpenCL programs: %s", quiet.error.file,
                quiet.error.message);
}

dgm_status dgm_cl_cache_path(struct dgm_env *env, uint64_t key, const char *ending,
                             char path[DGM_CL_PATH_SIZE], int make)
{
    int length;

    DGM_TRY(find_folder(env, path, make));
    length = (int)strlen(path);
    snprintf(path + length, (size_t)(DGM_CL_PATH_SIZE - length), "/opencl-%08lx%08lx%.4s",
             (unsigned long)(key >> 32), (unsigned long)(key & 0xFFFFFFFFu), ending);
    return DGM_OK;
}

static int find_path(struct dgm_env *env, uint64_t key, char path[DGM_CL_PATH_SIZE], int make)
{
    return dgm_cl_cache_path(env, key, ".bin", path, make) == DGM_OK;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* A file: magic, checksum of the rest (8 bytes, little endian), content. */
static const char magic[8] = { 'd', 'g', 'm', '-', 'c', 'l', '-', '1' };

enum { HEAD = 16 };

static int is_whole(const struct dgm_buf *file)
{
    return file->size > HEAD && memcmp(file->data, magic, sizeof magic) == 0 &&
           dgm_le64((const unsigned char *)file->data + 8) ==
               dgm_hash_bytes(file->data + HEAD, file->size - HEAD);
}

void dgm_cl_cache_drop(struct dgm_env *env, uint64_t key)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    char path[DGM_CL_PATH_SIZE];

    if (find_path(&quiet, key, path, 0))
        env->vfs->remove(env->vfs->user, path);
}

void dgm_cl_cache_get(struct dgm_env *env, uint64_t key, struct dgm_buf *content)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    char path[DGM_CL_PATH_SIZE];

    dgm_buf_reset(content);
    if (!find_path(&quiet, key, path, 0) || !dgm_file_exists(&quiet, path))
        return;
    content->limit = HEAD + DGM_CL_CACHE_LARGEST;
    if (dgm_file_read(&quiet, content, path) == DGM_OK && is_whole(content)) {
        dgm_file_touch(path); /* what is read stays longest: see remove_oldest */
        content->size -= HEAD;
        memmove(content->data, content->data + HEAD, content->size);
        return;
    }
    dgm_buf_reset(content);
    dgm_cl_cache_drop(&quiet, key);
}

static dgm_status store(struct dgm_env *env, const char *path, const void *bytes, size_t size)
{
    struct dgm_writer file;
    unsigned char head[HEAD];
    dgm_status status;

    memcpy(head, magic, sizeof magic);
    dgm_le64_put(head + 8, dgm_hash_bytes(bytes, size));
    DGM_TRY(dgm_writer_open_own(env, &file, path));
    DGM_TRY_OUT(dgm_writer_add(env, &file, head, HEAD));
    DGM_TRY_OUT(dgm_writer_add(env, &file, bytes, size));
    return dgm_writer_close(env, &file);
out:
    dgm_writer_abandon(env, &file);
    return status;
}

void dgm_cl_cache_put(struct dgm_env *env, uint64_t key, const void *bytes, size_t size)
{
    struct dgm_env quiet = dgm_env_quiet(env);
    char path[DGM_CL_PATH_SIZE];

    if (find_path(&quiet, key, path, 1))
        store(&quiet, path, bytes, size);
}

/* ---- the removal of the oldest -------------------------------------------------------------- */

/*
 * The cache must not grow for ever, and most of what grows is of drivers and versions long gone: so
 * the files go first that no run has used for longest.
 *
 * Processes that do so at the same time do each other no harm: a file is removed whole or not at
 * all, one that is being read stays until it is closed, and one that is missing is made again.
 */
enum { PATH_SIZE = DGM_CL_PATH_SIZE + 300, ABANDONED_SECONDS = 24 * 60 * 60 };

struct entry {
    char *path;
    int64_t bytes, used; /* when it was, in seconds */
};

struct entries {
    char folder[DGM_CL_PATH_SIZE];
    struct entry *items;
    size_t count, capacity;
    int64_t bytes;
};

static int ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), most = strlen(ending);

    return length >= most && strcmp(name + length - most, ending) == 0;
}

static dgm_status add_entry(struct dgm_env *env, struct entries *entries, const char *path,
                            int64_t bytes, int64_t used)
{
    struct entry *entry;

    DGM_TRY(
        dgm_grow(env, &entries->items, &entries->capacity, entries->count, sizeof *entries->items));
    entry = &entries->items[entries->count];
    entry->path = dgm_copy_text(env, path, strlen(path));
    if (entry->path == NULL)
        return DGM_MEMORY;
    entry->bytes = bytes;
    entry->used = used;
    entries->bytes += bytes;
    entries->count++;
    return DGM_OK;
}

/* What was measured on a device (tuning_file.c) is small, and stays. */
static dgm_status found(struct dgm_env *env, void *user, const char *name)
{
    struct entries *entries = user;
    char path[PATH_SIZE];
    int64_t bytes, used;

    if (strlen(entries->folder) + strlen(name) + 2 > sizeof path)
        return DGM_OK;
    strcpy(path, entries->folder);
    strcat(path, "/");
    strcat(path, name);
    if (!dgm_file_age(path, &bytes, &used))
        return DGM_OK;
    if (strncmp(name, "opencl-", 7) == 0 && ends_with(name, ".bin"))
        return add_entry(env, entries, path, bytes, used);
    if (strncmp(name, ".tmp-", 5) == 0 && used < (int64_t)time(NULL) - ABANDONED_SECONDS)
        env->vfs->remove(env->vfs->user, path); /* of a process that was killed */
    return DGM_OK;
}

static int compare(const void *a_, const void *b_)
{
    const struct entry *a = a_, *b = b_;

    if (a->used != b->used)
        return a->used < b->used ? -1 : 1;
    return strcmp(a->path, b->path);
}

static void remove_oldest(struct dgm_env *env, struct entries *entries, int64_t most_bytes)
{
    if (entries->bytes <= most_bytes)
        return;
    qsort(entries->items, entries->count, sizeof *entries->items, compare);
    for (size_t i = 0; i < entries->count && entries->bytes > most_bytes; i++) {
        env->vfs->remove(env->vfs->user, entries->items[i].path);
        entries->bytes -= entries->items[i].bytes;
    }
}

void dgm_cl_cache_prune(struct dgm_env *env, int64_t most_bytes)
{
    struct entries entries = { .folder = "" };
    struct dgm_env quiet = dgm_env_quiet(env);

    if (find_folder(&quiet, entries.folder, 0) == DGM_OK &&
        dgm_folder_list(&quiet, entries.folder, found, &entries) == DGM_OK)
        remove_oldest(&quiet, &entries, most_bytes);
    for (size_t i = 0; i < entries.count; i++)
        dgm_release(&quiet, entries.items[i].path);
    dgm_release(&quiet, entries.items);
}
