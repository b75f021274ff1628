/*
 * test_gguf.c: the container. What was written is read back; every damaged byte is found;
 * what is hostile is refused with a message, by the limits that gguf_rules.h promises.
 */

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "gguf_more.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "tensor/half.h"
#include "test.h"

static const size_t vector_of_5[] = { 5 }, matrix_2x3[] = { 2, 3 }, rows_of_32[] = { 2, 32 };
static const size_t box_2x1x2x2[] = { 2, 1, 2, 2 }, vector_of_3[] = { 3 };
static const dgm_real numbers[64] = {
    (dgm_real)1.5,   (dgm_real)-2.25, (dgm_real)0.0, (dgm_real)3,
    (dgm_real)0.001, (dgm_real)-127,  (dgm_real)8,   (dgm_real)100
};
static const int32_t whole[3] = { -1, 0, INT32_MAX };

/* ---- files to play with ------------------------------------------------------------ */

static dgm_status add_keys(struct dgm_env *env, struct dgm_gguf_writer *w)
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

static dgm_status add_tensors(struct dgm_env *env, struct dgm_gguf_writer *w)
{
    DGM_TRY(dgm_gguf_add_reals(env, w, "f32", DGM_GGUF_F32, 1, vector_of_5, numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "f16", DGM_GGUF_F16, 2, matrix_2x3, numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "bf16", DGM_GGUF_BF16, 4, box_2x1x2x2, numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "q8", DGM_GGUF_Q8_0, 2, rows_of_32, numbers));
    DGM_TRY(dgm_gguf_add_reals(env, w, "f64", DGM_GGUF_F64, 1, vector_of_3, numbers));
    DGM_TRY(gguf_add_ints(env, w, "i32", 1, vector_of_3, whole));
    return dgm_gguf_add_raw(env, w, "i8", DGM_GGUF_I8, 1, vector_of_3, "\x80\x00\x7F");
}

