/*
 * test_gguf_hostile.c: what is no file of ours is refused with a message, by the limits that
 * gguf_rules.h promises.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/vfs.h"
#include "gguf_forge.h"
#include "gguf_lab.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* One tensor described as told, with enough data for the plainest. */
static const char *forged_tensor(struct forge *f, uint32_t rank, uint64_t d0, uint64_t d1,
                                 uint32_t type, uint64_t offset)
{
    forge_begin(f, 1, 0);
    forge_tensor(f, "t", rank, d0, d1, type, offset);
    forge_data(f, 32);
    return forge_refusal(f);
}

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
        CHECK_STATUS(gguf_lab_try(files[i].bytes, files[i].count), DGM_MODEL);
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
        CHECK(*forge_refusal(&f));
        forge_begin(&f, 0, counts[i]);
        forge_data(&f, 0);
        CHECK(*forge_refusal(&f));
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
        CHECK(*forge_refusal(&f));
        forge_begin(&f, 0, 1);
        forge_text(&f, "k");
        forge_u32(&f, DGM_GGUF_VALUE_STRING);
        forge_u64(&f, sizes[i]);
        forge_data(&f, 32);
        CHECK(*forge_refusal(&f));
        for (type = 0; type <= 13; type++) {
            forge_begin(&f, 0, 1);
            forge_text(&f, "k");
            forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
            forge_u32(&f, type);
            forge_u64(&f, sizes[i]);
            forge_data(&f, 0);
            CHECK(*forge_refusal(&f));
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
    CHECK(forge_says(&f, "unknown type 13"));

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, DGM_GGUF_VALUE_BOOL);
    f.bytes[f.size++] = 2;
    forge_data(&f, 0);
    CHECK(forge_says(&f, "a bool is 0 or 1, not 2"));

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
    forge_u32(&f, DGM_GGUF_VALUE_ARRAY);
    forge_u64(&f, 1);
    forge_data(&f, 32);
    CHECK(forge_says(&f, "array of arrays"));

    forge_begin(&f, 0, 1);
    forge_text(&f, "k");
    forge_u32(&f, DGM_GGUF_VALUE_STRING);
    forge_text(&f, "\xC0\xAF");
    forge_data(&f, 0);
    CHECK(forge_says(&f, "not UTF-8"));
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
        CHECK(forge_says(&f, "printable ASCII"));
    }
    memset(long_name, 'n', sizeof long_name);
    long_name[256] = '\0';
    forge_begin(&f, 1, 0);
    forge_tensor(&f, long_name, 1, 8, 0, DGM_GGUF_F32, 0);
    forge_data(&f, 32);
    CHECK(forge_says(&f, "256 bytes; at most 255"));
    forge_begin(&f, 1, 0);
    forge_tensor(&f, long_name + 1, 1, 8, 0, DGM_GGUF_F32, 0);
    forge_data(&f, 32);
    CHECK_STR(forge_refusal(&f), "");

    forge_begin(&f, 2, 0);
    forge_tensor(&f, "t", 1, 8, 0, DGM_GGUF_F32, 0);
    forge_tensor(&f, "t", 1, 8, 0, DGM_GGUF_F32, 32);
    forge_data(&f, 64);
    CHECK(forge_says(&f, "tensor 't' occurs twice"));

    forge_begin(&f, 0, 2);
    for (i = 0; i < 2; i++) {
        forge_text(&f, "k");
        forge_u32(&f, DGM_GGUF_VALUE_U8);
        f.bytes[f.size++] = 1;
    }
    forge_data(&f, 0);
    CHECK(forge_says(&f, "key 'k' occurs twice"));
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
    CHECK(forge_says(&f, "tensor 'b': offset 32 overlaps what comes before; expected 64"));

    forged_tensor(&f, 1, 5, 0, DGM_GGUF_F32, 0);
    f.bytes[f.size - 1] = 1;
    CHECK(forge_says(&f, "a byte of padding is 1"));
    forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 0);
    f.bytes[f.size - 33] = 7; /* between header and data */
    CHECK(forge_says(&f, "a byte of padding is 7"));
    forged_tensor(&f, 1, 8, 0, DGM_GGUF_F32, 0);
    f.size += 5;
    CHECK(forge_says(&f, "5 bytes follow the last tensor"));
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
        CHECK(forge_says(&f, "expected a power of two"));
    }
    forge_begin(&f, 0, 1);
    forge_text(&f, "general.alignment");
    forge_u32(&f, DGM_GGUF_VALUE_U64);
    forge_u64(&f, 32);
    forge_data(&f, 0);
    CHECK(forge_says(&f, "not of type u32"));
    forge_begin(&f, 0, 1);
    forge_text(&f, "general.alignment");
    forge_u32(&f, DGM_GGUF_VALUE_U32);
    forge_u32(&f, 64);
    f.size = 64;
    CHECK_STR(forge_refusal(&f), "");
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
