/*
 * int8_c.c: the kernels of int8.h in plain C: the reference.
 */
#include <math.h>

#include "kernel/int8.h"

#define ROWS 4

/* The largest magnitude; NaN if some number is not finite. */
static float largest(const dgm_real *x, int64_t k)
{
    float most = 0, nothing = 0;

    for (int64_t t = 0; t < k; t++) {
        float magnitude = fabsf((float)x[t]);

        nothing += magnitude * 0.0f;
        most = magnitude > most ? magnitude : most;
    }
    return nothing == 0 ? most : (float)NAN;
}

static void quantise_row(const struct dgm_int8_rows *job, int64_t i)
{
    const dgm_real *x = job->a + i * job->lda;
    const float most = largest(x, job->k);
    const float inverse = most >= DGM_INT8_LEAST ? 127.0f / most : 0;
    int32_t sum = 0;

    job->scales[i] = most < DGM_INT8_LEAST ? 0 : most / 127.0f;
    for (int64_t t = 0; t < 4 * dgm_int8_quads(job->k); t++) {
        int q = t < job->k && inverse > 0 ? dgm_int8_round((float)x[t] * inverse) : 0;

        job->q[t / 4 * job->step + 4 * i + t % 4] = (int8_t)q;
        sum += q;
    }
    job->sums[i] = sum;
}

static void int8_quantise(const struct dgm_int8_rows *job)
{
    for (int64_t i = 0; i < job->rows; i++)
        quantise_row(job, i);
}

/* Row i of the activations times the rows of a panel. */
static void add_panel(int32_t *sums, const struct dgm_int8_tile *tile, int64_t i, int64_t panel)
{
    const uint8_t *w = tile->w + panel * tile->quads * DGM_INT8_LANES * 4;
    const int8_t *q = tile->q + i * 4;

    for (int64_t t = 0; t < tile->quads; t++, q += tile->rows * 4)
        for (int64_t j = 0; j < DGM_INT8_LANES; j++)
            for (int b = 0; b < 4; b++)
                sums[j] += q[b] * (*w++ - 128);
}

/* Lane j of row i. */
static void finish(const struct dgm_int8_tile *tile, int64_t i, int64_t j, int32_t sum)
{
    dgm_real *c = tile->c + i * tile->ldc + (j - tile->first);
    float scale = tile->scales[i] * tile->w_scales[j];
    dgm_real x = tile->alpha * (dgm_real)((float)sum * scale);

    if (tile->beta != 0)
        x += tile->beta * *c;
    if (tile->bias)
        x += tile->bias[j - tile->first];
    *c = tile->relu && x < 0 ? 0 : x;
}

static void int8_tile(const struct dgm_int8_tile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++)
        for (int64_t panel = 0; panel < tile->panels; panel++) {
            int32_t sums[DGM_INT8_LANES] = { 0 };
            const int64_t begin = panel * DGM_INT8_LANES;

            add_panel(sums, tile, i, panel);
            for (int64_t j = 0; j < DGM_INT8_LANES; j++)
                if (begin + j >= tile->first && begin + j < tile->end)
                    finish(tile, i, begin + j, sums[j]);
        }
}

const struct dgm_int8_kernels dgm_int8_c = {
    .name = "c",
    .base = "c",
    .rows = ROWS,
    .quantise = int8_quantise,
    .tile = int8_tile,
};