static dgm_status make_full(struct dgm_env *env, struct dgm_buf *out)
{
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status;

    DGM_TRY_OUT(add_keys(env, &writer));
    DGM_TRY_OUT(add_tensors(env, &writer));
    DGM_TRY_OUT(dgm_gguf_write_memory(env, &writer, out));
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

/* One key, two tensors, with or without checksums. */
static dgm_status make_small(struct dgm_env *env, struct dgm_buf *out, int without_checksums)
{
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status;

    writer.without_checksums = without_checksums;
    DGM_TRY_OUT(dgm_gguf_add_text(env, &writer, "k", "v", 1));
    DGM_TRY_OUT(dgm_gguf_add_reals(env, &writer, "a", DGM_GGUF_F32, 1, vector_of_5, numbers));
    DGM_TRY_OUT(gguf_add_ints(env, &writer, "b", 1, vector_of_3, whole));
    DGM_TRY_OUT(dgm_gguf_write_memory(env, &writer, out));
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

/* Loads and verifies, and lets go. */
static dgm_status try_bytes(const void *bytes, size_t count)
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

/* The file made of hand-written parts, for what the writer would never write. */
struct forge {
    unsigned char bytes[4096];
    size_t size;
};

static void forge_u32(struct forge *f, uint32_t value)
{
    dgm_le32_put(f->bytes + f->size, value);
    f->size += 4;
}

static void forge_u64(struct forge *f, uint64_t value)
{
    dgm_le64_put(f->bytes + f->size, value);
    f->size += 8;
}

static void forge_text(struct forge *f, const char *text)
{
    forge_u64(f, strlen(text));
    memcpy(f->bytes + f->size, text, strlen(text));
    f->size += strlen(text);
}

static void forge_begin(struct forge *f, uint64_t tensors, uint64_t keys)
{
    memset(f, 0, sizeof *f);
    memcpy(f->bytes, "GGUF", 4);
    f->size = 4;
    forge_u32(f, 3);
    forge_u64(f, tensors);
    forge_u64(f, keys);
}

static void forge_tensor(struct forge *f, const char *name, uint32_t rank, uint64_t d0, uint64_t d1,
                         uint32_t type, uint64_t offset)
{
    forge_text(f, name);
    forge_u32(f, rank);
    forge_u64(f, d0);
    if (rank == 2)
        forge_u64(f, d1);
    forge_u32(f, type);
    forge_u64(f, offset);
}

/* Zero bytes up to the alignment, then `count` bytes of data. */
static void forge_data(struct forge *f, size_t count)
{
    f->size = (f->size + 31) / 32 * 32 + count;
}

/* The message of a refusal, or "" if the file passed. */
static const char *refusal(const struct forge *f)
{
    dgm_status status = try_bytes(f->bytes, f->size);

    return status == DGM_MODEL ? test_env()->error.message : "";
}

static int says(const struct forge *f, const char *part)
{
    const char *message = refusal(f);

    if (strstr(message, part))
        return 1;
    printf("  message: %s\n  wanted:  %s\n", message, part);
    return 0;
}

/* One tensor described as told, with enough data for the plainest. */
static const char *forged_tensor(struct forge *f, uint32_t rank, uint64_t d0, uint64_t d1,
                                 uint32_t type, uint64_t offset)
{
    forge_begin(f, 1, 0);
    forge_tensor(f, "t", rank, d0, d1, type, offset);
    forge_data(f, 32);
    return refusal(f);
}

/* ---- what goes in comes out -------------------------------------------------------- */

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

    CHECK_STATUS(make_full(env, &bytes), DGM_OK);
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
    CHECK_STR(file.keys[2].name, "general.architecture");
    CHECK_INT(file.key_count, 15);
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

    CHECK_STATUS(make_full(env, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    for (k = 0; k < 2; k++) {
        t = dgm_gguf_find_tensor(&file, exact[k]);
        CHECK(t != NULL);
        CHECK_STATUS(dgm_gguf_read_reals(env, &file, t, out, t->count), DGM_OK);
        for (i = 0; i < t->count; i++)
            CHECK_NEAR(out[i], numbers[i], 1e-9);
    }
    for (k = 0; k < 3; k++) {
        t = dgm_gguf_find_tensor(&file, near[k]);
        CHECK(t != NULL);
        CHECK_STATUS(dgm_gguf_read_reals(env, &file, t, out, t->count), DGM_OK);
        for (i = 0; i < t->count; i++)
            CHECK_NEAR(out[i], numbers[i], k == 2 ? 0.5 : 0.0005);
    }
    t = dgm_gguf_find_tensor(&file, "bf16");
    CHECK_INT(t->rank, 4);
    CHECK(t->dims[0] == 2 && t->dims[1] == 1 && t->dims[2] == 2 && t->dims[3] == 2);
    t = dgm_gguf_find_tensor(&file, "f16");
    CHECK(t->dims[0] == 2 && t->dims[1] == 3 && t->count == 6 && t->bytes == 12);
    t = dgm_gguf_find_tensor(&file, "i32");
    CHECK_STATUS(gguf_read_ints(env, &file, t, ints, 3), DGM_OK);
    CHECK_MEM(ints, whole, sizeof whole);
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
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "w", DGM_GGUF_F32, 2, matrix_2x3, numbers),
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
    CHECK_STATUS(add_keys(env, &writer), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "big", DGM_GGUF_F32, 2, big, data), DGM_OK);
    CHECK_STATUS(add_tensors(env, &writer), DGM_OK);
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

    CHECK_STATUS(make_full(env, &bytes), DGM_OK);
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
    CHECK_STATUS(try_bytes(bytes.data, bytes.size), DGM_OK);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_without_checksums_loads_and_says_so)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    int has = 1;

    CHECK_STATUS(make_small(env, &bytes, 1), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, &has), DGM_OK);
    CHECK_INT(has, 0);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
}

/* ---- damage ------------------------------------------------------------------------ */

