/* test_numpy_random.c: what numpy.random.default_rng(seed).choice(bound, size=8) gave, NumPy 2. */
#include "text/score/numpy_random.h"

#include "test.h"

TEST(numpy_random_draws_what_numpy_draws)
{
    static const struct {
        uint64_t seed;
        uint32_t bound, drawn[8];
    } known[] = {
        { 12345, 7, { 4, 1, 5, 2, 1, 5, 4, 4 } },
        { 0, 1000, { 850, 636, 511, 269, 307, 40, 75, 16 } },
        { 12345, 3004, { 2100, 682, 2369, 951, 613, 2395, 1930, 2031 } },
        { UINT64_C(4294967301),
          2147495993u,
          { 284123849, 1671243848, 1010875075, 1494400250, 1751152191, 1224566516, 1110891565,
            1269740664 } },
        { 7, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
    };
    struct dgm_numpy_random random;
    size_t i, j;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        dgm_numpy_random_init(&random, known[i].seed);
        for (j = 0; j < 8; j++)
            CHECK_INT(dgm_numpy_random_below(&random, known[i].bound), known[i].drawn[j]);
    }
}

/* numpy.random.default_rng(12345).integers(2, size=40, dtype=bool), a digit each. */
TEST(numpy_random_tosses_coins_as_numpy_does)
{
    static const char known[] = "1011100110000011111111110100110110110001";
    struct dgm_numpy_random random;
    uint32_t bits = 0;

    dgm_numpy_random_init(&random, 12345);
    for (int i = 0; i < 40; i++) {
        bits = i % 32 == 0 ? dgm_numpy_random_bits(&random) : bits >> 1;
        CHECK_INT((int)(bits & 1), known[i] - '0');
    }
}
