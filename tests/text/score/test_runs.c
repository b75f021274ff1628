/*
 * test_runs.c: several runs of systems, on data of which the answer is known: a line is a number,
 * the score their mean, and lines, runs, and what both share vary by known amounts.
 */
#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "test.h"
#include "text/score/runs.h"

enum { LINES = 200, RUNS = 3, SAMPLES = 300, TRIALS = 300, UNIT = 1000000 };

static double mean_line(const void *user, const int64_t *sums)
{
    (void)user;
    return (double)sums[0] / UNIT / (double)sums[1];
}

static const struct dgm_paired_test usual = {
    .sentences = LINES, .width = 2, .score = mean_line, .samples = SAMPLES, .seed = 1
};

/* How much each part varies: a line for all, a run, and a line of a run. */
struct world {
    double line, run, both;
};

static int64_t rows[2 * RUNS][LINES * 2];
static const int64_t *list[2 * RUNS];
static const size_t three[] = { RUNS, RUNS };

/* Two systems, the second by `more` better. Returns what the runs' own luck adds to that. */
static double make(const struct world *world, double more, uint32_t trial)
{
    struct dgm_random random;
    double lines[LINES], luck = 0;

    dgm_random_init(&random, 99, 1, trial, 0);
    for (int i = 0; i < LINES; i++)
        lines[i] = world->line * dgm_random_normal(&random);
    for (int r = 0; r < 2 * RUNS; r++) {
        double run = world->run * dgm_random_normal(&random);

        luck += (r < RUNS ? -run : run) / RUNS;
        list[r] = rows[r];
        for (int i = 0; i < LINES; i++) {
            double value =
                lines[i] + run + world->both * dgm_random_normal(&random) + (r < RUNS ? 0 : more);

            rows[r][2 * i] = (int64_t)floor(value * UNIT);
            rows[r][2 * i + 1] = 1;
        }
    }
    return luck;
}

static void compare(struct dgm_runs_result results[2], double scores[2 * RUNS])
{
    CHECK_STATUS(dgm_runs_compare(test_env(), results, scores, &usual, list, three, 2), DGM_OK);
}

TEST(runs_of_the_same_numbers_do_not_differ)
{
    struct dgm_runs_result results[2];
    double scores[2 * RUNS];

    make(&(struct world){ 1, 0.1, 0.5 }, 0, 0);
    for (int r = 0; r < RUNS; r++)
        list[RUNS + r] = rows[r];
    compare(results, scores);
    CHECK_NEAR(results[1].p, 1, 0);
    CHECK_NEAR(results[1].p_runs, 1, 1e-9);
    CHECK_NEAR(results[1].difference, 0, 0);
    CHECK_NEAR(results[1].low, 0, 0);
    CHECK_NEAR(results[1].high, 0, 0);
    CHECK_NEAR(results[1].mean, results[0].mean, 0);
    CHECK_NEAR(results[1].deviation, results[0].deviation, 0);
}

TEST(runs_that_are_shifted_differ)
{
    struct dgm_runs_result results[2];
    double scores[2 * RUNS];

    make(&(struct world){ 1, 0.05, 0.5 }, 1, 0);
    compare(results, scores);
    CHECK_NEAR(results[1].p, 1.0 / (SAMPLES + 1), 1e-12);
    CHECK(results[1].p_runs < 0.01);
    CHECK(results[1].low > 0.5 && results[1].high < 1.5);
    CHECK(results[1].low < results[1].difference && results[1].difference < results[1].high);
}

/* Mean and deviation by hand; one run has none, and no p of runs. */
TEST(runs_have_the_mean_and_deviation_of_their_scores)
{
    static const size_t some[] = { 3, 1 };
    struct dgm_runs_result results[2];
    double scores[4], mean;

    make(&(struct world){ 1, 0.5, 0.5 }, 0, 3);
    CHECK_STATUS(dgm_runs_compare(test_env(), results, scores, &usual, list, some, 2), DGM_OK);
    mean = (scores[0] + scores[1] + scores[2]) / 3;
    CHECK_NEAR(results[0].mean, mean, 1e-12);
    CHECK_NEAR(results[0].deviation,
               sqrt((pow(scores[0] - mean, 2) + pow(scores[1] - mean, 2) +
                     pow(scores[2] - mean, 2)) /
                    2),
               1e-12);
    CHECK_NEAR(results[1].mean, scores[3], 1e-12);
    CHECK_NEAR(results[1].deviation, 0, 0);
    CHECK_NEAR(results[1].p_runs, -1, 0);
    CHECK(results[1].p > 0 && results[1].p <= 1);
}