TEST(gguf_truncated_at_any_byte_is_refused)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    size_t count;

    CHECK_STATUS(make_full(env, &bytes), DGM_OK);
    for (count = 0; count < bytes.size; count++) {
        /* In a block of its own size, so that a read past the end is noticed. */
        char *part;
        dgm_env_clear_error(env);
        part = dgm_alloc(env, count, 1);
        CHECK(part != NULL);
        memcpy(part, bytes.data, count);
        CHECK_STATUS(try_bytes(part, count), DGM_MODEL);
        CHECK_STR(env->error.file, "m.gguf");
        CHECK(env->error.offset >= 0 && env->error.offset <= (long long)count);
        dgm_release(env, part);
    }
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_finds_every_flipped_bit)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    size_t bit;

    CHECK_STATUS(make_full(env, &bytes), DGM_OK);
    CHECK_STATUS(try_bytes(bytes.data, bytes.size), DGM_OK);
    for (bit = 0; bit < 8 * bytes.size; bit++) {
        bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
        CHECK_STATUS(try_bytes(bytes.data, bytes.size), DGM_MODEL);
        bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
    }
    dgm_buf_clear(env, &bytes);
}

/* One checksum for each tensor, whatever the metadata's own checksum says. */
TEST(gguf_has_as_many_checksums_as_tensors)
{
    uint64_t sums;
    size_t meta, i;
    struct forge f;

    for (sums = 0; sums < 3; sums++) {
        forge_begin(&f, 1, 2);
        forge_text(&f, DGM_GGUF_KEY_META);
        forge_u32(&f, DGM_GGUF_VALUE_U64);
        meta = f.size;
        forge_u64(&f, 0);
        forge_text(&f, DGM_GGUF_KEY_TENSORS);
        forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
        forge_u32(&f, DGM_GGUF_VALUE_U64);
        forge_u64(&f, sums);
        for (i = 0; i < sums; i++)
            forge_u64(&f, dgm_hash_bytes("\0\0\0\0\0\0\0\0", 8));
        forge_tensor(&f, "t", 1, 8, 0, DGM_GGUF_I8, 0);
        forge_data(&f, 32); /* 8 bytes and their padding */
        dgm_le64_put(f.bytes + meta, dgm_hash_bytes(f.bytes, f.size - 32));
        if (sums == 1)
            CHECK_STATUS(try_bytes(f.bytes, f.size), DGM_OK);
        else
            CHECK(says(&f, "is no array of 1 values of type u64"));
    }
}

static long cut_pread(void *user, int fd, void *data, size_t count, long long offset)
{
    (void)user;
    if (offset >= 64) /* somebody has cut the file behind what was seen of its size */
        return 0;
    if (offset + (long long)count > 64)
        count = 64 - (size_t)offset;
    return dgm_vfs_system.pread(NULL, fd, data, count, offset);
}

TEST(gguf_that_shrinks_while_it_is_read_is_refused)
{
    struct dgm_env *env = test_env();
    struct dgm_vfs vfs = dgm_vfs_system;
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    char path[1200];
    FILE *out;

    CHECK_STATUS(make_small(env, &bytes, 0), DGM_OK);
    snprintf(path, sizeof path, "%s/m.gguf", test_dir());
    out = fopen(path, "wb");
    CHECK(out != NULL && fwrite(bytes.data, 1, bytes.size, out) == bytes.size && fclose(out) == 0);
    vfs.pread = cut_pread;
    env->vfs = &vfs;
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_MODEL);
    env->vfs = &dgm_vfs_system;
    CHECK_STR(env->error.message, "the file became shorter while it was read");
    dgm_env_clear_error(env);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_verify_names_the_damaged_tensor)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;

    CHECK_STATUS(make_small(env, &bytes, 0), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    bytes.data[file.tensors[1].at + 2] ^= 16;
    CHECK_STATUS(dgm_gguf_verify(env, &file, NULL), DGM_MODEL);
    CHECK_STR(env->error.message, "tensor 'b': checksum mismatch (file damaged)");
    CHECK_INT(env->error.offset, file.tensors[1].at);
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_header_bytes_of_any_value_never_harm)
{
    static const unsigned char values[] = { 0x00, 0x01, 0x09, 0x7F, 0x80, 0xC0, 0xFF };
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    size_t at, v, passed = 0;

    CHECK_STATUS(make_small(env, &bytes, 1), DGM_OK);
    for (at = 0; at < bytes.size; at++) {
        char kept = bytes.data[at];
        for (v = 0; v < sizeof values; v++) {
            dgm_status status;
            bytes.data[at] = (char)values[v];
            status = try_bytes(bytes.data, bytes.size);
            CHECK(status == DGM_OK || status == DGM_MODEL);
            passed += status == DGM_OK;
        }
        bytes.data[at] = kept;
    }
    CHECK(passed > 100); /* names and numbers may be anything */
    dgm_buf_clear(env, &bytes);
}

