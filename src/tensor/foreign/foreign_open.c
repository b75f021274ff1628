/*
 * foreign_open.c: which format a file of another program has, and the list of its tensors.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/magic.h"
#include "base/file/vfs.h"
#include "tensor/foreign/foreign.h"

static const char expected[] =
    "an archive of NumPy (.npz), a binary file of Marian, a safetensors file, or model.bin of "
    "CTranslate2";

static dgm_status list(struct dgm_env *env, struct dgm_foreign *file)
{
    unsigned char head[9] = { 0 };

    if (file->size < sizeof head)
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0, "%llu bytes; expected %s",
                             (unsigned long long)file->size, expected);
    DGM_TRY(dgm_foreign_bytes_at(env, file, head, 0, sizeof head));
    if (memcmp(head, "PK\3\4", 4) == 0)
        return dgm_npz_list(env, file);
    if (head[8] == '{') /* behind eight bytes of length */
        return dgm_safetensors_list(env, file);
    if (memcmp(head, "\1\0\0\0\0\0\0", 8) == 0)
        return dgm_marian_bin_list(env, file);
    if (head[0] < 16 && head[1] == 0 && head[2] == 0 && head[3] == 0 && head[6] > ' ')
        return dgm_ctranslate2_list(env, file); /* a version, and behind two bytes a name */
    DGM_TRY(dgm_magic_check(env, DGM_MODEL, file->name, head, sizeof head, expected));
    return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                         "none of the files that are known; expected "
                         "%s",
                         expected);
}

static void begin(struct dgm_foreign *file, const char *name)
{
    memset(file, 0, sizeof *file);
    snprintf(file->name, sizeof file->name, "%s", name);
    file->fd = -1;
}

dgm_status dgm_foreign_open_memory(struct dgm_env *env, struct dgm_foreign *file, const void *bytes,
                                   size_t size, const char *name)
{
    dgm_status status;

    begin(file, name);
    file->bytes = bytes;
    file->size = size;
    status = list(env, file);
    if (status != DGM_OK)
        dgm_foreign_clear(env, file);
    return status;
}

static dgm_status open_path(struct dgm_env *env, struct dgm_foreign *file, const char *path)
{
    long long size = 0;
    int is_regular = 0;

    /* Without O_NONBLOCK a pipe would wait for its writer before it could be refused. */
    file->fd = dgm_file_open_as(env, path, O_RDONLY | O_NONBLOCK, 0);
    if (file->fd < 0 || env->vfs->size(env->vfs->user, file->fd, &size, &is_regular) != 0)
        return dgm_file_fail(env, DGM_MODEL, path, "expected a file of weights");
    if (!is_regular || size < 0)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0, "not a regular file");
    file->size = (uint64_t)size;
    return list(env, file);
}

dgm_status dgm_foreign_open(struct dgm_env *env, struct dgm_foreign *file, const char *path)
{
    dgm_status status;

    begin(file, path);
    status = open_path(env, file, path);
    if (status != DGM_OK)
        dgm_foreign_clear(env, file);
    return status;
}
