/*
 * foreign_file.h: for fuzz targets: a file of another program, opened from memory and read: every
 * tensor has its name, as many numbers as its shape says, and a place inside the file.
 */
#ifndef DGM_FUZZ_FOREIGN_FILE_H
#define DGM_FUZZ_FOREIGN_FILE_H

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tensor/foreign/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void count_values(void *user, size_t first, size_t count, const dgm_real *values)
{
    size_t *seen = user;

    require(first == *seen && count > 0);
    for (size_t i = 0; i < count; i++)
        require(isfinite(values[i]));
    *seen += count;
}

static void read_tensor(struct dgm_env *env, const struct dgm_foreign *file,
                        const struct dgm_foreign_tensor *tensor)
{
    char shape[DGM_FOREIGN_SHAPE];
    size_t seen = 0;

    require(dgm_foreign_find(file, dgm_foreign_name(file, tensor)) == tensor);
    require(tensor->at <= file->size && tensor->stored <= file->size - tensor->at);
    dgm_foreign_shape(shape, tensor);
    if (dgm_foreign_read(env, file, tensor, count_values, &seen) == DGM_OK)
        require(seen == tensor->count);
    else
        require(env->error.message[0] != '\0');
    dgm_env_clear_error(env);
    if (tensor->bytes <= 65536) {
        unsigned char *bytes = dgm_alloc(env, tensor->bytes, 1);

        require(bytes != NULL);
        (void)dgm_foreign_read_bytes(env, file, tensor, bytes);
        dgm_release(env, bytes);
        dgm_env_clear_error(env);
    }
}

static void foreign_read_all(const uint8_t *data, size_t size, const char *name)
{
    struct dgm_foreign file;
    struct dgm_env env;

    dgm_env_init(&env);
    if (dgm_foreign_open_memory(&env, &file, data, size, name) != DGM_OK) {
        require(env.error.status == DGM_MODEL && env.error.message[0] != '\0');
        return;
    }
    for (size_t i = 0; i < file.count; i++)
        read_tensor(&env, &file, &file.tensors[i]);
    dgm_foreign_clear(&env, &file);
}

#endif