/* ---- hostile files ----------------------------------------------------------------- */

TEST(gguf_names_the_kind_of_other_files)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *part;
    } files[] = {
        { "", 0, "an empty file" },
        { "G", 1, "1 bytes; a GGUF file has at least 24" },
        { "\x1F\x8B\x08", 3, "gzip" },
        { "PK\x03\x04", 4, "zip archive" },
        { "<!DOCTYPE html><html>", 21, "HTML" },
        { "\x80\x02}q", 4, "pickle" },
        { "\x10\0\0\0\0\0\0\0{\"a\":1}", 15, "safetensors" },
        { "FUGG\0\0\0\3", 8, "swapped bytes" },
        { "GGUF\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, "big-endian" },
        { "GGUF\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, "version 2, which is too old" },
        { "GGUF\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, "version 4, which is newer" },
        { "hello, this is no model", 23, "at least 24" },
        { "hello, this is no model file", 28, "not with the letters GGUF" },
    };
    size_t i;

    for (i = 0; i < sizeof files / sizeof files[0]; i++) {
        CHECK_STATUS(try_bytes(files[i].bytes, files[i].count), DGM_MODEL);
        if (!strstr(test_env()->error.message, files[i].part))
            CHECK_STR(test_env()->error.message, files[i].part);
    }
}

TEST(gguf_refuses_counts_that_cannot_be)
{
    static const uint64_t counts[] = {
        65537, (uint64_t)1 << 31, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX, 1, 7
    };
    struct forge f;
    size_t i;

    for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        forge_begin(&f, counts[i], 0);
        forge_data(&f, 0);
        CHECK(*refusal(&f));
        forge_begin(&f, 0, counts[i]);
        forge_data(&f, 0);
        CHECK(*refusal(&f));
    }
    CHECK_INT(test_live_blocks(), 0);
}

TEST(gguf_refuses_strings_and_arrays_longer_than_the_file)
{
    static const uint64_t sizes[] = { 100, 0xFFFFFFFF, (uint64_t)1 << 61, UINT64_MAX - 7,
                                      UINT64_MAX };
    struct forge f;
    size_t i;
    uint32_t type;

    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        forge_begin(&f, 0, 1);
        forge_u64(&f, sizes[i]); /* of the name */
        forge_data(&f, 32);
        CHECK(*refusal(&f));
        forge_begin(&f, 0, 1);
        forge_text(&f, "k");
        forge_u32(&f, DGM_GGUF_VALUE_STRING);
        forge_u64(&f, sizes[i]);
        forge_data(&f, 32);
        CHECK(*refusal(&f));
        for (type = 0; type <= 13; type++) {
            forge_begin(&f, 0, 1);
            forge_text(&f, "k");
            forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
            forge_u32(&f, type);
            forge_u64(&f, sizes[i]);
            forge_data(&f, 0);
            CHECK(*refusal(&f));
        }
    }
}

