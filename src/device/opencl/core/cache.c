/*
 * cache.c: built programs and verdicts on disk, in the folder of the cache (cache_folder.c).
 *
 * A file is named by the key of everything that its content depends on, and begins with its own
 * checksum. It is replaced atomically; one that is damaged, or that the driver does not take, is
 * removed and made again. Nothing that goes wrong here is an error: without a cache, programs are
 * built and tasks tried.
 */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "device/opencl/core/opencl.h"

enum { HEAD = 16, LARGEST = 256 << 20 };

static const char magic[8] = { 'd', 'g', 'm', '-', 'c', 'l', '-', '1' };

dgm_status dgm_cl_cache_path(struct dgm_env *env, uint64_t key, const char *ending,
                             char path[DGM_CL_PATH_SIZE], int make)
{
    int length;

    DGM_TRY(dgm_cl_cache_folder(env, path, make));
    length = (int)strlen(path);
    snprintf(path + length, (size_t)(DGM_CL_PATH_SIZE - length), "/opencl-%08lx%08lx%.4s",
             (unsigned long)(key >> 32), (unsigned long)(key & 0xFFFFFFFFu), ending);
    return DGM_OK;
}

static int find_path(struct dgm_env *env, uint64_t key, char path[DGM_CL_PATH_SIZE], int make)
{
    return dgm_cl_cache_path(env, key, ".bin", path, make) == DGM_OK;
}

/* Errors of the cache stay here. */
static struct dgm_env quiet_env(const struct dgm_env *env)
{
    struct dgm_env quiet = *env;

    quiet.log = NULL;
    dgm_env_clear_error(&quiet);
    return quiet;
}

static int is_whole(const struct dgm_buf *file)
{
    return file->size > HEAD && memcmp(file->data, magic, sizeof magic) == 0 &&
           dgm_le64((const unsigned char *)file->data + 8) ==
               dgm_hash_bytes(file->data + HEAD, file->size - HEAD);
}

/* ---- content -------------------------------------------------------------------------------- */

static void drop(struct dgm_env *env, uint64_t key)
{
    struct dgm_env quiet = quiet_env(env);
    char path[DGM_CL_PATH_SIZE];

    if (find_path(&quiet, key, path, 0))
        env->vfs->remove(env->vfs->user, path);
}

void dgm_cl_cache_get(struct dgm_env *env, uint64_t key, struct dgm_buf *content)
{
    struct dgm_env quiet = quiet_env(env);
    char path[DGM_CL_PATH_SIZE];

    dgm_buf_reset(content);
    if (!find_path(&quiet, key, path, 0) || !dgm_file_exists(&quiet, path))
        return;
    content->limit = LARGEST;
    if (dgm_file_read(&quiet, content, path) == DGM_OK && is_whole(content)) {
        dgm_file_touch(path); /* for cache_prune.c */
        content->size -= HEAD;
        memmove(content->data, content->data + HEAD, content->size);
        return;
    }
    dgm_buf_reset(content);
    drop(&quiet, key);
}

static dgm_status store(struct dgm_env *env, const char *path, const void *bytes, size_t size)
{
    struct dgm_saver saver;
    unsigned char head[HEAD];
    dgm_status status;

    memcpy(head, magic, sizeof magic);
    dgm_le64_put(head + 8, dgm_hash_bytes(bytes, size));
    DGM_TRY(dgm_saver_begin(env, &saver, path));
    status = dgm_saver_add(env, &saver, head, HEAD);
    if (status == DGM_OK)
        status = dgm_saver_add(env, &saver, bytes, size);
    if (status == DGM_OK)
        return dgm_saver_commit(env, &saver);
    dgm_saver_abandon(env, &saver);
    return status;
}

void dgm_cl_cache_put(struct dgm_env *env, uint64_t key, const void *bytes, size_t size)
{
    struct dgm_env quiet = quiet_env(env);
    char path[DGM_CL_PATH_SIZE];

    if (find_path(&quiet, key, path, 1))
        store(&quiet, path, bytes, size);
}

/* ---- programs ------------------------------------------------------------------------------- */

/* NULL if the driver does not take the bytes. */
static cl_program build_binary(struct dgm_opencl *opencl, const struct dgm_buf *content)
{
    const unsigned char *binary = (const unsigned char *)content->data;
    const size_t size = content->size;
    cl_int status = CL_SUCCESS, error;
    cl_program program = opencl->cl.CreateProgramWithBinary(opencl->context, 1, &opencl->id, &size,
                                                            &binary, &status, &error);

    if (program == NULL)
        return NULL;
    if (status == CL_SUCCESS &&
        opencl->cl.BuildProgram(program, 1, &opencl->id, "", NULL, NULL) == CL_SUCCESS)
        return program;
    opencl->cl.ReleaseProgram(program);
    return NULL;
}

dgm_status dgm_cl_cache_load(struct dgm_env *env, struct dgm_opencl *opencl, uint64_t key,
                             cl_program *program)
{
    struct dgm_buf content = { NULL, 0, 0, 0 };

    *program = NULL;
    dgm_cl_cache_get(env, key, &content);
    if (content.size > 0) {
        *program = build_binary(opencl, &content);
        if (*program == NULL)
            drop(env, key);
    }
    dgm_buf_clear(env, &content);
    return DGM_OK;
}

void dgm_cl_cache_store(struct dgm_env *env, struct dgm_opencl *opencl, uint64_t key,
                        cl_program program)
{
    struct dgm_env quiet = quiet_env(env);
    unsigned char *binary;
    size_t size = 0;

    if (opencl->cl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) !=
            CL_SUCCESS ||
        size == 0 || size > LARGEST - HEAD)
        return;
    binary = dgm_alloc(&quiet, size, 1);
    if (binary == NULL)
        return;
    if (opencl->cl.GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
        CL_SUCCESS)
        dgm_cl_cache_put(env, key, binary, size);
    opencl->has_stored = 1;
    dgm_release(&quiet, binary);
}
