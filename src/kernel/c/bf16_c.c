/*
 * bf16_c.c: the kernels of bf16.h in plain C: the reference.
 */
#include "kernel/narrow/bf16.h"

#include "kernel/body/body_narrow_c.h"

/* Step t of row i; 0 beyond the last one. */
static uint16_t half_of(const struct dgm_narrow_rows *job, int64_t i, int64_t t)
{
    return t < job->k ? dgm_bf16_round((float)job->a[i * job->lda + t]) : 0;
}

static void round_weights(const struct dgm_narrow_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++)
        for (int64_t t = 0; t < dgm_bf16_pairs(job->k); t++) {
            const uint16_t pair[] = { half_of(job, i, 2 * t), half_of(job, i, 2 * t + 1) };

            memcpy(job->q + t * job->step + (int64_t)sizeof pair * i, pair, sizeof pair);
        }
}

/* To floats in the order of the sum: of each pair, the later step first. */
static void round_activations(const struct dgm_narrow_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++)
        for (int64_t t = 0; t < dgm_bf16_pairs(job->k); t++) {
            const float pair[] = { dgm_bf16_widen(half_of(job, i, 2 * t + 1)),
                                   dgm_bf16_widen(half_of(job, i, 2 * t)) };

            memcpy(job->q + t * job->step + (int64_t)sizeof pair * i, pair, sizeof pair);
        }
}

/* The sums are stored after each step, for a wider register would keep more of them. */
static void narrow_values(float values[DGM_NARROW_LANES], const struct dgm_narrow_tile *tile,
                          int64_t i, int64_t panel)
{
    const uint8_t *w = tile->w + panel * tile->groups * DGM_NARROW_GROUP;
    const float *q = (const float *)tile->q + i * 2;
    uint16_t halves[DGM_NARROW_LANES * DGM_BF16_STEPS];

    for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
        values[j] = 0;
    for (int64_t t = 0; t < tile->groups; t++, q += tile->rows * 2, w += DGM_NARROW_GROUP) {
        memcpy(halves, w, sizeof halves);
        for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
            values[j] += q[0] * dgm_bf16_widen(halves[2 * j + 1]);
        for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
            values[j] += q[1] * dgm_bf16_widen(halves[2 * j]);
    }
}

const struct dgm_narrow_kernels dgm_bf16_c = {
    .name = "c",
    .base = "c",
    .rows = NARROW_ROWS,
    .bytes = 8,
    .activations = round_activations,
    .weights = round_weights,
    .tile = narrow_tile,
};
