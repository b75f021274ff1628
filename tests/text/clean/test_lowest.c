/* test_lowest.c: the bound that a sorted stream would give, whatever comes in which order. */
#include "text/clean/lowest.h"

#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "test.h"

enum { NUMBERS = 1000 };

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Numbers below `range`, so that a small one makes many equal. */
static void fill(uint64_t numbers[NUMBERS], uint64_t range)
{
    struct dgm_random random;
    int i;

    dgm_random_init(&random, 7, 0, 0, 0);
    for (i = 0; i < NUMBERS; i++) {
        numbers[i] = (uint64_t)dgm_random_word(&random) << 32;
        numbers[i] = (numbers[i] | dgm_random_word(&random)) % range;
    }
}

static uint64_t bound_of(const uint64_t *numbers, size_t count, size_t wanted)
{
    struct dgm_lowest lowest;
    uint64_t bound;
    size_t i;

    memset(&lowest, 0, sizeof lowest);
    lowest.wanted = wanted;
    for (i = 0; i < count; i++)
        if (dgm_lowest_add(test_env(), &lowest, numbers[i]) != DGM_OK)
            return 0;
    bound = lowest.count <= wanted + 1 ? dgm_lowest_bound(&lowest) : 0;
    dgm_lowest_clear(test_env(), &lowest);
    return bound;
}

TEST(lowest_finds_the_bound_that_sorting_finds)
{
    static const size_t wanted[] = { 1, 2, 10, 500, NUMBERS - 1 };
    uint64_t numbers[NUMBERS], sorted[NUMBERS];
    size_t i;

    for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        fill(numbers, i % 2 == 0 ? UINT64_MAX : 50);
        memcpy(sorted, numbers, sizeof sorted);
        qsort(sorted, NUMBERS, sizeof *sorted, compare);
        CHECK(bound_of(numbers, NUMBERS, wanted[i]) == sorted[wanted[i]]);
        CHECK(bound_of(sorted, NUMBERS, wanted[i]) == sorted[wanted[i]]);
    }
}

TEST(lowest_has_no_bound_while_no_more_came_than_are_wanted)
{
    uint64_t numbers[NUMBERS];

    fill(numbers, UINT64_MAX);
    CHECK(bound_of(numbers, 0, 5) == UINT64_MAX);
    CHECK(bound_of(numbers, 5, 5) == UINT64_MAX);
    CHECK(bound_of(numbers, 6, 5) != UINT64_MAX);
}
