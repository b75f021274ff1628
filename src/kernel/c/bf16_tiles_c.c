/*
 * bf16_tiles_c.c: the kernels of bf16.h in plain C, in the order in which AMX sums: their
 * reference. Nothing computes with it but tests.
 */
#include "kernel/body/body_narrow_c.h"
#include "kernel/narrow/bf16.h"

enum { TILE_GROUPS = 16 };

static float rounded(const struct dgm_narrow_rows *job, int64_t i, int64_t t)
{
    return t < job->k ? dgm_bf16_widen(dgm_bf16_round((float)job->a[i * job->lda + t])) : 0;
}

/* To floats, (rows, groups, steps). */
static void round_activations(const struct dgm_narrow_rows *job)
{
    float *to = (float *)(void *)job->q;

    for (int64_t i = 0; i < job->rows; i++)
        for (int64_t t = 0; t < 2 * dgm_bf16_pairs(job->k); t++)
            *to++ = rounded(job, i, t);
}

static void round_weights(const struct dgm_narrow_rows *job)
{
    extern const struct dgm_narrow_kernels dgm_bf16_c;

    dgm_bf16_c.weights(job);
}

/* The sums of step `step` of up to 16 groups; stored after each, as in bf16_c.c. */
static void add_steps(float sums[DGM_NARROW_LANES], const float *x, const uint8_t *w,
                      int64_t groups, int step)
{
    uint16_t halves[DGM_NARROW_LANES * DGM_BF16_STEPS];

    for (int64_t t = 0; t < groups; t++, w += DGM_NARROW_GROUP) {
        memcpy(halves, w, sizeof halves);
        for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
            sums[j] += x[2 * t + step] * dgm_bf16_widen(halves[2 * j + step]);
    }
}

static void narrow_values(float values[DGM_NARROW_LANES], const struct dgm_narrow_tile *tile,
                          int64_t i, int64_t panel)
{
    const uint8_t *w = tile->w + panel * tile->groups * DGM_NARROW_GROUP;
    const float *x = (const float *)tile->q + i * 2 * tile->groups;

    memset(values, 0, DGM_NARROW_LANES * sizeof *values);
    for (int64_t t = 0; t < tile->groups; t += TILE_GROUPS) {
        const int64_t left = tile->groups - t, groups = left < TILE_GROUPS ? left : TILE_GROUPS;
        float even[DGM_NARROW_LANES] = { 0 }, odd[DGM_NARROW_LANES] = { 0 };

        add_steps(even, x + 2 * t, w + t * DGM_NARROW_GROUP, groups, 0);
        add_steps(odd, x + 2 * t, w + t * DGM_NARROW_GROUP, groups, 1);
        for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
            even[j] += odd[j];
        for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
            values[j] += even[j];
    }
}

const struct dgm_narrow_kernels dgm_bf16_tiles_c = {
    .name = "tiles in c",
    .base = "c",
    .rows = NARROW_ROWS,
    .bytes = 8,
    .activations = round_activations,
    .weights = round_weights,
    .tile = narrow_tile,
};
