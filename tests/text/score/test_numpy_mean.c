/* test_numpy_mean.c: means to the last bit, as NumPy 2 and Python's statistics gave them. */
#include "text/score/numpy_mean.h"

#include "test.h"

TEST(numpy_mean_is_that_of_numpy_to_the_bit)
{
    static const struct {
        size_t count;
        double single, real, exact_single, exact;
    } known[] = {
        { 5, 0x1.924924p+0, 0x1.924924924924ap+0, 0x1.924924p+0, 0x1.9249249249249p+0 },
        { 9, 0x1.218618p+2, 0x1.2186186186186p+2, 0x1.218618p+2, 0x1.2186186186186p+2 },
        { 100, 0x1.aaf8aep+2, 0x1.aaf8af8af8af8p+2, 0x1.aaf8bp+2, 0x1.aaf8af8af8af9p+2 },
        { 129, 0x1.b0b0e8p+2, 0x1.b0b0e755e67c2p+2, 0x1.b0b0e8p+2, 0x1.b0b0e755e67c3p+2 },
        { 1000, 0x1.b5a42p+2, 0x1.b5a421f0337e1p+2, 0x1.b5a422p+2, 0x1.b5a421f0337e2p+2 },
    };
    double real[1000], single[1000];

    for (size_t i = 0; i < 1000; i++) {
        real[i] = (double)((i + 1) * (i + 1) % 97) / 7.0;
        single[i] = dgm_single(real[i], 1);
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK_NEAR(dgm_numpy_mean(single, known[i].count, 1), known[i].single, 0);
        CHECK_NEAR(dgm_numpy_mean(real, known[i].count, 0), known[i].real, 0);
        CHECK_NEAR(dgm_exact_mean(single, known[i].count, 1), known[i].exact_single, 0);
        CHECK_NEAR(dgm_exact_mean(real, known[i].count, 0), known[i].exact, 0);
    }
}