TEST(gguf_refuses_values_without_a_meaning)
{
    struct forge f;

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, 13);
    forge_data(&f, 32);
    CHECK(says(&f, "unknown type 13"));

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, DGM_GGUF_VALUE_BOOL);
    f.bytes[f.size++] = 2;
    forge_data(&f, 0);
    CHECK(says(&f, "a bool is 0 or 1, not 2"));

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
    forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
    forge_u64(&f, 1);
    forge_data(&f, 32);
    CHECK(says(&f, "array of arrays"));

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, DGM_GGUF_VALUE_STRING);
    forge_text(&f, "\xC0\xAF");
    forge_data(&f, 0);
    CHECK(says(&f, "not UTF-8"));
}

TEST(gguf_refuses_bad_and_repeated_names)
{
    static const char *const bad[] = { "", "a b", "\x1B]0;x", "\xC3\xA4", "tab\t" };
    char long_name[300];
    struct forge f;
    size_t i;

    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        forge_begin(&f, 1, 0);
        forge_tensor(&f, bad[i], 1, 8, 0, DGM_GGUF_F32, 0);
        forge_data(&f, 32);
        CHECK(says(&f, "printable ASCII"));
    }
    memset(long_name, 'n', sizeof long_name);
    long_name[256] = '\0';
    forge_begin(&f, 1, 0);
    forge_tensor(&f, long_name, 1, 8, 0, DGM_GGUF_F32, 0);
    forge_data(&f, 32);
    CHECK(says(&f, "256 bytes; at most 255"));
    forge_begin(&f, 1, 0);
    forge_tensor(&f, long_name + 1, 1, 8, 0, DGM_GGUF_F32, 0);
    forge_data(&f, 32);
    CHECK_STR(refusal(&f), "");

    forge_begin(&f, 2, 0);
    forge_tensor(&f, "t", 1, 8, 0, DGM_GGUF_F32, 0);
    forge_tensor(&f, "t", 1, 8, 0, DGM_GGUF_F32, 32);
    forge_data(&f, 64);
    CHECK(says(&f, "tensor 't' occurs twice"));

    forge_begin(&f, 0, 2);
    for (i = 0; i < 2; i++) {
        forge_text(&f, "k");
        forge_u32(&f, DGM_GGUF_VALUE_U8);
        f.bytes[f.size++] = 1;
    }
    forge_data(&f, 0);
    CHECK(says(&f, "key 'k' occurs twice"));
}

TEST(gguf_refuses_shapes_that_overflow_or_are_empty)
{
    struct forge f;

    CHECK_STR(forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 0), "");
    CHECK(strstr(forged_tensor(&f, 0, 8, 0, DGM_GGUF_F32, 0), "0 dimensions"));
    CHECK(strstr(forged_tensor(&f, 5, 8, 0, DGM_GGUF_F32, 0), "5 dimensions"));
    CHECK(strstr(forged_tensor(&f, UINT32_MAX, 8, 0, DGM_GGUF_F32, 0), "4294967295 dimensions"));
    CHECK(strstr(forged_tensor(&f, 1, 0, 0, DGM_GGUF_F32, 0), "dimension of zero"));
    CHECK(strstr(forged_tensor(&f, 2, 8, 0, DGM_GGUF_F32, 0), "dimension of zero"));
    CHECK(strstr(forged_tensor(&f, 1, UINT64_MAX, 0, DGM_GGUF_F32, 0), "too large"));
    CHECK(*forged_tensor(&f, 2, (uint64_t)1 << 32, (uint64_t)1 << 32, DGM_GGUF_F32, 0));
    CHECK(strstr(test_env()->error.message, sizeof(size_t) > 4 ? "overflow" : "too large"));
    CHECK(*forged_tensor(&f, 2, (uint64_t)1 << 31, (uint64_t)1 << 31, DGM_GGUF_F32, 0));
    CHECK(*forged_tensor(&f, 1, (uint64_t)1 << 62, 0, DGM_GGUF_F32, 0));
    CHECK(*forged_tensor(&f, 1, INT64_MAX, 0, DGM_GGUF_I8, 0));
    CHECK(*forged_tensor(&f, 2, 3, UINT64_C(0xAAAAAAAAAAAAAAAB), DGM_GGUF_I8, 0)); /* wraps to 1 */
    CHECK(strstr(forged_tensor(&f, 1, 9, 0, DGM_GGUF_F32, 0), "36 bytes, but only 32 are left"));
    CHECK(strstr(forged_tensor(&f, 1, 8, 0, 2, 0), "has type 2; supported are"));
    CHECK(strstr(forged_tensor(&f, 1, 8, 0, UINT32_MAX, 0), "has type 4294967295"));
    CHECK(strstr(forged_tensor(&f, 2, 8, 4, DGM_GGUF_Q8_0, 0), "no multiple of the 32"));
}

