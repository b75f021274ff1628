/* paired.c: paired bootstrap resampling over rows of statistics. */
#include "text/score/paired.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "text/score/numpy_mean.h"
#include "text/score/numpy_random.h"

/* Names the random numbers; never change it: results would change for the same seed. */
enum { STREAM_PAIRED = 40 };

struct work {
    uint32_t *drawn; /* how often the sample has each sentence */
    int64_t *sums;
    struct dgm_numpy_random numpy; /* goes on from sample to sample */
};

/* Draws with replacement. It counts how often each sentence is drawn instead of listing the draws,
 * so that the rows of every system are then read in order. */
static void draw_part(const struct dgm_paired_test *test, struct work *work,
                      struct dgm_random *random, size_t start, size_t end)
{
    uint32_t sentences = (uint32_t)(end - start);

    for (size_t i = start; i < end; i++)
        work->drawn[start + (test->sacrebleu ? dgm_numpy_random_below(&work->numpy, sentences)
                                             : dgm_random_below(random, sentences))]++;
}

static void draw_sample(const struct dgm_paired_test *test, struct work *work, size_t sample)
{
    struct dgm_random random;

    memset(work->drawn, 0, test->sentences * sizeof *work->drawn);
    dgm_random_init(&random, test->seed, STREAM_PAIRED, (uint32_t)sample, 0);
    if (test->ends == NULL)
        draw_part(test, work, &random, 0, test->sentences);
    for (size_t p = 0; test->ends != NULL && p < test->parts; p++)
        draw_part(test, work, &random, p > 0 ? test->ends[p - 1] : 0, test->ends[p]);
}

