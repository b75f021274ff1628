/*
 * test_gguf.c: the container: what was written is read back, and so are files of others.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/le.h"
#include "base/mem.h"
#include "gguf_forge.h"
#include "gguf_lab.h"
#include "gguf_more.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

static const size_t matrix[] = { 2, 3 };

TEST(gguf_keys_come_back_as_they_were_written)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    const struct dgm_gguf_key *key;
    const char *text;
    size_t length, count;
    int64_t i64;
    uint64_t u64;
    double real;
    int flag;

    CHECK_STATUS(gguf_lab_full(env, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    text = dgm_gguf_text(&file, "general.architecture", &length);
    CHECK(text && length == 8);
    CHECK_MEM(text, "dragoman", 8);
    CHECK(dgm_gguf_int(&file, "t.u32", &i64) && i64 == 4000000000);
    CHECK(dgm_gguf_int(&file, "t.i64", &i64) && i64 == INT64_MIN);
    CHECK(dgm_gguf_uint(&file, "t.u64", &u64) && u64 == UINT64_MAX);
    CHECK(!dgm_gguf_int(&file, "t.u64", &i64));
    CHECK(!dgm_gguf_uint(&file, "t.i64", &u64));
    CHECK(!dgm_gguf_int(&file, "t.f32", &i64) && !dgm_gguf_int(&file, "absent", &i64));
    CHECK(dgm_gguf_real(&file, "t.f32", &real) && real == 0.25);
    CHECK(dgm_gguf_real(&file, "t.f64", &real) && real == 0.1);
    CHECK(dgm_gguf_real(&file, "t.u32", &real) && real == 4e9);
    CHECK(!dgm_gguf_real(&file, "t.bool", &real) && !dgm_gguf_text(&file, "t.bool", &length));
    CHECK(dgm_gguf_flag(&file, "t.bool", &flag) && flag == 1);
    key = dgm_gguf_strings(&file, "t.words", &count);
    CHECK(key && count == 4);
    text = dgm_gguf_string_at(&file, key, 0, &length);
    CHECK(text && length == 0);
    text = dgm_gguf_string_at(&file, key, 1, &length);
    CHECK_INT(length, 7);
    CHECK_MEM(text, "Stra\303\237e", 7);
    CHECK(dgm_gguf_strings(&file, "t.none", &count) && count == 0);
    CHECK(!dgm_gguf_strings(&file, "t.i32s", &count));
    key = dgm_gguf_ints(&file, "t.i32s", &count);
    CHECK(key && count == 3);
    CHECK(dgm_gguf_int_at(&file, key, 0) == -7 && dgm_gguf_int_at(&file, key, 2) == INT32_MIN);
    key = dgm_gguf_ints(&file, "t.u64s", &count);
    CHECK(key && count == 2 && (uint64_t)dgm_gguf_int_at(&file, key, 1) == UINT64_MAX);
    key = gguf_reals(&file, "t.f32s", &count);
    CHECK(key && count == 2 && dgm_gguf_real_at(&file, key, 0) == 0.5);
    CHECK_STR(file.keys[3].name, "general.architecture");
    CHECK_INT(file.key_count, 16);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_tensors_of_every_type_come_back)
{
    static const char *const exact[] = { "f32", "f64" }, *const near[] = { "f16", "bf16", "q8" };
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    const struct dgm_gguf_tensor *t;
    dgm_real out[64];
    int32_t ints[3];
    size_t i, k;

    CHECK_STATUS(gguf_lab_full(env, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    for (k = 0; k < 2; k++) {
        t = dgm_gguf_find_tensor(&file, exact[k]);
        CHECK(t != NULL);
        CHECK_STATUS(dgm_gguf_read_reals(env, &file, t, out, t->count), DGM_OK);
        for (i = 0; i < t->count; i++)
            CHECK_NEAR(out[i], gguf_lab_numbers[i], 1e-9);
    }
    for (k = 0; k < 3; k++) {
        t = dgm_gguf_find_tensor(&file, near[k]);
        CHECK(t != NULL);
        CHECK_STATUS(dgm_gguf_read_reals(env, &file, t, out, t->count), DGM_OK);
        for (i = 0; i < t->count; i++)
            CHECK_NEAR(out[i], gguf_lab_numbers[i], k == 2 ? 0.5 : 0.0005);
    }
    t = dgm_gguf_find_tensor(&file, "bf16");
    CHECK_INT(t->rank, 4);
    CHECK(t->dims[0] == 2 && t->dims[1] == 1 && t->dims[2] == 2 && t->dims[3] == 2);
    t = dgm_gguf_find_tensor(&file, "f16");
    CHECK(t->dims[0] == 2 && t->dims[1] == 3 && t->count == 6 && t->bytes == 12);
    t = dgm_gguf_find_tensor(&file, "i32");
    CHECK_STATUS(gguf_read_ints(env, &file, t, ints, 3), DGM_OK);
    CHECK_MEM(ints, gguf_lab_whole, sizeof gguf_lab_whole);
    CHECK_STATUS(dgm_gguf_read_reals(env, &file, t, out, 3), DGM_MODEL);
    CHECK_STATUS(gguf_read_ints(env, &file, t, ints, 2), DGM_MODEL);
    t = dgm_gguf_find_tensor(&file, "i8");
    CHECK_STATUS(gguf_read_ints(env, &file, t, ints, 3), DGM_OK);
    CHECK(ints[0] == -128 && ints[1] == 0 && ints[2] == 127);
    CHECK(!dgm_gguf_find_tensor(&file, "absent"));
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_dimensions_stand_fastest_first_in_the_file)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_buf bytes = { 0 };
    struct forge f;

    writer.without_checksums = 1;
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "w", DGM_GGUF_F32, 2, matrix, gguf_lab_numbers),
                 DGM_OK);
    CHECK_STATUS(dgm_gguf_write_memory(env, &writer, &bytes), DGM_OK);
    forge_begin(&f, 1, 1);
    forge_text(&f, "general.alignment");
    forge_u32(&f, DGM_GGUF_VALUE_U32);
    forge_u32(&f, 32);
    forge_tensor(&f, "w", 2, 3, 2, DGM_GGUF_F32, 0);
    CHECK_MEM(bytes.data, f.bytes, f.size);
    CHECK_INT(bytes.size, (f.size + 31) / 32 * 32 + 32);
    dgm_gguf_writer_clear(env, &writer);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_written_to_disk_equals_written_to_memory_and_loads)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_buf bytes = { 0 }, disk = { 0 };
    struct dgm_gguf file;
    size_t big[2] = { 700, 500 }; /* over one piece, and not a whole number of them */
    dgm_real *data = dgm_alloc(env, big[0] * big[1], sizeof *data), *back;
    char path[1200];
    int has = 0;
    size_t i;

    CHECK(data != NULL);
    for (i = 0; i < big[0] * big[1]; i++)
        data[i] = (dgm_real)((double)i / 7.0);
    CHECK_STATUS(gguf_lab_keys(env, &writer), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "big", DGM_GGUF_F32, 2, big, data), DGM_OK);
    CHECK_STATUS(gguf_lab_tensors(env, &writer), DGM_OK);
    snprintf(path, sizeof path, "%s/m.gguf", test_dir());
    CHECK_STATUS(dgm_gguf_write(env, &writer, path), DGM_OK);
    CHECK_STATUS(dgm_gguf_write_memory(env, &writer, &bytes), DGM_OK);
    CHECK_STATUS(dgm_file_read(env, &disk, path), DGM_OK);
    CHECK_INT(disk.size, bytes.size);
    CHECK_MEM(disk.data, bytes.data, bytes.size);
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, &has), DGM_OK);
    CHECK_INT(has, 1);
    back = dgm_alloc(env, big[0] * big[1], sizeof *back);
    CHECK(back != NULL);
    CHECK_STATUS(dgm_gguf_read_reals(env, &file, dgm_gguf_find_tensor(&file, "big"), back,
                                     big[0] * big[1]),
                 DGM_OK);
    for (i = 0; i < big[0] * big[1]; i++)
        CHECK((float)back[i] == (float)data[i]);
    dgm_release(env, back);
    dgm_release(env, data);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
    dgm_buf_clear(env, &disk);
    dgm_gguf_writer_clear(env, &writer);
}

