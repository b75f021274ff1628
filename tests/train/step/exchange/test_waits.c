/* test_waits.c: which rank is slow, by the time that others wait for it. */
#include "test.h"
#include "train/step/exchange/waits.h"

/* Rows of two ranks: 10 seconds of updates each, and how long they have waited for each other. */
static int judge(double first_waits, double second_waits, double *shares, double *blame)
{
    const double rows[2][DGM_WAITS_HEAD + 2] = { { 10, 0, 0, 0, first_waits },
                                                 { 10, 0, 0, second_waits, 0 } };

    return dgm_waits_judge(&rows[0][0], 2, shares, blame);
}

TEST(waits_name_the_rank_that_others_wait_for)
{
    double shares[2], blame;

    CHECK_INT(judge(0.1, 3, shares, &blame), 0);
    CHECK(shares[0] == 0.1 / 10 && shares[1] == 0.3 && blame == 0.3);
    CHECK_INT(judge(2, 0.5, shares, &blame), 1);
    CHECK_INT(judge(0.9, 0.1, shares, &blame), -1); /* less than a tenth */
    CHECK_INT(judge(2, 1.5, shares, &blame), -1);   /* both wait: batches are unlike */
}

/* No time at all. */
TEST(waits_of_nothing)
{
    const double rows[2][DGM_WAITS_HEAD + 2] = { { 0 } };
    double shares[2], blame;

    CHECK_INT(dgm_waits_judge(&rows[0][0], 2, shares, &blame), -1);
    CHECK(shares[0] == 0 && shares[1] == 0);
}
