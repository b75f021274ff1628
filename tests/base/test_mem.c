/* test_mem.c: sizes that do not wrap, growing arrays, arenas. */
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

TEST(mem_sizes_fail_instead_of_wrapping)
{
    size_t out = 7;
    CHECK(dgm_size_mul(&out, 6, 7) && out == 42);
    CHECK(dgm_size_mul(&out, 0, SIZE_MAX) && out == 0);
    CHECK(dgm_size_mul(&out, 1, SIZE_MAX) && out == SIZE_MAX);
    CHECK(!dgm_size_mul(&out, SIZE_MAX / 2 + 1, 2) && out == SIZE_MAX);
    CHECK(dgm_size_add(&out, SIZE_MAX - 1, 1) && out == SIZE_MAX);
    CHECK(!dgm_size_add(&out, SIZE_MAX, 1) && out == SIZE_MAX);
    CHECK(dgm_size_pad(&out, 65, 64) && out == 128);
    CHECK(dgm_size_pad(&out, 64, 64) && out == 64);
    CHECK(!dgm_size_pad(&out, SIZE_MAX - 2, 64) && out == 64);
}

TEST(mem_alloc_is_zeroed_and_refuses_the_impossible)
{
    struct dgm_env *env = test_env();
    unsigned char *block = dgm_alloc(env, 3, 5), *empty;
    int i;
    CHECK(block != NULL);
    for (i = 0; i < 15; i++)
        CHECK_INT(block[i], 0);
    dgm_release(env, block);
    empty = dgm_alloc(env, 0, 8);
    CHECK(empty != NULL);
    dgm_release(env, empty);
    dgm_release(env, NULL);
    CHECK(dgm_alloc(env, SIZE_MAX, 2) == NULL);
    CHECK_INT(env->error.status, DGM_MEMORY);
    dgm_env_clear_error(env);
}

TEST(mem_a_failed_resize_leaves_the_block)
{
    struct dgm_env *env = test_env();
    char *text = dgm_copy_text(env, "kept", 4);
    CHECK(text != NULL);
    test_env_fail_at(test_allocations() + 1);
    CHECK(dgm_resize(env, text, 100, 1) == NULL);
    CHECK_INT(env->error.status, DGM_MEMORY);
    CHECK_STR(text, "kept");
    dgm_env_clear_error(env);
    test_env_fail_at(0);
    dgm_release(env, text);
}

TEST(mem_grow_doubles_an_array_of_any_type)
{
    struct dgm_env *env = test_env();
    int *items = NULL;
    size_t capacity = 0;
    int i;
    for (i = 0; i < 100; i++) {
        CHECK_STATUS(dgm_grow(env, &items, &capacity, (size_t)i, sizeof *items), DGM_OK);
        items[i] = i;
    }
    CHECK_INT(capacity, 128);
    CHECK_INT(items[99], 99);
    dgm_release(env, items);
}

TEST(mem_arena_blocks_are_aligned_zeroed_and_apart)
{
    struct dgm_env *env = test_env();
    struct dgm_arena arena = { NULL, NULL, 0 };
    unsigned char *last = NULL;
    size_t i;
    for (i = 0; i < 2000; i++) {
        size_t bytes = i % 7 == 0 ? 70000 : 1 + i % 300;
        unsigned char *block = dgm_arena_alloc(env, &arena, bytes, 1);
        CHECK(block != NULL);
        CHECK_INT((uintptr_t)block % 64, 0);
        CHECK(block[0] == 0 && block[bytes - 1] == 0);
        memset(block, 0xA5, bytes);
        CHECK(last == NULL || *last == 0xA5);
        last = block + bytes - 1;
    }
    dgm_arena_clear(env, &arena);
    CHECK(arena.first == NULL);
}

TEST(mem_a_warm_arena_allocates_nothing)
{
    struct dgm_env *env = test_env();
    struct dgm_arena arena = { NULL, NULL, 0 };
    long before = 0;
    int round, i;
    for (round = 0; round < 4; round++) {
        for (i = 0; i < 50; i++)
            CHECK(dgm_arena_alloc(env, &arena, 10000, 4) != NULL);
        if (round > 0)
            CHECK_INT(test_allocations(), before);
        before = test_allocations();
        dgm_arena_reset(&arena);
    }
    dgm_arena_clear(env, &arena);
}
