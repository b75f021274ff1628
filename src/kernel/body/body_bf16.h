/*
 * body_bf16.h: the kernels of bf16.h over the vector vocabulary, but for the sums
 * (body_narrow_sums.h).
 */
#include <math.h>
#include <string.h>

#include "kernel/narrow/bf16.h"

#include "kernel/body/body_narrow_floats.h"

/* Lanes rounded as dgm_bf16_round does, as floats whose lower half is 0. */
static inline vec bf16_nearest(vec x)
{
    const ivec bits = vec_bits(x), odd = ivec_and(ivec_shift_right(bits, 16), ivec_set1(1));
    const vec infinite = vec_copysign(vec_set1(INFINITY), x);
    vec y = ivec_floats(
        ivec_and(ivec_add(ivec_add(bits, ivec_set1(0x7FFF)), odd), ivec_set1(0xFFFF0000)));
    const vec size = vec_abs(y);

    y = vec_select(vec_ge(vec_set1(DGM_BF16_MOST), size), y, infinite);
    y = vec_keep(vec_ge(size, vec_set1(DGM_BF16_LEAST)), y);
    return vec_select(vec_is_nan(x), vec_set1(NAN), y);
}

/* Steps t .. t + VEC_WIDTH - 1 of row i, rounded; those beyond k are 0. */
static inline vec bf16_steps(const struct dgm_narrow_rows *job, int64_t i, int64_t t)
{
    const float *x = job->a + i * job->lda + t;
    const int64_t left = job->k - t;

    return bf16_nearest(left < VEC_WIDTH ? vec_load_part(x, (int)left) : vec_load(x));
}

/* Row i to pairs of halves, the earlier step in the lower one. */
static inline void bf16_round_row(const struct dgm_narrow_rows *job, int64_t i)
{
    const int64_t end = 2 * dgm_bf16_pairs(job->k);
    uint8_t *to = job->q + i * (int64_t)sizeof(uint32_t);
    uint32_t lanes[VEC_WIDTH];

    for (int64_t t = 0; t < end; t += VEC_WIDTH) {
        ivec_store(lanes, vec_bits(bf16_steps(job, i, t)));
        for (int64_t u = 0; u < VEC_WIDTH && t + u < end; u += 2, to += job->step) {
            const uint32_t pair = lanes[u] >> 16 | lanes[u + 1];

            memcpy(to, &pair, sizeof pair);
        }
    }
}

static void bf16_pairs(const struct dgm_narrow_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++)
        bf16_round_row(job, i);
}
