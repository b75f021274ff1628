/*
 * body_narrow.h: tiles of narrow.h over the vector vocabulary. Whoever includes it defines before
 * that
 *
 *     narrow_sum                       the type of a sum, of four bytes
 *
 * and after it
 *
 *     narrow_panels(rows)              how many panels narrow_sums takes at a time: 1, 2 or 4
 *     narrow_sums(sums, tile, panel, n)    the sums of n panels from `panel` on, (rows, n, LANES)
 *     narrow_value(tile, i, j, n, sums)    floats of the sums of row i from lane j on, n of which
 *                                          count
 */
#include <math.h>
#include <string.h>

#include "kernel/narrow/narrow.h"
#include "kernel/simd/prefetch.h"

static inline int64_t narrow_panels(int64_t rows);
static void narrow_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count);
static inline vec narrow_value(const struct dgm_narrow_tile *tile, int64_t i, int64_t j, int n,
                               ivec sums);

static inline vec narrow_load(const float *p, int n)
{
    return n == VEC_WIDTH ? vec_load(p) : vec_load_part(p, n);
}

/* Lanes j .. j + n - 1 of row i of C. Most parts are whole vectors: where a caller says so by a
 * constant, the copy of the sums is a load. */
static inline void narrow_finish_part(const struct dgm_narrow_tile *tile, int64_t i, int64_t j,
                                      int n, const narrow_sum *sums)
{
    float *c = tile->c + i * tile->ldc + (j - tile->first);
    uint32_t lanes[VEC_WIDTH];
    vec x;

    if (n < VEC_WIDTH)
        memset(lanes, 0, sizeof lanes);
    memcpy(lanes, sums, (size_t)n * sizeof *lanes);
    x = vec_mul(vec_set1(tile->alpha), narrow_value(tile, i, j, n, ivec_load(lanes)));
    if (tile->beta != 0)
        x = vec_add(x, vec_mul(vec_set1(tile->beta), narrow_load(c, n)));
    if (tile->bias)
        x = vec_add(x, narrow_load(tile->bias + (j - tile->first), n));
    if (tile->relu)
        x = vec_max(vec_zero(), x);
    if (n == VEC_WIDTH)
        vec_store(c, x);
    else
        vec_store_part(c, x, n);
}

/* Lanes from .. to - 1; sums (rows, ld) begin at lane `begin`. The tile is copied, for of what
 * `tile` points to the compiler must think that every store to C changes it. */
static inline void narrow_finish(const struct dgm_narrow_tile *tile, const narrow_sum *sums,
                                 int64_t ld, int64_t begin, int64_t from, int64_t to)
{
    const struct dgm_narrow_tile own = *tile;

    for (int64_t i = 0; i < own.rows; i++, sums += ld) {
        int64_t j = from;

        for (; j + VEC_WIDTH <= to; j += VEC_WIDTH)
            narrow_finish_part(&own, i, j, VEC_WIDTH, sums + (j - begin));
        if (j < to)
            narrow_finish_part(&own, i, j, (int)(to - j), sums + (j - begin));
    }
}

/* C is asked for before its sums are made, so that it is there when they are. (No function, for
 * gcc 12 takes a function of prefetches for one without effect.) */
#define NARROW_PREFETCH_C(tile, from, to)                           \
    for (int64_t i = 0; i < (tile)->rows; i++)                      \
        for (int64_t j = (from); j < (to); j += DGM_PREFETCH_REALS) \
            DGM_PREFETCH_WRITE((tile)->c + i * (tile)->ldc + (j - (tile)->first));

static void narrow_tile(const struct dgm_narrow_tile *tile)
{
    narrow_sum sums[DGM_NARROW_ROWS * DGM_NARROW_PANELS * DGM_NARROW_LANES];
    const int64_t most = narrow_panels(tile->rows);

    for (int64_t panel = 0, count; panel < tile->panels; panel += count) {
        const int64_t begin = panel * DGM_NARROW_LANES;
        const int64_t from = begin > tile->first ? begin : tile->first;
        int64_t to;

        count = tile->panels - panel < most ? tile->panels - panel : most;
        count = count == 3 ? 2 : count;
        to = begin + count * DGM_NARROW_LANES;
        to = to < tile->end ? to : tile->end;
        NARROW_PREFETCH_C(tile, from, to)
        narrow_sums(sums, tile, panel, count);
        narrow_finish(tile, sums, count * DGM_NARROW_LANES, begin, from, to);
    }
}
