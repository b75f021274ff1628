/*
 * int8_c.c: the kernels of int8.h in plain C: the reference.
 */
#include <math.h>

#include "kernel/body/body_narrow_c.h"
#include "kernel/narrow/int8.h"

/* The largest magnitude; NaN if some number is not finite. */
static float largest(const dgm_real *x, int64_t k)
{
    float most = 0, nothing = 0;

    for (int64_t t = 0; t < k; t++) {
        float magnitude = fabsf((float)x[t]);

        nothing += magnitude * 0.0f; /* NaN for infinity and NaN */
        most = magnitude > most ? magnitude : most;
    }
    return nothing == 0 ? most : (float)NAN;
}

static void quantise_row(const struct dgm_narrow_rows *job, int64_t i)
{
    const dgm_real *x = job->a + i * job->lda;
    const float most = largest(x, job->k);
    const float inverse = most >= DGM_INT8_LEAST ? 127.0f / most : 0;
    int8_t *to = (int8_t *)job->q + 4 * i;
    int32_t sum = 0;

    job->scales[i] = most < DGM_INT8_LEAST ? 0 : most / 127.0f;
    for (int64_t t = 0; t < 4 * dgm_int8_quads(job->k); t++) {
        int q = t < job->k && inverse > 0 ? dgm_int8_round((float)x[t] * inverse) : 0;

        to[t / 4 * job->step + t % 4] = (int8_t)q;
        sum += q;
    }
    job->sums[i] = sum;
}

static void int8_quantise(const struct dgm_narrow_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++)
        quantise_row(job, i);
}

static void narrow_values(float values[DGM_NARROW_LANES], const struct dgm_narrow_tile *tile,
                          int64_t i, int64_t panel)
{
    const uint8_t *w = tile->w + panel * tile->groups * DGM_NARROW_GROUP;
    const int8_t *q = (const int8_t *)tile->q + i * 4;
    int32_t sums[DGM_NARROW_LANES] = { 0 };

    for (int64_t t = 0; t < tile->groups; t++, q += tile->rows * 4)
        for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
            for (int b = 0; b < 4; b++)
                sums[j] += q[b] * (*w++ - 128); /* fits: most_k, int8.h */
    for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
        values[j] =
            (float)sums[j] * (tile->scales[i] * tile->w_scales[panel * DGM_NARROW_LANES + j]);
}

const struct dgm_narrow_kernels dgm_int8_c = {
    .name = "c",
    .base = "c",
    .rows = NARROW_ROWS,
    .bytes = 4,
    .activations = int8_quantise,
    .weights = int8_quantise,
    .tile = narrow_tile,
};
