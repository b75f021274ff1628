/*
 * fuzz_gguf.c: any bytes as a GGUF file. What is accepted is read in full: every value,
 * every tensor; then it is copied through the writer, and the copy must load and verify.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "gguf_more.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void read_key(const struct dgm_gguf *file, const struct dgm_gguf_key *key, uint64_t *sum)
{
    size_t count, length, i;
    const char *text;
    int64_t value;
    double real;

    if (dgm_gguf_strings(file, key->name, &count)) {
        for (i = 0; i < count; i++) {
            text = dgm_gguf_string_at(file, key, i, &length);
            *sum += length > 0 ? (uint64_t)text[length - 1] : 0;
        }
    } else if (dgm_gguf_ints(file, key->name, &count)) {
        for (i = 0; i < count; i++)
            *sum += (uint64_t)dgm_gguf_int_at(file, key, i);
    } else if (gguf_reals(file, key->name, &count)) {
        for (i = 0; i < count; i++)
            *sum += dgm_gguf_real_at(file, key, i) > 0.0;
    } else if ((text = dgm_gguf_text(file, key->name, &length)) != NULL) {
        *sum += length > 0 ? (uint64_t)text[length - 1] : 0;
    } else if (dgm_gguf_int(file, key->name, &value)) {
        *sum += (uint64_t)value;
    } else if (dgm_gguf_real(file, key->name, &real)) {
        *sum += real > 0.0;
    }
}

static void read_tensor(struct dgm_env *env, const struct dgm_gguf *file,
                        const struct dgm_gguf_tensor *tensor)
{
    dgm_real *reals = dgm_alloc(env, tensor->count, sizeof *reals);
    int32_t *ints = dgm_alloc(env, tensor->count, sizeof *ints);

    require(dgm_gguf_find_tensor(file, tensor->name) == tensor);
    if (reals && ints && dgm_gguf_read_reals(env, file, tensor, reals, tensor->count) != DGM_OK)
        (void)gguf_read_ints(env, file, tensor, ints, tensor->count);
    dgm_release(env, reals);
    dgm_release(env, ints);
}

static void copy_file(struct dgm_env *env, const struct dgm_gguf *file)
{
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_buf out = { 0 };
    struct dgm_gguf copy;
    int has = 0;
    size_t i;

    dgm_env_clear_error(env);
    writer.name_limit = DGM_GGUF_NAME;
    for (i = 0; i < file->key_count; i++)
        require(dgm_gguf_add_key(env, &writer, file, &file->keys[i]) == DGM_OK);
    for (i = 0; i < file->tensor_count; i++) {
        const struct dgm_gguf_tensor *t = &file->tensors[i];
        require(dgm_gguf_add_raw(env, &writer, t->name, t->type, t->rank, t->dims,
                                 dgm_gguf_data(file, t)) == DGM_OK);
    }
    require(dgm_gguf_write_memory(env, &writer, &out) == DGM_OK);
    require(dgm_gguf_parse(env, &copy, out.data, out.size, "copy") == DGM_OK);
    require(dgm_gguf_verify(env, &copy, &has) == DGM_OK && has);
    require(copy.tensor_count == file->tensor_count);
    dgm_gguf_clear(env, &copy);
    dgm_gguf_writer_clear(env, &writer);
    dgm_buf_clear(env, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct dgm_env env;
    struct dgm_gguf file;
    uint64_t sum = 0;
    size_t i;

    dgm_env_init(&env);
    if (dgm_gguf_parse(&env, &file, bytes, count, "m.gguf") != DGM_OK) {
        require(env.error.status == DGM_MODEL && env.error.message[0] != '\0');
        return 0;
    }
    (void)dgm_gguf_verify(&env, &file, NULL);
    for (i = 0; i < file.key_count; i++)
        read_key(&file, &file.keys[i], &sum);
    for (i = 0; i < file.tensor_count; i++)
        read_tensor(&env, &file, &file.tensors[i]);
    copy_file(&env, &file);
    dgm_gguf_clear(&env, &file);
    return 0;
}
