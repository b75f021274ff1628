/*
 * import_read.c: a model of another program, used as it lies there: what `import` writes to a file
 * stays in memory, and is read from there.
 */
#include "model/foreign/import_read.h"

#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "model/foreign/import.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

/* A file of ours begins so. */
static int is_ours(struct dgm_env *env, const char *path)
{
    char bytes[4] = { 0 };
    size_t count = 0;
    int fd;

    if (dgm_file_open(env, &fd, path, NULL, NULL) != DGM_OK) {
        dgm_env_clear_error(env); /* whoever loads it will say so */
        return 1;
    }
    (void)dgm_file_read_at(env, fd, bytes, sizeof bytes, 0, &count);
    dgm_file_close(env, fd);
    return count == sizeof bytes && memcmp(bytes, "GGUF", sizeof bytes) == 0;
}

int dgm_import_is_at(struct dgm_env *env, const char *path)
{
    static const char *const ends[] = { ".bin", ".npz", ".safetensors" };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (dgm_import_ends(path, ends[i]))
            return !is_ours(env, path);
    return 0;
}

/* The bytes of the file that `import` would write. */
static dgm_status print(struct dgm_env *env, const struct dgm_model *model, struct dgm_buf *bytes)
{
    struct dgm_gguf_writer writer = { 0 };
    dgm_real *values = NULL;
    dgm_status status;

    status = dgm_model_save(env, model, &writer, &values);
    if (status == DGM_OK)
        status = dgm_gguf_write_memory(env, &writer, bytes);
    dgm_gguf_writer_clear(env, &writer);
    dgm_release(env, values);
    return status;
}

static dgm_status import(struct dgm_env *env, const char *path, struct dgm_device *device,
                         struct dgm_buf *bytes)
{
    const struct dgm_import_request request = { .path = path, .from = "auto" };
    struct dgm_import import;
    dgm_status status;

    DGM_TRY_OUT(dgm_import_open(env, &import, &request));
    DGM_TRY_OUT(dgm_import_check(env, &import, NULL));
    DGM_TRY_OUT(dgm_import_load(env, &import, device));
    DGM_TRY_OUT(print(env, &import.model, bytes));
    dgm_log(env, DGM_LOG_NOTE,
            "%s: a model of %s, as it lies there; dragoman import makes a file of it, which "
            "starts sooner",
            path, import.kind->family);
out:
    dgm_import_clear(env, &import);
    return status;
}

dgm_status dgm_import_read(struct dgm_env *env, struct dgm_model *model, const char *path,
                           struct dgm_device *device, const enum dgm_compute_type *type)
{
    struct dgm_gguf file = { 0 };
    struct dgm_buf bytes = { .limit = SIZE_MAX / 2 };
    dgm_status status;

    DGM_TRY_OUT(import(env, path, device, &bytes));
    DGM_TRY_OUT(dgm_gguf_open_memory(env, &file, bytes.data, bytes.size, path));
    DGM_TRY_OUT(dgm_model_from_gguf(env, model, &file, device, 0, type));
out:
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
    return status;
}
