/*
 * body_bf16_wide.h: the kernels of bf16.h where the instruction set has no products of halves:
 * weights are widened in registers, activations before. Whoever includes it defines NARROW_VECTORS,
 * NARROW_ROWS and, with one vector, NARROW_FEW as body_narrow_sums.h wants them.
 */
#include "kernel/body/body_bf16.h"

#define NARROW_ROW_BYTES 8

/* Row i to floats in the order of the sum: of each pair, the later step first. */
static inline void bf16_widen_row(const struct dgm_narrow_rows *job, int64_t i)
{
    const int64_t end = 2 * dgm_bf16_pairs(job->k);
    uint8_t *to = job->q + i * NARROW_ROW_BYTES;
    float lanes[VEC_WIDTH];

    for (int64_t t = 0; t < end; t += VEC_WIDTH) {
        vec_store(lanes, bf16_steps(job, i, t));
        for (int64_t u = 0; u < VEC_WIDTH && t + u < end; u += 2, to += job->step) {
            const float pair[] = { lanes[u + 1], lanes[u] };

            memcpy(to, pair, sizeof pair);
        }
    }
}

static void bf16_widen(const struct dgm_narrow_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++)
        bf16_widen_row(job, i);
}

typedef vec narrow_sums_vector;

/* The earlier and the later step. */
typedef struct {
    vec early, late;
} narrow_weights, narrow_row;

static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    (void)tile;
    (void)i;
    return vec_zero();
}

/* The later step is in the upper halves, for the orders of bytes of all these sets are the same. */
static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    const ivec pairs = vec_bits(vec_load((const float *)(const void *)w));
    narrow_weights weights;

    weights.early = ivec_floats(ivec_shift_left(pairs, 16));
    weights.late = ivec_floats(ivec_and(pairs, ivec_set1(0xFFFF0000)));
    return weights;
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    const float *x = (const float *)(const void *)q;
    narrow_row row;

    row.late = vec_set1(x[0]);
    row.early = vec_set1(x[1]);
    return row;
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    return vec_fma(x.early, w.early, vec_fma(x.late, w.late, sum));
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    vec_store(sums, sum);
}

#include "kernel/body/body_narrow_sums.h"

#define BF16_KERNELS                                                           \
    .rows = NARROW_ROWS, .bytes = NARROW_ROW_BYTES, .activations = bf16_widen, \
    .weights = bf16_pairs, .tile = narrow_tile