/* Of one run each it is the paired bootstrap. */
TEST(runs_of_one_are_the_paired_bootstrap)
{
    static const size_t one[] = { 1, 1 };
    struct dgm_runs_result results[2];
    dgm_paired paired[2];
    double scores[2];

    make(&(struct world){ 1, 0.05, 0.5 }, 0.1, 5);
    list[1] = rows[RUNS];
    CHECK_STATUS(dgm_runs_compare(test_env(), results, scores, &usual, list, one, 2), DGM_OK);
    CHECK_STATUS(dgm_paired_bootstrap(test_env(), paired, &usual, list, 2), DGM_OK);
    for (int s = 0; s < 2; s++) {
        CHECK_NEAR(results[s].mean, paired[s].score, 0);
        CHECK_NEAR(results[s].half_width, paired[s].half_width, 0);
        CHECK_NEAR(results[s].p, paired[s].p, 0);
    }
}

/* Other lines, these runs: 95 % of the intervals hold the difference that these runs have on all
 * lines there could be, and p is below 0.05 in 5 % where there is none. */
TEST(runs_intervals_cover_and_p_is_level_over_lines)
{
    struct dgm_runs_result results[2];
    double scores[2 * RUNS];
    int covered = 0, found = 0;

    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        double truth = 0.1 + make(&(struct world){ 1, 0.3, 0.5 }, 0.1, trial);

        compare(results, scores);
        covered += results[1].low <= truth && truth <= results[1].high;
        make(&(struct world){ 1, 0, 0.5 }, 0, trial + TRIALS);
        compare(results, scores);
        found += results[1].p < 0.05;
    }
    CHECK(covered >= 0.92 * TRIALS && covered <= 0.98 * TRIALS);
    CHECK(found >= 0.02 * TRIALS && found <= 0.08 * TRIALS);
}

/* Seeds that differ, and systems that do not: p over lines alone is deceived, that over runs is
 * not, and still finds what is there. */
TEST(runs_p_of_runs_is_level_where_seeds_differ)
{
    struct dgm_runs_result results[2];
    double scores[2 * RUNS];
    int of_lines = 0, of_runs = 0, found = 0;

    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        make(&(struct world){ 1, 0.1, 0.2 }, 0, trial);
        compare(results, scores);
        of_lines += results[1].p < 0.05;
        of_runs += results[1].p_runs < 0.05;
        make(&(struct world){ 1, 0.1, 0.2 }, 0.5, trial);
        compare(results, scores);
        found += results[1].p_runs < 0.05;
    }
    CHECK(of_lines > 0.5 * TRIALS);
    CHECK(of_runs <= 0.08 * TRIALS);
    CHECK(found > 0.9 * TRIALS);
}

/* A pool draws from each set as many lines as it has: sets that differ much, and lines within a set
 * that do not, leave nothing to chance. */
TEST(runs_draw_from_each_set_of_a_pool)
{
    static const size_t ends[] = { 50, LINES }, one[] = { 1 };
    struct dgm_paired_test test = usual;
    struct dgm_runs_result result;
    double score;

    for (int i = 0; i < LINES; i++) {
        rows[0][2 * i] = i < 50 ? 0 : 4 * UNIT;
        rows[0][2 * i + 1] = 1;
    }
    list[0] = rows[0];
    CHECK_STATUS(dgm_runs_compare(test_env(), &result, &score, &test, list, one, 1), DGM_OK);
    CHECK(result.half_width > 0.1);
    test.ends = ends;
    test.parts = 2;
    CHECK_STATUS(dgm_runs_compare(test_env(), &result, &score, &test, list, one, 1), DGM_OK);
    CHECK_NEAR(result.mean, 3, 1e-12);
    CHECK_NEAR(result.half_width, 0, 1e-12);
}