TEST(gguf_refuses_holes_overlaps_padding_and_trailing_bytes)
{
    struct forge f;

    CHECK(strstr(forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 4), "no multiple of the alignment 32"));
    CHECK(strstr(forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 32), "leaves a hole; expected 0"));
    CHECK(strstr(forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, UINT64_MAX - 7), "no multiple"));
    CHECK(strstr(forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, UINT64_MAX - 31), "leaves a hole"));

    forge_begin(&f, 2, 0);
    forge_tensor(&f, "a", 1, 9, 0, DGM_GGUF_F32, 0);
    forge_tensor(&f, "b", 1, 8, 0, DGM_GGUF_F32, 32);
    forge_data(&f, 96);
    CHECK(says(&f, "tensor 'b': offset 32 overlaps what comes before; expected 64"));

    forged_tensor(&f, 1, 5, 0, DGM_GGUF_F32, 0);
    f.bytes[f.size - 1] = 1;
    CHECK(says(&f, "a byte of padding is 1"));
    forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 0);
    f.bytes[f.size - 33] = 7; /* between header and data */
    CHECK(says(&f, "a byte of padding is 7"));
    forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 0);
    f.size += 5;
    CHECK(says(&f, "5 bytes follow the last tensor"));
}

TEST(gguf_refuses_alignments_that_are_no_power_of_two)
{
    static const uint32_t bad[] = { 0, 3, 4, 31, 33, 131072, (uint32_t)1 << 31, UINT32_MAX };
    struct forge f;
    size_t i;

    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        forge_begin(&f, 0, 1);
        forge_text(&f, "general.alignment");
        forge_u32(&f, DGM_GGUF_VALUE_U32);
        forge_u32(&f, bad[i]);
        forge_data(&f, 0);
        CHECK(says(&f, "expected a power of two"));
    }
    forge_begin(&f, 0, 1);
    forge_text(&f, "general.alignment");
    forge_u32(&f, DGM_GGUF_VALUE_U64);
    forge_u64(&f, 32);
    forge_data(&f, 0);
    CHECK(says(&f, "not of type u32"));
    forge_begin(&f, 0, 1);
    forge_text(&f, "general.alignment");
    forge_u32(&f, DGM_GGUF_VALUE_U32);
    forge_u32(&f, 64);
    f.size = 64;
    CHECK_STR(refusal(&f), "");
}

TEST(gguf_load_refuses_what_is_no_regular_file)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf file;
    char path[1200];
    int fd;

    CHECK_STATUS(dgm_gguf_load(env, &file, test_dir()), DGM_MODEL);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_gguf_load(env, &file, "/dev/zero"), DGM_MODEL);
    CHECK_STR(env->error.message, "not a regular file");
    dgm_env_clear_error(env);
    snprintf(path, sizeof path, "%s/fifo", test_dir());
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_MODEL);
    dgm_env_clear_error(env);
    snprintf(path, sizeof path, "%s/absent", test_dir());
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_MODEL);
    dgm_env_clear_error(env);
    snprintf(path, sizeof path, "%s/sparse", test_dir());
    fd = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0);
    CHECK_INT(ftruncate(fd, (off_t)1 << 30), 0);
    close(fd);
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_MODEL);
    CHECK(strstr(env->error.message, "not a GGUF file"));
    CHECK_INT(env->error.offset, 0);
    CHECK_INT(test_live_blocks(), 0);
}

static long long bytes_read;

