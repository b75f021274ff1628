/*
 * body_int8.h: the kernels of int8.h over the vector vocabulary, but for the sums. Whoever includes
 * it defines before that
 *
 *     INT8_ROWS                        rows of the largest tile
 *     int8_bytes(to, q)                stores the lanes of an ivec, each in -127..127, as bytes
 *     int8_panels(rows)                how many panels int8_sums takes at a time: 1, 2 or 4
 *
 * and after it
 *
 *     int8_sums(sums, tile, panel, n)  the sums of n panels from `panel` on, (rows, n, LANES)
 */
#include <math.h>
#include <string.h>

#include "kernel/int8.h"
#include "kernel/simd/prefetch.h"

static void int8_sums(int32_t *sums, const struct dgm_int8_tile *tile, int64_t panel,
                      int64_t count);

/* ---- quantising ---------------------------------------------------------------------------- */

/* The largest magnitude; NaN if some number is not finite, for 0 times it is then no 0. */
static inline float int8_largest(const float *x, int64_t k)
{
    vec most = vec_zero(), nothing = vec_zero();

    for (int64_t t = 0; t < k; t += VEC_WIDTH) {
        vec v = vec_abs(k - t < VEC_WIDTH ? vec_load_part(x + t, (int)(k - t)) : vec_load(x + t));

        nothing = vec_add(nothing, vec_mul(v, vec_zero()));
        most = vec_max(v, most);
    }
    return vec_sum(nothing) == 0 ? vec_max_lanes(most) : (float)NAN;
}

/* Row i, in vectors. Returns the sum of q. */
static inline int32_t int8_quantise_row(const struct dgm_int8_rows *job, int64_t i, float inverse)
{
    const float *x = job->a + i * job->lda;
    const vec factor = vec_set1(inverse);
    const int64_t end = 4 * dgm_int8_quads(job->k), step = job->step;
    ivec sums = ivec_set1(0);
    uint32_t lanes[VEC_WIDTH];
    int8_t *to = job->q + i * 4, bytes[VEC_WIDTH];
    int32_t sum = 0;

    for (int64_t t = 0; t < end; t += VEC_WIDTH) {
        int64_t left = job->k - t;
        ivec q = vec_to_int(
            vec_mul(left < VEC_WIDTH ? vec_load_part(x + t, (int)left) : vec_load(x + t), factor));

        sums = ivec_add(sums, q);
        int8_bytes(bytes, q);
        for (int64_t u = 0; u < VEC_WIDTH && t + u < end; u += 4, to += step)
            memcpy(to, bytes + u, 4);
    }
    ivec_store(lanes, sums);
    for (int lane = 0; lane < VEC_WIDTH; lane++)
        sum += (int32_t)lanes[lane];
    return sum;
}

static void int8_quantise(const struct dgm_int8_rows *job)
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

/* ---- tiles --------------------------------------------------------------------------------- */

static inline vec int8_load(const float *p, int n)
{
    return n == VEC_WIDTH ? vec_load(p) : vec_load_part(p, n);
}

/* Lanes j .. j + n - 1 of row i of C. Most parts are whole vectors: where a caller says so by a
 * constant, the copy of the sums is a load. */
static inline void int8_finish_part(const struct dgm_int8_tile *tile, int64_t i, int64_t j, int n,
                                    const int32_t *sums)
{
    float *c = tile->c + i * tile->ldc + (j - tile->first);
    uint32_t lanes[VEC_WIDTH];
    vec x;

    if (n < VEC_WIDTH)
        memset(lanes, 0, sizeof lanes);
    memcpy(lanes, sums, (size_t)n * sizeof *lanes);
    x = vec_mul(vec_from_int(ivec_load(lanes)),
                vec_mul(vec_set1(tile->scales[i]), int8_load(tile->w_scales + j, n)));
    x = vec_mul(vec_set1(tile->alpha), x);
    if (tile->beta != 0)
        x = vec_add(x, vec_mul(vec_set1(tile->beta), int8_load(c, n)));
    if (tile->bias)
        x = vec_add(x, int8_load(tile->bias + (j - tile->first), n));
    if (tile->relu)
        x = vec_max(vec_zero(), x);
    if (n == VEC_WIDTH)
        vec_store(c, x);
    else
        vec_store_part(c, x, n);
}

/* Lanes from .. to - 1; sums (rows, ld) begin at lane `begin`. */
static inline void int8_finish(const struct dgm_int8_tile *tile, const int32_t *sums, int64_t ld,
                               int64_t begin, int64_t from, int64_t to)
{
    for (int64_t i = 0; i < tile->rows; i++, sums += ld) {
        int64_t j = from;

        for (; j + VEC_WIDTH <= to; j += VEC_WIDTH)
            int8_finish_part(tile, i, j, VEC_WIDTH, sums + (j - begin));
        if (j < to)
            int8_finish_part(tile, i, j, (int)(to - j), sums + (j - begin));
    }
}

/* C is asked for before its sums are made, so that it is there when they are. (No function, for gcc 12
 * takes a function of prefetches for one without effect.) */
#define INT8_PREFETCH_C(tile, from, to)                             \
    for (int64_t i = 0; i < (tile)->rows; i++)                      \
        for (int64_t j = (from); j < (to); j += DGM_PREFETCH_REALS) \
            DGM_PREFETCH_WRITE((tile)->c + i * (tile)->ldc + (j - (tile)->first));

static void int8_tile(const struct dgm_int8_tile *tile)
{
    int32_t sums[DGM_INT8_ROWS * DGM_INT8_PANELS * DGM_INT8_LANES];
    const int64_t most = int8_panels(tile->rows);

    for (int64_t panel = 0, count; panel < tile->panels; panel += count) {
        const int64_t begin = panel * DGM_INT8_LANES;
        const int64_t from = begin > tile->first ? begin : tile->first;
        int64_t to;

        count = tile->panels - panel < most ? tile->panels - panel : most;
        count = count == 3 ? 2 : count;
        to = begin + count * DGM_INT8_LANES;
        to = to < tile->end ? to : tile->end;
        INT8_PREFETCH_C(tile, from, to)
        int8_sums(sums, tile, panel, count);
        int8_finish(tile, sums, count * DGM_INT8_LANES, begin, from, to);
    }
}

#define INT8_KERNELS .rows = INT8_ROWS, .quantise = int8_quantise, .tile = int8_tile