/* Head, integers and raw bytes are each longer than what is converted or handed on at a time. */
TEST(gguf_of_several_pieces_is_whole)
{
    enum { WORDS = 60000, INTS = 70000, BYTES = 1200001 };
    static const size_t ints_dims[] = { INTS }, raw_dims[] = { BYTES };
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    int32_t *ints = dgm_alloc(env, INTS, sizeof *ints);
    unsigned char *raw = dgm_alloc(env, BYTES, 1);
    const struct dgm_gguf_tensor *t;
    const struct dgm_gguf_key *key;
    char word[32];
    size_t i, count = 0, length = 0;

    CHECK(ints != NULL && raw != NULL);
    for (i = 0; i < INTS; i++)
        ints[i] = (int32_t)i - 7;
    for (i = 0; i < BYTES; i++)
        raw[i] = (unsigned char)(i % 251);
    CHECK_STATUS(dgm_gguf_begin_strings(env, &writer, "words", WORDS), DGM_OK);
    for (i = 0; i < WORDS; i++) {
        snprintf(word, sizeof word, "word number %d", (int)i);
        CHECK_STATUS(dgm_gguf_add_item(env, &writer, word, strlen(word)), DGM_OK);
    }
    CHECK_STATUS(gguf_add_ints(env, &writer, "ints", 1, ints_dims, ints), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_raw(env, &writer, "raw", DGM_GGUF_I8, 1, raw_dims, raw), DGM_OK);
    CHECK_STATUS(dgm_gguf_write_memory(env, &writer, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, NULL), DGM_OK);
    key = dgm_gguf_strings(&file, "words", &count);
    CHECK_INT(count, WORDS);
    CHECK_MEM(dgm_gguf_string_at(&file, key, WORDS - 1, &length), word, strlen(word));
    t = dgm_gguf_find_tensor(&file, "raw");
    CHECK_MEM(dgm_gguf_data(&file, t), raw, BYTES);
    t = dgm_gguf_find_tensor(&file, "ints");
    memset(ints, 0, INTS * sizeof *ints);
    CHECK_STATUS(gguf_read_ints(env, &file, t, ints, INTS), DGM_OK);
    for (i = 0; i < INTS; i++)
        CHECK_INT(ints[i], (int32_t)i - 7);
    dgm_release(env, ints);
    dgm_release(env, raw);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
    dgm_gguf_writer_clear(env, &writer);
}

