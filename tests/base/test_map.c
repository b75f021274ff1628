/* test_map.c: the byte-string map. */
#include <string.h>

#include "base/map.h"
#include "test.h"

static size_t write_key(char *out, int i)
{
    size_t length = 0;
    do {
        out[length++] = (char)('0' + i % 10);
        i /= 10;
    } while (i > 0);
    return length;
}

TEST(map_numbers_its_keys_in_order_of_insertion)
{
    struct dgm_env *env = test_env();
    struct dgm_map map;
    struct dgm_map_entry *entry;
    char key[16];
    int i, is_new;
    memset(&map, 0, sizeof map);
    CHECK(dgm_map_find(&map, "x", 1) == NULL);
    for (i = 0; i < 20000; i++) {
        size_t length = write_key(key, i);
        CHECK_STATUS(dgm_map_insert(env, &map, key, length, &entry, &is_new), DGM_OK);
        CHECK_INT(is_new, 1);
        CHECK_INT(entry->value, 0);
        entry->value = i;
    }
    for (i = 0; i < 20000; i++) {
        size_t length = write_key(key, i);
        entry = dgm_map_find(&map, key, length);
        CHECK(entry == &map.entries[i]);
        CHECK_INT(entry->value, i);
        CHECK_INT(strlen(dgm_map_key(&map, entry)), length);
        CHECK_MEM(dgm_map_key(&map, entry), key, length);
    }
    CHECK_STATUS(dgm_map_insert(env, &map, "7", 1, &entry, &is_new), DGM_OK);
    CHECK_INT(is_new, 0);
    CHECK_INT(entry->value, 7);
    CHECK_INT(map.count, 20000);
    dgm_map_clear(env, &map);
}

TEST(map_keys_are_bytes_of_any_kind)
{
    struct dgm_env *env = test_env();
    struct dgm_map map;
    memset(&map, 0, sizeof map);
    CHECK_STATUS(dgm_map_insert(env, &map, "", 0, NULL, NULL), DGM_OK);
    CHECK_STATUS(dgm_map_insert(env, &map, "\0", 1, NULL, NULL), DGM_OK);
    CHECK_STATUS(dgm_map_insert(env, &map, "a\0b", 3, NULL, NULL), DGM_OK);
    CHECK_STATUS(dgm_map_insert(env, &map, "a", 1, NULL, NULL), DGM_OK);
    CHECK_INT(map.count, 4);
    CHECK(dgm_map_find(&map, "", 0) == &map.entries[0]);
    CHECK(dgm_map_find(&map, "a\0b", 3) == &map.entries[2]);
    CHECK(dgm_map_find(&map, "a\0c", 3) == NULL);
    CHECK(dgm_map_find(&map, "\0\0", 2) == NULL);
    dgm_map_clear(env, &map);
}

TEST(map_a_failed_insertion_changes_nothing)
{
    struct dgm_env *env = test_env();
    struct dgm_map map;
    char key[16];
    int i, refused = 0;
    long n;
    memset(&map, 0, sizeof map);
    for (i = 0; i < 500; i++) {
        size_t length = write_key(key, i);
        /* Allocation 1, 2, 3 of this insertion fails, until none is left. */
        for (n = 1; dgm_map_find(&map, key, length) == NULL; n++) {
            dgm_status status;
            test_env_fail_at(test_allocations() + n);
            status = dgm_map_insert(env, &map, key, length, NULL, NULL);
            test_env_fail_at(0);
            dgm_env_clear_error(env);
            refused += status == DGM_MEMORY;
            CHECK_INT(map.count, status == DGM_OK ? i + 1 : i);
        }
    }
    CHECK(refused > 15);
    dgm_map_clear(env, &map);
}
