/*
 * numpy_mean.h: means as sacreBLEU gets them of its samples: NumPy's, which sums in pairs and maybe
 * in single precision, and that of Python's statistics, which is exact.
 */
#ifndef DGM_TEXT_SCORE_NUMPY_MEAN_H
#define DGM_TEXT_SCORE_NUMPY_MEAN_H

#include <stddef.h>

/* A step of arithmetic on single-precision numbers that was done in double precision: rounded to
 * what single precision gives of a sum, a product or a quotient. Not `single`: as it is. */
static inline double dgm_single(double value, int single)
{
    volatile float rounded; /* GCC 12.2 at -O3 drops the rounding where it makes vectors of it */

    if (!single)
        return value;
    rounded = (float)value;
    return (double)rounded;
}

/* numpy.array(values).mean(), at least one; `single`: of float32, which all values are. */
double dgm_numpy_mean(const double *values, size_t count, int single);

/* statistics.mean(values). */
double dgm_exact_mean(const double *values, size_t count, int single);

#endif
