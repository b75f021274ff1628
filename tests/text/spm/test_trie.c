/* test_trie.c: double arrays against a plain search of their strings. */
#include <string.h>

#include "base/philox.h"
#include "test.h"
#include "text/spm/trie.h"

enum { KEYS = 3000, MOST = 6 };

/* The longest key that the text begins with, by looking at all. */
static size_t longest(const struct dgm_trie_key *keys, size_t count, const char *text, size_t size)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        if (keys[i].size <= size && keys[i].size > found &&
            memcmp(keys[i].bytes, text, keys[i].size) == 0)
            found = keys[i].size;
    return found;
}

static int32_t value_of(const struct dgm_trie *trie, const struct dgm_trie_key *key)
{
    uint32_t node = 0;

    for (size_t i = 0; i < key->size && node != DGM_TRIE_NONE; i++)
        node = dgm_trie_step(trie, node, key->bytes[i]);
    return node == DGM_TRIE_NONE ? -1 : trie->units[node].value;
}

/* Different strings of 1 to MOST bytes; the first byte of each is any, others are few. */
static size_t make_keys(struct dgm_trie_key *keys, char bytes[KEYS][MOST])
{
    struct dgm_random random;
    size_t count = 0;

    dgm_random_init(&random, 5, 0, 0, 0);
    for (int i = 0; i < KEYS; i++) {
        struct dgm_trie_key key = { bytes[count], 1 + dgm_random_below(&random, MOST), 0 };

        key.value = (int32_t)count;
        bytes[count][0] = (char)dgm_random_below(&random, 256);
        for (int b = 1; b < MOST; b++)
            bytes[count][b] = (char)(dgm_random_below(&random, 3) * 100);
        if (longest(keys, count, key.bytes, key.size) < key.size)
            keys[count++] = key;
    }
    return count;
}

TEST(trie_holds_its_strings_and_no_others)
{
    static struct dgm_trie_key keys[KEYS];
    static char bytes[KEYS][MOST];
    size_t count = make_keys(keys, bytes), i;
    struct dgm_trie trie;

    memset(&trie, 0, sizeof trie);
    CHECK(count > 1000);
    CHECK_STATUS(dgm_trie_build(test_env(), &trie, keys, count), DGM_OK);
    for (i = 0; i < count; i++)
        CHECK_INT(value_of(&trie, &keys[i]), keys[i].value);
    for (i = 0; i < count; i++)
        CHECK_INT(dgm_trie_longest(&trie, bytes[i], MOST), longest(keys, count, bytes[i], MOST));
    CHECK(trie.count < 256 * 40);
    dgm_trie_clear(test_env(), &trie);
}

TEST(trie_of_nothing_finds_nothing)
{
    struct dgm_trie trie;

    memset(&trie, 0, sizeof trie);
    CHECK_STATUS(dgm_trie_build(test_env(), &trie, NULL, 0), DGM_OK);
    CHECK_INT(dgm_trie_longest(&trie, "abc", 3), 0);
    dgm_trie_clear(test_env(), &trie);
}

TEST(trie_refuses_a_string_that_is_there_twice)
{
    struct dgm_trie_key keys[] = { { "ab", 2, 0 }, { "b", 1, 1 }, { "ab", 2, 2 } };
    struct dgm_trie trie;

    memset(&trie, 0, sizeof trie);
    CHECK_STATUS(dgm_trie_build(test_env(), &trie, keys, 3), DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_trie_clear(test_env(), &trie);
}