/* drawn NULL: every sentence once. */
static double score_rows(const struct dgm_paired_test *test, int64_t *sums, const int64_t *rows,
                         const uint32_t *drawn)
{
    memset(sums, 0, test->width * sizeof *sums);
    for (size_t i = 0; i < test->sentences; i++, rows += test->width) {
        int64_t times = drawn == NULL ? 1 : drawn[i];

        if (times == 0)
            continue;
        for (size_t j = 0; j < test->width; j++)
            sums[j] += times * rows[j];
    }
    return drawn != NULL && test->sacrebleu && test->sample != NULL ? test->sample(test->user, sums)
                                                                    : test->score(test->user, sums);
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/*
 * Two-sided: how often a sample's difference, with the mean difference taken off (the null
 * hypothesis: there is none), is as large as the one that was observed. One is added to both
 * counts, so that p is never 0.
 */
double dgm_paired_p(const double *values, size_t count, double difference)
{
    double mean = mean_of(values, count);
    size_t extreme = 0;

    for (size_t i = 0; i < count; i++)
        extreme += fabs(values[i] - mean) >= fabs(difference);
    return (double)(1 + extreme) / (double)(count + 1);
}

/* The samples of a system and of the baseline belong together pair by pair. */
static double p_value(const double *system, const double *baseline, size_t samples,
                      double difference)
{
    double mean = mean_of(system, samples) - mean_of(baseline, samples);
    size_t i, extreme = 0;

    for (i = 0; i < samples; i++)
        extreme += fabs(system[i] - baseline[i] - mean) >= fabs(difference);
    return (double)(1 + extreme) / (double)(samples + 1);
}

/* As sacreBLEU 2.6.0 counts it: the absolute difference first, and its mean taken off. The
 * differences take the place of the system's scores. */
static double sacrebleu_p_value(double *system, const double *baseline, size_t samples,
                                double difference, int single)
{
    double mean, limit = dgm_single(fabs(difference), single);
    size_t i, extreme = 0;

    for (i = 0; i < samples; i++)
        system[i] = fabs(dgm_single(system[i] - baseline[i], single));
    mean = dgm_numpy_mean(system, samples, single);
    for (i = 0; i < samples; i++)
        extreme += dgm_single(system[i] - mean, single) > limit;
    return (double)(1 + extreme) / (double)(samples + 1);
}

static int compare_scores(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void dgm_paired_middle(double *values, size_t count, double *low, double *high)
{
    size_t cut = count / 40;

    qsort(values, count, sizeof *values, compare_scores);
    *low = values[cut];
    *high = values[count - 1 - cut];
}

static double mean_of_test(const struct dgm_paired_test *test, const double *scores)
{
    if (!test->sacrebleu)
        return mean_of(scores, test->samples);
    return (test->alone ? dgm_exact_mean : dgm_numpy_mean)(scores, test->samples,
                                                           test->samples_are_single);
}

/* The mean, and half the width of the middle 95 %. */
static void spread(const struct dgm_paired_test *test, const double *scores, double *sorted,
                   dgm_paired *result)
{
    double low, high;

    memcpy(sorted, scores, test->samples * sizeof *sorted);
    dgm_paired_middle(sorted, test->samples, &low, &high);
    result->mean = mean_of_test(test, test->sacrebleu ? sorted : scores);
    result->half_width = dgm_single(high - low, test->sacrebleu && test->samples_are_single) / 2;
}

/* Uses up the scores of all systems but the first. */
static void summarize(const struct dgm_paired_test *test, double *samples, double *sorted,
                      dgm_paired *results, size_t count)
{
    for (size_t s = count; s-- > 0;) {
        double *scores = samples + s * test->samples;
        const double difference = results[s].score - results[0].score;

        spread(test, scores, sorted, &results[s]);
        if (test->alone || s == 0)
            results[s].p = 1;
        else
            results[s].p = test->sacrebleu ? sacrebleu_p_value(scores, samples, test->samples,
                                                               difference, test->samples_are_single)
                                           : p_value(scores, samples, test->samples, difference);
    }
}

dgm_status dgm_paired_check(struct dgm_env *env, const struct dgm_paired_test *test)
{
    if (test->sentences == 0)
        return dgm_fail(env, DGM_DATA, "no sentences to resample; expected at least 1");
    if (test->sentences > UINT32_MAX || test->samples == 0 || test->samples > UINT32_MAX)
        return dgm_fail(env, DGM_USAGE,
                        "%zu samples of %zu sentences; expected 1..4294967295 of each",
                        test->samples, test->sentences);
    return DGM_OK;
}

dgm_status dgm_paired_samples(struct dgm_env *env, const struct dgm_paired_test *test,
                              const int64_t *const *systems, size_t count, double *plain,
                              double *samples)
{
    struct work work = { 0 };
    dgm_status status;
    size_t i, s;

    DGM_TRY(dgm_paired_check(env, test));
    dgm_numpy_random_init(&work.numpy, test->seed);
    DGM_TRY_OUT(dgm_new(env, &work.drawn, test->sentences, sizeof *work.drawn));
    DGM_TRY_OUT(dgm_new(env, &work.sums, test->width, sizeof *work.sums));
    for (i = 0; i < test->samples; i++) {
        DGM_TRY_OUT(dgm_poll(env));
        draw_sample(test, &work, i);
        for (s = 0; s < count; s++)
            samples[s * test->samples + i] = score_rows(test, work.sums, systems[s], work.drawn);
    }
    for (s = 0; s < count; s++)
        plain[s] = score_rows(test, work.sums, systems[s], NULL);
out:
    dgm_release(env, work.sums);
    dgm_release(env, work.drawn);
    return status;
}

dgm_status dgm_paired_bootstrap(struct dgm_env *env, dgm_paired *results,
                                const struct dgm_paired_test *test, const int64_t *const *systems,
                                size_t count)
{
    double *samples = NULL, *plain = NULL, *sorted = NULL;
    dgm_status status;
    size_t total;

    DGM_TRY(dgm_paired_check(env, test));
    if (!dgm_size_mul(&total, count, test->samples))
        return dgm_fail(env, DGM_MEMORY, "%zu samples of %zu systems do not fit into memory",
                        test->samples, count);
    DGM_TRY_OUT(dgm_new(env, &samples, total, sizeof *samples));
    DGM_TRY_OUT(dgm_new(env, &plain, count, sizeof *plain));
    DGM_TRY_OUT(dgm_new(env, &sorted, test->samples, sizeof *sorted));
    DGM_TRY_OUT(dgm_paired_samples(env, test, systems, count, plain, samples));
    for (size_t s = 0; s < count; s++)
        results[s].score = plain[s];
    summarize(test, samples, sorted, results, count);
out:
    dgm_release(env, sorted);
    dgm_release(env, plain);
    dgm_release(env, samples);
    return status;
}
