/*
 * test_gguf_write.c: the writer refuses what the reader would; a failed allocation is told,
 * and leaks nothing.
 */
#include <stdio.h>
#include <string.h>

#include "gguf_lab.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

static dgm_status refused(dgm_status status)
{
    dgm_env_clear_error(test_env());
    return status;
}

TEST(gguf_writer_refuses_what_the_reader_would)
{
    static const size_t odd[] = { 2, 33 }, none[] = { 4, 0 };
    static const size_t huge[] = { SIZE_MAX / 2, SIZE_MAX / 2 };
    static const size_t five[] = { 5 }, three[] = { 3 }, box[] = { 2, 1, 2, 2 };
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer w = { 0 };
    struct dgm_buf out = { 0 };
    char name[65];

    memset(name, 'x', 64);
    name[64] = '\0';
    CHECK_STATUS(refused(
                     dgm_gguf_add_reals(env, &w, name, DGM_GGUF_F32, 1, five, gguf_lab_numbers)),
                 DGM_MODEL);
    CHECK_STATUS(dgm_gguf_add_reals(env, &w, name + 1, DGM_GGUF_F32, 1, five, gguf_lab_numbers),
                 DGM_OK);
    w.name_limit = 127;
    CHECK_STATUS(dgm_gguf_add_reals(env, &w, name, DGM_GGUF_F32, 1, five, gguf_lab_numbers),
                 DGM_OK);
    CHECK_STATUS(refused(dgm_gguf_add_raw(env, &w, name, DGM_GGUF_I32, 1, three, gguf_lab_whole)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "q", DGM_GGUF_Q8_0, 2, odd, gguf_lab_numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "z", DGM_GGUF_F32, 2, none, gguf_lab_numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "h", DGM_GGUF_F32, 2, huge, gguf_lab_numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "i", DGM_GGUF_I32, 1, five, gguf_lab_numbers)),
                 DGM_MODEL);
    CHECK_STATUS(refused(dgm_gguf_add_reals(env, &w, "r", DGM_GGUF_F32, 5, box, gguf_lab_numbers)),
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
    CHECK_STATUS(gguf_lab_try(out.data, out.size), DGM_OK);
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
        status = gguf_lab_full(env, &bytes);
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
    CHECK_STATUS(gguf_lab_tensors(env, &writer), DGM_OK);
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
