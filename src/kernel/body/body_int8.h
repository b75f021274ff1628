/*
 * body_int8.h: the kernels of int8.h over the vector vocabulary, but for the sums
 * (body_narrow_sums.h, or one's own).
 */
#include <math.h>
#include <string.h>

#include "kernel/narrow/int8.h"

typedef int32_t narrow_sum;

#include "kernel/body/body_narrow.h"

/* ---- quantising ---------------------------------------------------------------------------- */

/* What has been seen of some numbers: the largest magnitudes, and sums of 0 times each. */
struct int8_seen {
    vec most, nothing;
};

static inline void int8_see(struct int8_seen *seen, vec x)
{
    x = vec_abs(x);
    seen->nothing = vec_add(seen->nothing, vec_mul(x, vec_zero()));
    seen->most = vec_max(x, seen->most);
}

/* The largest magnitude; NaN if some number is not finite, for 0 times it is then no 0. Two at a
 * time, for either waits for the one before. */
static inline float int8_largest(const float *x, int64_t k)
{
    struct int8_seen even = { vec_zero(), vec_zero() }, odd = even;
    int64_t t = 0;

    for (; t + 2 * VEC_WIDTH <= k; t += 2 * VEC_WIDTH) {
        int8_see(&even, vec_load(x + t));
        int8_see(&odd, vec_load(x + t + VEC_WIDTH));
    }
    for (; t < k; t += VEC_WIDTH)
        int8_see(&even, k - t < VEC_WIDTH ? vec_load_part(x + t, (int)(k - t)) : vec_load(x + t));
    even.nothing = vec_add(even.nothing, odd.nothing);
    return vec_sum(even.nothing) == 0 ? vec_max_lanes(vec_max(even.most, odd.most)) : (float)NAN;
}

/* Row i, in vectors. Returns the sum of q. */
static inline int32_t int8_quantise_row(const struct dgm_narrow_rows *job, int64_t i, float inverse)
{
    const float *x = job->a + i * job->lda;
    const vec factor = vec_set1(inverse);
    const int64_t end = 4 * dgm_int8_quads(job->k), step = job->step;
    ivec sums = ivec_set1(0);
    uint32_t lanes[VEC_WIDTH];
    int8_t *to = (int8_t *)job->q + i * 4, bytes[VEC_WIDTH];
    int32_t sum = 0;

    for (int64_t t = 0; t < end; t += VEC_WIDTH) {
        int64_t left = job->k - t;
        ivec q = vec_to_int(
            vec_mul(left < VEC_WIDTH ? vec_load_part(x + t, (int)left) : vec_load(x + t), factor));

        sums = ivec_add(sums, q);
        ivec_store_bytes(bytes, q);
        if (step == DGM_INT8_STEPS && t + VEC_WIDTH <= end) {
            memcpy(to, bytes, VEC_WIDTH);
            to += VEC_WIDTH;
            continue;
        }
        for (int64_t u = 0; u < VEC_WIDTH && t + u < end; u += 4, to += step)
            memcpy(to, bytes + u, 4);
    }
    ivec_store(lanes, sums);
    for (int lane = 0; lane < VEC_WIDTH; lane++)
        sum += (int32_t)lanes[lane];
    return sum;
}

static void int8_quantise(const struct dgm_narrow_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++) {
        const float most = int8_largest(job->a + i * job->lda, job->k);

        job->scales[i] = most < DGM_INT8_LEAST ? 0 : most / 127.0f;
        if (most >= DGM_INT8_LEAST) {
            job->sums[i] = int8_quantise_row(job, i, 127.0f / most);
            continue;
        }
        job->sums[i] = 0;
        for (int64_t t = 0; t < dgm_int8_quads(job->k); t++)
            memset(job->q + t * job->step + 4 * i, 0, 4);
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

static inline vec narrow_value(const struct dgm_narrow_tile *tile, int64_t i, int64_t j, int n,
                               ivec sums)
{
#ifdef INT8_SUMS_LACK_OFFSET
    sums = ivec_add(sums, ivec_set1((uint32_t)(-128 * tile->sums[i])));
#endif
    return vec_mul(vec_from_int(sums),
                   vec_mul(vec_set1(tile->scales[i]), narrow_load(tile->w_scales + j, n)));
}

/* The four bytes of a row's quad. */
static inline int32_t int8_quad(const uint8_t *q)
{
    int32_t four;

    memcpy(&four, q, sizeof four);
    return four;
}

#define INT8_KERNELS                                                                         \
    .rows = NARROW_ROWS, .bytes = 4, .activations = int8_quantise, .weights = int8_quantise, \
    .tile = narrow_tile
