/*
 * fit.h: the largest number of tokens that fits.
 *
 * Numbers tried are those with at most six binary digits in front of zeros: 1, 2 .. 64, 66 .. 128,
 * 132 .. They go up by 1.6 to 3.1 %, less than sizes of batches differ between epochs, and the same
 * few are tried whatever fits.
 */
#ifndef DGM_TRAIN_PLAN_FIT_H
#define DGM_TRAIN_PLAN_FIT_H

#include <stdint.h>

#include "base/env.h"

/* Says whether so many tokens fit, and in *is_all whether more would change nothing. */
typedef dgm_status (*dgm_fit_fn)(void *user, int64_t tokens, int *fits, int *is_all);

/* The number that follows one of them. */
int64_t dgm_fit_next(int64_t tokens);

/*
 * *tokens: the largest number up to `most`, which is one of them, that fits while the next one does
 * not; or one that is all. 0: not even 1 fits. With a `fits` that says yes wherever it said yes
 * before, and elsewhere, too, the number is not smaller than before, even where some number fits
 * that is above one that does not.
 */
dgm_status dgm_fit_find(dgm_fit_fn fits, void *user, int64_t most, int64_t *tokens);

#endif
