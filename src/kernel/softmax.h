/*
 * softmax.h: the log of a sum of exponentials in double, and what the loss makes of it.
 */
#ifndef DGM_KERNEL_SOFTMAX_H
#define DGM_KERNEL_SOFTMAX_H

#include <math.h>

#include "base/number/own_math.h"
#include "kernel/rows.h"

/* log of a sum that may have become infinite or not a number. */
static inline double softmax_log(double sum)
{
    return sum > 0 && sum < (double)INFINITY ? dgm_own_log(sum) : sum;
}

/*
 * The two losses of row i from its sums over x - largest: log_sum of the exponentials, `total` of
 * the differences, and `target` at the target. With p = exp(x - largest - log_sum), the loss is
 * base sum(-log p) + extra (-log p(target)).
 */
static inline void softmax_losses(const struct dgm_loss_rows *job, int64_t i, double log_sum,
                                  double total, double target)
{
    double plain = log_sum - target;
    double smooth = job->base > 0 ? job->base * ((double)job->vocab * log_sum - total) : 0;

    job->losses[2 * i] = (dgm_real)(smooth + job->extra * plain);
    job->losses[2 * i + 1] = (dgm_real)plain;
}

#endif
