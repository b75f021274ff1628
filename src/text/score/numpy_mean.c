/* numpy_mean.c: sums in pairs, and a sum that loses nothing. */
#include "text/score/numpy_mean.h"

#include <math.h>

/* Up to so many values are summed in LANES partial sums, more in halves: so NumPy's loops.c.src has
 * it, whose result depends on that. */
enum { BLOCK = 128, LANES = 8 };

static double sum_block(const double *values, size_t count, int single)
{
    double lanes[LANES], sum;
    size_t i, lane;

    for (lane = 0; lane < LANES; lane++)
        lanes[lane] = values[lane];
    for (i = LANES; i + LANES <= count; i += LANES)
        for (lane = 0; lane < LANES; lane++)
            lanes[lane] = dgm_single(lanes[lane] + values[i + lane], single);
    for (size_t step = 1; step < LANES; step *= 2)
        for (lane = 0; lane < LANES; lane += 2 * step)
            lanes[lane] = dgm_single(lanes[lane] + lanes[lane + step], single);
    for (sum = lanes[0]; i < count; i++)
        sum = dgm_single(sum + values[i], single);
    return sum;
}

static double sum_of(const double *values, size_t count, int single)
{
    double sum = 0;
    size_t half;

    if (count > BLOCK) {
        half = count / 2 / LANES * LANES;
        return dgm_single(sum_of(values, half, single) +
                              sum_of(values + half, count - half, single),
                          single);
    }
    if (count >= LANES)
        return sum_block(values, count, single);
    for (size_t i = 0; i < count; i++)
        sum = dgm_single(sum + values[i], single);
    return sum;
}

double dgm_numpy_mean(const double *values, size_t count, int single)
{
    return dgm_single(sum_of(values, count, single) / (double)count, single);
}

/* What each addition rounds off is kept (Neumaier 1974), and so is the rest of the division. */
double dgm_exact_mean(const double *values, size_t count, int single)
{
    double sum = 0, lost = 0, high, mean;

    for (size_t i = 0; i < count; i++) {
        double next = sum + values[i];

        lost += fabs(sum) >= fabs(values[i]) ? sum - next + values[i] : values[i] - next + sum;
        sum = next;
    }
    high = sum + lost;
    lost -= high - sum;
    mean = high / (double)count;
    mean += (fma(-mean, (double)count, high) + lost) / (double)count;
    return dgm_single(mean, single);
}
