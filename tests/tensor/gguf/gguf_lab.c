/*
 * gguf_lab.c: files in GGUF that its tests share.
 */
#include "gguf_lab.h"

#include <string.h>

#include "gguf_more.h"
#include "tensor/gguf/gguf_load.h"
#include "test.h"

static const size_t vector_of_5[] = { 5 }, matrix_2x3[] = { 2, 3 }, rows_of_32[] = { 2, 32 };
static const size_t box_2x1x2x2[] = { 2, 1, 2, 2 }, vector_of_3[] = { 3 };
const dgm_real gguf_lab_numbers[64] = { (dgm_real)1.5, (dgm_real)-2.25, (dgm_real)0.0,
                                        (dgm_real)3,   (dgm_real)0.001, (dgm_real)-127,
                                        (dgm_real)8,   (dgm_real)100 };
const int32_t gguf_lab_whole[3] = { -1, 0, INT32_MAX };

dgm_status gguf_lab_keys(struct dgm_env *env, struct dgm_gguf_writer *w)
{
    static const char *const words[] = { "", "Stra\303\237e", "@@", "</s>" };
    static const int32_t i32s[] = { -7, 0, INT32_MIN };
    static const uint64_t u64s[] = { 0, UINT64_MAX };
    static const float f32s[] = { 0.5f, -0.0f };

    DGM_TRY(dgm_gguf_add_text(env, w, "general.architecture", "dragoman", 8));
    DGM_TRY(gguf_add_u32(env, w, "t.u32", 4000000000u));
    DGM_TRY(dgm_gguf_add_i64(env, w, "t.i64", INT64_MIN));
    DGM_TRY(dgm_gguf_add_u64(env, w, "t.u64", UINT64_MAX));
    DGM_TRY(gguf_add_f32(env, w, "t.f32", 0.25f));
    DGM_TRY(dgm_gguf_add_f64(env, w, "t.f64", 0.1));
    DGM_TRY(dgm_gguf_add_bool(env, w, "t.bool", 7));
    DGM_TRY(gguf_add_strings(env, w, "t.words", words, 4));
    DGM_TRY(gguf_add_strings(env, w, "t.none", words, 0));
    DGM_TRY(gguf_add_items(env, w, "t.i32s", DGM_GGUF_VALUE_I32, i32s, 3));
    DGM_TRY(dgm_gguf_add_u64s(env, w, "t.u64s", u64s, 2));
    return gguf_add_items(env, w, "t.f32s", DGM_GGUF_VALUE_F32, f32s, 2);
}

dgm_status gguf_lab_tensors(struct dgm_env *env, struct dgm_gguf_writer *w)
{
    DGM_TRY(dgm_gguf_add_reals(env, w, "f32", DGM_GGUF_F32, 1, vector_of_5, gguf_lab_numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "f16", DGM_GGUF_F16, 2, matrix_2x3, gguf_lab_numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "bf16", DGM_GGUF_BF16, 4, box_2x1x2x2, gguf_lab_numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "q8", DGM_GGUF_Q8_0, 2, rows_of_32, gguf_lab_numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "f64", DGM_GGUF_F64, 1, vector_of_3, gguf_lab_numbers));
    DGM_TRY(gguf_add_ints(env, w, "i32", 1, vector_of_3, gguf_lab_whole));
    return dgm_gguf_add_raw(env, w, "i8", DGM_GGUF_I8, 1, vector_of_3, "\x80\x00\x7F");
}

dgm_status gguf_lab_full(struct dgm_env *env, struct dgm_buf *out)
{
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status;

    DGM_TRY_OUT(gguf_lab_keys(env, &writer));
    DGM_TRY_OUT(gguf_lab_tensors(env, &writer));
    DGM_TRY_OUT(dgm_gguf_write_memory(env, &writer, out));
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

dgm_status gguf_lab_ours(struct dgm_env *env, struct dgm_buf *out)
{
    static const char *const words[] = { "", "Stra\303\237e", "</s>" };
    static const uint64_t u64s[] = { 0, UINT64_MAX };
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_gguf_add_text(env, &writer, "general.architecture", "dragoman", 8));
    DGM_TRY_OUT(dgm_gguf_add_text(env, &writer, "dragoman.config", "depth = 2", 9));
    DGM_TRY_OUT(gguf_add_strings(env, &writer, "dragoman.words", words, 3));
    DGM_TRY_OUT(gguf_add_strings(env, &writer, "dragoman.none", words, 0));
    DGM_TRY_OUT(dgm_gguf_add_u64s(env, &writer, "dragoman.u64s", u64s, 2));
    DGM_TRY_OUT(gguf_lab_tensors(env, &writer));
    DGM_TRY_OUT(dgm_gguf_write_memory(env, &writer, out));
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

dgm_status gguf_lab_small(struct dgm_env *env, struct dgm_buf *out, int without_checksums)
{
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status;

    writer.without_checksums = without_checksums;
    DGM_TRY_OUT(dgm_gguf_add_text(env, &writer, "k", "v", 1));
    DGM_TRY_OUT(
        dgm_gguf_add_reals(env, &writer, "a", DGM_GGUF_F32, 1, vector_of_5, gguf_lab_numbers));
    DGM_TRY_OUT(gguf_add_ints(env, &writer, "b", 1, vector_of_3, gguf_lab_whole));
    DGM_TRY_OUT(dgm_gguf_write_memory(env, &writer, out));
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

int gguf_lab_is_foreign(const struct dgm_gguf *file, size_t at)
{
    for (size_t i = 0; i < file->key_count; i++) {
        const struct dgm_gguf_key *key = &file->keys[i];
        const size_t first = key->at - 4 - strlen(key->name);
        if (at >= first && at < key->at + key->bytes)
            return strncmp(key->name, "dragoman.", 9) != 0 ||
                   strcmp(key->name, DGM_GGUF_KEY_META) == 0;
    }
    return 0;
}

dgm_status gguf_lab_try(const void *bytes, size_t count)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf file;
    dgm_status status;

    dgm_env_clear_error(env);
    DGM_TRY(dgm_gguf_parse(env, &file, bytes, count, "m.gguf"));
    status = dgm_gguf_verify(env, &file, NULL);
    dgm_gguf_clear(env, &file);
    return status;
}
