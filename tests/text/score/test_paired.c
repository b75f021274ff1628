/* test_paired.c: paired bootstrap resampling: sure where it should be, and nowhere else. */
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "test.h"
#include "text/score/paired.h"

/* A score like accuracy: 100 x right / all; rows are (right, all). */
static double accuracy(const void *user, const int64_t *sums)
{
    (void)user;
    return 100.0 * (double)sums[0] / (double)sums[1];
}

enum { SENTENCES = 400, SAMPLES = 500 };

static const struct dgm_paired_test usual = {
    .sentences = SENTENCES, .width = 2, .score = accuracy, .samples = SAMPLES, .seed = 12345
};

/* A system that is right in `percent` of the words, ten words in each sentence. */
static void make_system(int64_t rows[SENTENCES * 2], uint32_t number, uint32_t percent)
{
    struct dgm_random random;
    int i, word;

    dgm_random_init(&random, 7, 1, number, 0);
    for (i = 0; i < SENTENCES; i++) {
        rows[2 * i] = 0;
        rows[2 * i + 1] = 10;
        for (word = 0; word < 10; word++)
            rows[2 * i] += dgm_random_below(&random, 100) < percent;
    }
}

static int64_t rows[4][SENTENCES * 2];

TEST(paired_tells_apart_what_differs_and_nothing_else)
{
    const int64_t *systems[4];
    dgm_paired results[4];
    int i;

    make_system(rows[0], 0, 50);
    make_system(rows[1], 1, 60);
    make_system(rows[2], 2, 50);
    for (i = 0; i < 3; i++)
        systems[i] = rows[i];
    systems[3] = rows[0];
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), results, &usual, systems, 4), DGM_OK);
    CHECK_NEAR(results[0].p, 1, 0);
    CHECK_NEAR(results[1].p, 1.0 / (SAMPLES + 1), 1e-12);
    CHECK(results[2].p > 0.05);
    CHECK_NEAR(results[3].p, 1, 0);
}

/* The standard error of a mean of 4,000 coins is 0.79 points, and 95 % are 1.96 of these. */
TEST(paired_intervals_are_those_of_the_normal_law)
{
    const int64_t *systems[1];
    dgm_paired result;
    struct dgm_paired_test test = usual;
    double right = 0;
    int i;

    make_system(rows[0], 0, 50);
    for (i = 0; i < SENTENCES; i++)
        right += (double)rows[0][2 * i];
    systems[0] = rows[0];
    test.samples = 2000;
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), &result, &test, systems, 1), DGM_OK);
    CHECK_NEAR(result.score, right / 40, 1e-9);
    CHECK_NEAR(result.mean, result.score, 0.1);
    CHECK_NEAR(result.half_width, 1.96 * 0.79, 0.15);
}

/* By the definition, on samples that can be counted by hand: with one sentence every sample is
 * that sentence, so the shifted differences are 0, and 0 >= |d| only where d is 0. */
TEST(paired_p_of_one_sentence)
{
    static const int64_t low[] = { 1, 10 }, high[] = { 9, 10 };
    const int64_t *systems[3];
    dgm_paired results[3];
    struct dgm_paired_test test = usual;

    systems[0] = systems[2] = low;
    systems[1] = high;
    test.sentences = 1;
    test.samples = 9;
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), results, &test, systems, 3), DGM_OK);
    CHECK_NEAR(results[1].score, 90, 1e-12);
    CHECK_NEAR(results[1].mean, 90, 1e-12);
    CHECK_NEAR(results[1].half_width, 0, 1e-12);
    CHECK_NEAR(results[1].p, 0.1, 1e-12);
    CHECK_NEAR(results[2].p, 1, 1e-12);
}

TEST(paired_results_depend_on_neither_order_nor_company)
{
    const int64_t *forward[3], *backward[3];
    dgm_paired first[3], second[3];
    int i;

    for (i = 0; i < 3; i++)
        make_system(rows[i], (uint32_t)i, 50 + (uint32_t)i);
    forward[0] = backward[0] = rows[0];
    forward[1] = backward[2] = rows[1];
    forward[2] = backward[1] = rows[2];
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), first, &usual, forward, 3), DGM_OK);
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), second, &usual, backward, 3), DGM_OK);
    CHECK_MEM(&first[1], &second[2], sizeof first[1]);
    CHECK_MEM(&first[2], &second[1], sizeof first[2]);
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), second, &usual, forward, 2), DGM_OK);
    CHECK_MEM(&first[1], &second[1], sizeof first[1]);
}

/* Which of the two is the baseline does not matter: the test is two-sided. */
TEST(paired_p_is_symmetric)
{
    const int64_t *systems[2];
    dgm_paired one[2], other[2];

    make_system(rows[0], 0, 50);
    make_system(rows[1], 1, 51);
    systems[0] = rows[0];
    systems[1] = rows[1];
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), one, &usual, systems, 2), DGM_OK);
    systems[0] = rows[1];
    systems[1] = rows[0];
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), other, &usual, systems, 2), DGM_OK);
    CHECK_NEAR(one[1].p, other[1].p, 1e-12);
    CHECK(one[1].p > 1.0 / (SAMPLES + 1) && one[1].p < 1);
}

TEST(paired_follows_the_seed)
{
    const int64_t *systems[1];
    dgm_paired one, same, other;
    struct dgm_paired_test test = usual;

    make_system(rows[0], 0, 50);
    systems[0] = rows[0];
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), &one, &test, systems, 1), DGM_OK);
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), &same, &test, systems, 1), DGM_OK);
    test.seed++;
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), &other, &test, systems, 1), DGM_OK);
    CHECK_MEM(&one, &same, sizeof one);
    CHECK(one.mean != other.mean);
    CHECK_NEAR(one.score, other.score, 0);
}

TEST(paired_refuses_nothing_to_resample)
{
    const int64_t *systems[1] = { rows[0] };
    dgm_paired result;
    struct dgm_paired_test test = usual;

    test.sentences = 0;
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), &result, &test, systems, 1), DGM_DATA);
    dgm_env_clear_error(test_env());
    test = usual;
    test.samples = 0;
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), &result, &test, systems, 1), DGM_USAGE);
    dgm_env_clear_error(test_env());
}
