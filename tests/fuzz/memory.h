/*
 * memory.h: for fuzz targets: a table of system calls over one file to be read, the
 * input, and one to be written.
 */
#ifndef DGM_FUZZ_MEMORY_H
#define DGM_FUZZ_MEMORY_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file/vfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
    const void *bytes;
    size_t size, at;
    struct dgm_buf written;
    struct dgm_env env; /* of `written`: its errors are nobody else's */
    struct dgm_vfs vfs;
};

static void expect(int holds)
{
    if (!holds)
        abort();
}

/* Whether an error is about packed text: the one thing that even a lenient reader refuses. */
static inline int is_about_packing(const struct dgm_env *env)
{
    return strstr(env->error.message, "gzip") != NULL || strstr(env->error.message, "zstd") != NULL;
}

static int memory_open(void *user, const char *path, int flags, unsigned mode)
{
    struct memory *memory = user;

    (void)path;
    (void)mode;
    if (flags & O_CREAT)
        dgm_buf_reset(&memory->written);
    else
        memory->at = 0;
    return 3;
}

static long memory_read(void *user, int fd, void *out, size_t count)
{
    struct memory *memory = user;
    size_t left = memory->size - memory->at;

    (void)fd;
    if (count > left)
        count = left;
    if (count > 0)
        memcpy(out, (const char *)memory->bytes + memory->at, count);
    memory->at += count;
    return (long)count;
}

static long memory_write(void *user, int fd, const void *bytes, size_t count)
{
    struct memory *memory = user;

    (void)fd;
    expect(dgm_buf_add(&memory->env, &memory->written, bytes, count) == DGM_OK);
    return (long)count;
}

static int memory_close(void *user, int fd)
{
    (void)user;
    (void)fd;
    return 0;
}

static int memory_size(void *user, int fd, long long *bytes, int *is_regular)
{
    const struct memory *memory = user;

    (void)fd;
    *bytes = (long long)memory->size;
    *is_regular = 1;
    return 0;
}

/* Makes these bytes the only file there is for `env`. */
static void memory_begin(struct memory *memory, struct dgm_env *env, const void *bytes, size_t size)
{
    memset(memory, 0, sizeof *memory);
    memory->bytes = bytes;
    memory->size = size;
    dgm_env_init(&memory->env);
    memory->vfs = dgm_vfs_system;
    memory->vfs.open = memory_open;
    memory->vfs.read = memory_read;
    memory->vfs.write = memory_write;
    memory->vfs.close = memory_close;
    memory->vfs.size = memory_size;
    memory->vfs.user = memory;
    dgm_env_init(env);
    env->vfs = &memory->vfs;
}

#endif
