/*
 * test_gguf_damage.c: every damaged byte of a file is found, and so is one that is missing.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/vfs.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "gguf_forge.h"
#include "gguf_lab.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

TEST(gguf_truncated_at_any_byte_is_refused)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    size_t count;

    CHECK_STATUS(gguf_lab_full(env, &bytes), DGM_OK);
    for (count = 0; count < bytes.size; count++) {
        /* In a block of its own size, so that a read past the end is noticed. */
        char *part;
        dgm_env_clear_error(env);
        part = dgm_alloc(env, count, 1);
        CHECK(part != NULL);
        memcpy(part, bytes.data, count);
        CHECK_STATUS(gguf_lab_try(part, count), DGM_MODEL);
        CHECK_STR(env->error.file, "m.gguf");
        CHECK(env->error.offset >= 0 && env->error.offset <= (long long)count);
        dgm_release(env, part);
    }
    dgm_buf_clear(env, &bytes);
}

TEST(gguf_finds_every_flipped_bit_that_counts)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf whole;
    size_t bit, passed = 0;

    CHECK_STATUS(gguf_lab_ours(env, &bytes), DGM_OK);
    CHECK_STATUS(gguf_lab_try(bytes.data, bytes.size), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &whole, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    for (bit = 0; bit < 8 * bytes.size; bit++) {
        bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
        if (gguf_lab_try(bytes.data, bytes.size) == DGM_OK) {
            CHECK(gguf_lab_is_foreign(&whole, bit / 8));
            passed++;
        }
        bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
    }
    CHECK(passed > 64); /* those of the sum of all bytes, and more */
    dgm_gguf_clear(env, &whole);
    dgm_buf_clear(env, &bytes);
}

static void forge_bytes(struct forge *f, const void *bytes, size_t count)
{
    memcpy(f->bytes + f->size, bytes, count);
    f->size += count;
}

static void forge_key(struct forge *f, const struct dgm_gguf *file, const struct dgm_gguf_key *key)
{
    forge_text(f, key->name);
    forge_bytes(f, file->bytes + key->at - 4, key->bytes + 4); /* the type stands in front */
}

/* The file again: one key more, its keys backwards, without the first `lost` of them. */
static void rewrite(struct forge *f, const struct dgm_gguf *file, size_t lost)
{
    const struct dgm_gguf_key *last = &file->keys[file->key_count - 1];

    forge_begin(f, file->tensor_count, file->key_count + 1 - lost);
    forge_text(f, "general.name");
    forge_u32(f, DGM_GGUF_VALUE_STRING);
    forge_text(f, "hello");
    for (size_t i = file->key_count; i-- > lost;)
        forge_key(f, file, &file->keys[i]);
    forge_bytes(f, file->bytes + last->at + last->bytes, file->head - last->at - last->bytes);
    forge_data(f, 0);
    forge_bytes(f, file->bytes + file->data, file->size - file->data);
}

/* As programs do that write metadata: the keys in another order and one more, so that all else lies
 * elsewhere. */
TEST(gguf_changed_by_another_program_is_the_same_model)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    struct forge f;

    CHECK_STATUS(gguf_lab_ours(env, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    CHECK_STR(file.keys[0].name, DGM_GGUF_KEY_META);
    CHECK_STR(file.keys[1].name, DGM_GGUF_KEY_CONTENTS);
    rewrite(&f, &file, 0);
    CHECK_STR(forge_refusal(&f), "");
    f.bytes[(size_t)file.tensors[0].at + f.size - file.size] ^= 1;
    CHECK(forge_says(&f, "tensor 'f32': checksum mismatch (file damaged)"));
    rewrite(&f, &file, 1);
    CHECK(forge_says(&f, "one of dragoman.meta.checksum and dragoman.tensor.checksums is missing"));
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
}

/* What another program changes is not Dragoman's: a value of it, a description of a tensor. */
TEST(gguf_changed_in_what_counts_is_damaged)
{
    struct dgm_env *env = test_env();
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    struct forge f;

    CHECK_STATUS(gguf_lab_ours(env, &bytes), DGM_OK);
    CHECK_STATUS(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "m.gguf"), DGM_OK);
    for (size_t i = 1; i < file.key_count; i++) {
        rewrite(&f, &file, 0);
        CHECK_STR(forge_refusal(&f), "");
        if (strncmp(file.keys[i].name, "dragoman.", 9) != 0 || file.keys[i].bytes == 12)
            continue; /* another's, or an array of nothing */
        for (size_t at = 0; at < f.size; at++)
            if (at + 8 < f.size && memcmp(f.bytes + at, file.keys[i].name, 12) == 0 &&
                memcmp(f.bytes + at, file.keys[i].name, strlen(file.keys[i].name)) == 0) {
                f.bytes[at + strlen(file.keys[i].name) + 4 + file.keys[i].bytes - 1] ^= 1;
                break;
            }
        CHECK(forge_says(&f, "checksum mismatch (file damaged)"));
    }
    dgm_gguf_clear(env, &file);
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
            CHECK_STATUS(gguf_lab_try(f.bytes, f.size), DGM_OK);
        else
            CHECK(forge_says(&f, "is no array of 1 values of type u64"));
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

    CHECK_STATUS(gguf_lab_small(env, &bytes, 0), DGM_OK);
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

    CHECK_STATUS(gguf_lab_small(env, &bytes, 0), DGM_OK);
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

    CHECK_STATUS(gguf_lab_small(env, &bytes, 1), DGM_OK);
    for (at = 0; at < bytes.size; at++) {
        char kept = bytes.data[at];
        for (v = 0; v < sizeof values; v++) {
            dgm_status status;
            bytes.data[at] = (char)values[v];
            status = gguf_lab_try(bytes.data, bytes.size);
            CHECK(status == DGM_OK || status == DGM_MODEL);
            passed += status == DGM_OK;
        }
        bytes.data[at] = kept;
    }
    CHECK(passed > 100); /* names and numbers may be anything */
    dgm_buf_clear(env, &bytes);
}