TEST(gguf_integers_beyond_32_bits_are_refused)
{
    static const int64_t values[] = {
        INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, (int64_t)INT32_MIN - 1, INT64_MAX, INT64_MIN
    };
    static const size_t one[] = { 1 };
    struct dgm_env *env = test_env();
    size_t i;

    for (i = 0; i < sizeof values / sizeof *values; i++) {
        struct dgm_gguf_writer writer = { 0 };
        struct dgm_buf bytes = { 0 };
        struct dgm_gguf file;
        unsigned char number[8];
        int32_t out = 0;

        dgm_le64_put(number, (uint64_t)values[i]);
        CHECK_STATUS(dgm_gguf_add_raw(env, &writer, "n", DGM_GGUF_I64, 1, one, number), DGM_OK);
        CHECK_STATUS(dgm_gguf_write_memory(env, &writer, &bytes), DGM_OK);
        CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
        CHECK_STATUS(gguf_read_ints(env, &file, dgm_gguf_find_tensor(&file, "n"), &out, 1),
                     i < 2 ? DGM_OK : DGM_MODEL);
        CHECK_INT(out, i < 2 ? values[i] : 0);
        dgm_env_clear_error(env);
        dgm_gguf_clear(env, &file);
        dgm_buf_clear(env, &bytes);
        dgm_gguf_writer_clear(env, &writer);
    }
}

TEST(gguf_copied_key_by_key_and_tensor_by_tensor_is_the_same_file)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_buf bytes = { 0 }, again = { 0 };
    struct dgm_gguf file;
    size_t i;

    CHECK_STATUS(gguf_lab_full(env, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    for (i = 0; i < file.key_count; i++)
        CHECK_STATUS(dgm_gguf_add_key(env, &writer, &file, &file.keys[i]), DGM_OK);
    for (i = 0; i < file.tensor_count; i++) {
        const struct dgm_gguf_tensor *t = &file.tensors[i];
        CHECK_STATUS(dgm_gguf_add_raw(env, &writer, t->name, t->type, t->rank, t->dims,
                                      dgm_gguf_data(&file, t)),
                     DGM_OK);
    }
    CHECK_STATUS(dgm_gguf_write_memory(env, &writer, &again), DGM_OK);
    CHECK_INT(again.size, bytes.size);
    CHECK_MEM(again.data, bytes.data, bytes.size);
    dgm_gguf_writer_clear(env, &writer);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
    dgm_buf_clear(env, &again);
}

TEST(gguf_without_tensors_or_keys_is_a_file_too)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_buf bytes = { 0 };

    CHECK_STATUS(dgm_gguf_write_memory(env, &writer, &bytes), DGM_OK);
    CHECK_STATUS(gguf_lab_try(bytes.data, bytes.size), DGM_OK);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_without_checksums_loads_and_says_so)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    int has = 1;

    CHECK_STATUS(gguf_lab_small(env, &bytes, 1), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, &has), DGM_OK);
    CHECK_INT(has, 0);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
}

/* ---- files of others --------------------------------------------------------------- */

/* Loads every *.gguf of a folder; returns how many, or -1 after a failure. */
static int load_folder(const char *folder)
{
    struct dgm_env *env = test_env();
    DIR *listing = opendir(folder);
    struct dirent *item;
    int count = 0;

    while (listing && count >= 0 && (item = readdir(listing))) {
        const char *dot = strrchr(item->d_name, '.');
        struct dgm_gguf file;
        char path[4400];
        if (!dot || strcmp(dot, ".gguf") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        if (dgm_gguf_load(env, &file, path) != DGM_OK) {
            printf("  %s @%lld: %s\n", path, env->error.offset, env->error.message);
            count = -1;
            break;
        }
        count += dgm_gguf_verify(env, &file, NULL) == DGM_OK &&
                 dgm_gguf_find_key(&file, "general.architecture") != NULL && file.tensor_count > 0;
        dgm_gguf_clear(env, &file);
    }
    if (listing)
        closedir(listing);
    return count;
}

TEST(gguf_loads_every_golden_file)
{
    char path[4200];

    if (!test_shared())
        TEST_SKIP("no shared data: golden GGUF files not read");
    snprintf(path, sizeof path, "%s/golden", test_shared());
    CHECK(load_folder(path) >= 50);
    snprintf(path, sizeof path, "%s/golden/beam", test_shared());
    CHECK(load_folder(path) >= 3);
    snprintf(path, sizeof path, "%s/golden/rnn", test_shared());
    CHECK(load_folder(path) >= 20);
}
