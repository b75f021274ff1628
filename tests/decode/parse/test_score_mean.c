/* test_score_mean.c: the mean of what several parsers hold likely, by hand. */
#include "decode/parse/score_mean.h"

#include <math.h>
#include <string.h>

#include "test.h"

/* Probabilities of scores over all classes but one. */
static double share(const dgm_real *scores, int count, int class_number, int left_out)
{
    double sum = 0;

    for (int j = 0; j < count; j++)
        sum += j == left_out ? 0 : exp((double)scores[j]);
    return exp((double)scores[class_number]) / sum;
}

/* 1/2, 1/4, 1/4 and 1/8, 1/8, 3/4 in another order and with another sum. */
TEST(score_mean_averages_probabilities_by_name)
{
    dgm_real a[3] = { (dgm_real)log(2.0), 0, 0 };
    dgm_real b[3] = { (dgm_real)log(60.0), (dgm_real)log(10.0), (dgm_real)log(10.0) };
    const int32_t order[3] = { 1, 2, 0 };
    const struct dgm_score_mean mean = { { a, b }, { NULL, order }, 2 };

    dgm_score_mean_rows(&mean, 1, 3, -1);
    CHECK_NEAR(share(a, 3, 0, -1), (1.0 / 2 + 1.0 / 8) / 2, 1e-6);
    CHECK_NEAR(share(a, 3, 1, -1), (1.0 / 4 + 1.0 / 8) / 2, 1e-6);
    CHECK_NEAR(share(a, 3, 2, -1), (1.0 / 4 + 3.0 / 4) / 2, 1e-6);
    CHECK(a[2] > a[0] && a[0] > a[1]);
}

/* What is left out has no share: the others of each parser sum to 1 without it. */
TEST(score_mean_of_rows_leaves_out_a_class)
{
    dgm_real a[2][3] = { { 50, (dgm_real)log(3.0), 0 }, { 7, 0, (dgm_real)log(4.0) } };
    dgm_real b[2][3] = { { 0, 5, 5 }, { -9, (dgm_real)log(4.0), 0 } };
    const struct dgm_score_mean mean = { { a[0], b[0] }, { NULL, NULL }, 2 };

    dgm_score_mean_rows(&mean, 2, 3, 0);
    CHECK(a[0][0] == 50 && a[1][0] == 7);
    CHECK_NEAR(share(a[0], 3, 1, 0), (3.0 / 4 + 1.0 / 2) / 2, 1e-6);
    CHECK_NEAR(share(a[1], 3, 1, 0), (1.0 / 5 + 4.0 / 5) / 2, 1e-6);
}

/* A single parser cannot forbid what two others want, and what all forbid stays forbidden. */
TEST(score_mean_of_logarithms)
{
    const dgm_real never = -(dgm_real)INFINITY;
    dgm_real a[4] = { never, never, (dgm_real)log(0.5), -1000 };
    dgm_real b[4] = { never, (dgm_real)log(0.6), (dgm_real)log(0.2), -2000 };
    dgm_real c[4] = { never, (dgm_real)log(0.3), (dgm_real)log(0.2), -3000 };
    const struct dgm_score_mean mean = { { a, b, c }, { NULL, NULL, NULL }, 3 };

    dgm_score_mean_logs(&mean, 4);
    CHECK(a[0] == never);
    CHECK_NEAR(exp((double)a[1]), 0.3, 1e-6);
    CHECK_NEAR(exp((double)a[2]), 0.3, 1e-6);
    CHECK_NEAR((double)a[3], -1000 - log(3.0), 1e-3); /* far below what exp can tell from 0 */
}

/* Parsers that agree have the very numbers of one of them, large and tiny ones. */
TEST(score_mean_of_equal_parsers_changes_no_bit)
{
    static const dgm_real scores[8] = { (dgm_real)1.5,  (dgm_real)-70.25, (dgm_real)1e-30, 0,
                                        (dgm_real)3e4f, (dgm_real)-0.1,   (dgm_real)88.7,  1 };

    for (int count = 1; count <= DGM_ENSEMBLE; count++) {
        dgm_real copies[DGM_ENSEMBLE][8];
        struct dgm_score_mean mean;

        memset(&mean, 0, sizeof mean);
        for (mean.count = 0; mean.count < count; mean.count++) {
            memcpy(copies[mean.count], scores, sizeof scores);
            mean.of[mean.count] = copies[mean.count];
        }
        dgm_score_mean_rows(&mean, 2, 4, -1);
        CHECK_MEM(copies[0], scores, sizeof scores);
        dgm_score_mean_logs(&mean, 8);
        CHECK_MEM(copies[0], scores, sizeof scores);
    }
}
