/*
 * body_narrow_c.h: tiles of narrow.h in plain C, but for the sums of a type. Whoever includes it
 * defines after it
 *
 *     narrow_values(values, tile, i, panel)   row i of activations times a panel, (LANES)
 */
#include "kernel/narrow/narrow.h"

#define NARROW_ROWS 4

static void narrow_values(float values[DGM_NARROW_LANES], const struct dgm_narrow_tile *tile,
                          int64_t i, int64_t panel);

/* Lane j of row i. */
static void narrow_finish(const struct dgm_narrow_tile *tile, int64_t i, int64_t j, float value)
{
    dgm_real *c = tile->c + i * tile->ldc + (j - tile->first);
    dgm_real x = tile->alpha * (dgm_real)value;

    if (tile->beta != 0)
        x += tile->beta * *c;
    if (tile->bias)
        x += tile->bias[j - tile->first];
    *c = tile->relu && x < 0 ? 0 : x;
}

static void narrow_tile(const struct dgm_narrow_tile *tile)
{
    float values[DGM_NARROW_LANES];

    for (int64_t i = 0; i < tile->rows; i++)
        for (int64_t panel = 0; panel < tile->panels; panel++) {
            const int64_t begin = panel * DGM_NARROW_LANES;

            narrow_values(values, tile, i, panel);
            for (int64_t j = 0; j < DGM_NARROW_LANES; j++)
                if (begin + j >= tile->first && begin + j < tile->end)
                    narrow_finish(tile, i, begin + j, values[j]);
        }
}
