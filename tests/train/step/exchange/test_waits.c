/* test_waits.c: which rank is slow, by the time that others wait for it. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "thread_ranks.h"
#include "train/step/exchange/buckets.h"
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

/* ---- what is said ---------------------------------------------------------------------------- */

static char heard[200]; /* by rank 0 */
static int times;

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(heard, sizeof heard, "%s", text);
    times++;
}

/* Two reports of ten seconds of updates, of which rank 1 has waited three for rank 0. */
static int report_waits(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_buckets buckets = { 0 };
    struct dgm_waits waits = { 0 };
    dgm_status status = dgm_waits_init(env, &waits, ranks->count);

    env->log = ranks->rank == 0 ? hear : NULL;
    env->log_level = DGM_LOG_WARNING;
    for (int i = 0; i < 2 && status == DGM_OK; i++) {
        waits.spent = 10;
        if (ranks->rank == 1)
            ranks->waited[0] = 3;
        status = dgm_waits_collect(env, ranks, &waits, &buckets);
    }
    dgm_waits_clear(env, &waits);
    return status == DGM_OK;
}

/* Once, and the share that was judged, not that before the judgement, which said 0. */
TEST(waits_say_how_long_others_wait_for_a_slow_rank)
{
    times = 0;
    CHECK(run_ranks(2, report_waits));
    CHECK_INT(times, 1);
    if (strstr(heard, "is slow: the others wait for it 30 % of their time") == NULL)
        CHECK_STR(heard, "rank 0 is slow: the others wait for it 30 % of their time");
}
