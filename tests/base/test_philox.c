/* test_philox.c: the generator's known answers, and its draws. */
#include <math.h>
#include <string.h>

#include "base/number/own_math.h"
#include "base/philox.h"
#include "test.h"

/* From the file kat_vectors of the paper's own distribution. */
TEST(philox_gives_the_published_answers)
{
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    size_t i;
    for (i = 0; i < 3; i++) {
        uint32_t out[4];
        dgm_philox(out, known[i].counter, known[i].key);
        CHECK_MEM(out, known[i].answer, sizeof out);
    }
}

TEST(random_streams_differ_and_repeat)
{
    struct dgm_random a, b, c;
    uint32_t first, other = 0;
    int i, same = 0;
    dgm_random_init(&a, 1234, 1, 2, 3);
    dgm_random_init(&b, 1234, 1, 2, 3);
    dgm_random_init(&c, 1234, 1, 2, 4);
    for (i = 0; i < 1000; i++) {
        first = dgm_random_word(&a);
        CHECK_INT(dgm_random_word(&b), first);
        other = dgm_random_word(&c);
        same += first == other;
    }
    CHECK(same < 3);
}

TEST(random_below_is_even_over_its_range)
{
    struct dgm_random random;
    int counts[6] = { 0, 0, 0, 0, 0, 0 };
    int i;
    dgm_random_init(&random, 7, 0, 0, 0);
    for (i = 0; i < 60000; i++) {
        uint32_t value = dgm_random_below(&random, 6);
        CHECK(value < 6);
        counts[value]++;
    }
    for (i = 0; i < 6; i++) /* standard deviation 91 */
        CHECK_NEAR(counts[i], 10000, 400);
    CHECK_INT(dgm_random_below(&random, 1), 0);
    for (i = 0; i < 100; i++)
        CHECK(dgm_random_below(&random, 0x80000001u) <= 0x80000000u);
}

TEST(random_unit_and_normal_have_their_moments)
{
    struct dgm_random random;
    double sum = 0, square = 0, fourth = 0, units = 0;
    int i;
    dgm_random_init(&random, 99, 0, 0, 0);
    for (i = 0; i < 100000; i++) {
        double unit = dgm_random_unit(&random), normal = dgm_random_normal(&random);
        CHECK(unit >= 0.0 && unit < 1.0);
        units += unit;
        sum += normal;
        square += normal * normal;
        fourth += normal * normal * normal * normal;
    }
    CHECK_NEAR(units / 1e5, 0.5, 0.004);
    CHECK_NEAR(sum / 1e5, 0.0, 0.013);
    CHECK_NEAR(square / 1e5, 1.0, 0.02);
    CHECK_NEAR(fourth / 1e5, 3.0, 0.13);
}

TEST(random_shuffle_is_a_permutation)
{
    struct dgm_random random;
    uint32_t items[257];
    int seen[257], moved = 0;
    uint32_t i;
    memset(seen, 0, sizeof seen);
    for (i = 0; i < 257; i++)
        items[i] = i;
    dgm_random_init(&random, 5, 0, 0, 0);
    dgm_random_shuffle(&random, items, 257);
    for (i = 0; i < 257; i++) {
        CHECK(items[i] < 257);
        seen[items[i]]++;
        moved += items[i] != i;
    }
    for (i = 0; i < 257; i++)
        CHECK_INT(seen[i], 1);
    CHECK(moved > 240);
    dgm_random_shuffle(&random, items, 0);
}

/* The expected values are the exact ones, rounded. */
TEST(own_math_agrees_with_exact_values)
{
    static const double cosines[][2] = { { 0.0, 1.0 },
                                         { 0.25, 0.0 },
                                         { 0.5, -1.0 },
                                         { 0.125, 0.70710678118654752440 },
                                         { 0.375, -0.70710678118654752440 },
                                         { 0.75, 0.0 },
                                         { 0.0625, 0.92387953251128675613 },
                                         { 0.9375, 0.92387953251128675613 } };
    size_t i;
    CHECK(dgm_own_log(1.0) == 0.0);
    CHECK_NEAR(dgm_own_log(2.0), 0.69314718055994530942, 1.2e-16);
    CHECK_NEAR(dgm_own_log(10.0), 2.30258509299404568402, 4.5e-16);
    CHECK_NEAR(dgm_own_log(0x1p-53), -36.7368005696771013991, 7.2e-15);
    CHECK_NEAR(dgm_own_log(0x1p-1074), -744.440071921381262314, 1.2e-13);
    for (i = 0; i < sizeof cosines / sizeof *cosines; i++)
        CHECK_NEAR(dgm_own_cos_turn(cosines[i][0]), cosines[i][1], 2.3e-16);
}
