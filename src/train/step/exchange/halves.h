/*
 * halves.h: gradients in bf16 (--reduce-type bf16): half the bytes on their way to other ranks.
 *
 * The gradient of each batch is rounded, and the sum of all is made of the rounded ones in f32. One
 * process rounds as well, so that the number of ranks changes no bit. A run says so in its log, its
 * checkpoints and its model (reduce.h).
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_HALVES_H
#define DGM_TRAIN_STEP_EXCHANGE_HALVES_H

#include <stddef.h>
#include <stdint.h>

#include "base/option/settings.h"
#include "nn/param.h"

/* To the nearest, of two the even one; infinities and NaN stay what they are. */
void dgm_halves_round(uint16_t *to, const dgm_real *from, size_t count);
void dgm_halves_widen(dgm_real *to, const uint16_t *from, size_t count);

/* Whether the run has --reduce-type bf16. */
int dgm_halves_are_on(const struct dgm_settings *settings);
/* In a run of one process: rounds gradients where they lie. */
dgm_status dgm_halves_round_gradients(struct dgm_env *env, const struct dgm_params *params);

#endif
