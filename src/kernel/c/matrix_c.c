/*
 * matrix_c.c: the kernels of matrix.h in plain C: the reference.
 */
#include "kernel/narrow/matrix.h"

#include <math.h>
#include <string.h>

#include "kernel/body/body_narrow_c.h"

/* To nearest, ties to even; NaN stays one. */
static uint32_t half(dgm_real x)
{
    const float narrow = (float)x;
    uint32_t bits;

    memcpy(&bits, &narrow, sizeof bits);
    if (isnan(narrow))
        return bits >> 16 | 0x40; /* quiet, lest a payload of low bits become infinity */
    if ((bits & 0x7F800000) == 0) /* denormal */
        return bits >> 16 & 0x8000;
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

static float widen(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t pair_at(const struct dgm_matrix_pack *pack, int64_t l, int64_t t)
{
    const dgm_real *from = pack->from + l * pack->line + t * pack->step;

    if (l >= pack->lines || t >= pack->steps)
        return 0;
    return half(*from) | (t + 1 < pack->steps ? half(from[pack->step]) << 16 : 0);
}

static void pack_rows(const struct dgm_matrix_pack *pack)
{
    const int64_t pairs = dgm_matrix_pairs(pack->steps);
    const int64_t tiles = (pack->lines + DGM_MATRIX_ROWS - 1) / DGM_MATRIX_ROWS;

    for (int64_t l = 0; l < tiles * DGM_MATRIX_ROWS; l++)
        for (int64_t t = 0; t < pairs; t++)
            pack->to[l * pairs + t] = pair_at(pack, l, 2 * t);
}

static void pack_lanes(const struct dgm_matrix_pack *pack)
{
    const int64_t pairs = dgm_matrix_pairs(pack->steps);

    for (int64_t t = 0; t < pairs; t++)
        for (int64_t l = 0; l < DGM_NARROW_LANES; l++)
            pack->to[t * DGM_NARROW_LANES + l] = pair_at(pack, l, 2 * t);
}

/* One lane: a (groups) times w, whose pairs are LANES apart. */
static float sum_of(const uint32_t *a, const uint32_t *w, int64_t groups)
{
    float sum = 0;

    for (int64_t g = 0; g < groups; g += DGM_MATRIX_PAIRS) {
        float even = 0, odd = 0;

        for (int64_t t = g; t < g + DGM_MATRIX_PAIRS; t++) {
            const uint32_t x = a[t], y = w[t * DGM_NARROW_LANES];

            even = fmaf(widen(x << 16), widen(y << 16), even);
            odd = fmaf(widen(x & 0xFFFF0000), widen(y & 0xFFFF0000), odd);
        }
        sum += even + odd;
    }
    return sum;
}

static void narrow_values(float values[DGM_NARROW_LANES], const struct dgm_narrow_tile *tile,
                          int64_t i, int64_t panel)
{
    const uint32_t *a = (const uint32_t *)tile->q + i * tile->groups;
    const uint32_t *w =
        (const uint32_t *)(const void *)tile->w + panel * tile->groups * DGM_NARROW_LANES;

    for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
        values[j] = sum_of(a, w + j, tile->groups);
}

static void nothing(void)
{
}

const struct dgm_matrix_kernels dgm_matrix_c = {
    .name = "c",
    .base = "c",
    .pack_rows = pack_rows,
    .pack_lanes = pack_lanes,
    .begin = nothing,
    .tile = narrow_tile,
    .end = nothing,
};