static long counted_pread(void *user, int fd, void *data, size_t count, long long offset)
{
    long got = dgm_vfs_system.pread(user, fd, data, count, offset);

    bytes_read += got;
    return got;
}

/* Five gigabytes whose head is that of a small file, or of a longer one: only the head is read. */
TEST(gguf_load_refuses_a_file_by_its_head)
{
    static const size_t sizes[] = { 1000, 3000000 };
    struct dgm_vfs vfs = dgm_vfs_system;
    struct dgm_env *env = test_env();
    struct dgm_gguf file;
    struct dgm_buf text = { 0 };
    char path[1200];
    int i, is;

    if (sizeof(size_t) < 8)
        TEST_SKIP("no file of five gigabytes fits here: it is refused for its size");
    vfs.pread = counted_pread;
    snprintf(path, sizeof path, "%s/sparse", test_dir());
    for (i = 0; i < 2; i++) {
        struct dgm_gguf_writer writer;
        memset(&writer, 0, sizeof writer);
        dgm_buf_reset(&text);
        while (text.size < sizes[i])
            CHECK_STATUS(dgm_buf_add_text(env, &text, "a text of some length "), DGM_OK);
        CHECK_STATUS(dgm_gguf_add_text(env, &writer, "general.architecture", "x", 1), DGM_OK);
        CHECK_STATUS(dgm_gguf_add_text(env, &writer, "text", text.data, text.size), DGM_OK);
        CHECK_STATUS(dgm_gguf_write(env, &writer, path), DGM_OK);
        dgm_gguf_writer_clear(env, &writer);
        if (truncate(path, (off_t)((long long)5 << 30)) != 0)
            TEST_SKIP("no file of five gigabytes here");
        env->vfs = &vfs;
        bytes_read = 0;
        CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_MODEL);
        CHECK(strstr(env->error.message, "bytes follow the last tensor") != NULL);
        dgm_env_clear_error(env);
        CHECK(bytes_read < (8 << 20));
        CHECK_STATUS(dgm_gguf_is(env, path, "x", &is), DGM_OK);
        CHECK_INT(is, 0);
        env->vfs = &dgm_vfs_system;
    }
    dgm_buf_clear(env, &text);
}

/* A head longer than the first piece is read on. */
TEST(gguf_loads_long_heads)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer;
    struct dgm_buf text = { 0 };
    struct dgm_gguf file;
    char path[1200];
    int is;

    memset(&writer, 0, sizeof writer);
    snprintf(path, sizeof path, "%s/long", test_dir());
    while (text.size < 5000000)
        CHECK_STATUS(dgm_buf_add_text(env, &text, "a text of some length "), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_text(env, &writer, "text", text.data, text.size), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_text(env, &writer, "general.architecture", "x", 1), DGM_OK);
    CHECK_STATUS(dgm_gguf_write(env, &writer, path), DGM_OK);
    dgm_gguf_writer_clear(env, &writer);
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, NULL), DGM_OK);
    CHECK_INT(dgm_gguf_find_key(&file, "text")->bytes, text.size + 8);
    dgm_gguf_clear(env, &file);
    CHECK_STATUS(dgm_gguf_is(env, path, "x", &is), DGM_OK);
    CHECK_INT(is, 1);
    CHECK_STATUS(dgm_gguf_is(env, path, "y", &is), DGM_OK);
    CHECK_INT(is, 0);
    CHECK_INT(truncate(path, 3000000), 0);
    CHECK_STATUS(dgm_gguf_load(env, &file, path), DGM_MODEL);
    CHECK(strstr(env->error.message, "truncated") != NULL);
    dgm_env_clear_error(env);
    dgm_buf_clear(env, &text);
}

/* ---- the writer's rules, and memory ------------------------------------------------ */

static dgm_status refused(dgm_status status)
{
    dgm_env_clear_error(test_env());
    return status;
}

