/* test_seen.c: nothing is forgotten and nothing made up, however many there are. */
#include "text/clean/seen.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

enum { TEXTS = 100000 };

static int add(struct dgm_seen *seen, int number)
{
    uint64_t hash[2];
    char text[16];
    int is_new = -1;

    sprintf(text, "%d", number);
    dgm_seen_hash(hash, 0, text, strlen(text), NULL, 0);
    if (dgm_seen_add(test_env(), seen, hash, &is_new) != DGM_OK)
        return -1;
    return is_new && dgm_seen_has(seen, hash);
}

TEST(seen_tells_new_texts_from_old_ones_in_the_promised_memory)
{
    struct dgm_seen seen;
    size_t bytes = 0;
    int i;

    memset(&seen, 0, sizeof seen);
    for (i = 0; i < TEXTS; i++)
        CHECK_INT(add(&seen, i), 1);
    for (i = 0; i < TEXTS; i++)
        CHECK_INT(add(&seen, i), 0);
    for (i = 0; i < DGM_SEEN_PARTS; i++)
        bytes += 16 * (size_t)seen.parts[i].slot_count;
    CHECK(bytes >= 19 * (size_t)TEXTS && bytes <= 26 * (size_t)TEXTS);
    dgm_seen_clear(test_env(), &seen);
}

TEST(seen_takes_hashes_that_are_alike_and_zero)
{
    struct dgm_seen seen;
    uint64_t hash[2] = { 0, 0 };
    int i, is_new;

    memset(&seen, 0, sizeof seen);
    CHECK_INT(dgm_seen_has(&seen, hash), 0);
    for (i = 0; i < 1000; i++) {
        hash[0] = UINT64_MAX - (uint64_t)i; /* all want the last slot of one part */
        CHECK_STATUS(dgm_seen_add(test_env(), &seen, hash, &is_new), DGM_OK);
        CHECK_INT(is_new, 1);
        CHECK_STATUS(dgm_seen_add(test_env(), &seen, hash, &is_new), DGM_OK);
        CHECK_INT(is_new, 0);
    }
    hash[0] = 0;
    CHECK_STATUS(dgm_seen_add(test_env(), &seen, hash, &is_new), DGM_OK);
    CHECK_INT(is_new, 1);
    CHECK_INT(dgm_seen_has(&seen, hash), 1);
    dgm_seen_clear(test_env(), &seen);
}

TEST(seen_hashes_a_pair_by_both_sides_and_their_border)
{
    uint64_t a[2], b[2];

    dgm_seen_hash(a, 0, "a", 1, "bc", 2);
    dgm_seen_hash(b, 0, "ab", 2, "c", 1);
    CHECK(a[0] != b[0] || a[1] != b[1]);
    dgm_seen_hash(b, 1, "a", 1, "bc", 2);
    CHECK(a[0] != b[0] || a[1] != b[1]);
    dgm_seen_hash(a, 0, "a", 1, "", 0);
    dgm_seen_hash(b, 0, "a", 1, NULL, 0);
    CHECK(a[0] != b[0] || a[1] != b[1]);
}

TEST(seen_fails_without_memory_and_stays_whole)
{
    struct dgm_seen seen;
    uint64_t hash[2] = { 7, 7 };
    int is_new;

    memset(&seen, 0, sizeof seen);
    test_env_fail_at(1);
    CHECK_STATUS(dgm_seen_add(test_env(), &seen, hash, &is_new), DGM_MEMORY);
    test_env_fail_at(0);
    dgm_env_clear_error(test_env());
    CHECK_INT(dgm_seen_has(&seen, hash), 0);
    CHECK_STATUS(dgm_seen_add(test_env(), &seen, hash, &is_new), DGM_OK);
    CHECK_INT(is_new, 1);
    dgm_seen_clear(test_env(), &seen);
}
