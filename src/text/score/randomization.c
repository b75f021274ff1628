/*
 * randomization.c: approximate randomisation over rows of statistics.
 *
 * A trial swaps the rows of sentences: the sums of one system gain what those of the other lose.
 * That is a sum of differences of rows over a random half of the sentences. Eight sentences have
 * 256 such sums, which are computed once, and stand for their rows in every trial.
 */
#include "text/score/randomization.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "text/score/numpy_random.h"

enum { TOGETHER = 8, SUMS = 1 << TOGETHER };
enum { TRIALS = 4096 }; /* at a time, so that memory does not grow with their number */

/* Differences that are equal but for the rounding of scores. */
static const double noise = 1e-10;

struct work {
    const struct dgm_paired_test *test;
    size_t groups;        /* of sentences */
    unsigned char *coins; /* (groups,TRIALS) a bit for each sentence */
    int64_t *sums;        /* (SUMS,width) of a group */
    int64_t *gained;      /* (TRIALS,width) */
    int64_t *first, *sum; /* (width) of all sentences: of system 0, of the other */
    int64_t *one, *two;   /* (width) of a trial */
    size_t *extreme;      /* trials of each system */
    struct dgm_numpy_random random;
    uint32_t bits;
    int bits_left;
};

/* ---- coins --------------------------------------------------------------------------------- */

static unsigned toss(struct work *work)
{
    unsigned coin;

    if (work->bits_left == 0) {
        work->bits = dgm_numpy_random_bits(&work->random);
        work->bits_left = 32;
    }
    coin = work->bits & 1;
    work->bits >>= 1;
    work->bits_left--;
    return coin;
}

static void toss_all(struct work *work, size_t trials)
{
    const size_t sentences = work->test->sentences;

    memset(work->coins, 0, work->groups * TRIALS);
    for (size_t t = 0; t < trials; t++)
        for (size_t i = 0; i < sentences; i++)
            work->coins[i / TOGETHER * TRIALS + t] |= (unsigned char)(toss(work) << (i % TOGETHER));
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* What `to` gains where a sentence is swapped; 0 behind the last. */
static int64_t gain(const struct work *work, const int64_t *from, const int64_t *to,
                    size_t sentence, size_t j)
{
    const size_t at = sentence * work->test->width + j;

    return sentence < work->test->sentences ? from[at] - to[at] : 0;
}

/* The gains of all sets of the eight sentences: a set with one more has a row more. */
static void sum_group(struct work *work, const int64_t *from, const int64_t *to, size_t group)
{
    const size_t width = work->test->width;

    memset(work->sums, 0, width * sizeof *work->sums);
    for (size_t bit = 0; bit < TOGETHER; bit++) {
        const size_t count = ((size_t)1 << bit) * width;
        for (size_t at = 0; at < count; at++)
            work->sums[count + at] =
                work->sums[at] + gain(work, from, to, group * TOGETHER + bit, at % width);
    }
}

static void add_group(struct work *work, const unsigned char *coins, size_t trials)
{
    const size_t width = work->test->width;

    for (size_t t = 0; t < trials; t++) {
        const int64_t *sums = work->sums + coins[t] * width;
        int64_t *gained = work->gained + t * width;
        for (size_t j = 0; j < width; j++)
            gained[j] += sums[j];
    }
}

static void sum_rows(const struct dgm_paired_test *test, int64_t *sums, const int64_t *rows)
{
    memset(sums, 0, test->width * sizeof *sums);
    for (size_t i = 0; i < test->sentences * test->width; i += test->width)
        for (size_t j = 0; j < test->width; j++)
            sums[j] += rows[i + j];
}

/* ---- the test ------------------------------------------------------------------------------ */

static int is_extreme(struct work *work, const int64_t *gained, double difference)
{
    const struct dgm_paired_test *test = work->test;
    double found;

    for (size_t j = 0; j < test->width; j++) {
        work->one[j] = work->first[j] - gained[j];
        work->two[j] = work->sum[j] + gained[j];
    }
    found = fabs(test->score(test->user, work->one) - test->score(test->user, work->two));
    return test->sacrebleu ? found > difference : found >= difference - noise;
}

/* Some trials of a system. */
static dgm_status run_trials(struct dgm_env *env, struct work *work, const int64_t *first,
                             const int64_t *system, double difference, size_t trials,
                             size_t *extreme)
{
    const size_t width = work->test->width;

    memset(work->gained, 0, TRIALS * width * sizeof *work->gained);
    for (size_t g = 0; g < work->groups; g++) {
        DGM_TRY(dgm_poll(env));
        sum_group(work, first, system, g);
        add_group(work, work->coins + g * TRIALS, trials);
    }
    for (size_t t = 0; t < trials; t++)
        *extreme += (size_t)is_extreme(work, work->gained + t * width, difference);
    return DGM_OK;
}

static dgm_status compare(struct dgm_env *env, struct work *work, dgm_paired *results,
                          const int64_t *const *systems, size_t count, size_t trials)
{
    toss_all(work, trials);
    for (size_t s = 1; s < count; s++) {
        sum_rows(work->test, work->sum, systems[s]);
        DGM_TRY(run_trials(env, work, systems[0], systems[s],
                           fabs(results[s].score - results[0].score), trials, &work->extreme[s]));
    }
    return DGM_OK;
}

static dgm_status make(struct dgm_env *env, struct work *work, size_t count)
{
    const size_t width = work->test->width;

    work->groups = work->test->sentences / TOGETHER + 1;
    dgm_numpy_random_init(&work->random, work->test->seed);
    DGM_TRY(dgm_new(env, &work->coins, work->groups, TRIALS));
    DGM_TRY(dgm_new(env, &work->sums, SUMS * width, sizeof *work->sums));
    DGM_TRY(dgm_new(env, &work->gained, TRIALS * width, sizeof *work->gained));
    DGM_TRY(dgm_new(env, &work->first, 4 * width, sizeof *work->first));
    work->sum = work->first + width;
    work->one = work->sum + width;
    work->two = work->one + width;
    return dgm_new(env, &work->extreme, count, sizeof *work->extreme);
}

dgm_status dgm_randomization_test(struct dgm_env *env, dgm_paired *results,
                                  const struct dgm_paired_test *test, const int64_t *const *systems,
                                  size_t count)
{
    struct work work = { .test = test };
    dgm_status status;
    size_t s, done, trials;

    DGM_TRY(dgm_paired_check(env, test));
    DGM_TRY_OUT(make(env, &work, count));
    for (s = 0; s < count; s++) {
        sum_rows(test, work.sum, systems[s]);
        results[s].score = test->score(test->user, work.sum);
    }
    sum_rows(test, work.first, systems[0]);
    for (done = 0; done < test->samples; done += trials) {
        trials = test->samples - done < TRIALS ? test->samples - done : TRIALS;
        DGM_TRY_OUT(compare(env, &work, results, systems, count, trials));
    }
    for (s = 0; s < count; s++)
        results[s].p = s == 0 ? 1 : (double)(1 + work.extreme[s]) / (double)(test->samples + 1);
out:
    dgm_release(env, work.coins);
    dgm_release(env, work.sums);
    dgm_release(env, work.gained);
    dgm_release(env, work.first);
    dgm_release(env, work.extreme);
    return status;
}
