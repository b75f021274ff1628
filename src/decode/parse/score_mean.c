/* score_mean.c: the mean of what several parsers hold likely. */
#include "decode/parse/score_mean.h"

#include <math.h>

/* Where parser k has class j of the first one. */
static int64_t place(const struct dgm_score_mean *mean, int k, int64_t j)
{
    return mean->order[k] != NULL ? mean->order[k][j] : j;
}

/* z(k) of the row that begins there, over all classes that have a share. */
static double log_total(const struct dgm_score_mean *mean, int k, int64_t row, int64_t classes,
                        int32_t left_out)
{
    const dgm_real *scores = mean->of[k] + row;
    double peak = -HUGE_VAL, sum = 0;

    for (int64_t j = 0; j < classes; j++)
        if (j != left_out && (double)scores[place(mean, k, j)] > peak)
            peak = (double)scores[place(mean, k, j)];
    for (int64_t j = 0; j < classes; j++)
        if (j != left_out)
            sum += exp((double)scores[place(mean, k, j)] - peak);
    return peak + log(sum);
}

/* log (1/K sum_k exp logs[k]) + total, where logs[0] + total is `first`. An impossible arc is so
 * for all parsers: -inf stays. */
static dgm_real mean_of(const double *logs, int count, dgm_real first, double total)
{
    double peak = logs[0], sum = 0;

    for (int k = 1; k < count; k++)
        peak = logs[k] > peak ? logs[k] : peak;
    if (peak == -HUGE_VAL)
        return first;
    for (int k = 0; k < count; k++)
        sum += exp(logs[k] - peak);
    if (logs[0] == -HUGE_VAL)
        return (dgm_real)(total + peak + log(sum / count));
    return (dgm_real)((double)first + ((peak - logs[0]) + log(sum / count)));
}

void dgm_score_mean_rows(const struct dgm_score_mean *mean, int64_t rows, int64_t classes,
                         int32_t left_out)
{
    double totals[DGM_ENSEMBLE], logs[DGM_ENSEMBLE];

    for (int64_t row = 0; row < rows * classes; row += classes) {
        for (int k = 0; k < mean->count; k++)
            totals[k] = log_total(mean, k, row, classes, left_out);
        for (int64_t j = 0; j < classes; j++) {
            dgm_real *first = &mean->of[0][row + j];

            for (int k = 0; k < mean->count; k++)
                logs[k] = (double)mean->of[k][row + place(mean, k, j)] - totals[k];
            if (j != left_out)
                *first = mean_of(logs, mean->count, *first, totals[0]);
        }
    }
}

void dgm_score_mean_logs(const struct dgm_score_mean *mean, int64_t count)
{
    double logs[DGM_ENSEMBLE];

    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < mean->count; k++)
            logs[k] = (double)mean->of[k][i];
        mean->of[0][i] = mean_of(logs, mean->count, mean->of[0][i], 0);
    }
}
