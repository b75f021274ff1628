/* runs.c: the mean over runs of a system, and whether that of another differs. */
#include "text/score/runs.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "text/score/student.h"

/* One system, the scores of its runs and the means of its samples. */
struct side {
    double mean, square_error; /* s^2 / n */
    size_t runs;
    const double *samples; /* (samples) mean over runs */
};

static double mean_of(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* With count - 1 below; 0 of one value. */
static double variance_of(const double *values, size_t count)
{
    double mean = mean_of(values, count), sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return count > 1 ? sum / (double)(count - 1) : 0;
}

/* Samples of all runs of a system to their means, in the place of the first. */
static void average(double *samples, size_t count, size_t runs)
{
    for (size_t r = 1; r < runs; r++)
        for (size_t i = 0; i < count; i++)
            samples[i] += samples[r * count + i];
    for (size_t i = 0; i < count; i++)
        samples[i] /= (double)runs;
}

/* Welch's t, the sentences being a third part of the error. */
static double p_of_runs(const struct side *one, const struct side *other, double of_lines,
                        size_t sentences)
{
    double all = one->square_error + other->square_error + of_lines;
    double difference = one->mean - other->mean, below = 0;

    if (one->runs < 2 || other->runs < 2)
        return -1;
    if (all <= 0)
        return difference == 0 ? 1 : 0;
    below += one->square_error * one->square_error / (double)(one->runs - 1);
    below += other->square_error * other->square_error / (double)(other->runs - 1);
    if (sentences > 1)
        below += of_lines * of_lines / (double)(sentences - 1);
    return dgm_student_two_sided(difference / sqrt(all), below > 0 ? all * all / below : 1);
}

/* work: (samples) for differences, and for sorting. */
static void compare(struct dgm_runs_result *result, const struct side *system,
                    const struct side *baseline, const struct dgm_paired_test *test, double *work)
{
    for (size_t i = 0; i < test->samples; i++)
        work[i] = system->samples[i] - baseline->samples[i];
    result->difference = system->mean - baseline->mean;
    result->p = dgm_paired_p(work, test->samples, result->difference);
    result->p_runs = p_of_runs(system, baseline, variance_of(work, test->samples), test->sentences);
    dgm_paired_middle(work, test->samples, &result->low, &result->high);
}

static void summarize(struct dgm_runs_result *result, struct side *side, const double *scores,
                      const struct dgm_paired_test *test, double *work)
{
    double variance = variance_of(scores, side->runs), low, high;

    side->mean = mean_of(scores, side->runs);
    side->square_error = variance / (double)side->runs;
    memcpy(work, side->samples, test->samples * sizeof *work);
    dgm_paired_middle(work, test->samples, &low, &high);
    *result = (struct dgm_runs_result){ .mean = side->mean,
                                        .deviation = sqrt(variance),
                                        .half_width = (high - low) / 2,
                                        .p = 1,
                                        .p_runs = 1 };
}

static void compare_all(struct dgm_runs_result *results, const double *scores, double *samples,
                        const struct dgm_paired_test *test, const size_t *runs, size_t systems,
                        double *work)
{
    struct side baseline = { 0 };
    size_t at = 0;

    for (size_t s = 0; s < systems; at += runs[s++]) {
        struct side side = { .runs = runs[s], .samples = samples + at * test->samples };

        average(samples + at * test->samples, test->samples, runs[s]);
        summarize(&results[s], &side, scores + at, test, work);
        if (s == 0)
            baseline = side;
        else
            compare(&results[s], &side, &baseline, test, work);
    }
}

dgm_status dgm_runs_compare(struct dgm_env *env, struct dgm_runs_result *results, double *scores,
                            const struct dgm_paired_test *test, const int64_t *const *rows,
                            const size_t *runs, size_t systems)
{
    double *samples = NULL, *work = NULL;
    size_t count = 0, total;
    dgm_status status;

    for (size_t s = 0; s < systems; s++)
        count += runs[s];
    if (!dgm_size_mul(&total, count, test->samples))
        return dgm_fail(env, DGM_MEMORY, "%zu samples of %zu runs do not fit into memory",
                        test->samples, count);
    DGM_TRY_OUT(dgm_new(env, &samples, total, sizeof *samples));
    DGM_TRY_OUT(dgm_new(env, &work, test->samples, sizeof *work));
    DGM_TRY_OUT(dgm_paired_samples(env, test, rows, count, scores, samples));
    compare_all(results, scores, samples, test, runs, systems, work);
out:
    dgm_release(env, work);
    dgm_release(env, samples);
    return status;
}