TEST(gguf_writer_refuses_what_the_reader_would)
{
    static const size_t odd[] = { 2, 33 }, none[] = { 4, 0 };
    static const size_t huge[] = { SIZE_MAX / 2, SIZE_MAX / 2 };
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer w = { 0 };
    struct dgm_buf out = { 0 };
    char name[65];

    memset(name, 'x', 64);
    name[64] = '\0';
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, name, DGM_GGUF_F32, 1, vector_of_5, numbers)),
                 DGM_MODEL);
    CHECK_STATUS(dgm_gguf_add_reals(env, &w, name + 1, DGM_GGUF_F32, 1, vector_of_5, numbers),
                 DGM_OK);
    w.name_limit = 127;
    CHECK_STATUS(dgm_gguf_add_reals(env, &w, name, DGM_GGUF_F32, 1, vector_of_5, numbers), DGM_OK);
    CHECK_STATUS(refused(dgm_gguf_add_raw(env, &w, name, DGM_GGUF_I32, 1, vector_of_3, whole)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "q", DGM_GGUF_Q8_0, 2, odd, numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "z", DGM_GGUF_F32, 2, none, numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "h", DGM_GGUF_F32, 2, huge, numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "i", DGM_GGUF_I32, 1, vector_of_5, numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "r", DGM_GGUF_F32, 5, box_2x1x2x2, numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_u64(env, &w, "general.alignment", 64)), DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_u64(env, &w, "with blank", 64)), DGM_MODEL);
    CHECK_STATUS(dgm_gguf_begin_strings(env, &w, "words", 2), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_item(env, &w, "one", 3), DGM_OK);
    CHECK_STATUS(refused(dgm_gguf_add_u64(env, &w, "early", 1)), DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_write_memory(env, &w, &out)), DGM_MODEL);
    CHECK_STATUS(dgm_gguf_add_item(env, &w, "two", 3), DGM_OK);
    CHECK_STATUS(refused(dgm_gguf_add_item(env, &w, "three", 5)), DGM_MODEL);
    CHECK_STATUS(dgm_gguf_write_memory(env, &w, &out), DGM_OK);
    CHECK_STATUS(try_bytes(out.data, out.size), DGM_OK);
    CHECK_STATUS(refused(dgm_gguf_add_u64(env, &w, "words", 1)), DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_text(env, &w, "bad", "\xFF", 1)), DGM_MODEL);
    dgm_gguf_writer_clear(env, &w);
    dgm_buf_clear(env, &out);
}

TEST(gguf_survives_the_failure_of_any_allocation)
{
    struct dgm_env *env = test_env();
    dgm_status status = DGM_MEMORY;
    long n;

    for (n = 1; status == DGM_MEMORY && n < 10000; n++) {
        struct dgm_buf bytes = { 0 };
        struct dgm_gguf file = { 0 };
        dgm_env_clear_error(env);
        test_env_fail_at(test_allocations() + n);
        status = make_full(env, &bytes);
        if (status == DGM_OK)
            status = dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf");
        test_env_fail_at(0);
        dgm_gguf_clear(env, &file);
        dgm_buf_clear(env, &bytes);
        CHECK_INT(test_live_blocks(), 0);
        CHECK(status == DGM_OK || env->error.status == DGM_MEMORY);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(n > 20);
}

TEST(gguf_save_and_load_survive_the_failure_of_any_allocation)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status = DGM_MEMORY;
    char path[1200];
    long n, live;

    snprintf(path, sizeof path, "%s/m.gguf", test_dir());
    CHECK_STATUS(add_tensors(env, &writer), DGM_OK);
    live = test_live_blocks();
    for (n = 1; status == DGM_MEMORY && n < 10000; n++) {
        struct dgm_gguf file = { 0 };
        dgm_env_clear_error(env);
        test_env_fail_at(test_allocations() + n);
        status = dgm_gguf_write(env, &writer, path);
        if (status == DGM_OK)
            status = dgm_gguf_load(env, &file, path);
        test_env_fail_at(0);
        dgm_gguf_clear(env, &file);
        CHECK_INT(test_live_blocks(), live);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(n > 8);
    dgm_gguf_writer_clear(env, &writer);
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
