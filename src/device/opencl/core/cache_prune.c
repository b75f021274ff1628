/*
 * cache_prune.c: keeps the cache of programs from growing for ever: of files that no run has used
 * for longest, as many go as are too much. Those of drivers and versions long gone are among them.
 *
 * Processes that do so at the same time do each other no harm: a file is removed whole or not at
 * all, one that is being read stays until it is closed, and one that is missing is made again.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/mem.h"
#include "device/opencl/core/opencl.h"

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
    struct entries entries = { "", NULL, 0, 0, 0 };
    struct dgm_env quiet = *env;

    quiet.log = NULL;
    dgm_env_clear_error(&quiet);
    if (dgm_cl_cache_folder(&quiet, entries.folder, 0) == DGM_OK &&
        dgm_folder_list(&quiet, entries.folder, found, &entries) == DGM_OK)
        remove_oldest(&quiet, &entries, most_bytes);
    for (size_t i = 0; i < entries.count; i++)
        dgm_release(&quiet, entries.items[i].path);
    dgm_release(&quiet, entries.items);
}
