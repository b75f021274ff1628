/*
 * body_gemm.h: the kernels of gemm.h over the vector vocabulary.
 *
 * A tile keeps its sums in registers: mr rows of two vectors. Each step loads two vectors of b and
 * multiplies them by one broadcast element of a per row, so that the multipliers are busy all the
 * time and the loads are not (14 x 2 sums of AVX-512: 16 loads for 28 fused steps). For each
 * number of rows there is one function, unrolled by the ROWS macros: sums must be variables, for
 * an array would live in memory wherever a compiler does not unroll.
 */
#include <string.h>

#include "kernel/body/body_unroll.h"
#include "kernel/gemm.h"
#include "kernel/simd/prefetch.h"

#if VEC_WIDTH == 16
#define GEMM_MR 14
#define GEMM_THIN 14
#elif VEC_WIDTH == 8
#define GEMM_MR 6
#define GEMM_THIN 12
#elif defined(__ARM_NEON)
#define GEMM_MR 12
#define GEMM_THIN 12
#else
#define GEMM_MR 6
#define GEMM_THIN 12
#endif

#define GEMM_NR (2 * VEC_WIDTH)

/* Steps that are transposed at a time, or between one bundle of prefetches and the next. */
#define GEMM_CHUNK 16

/* Rows of memory between the one that is copied and the one that is asked for. */
#define GEMM_FAR 32

/* Steps between one row of C that is asked for and the next. */
#define GEMM_C_STEPS 8

/* Steps between the row of b that is multiplied and the one that is asked for: a panel is as large
 * as the first cache, and comes from the second or the third. */
#define GEMM_SOON 12

/*
 * What a tile will need next, the share of its steps t .. end - 1, in the order of memory: caches
 * and memory banks like that best. (No function, for gcc 12 takes a function of prefetches for one
 * without effect.)
 */
#define GEMM_PREFETCH_AHEAD(tile, t, end)                                     \
    for (int64_t l = (t) * (tile)->ahead_lines / (tile)->steps,               \
                 past = (end) * (tile)->ahead_lines / (tile)->steps;          \
         l < past; l++)                                                       \
        for (int64_t u = 0; u < (tile)->ahead_width; u += DGM_PREFETCH_REALS) \
            DGM_PREFETCH((tile)->ahead + l * (tile)->ahead_ld + u);

/*
 * The rows of C that belong to steps t .. end - 1: all at once would hold up the loads. Where a row
 * begins within a line, the columns to the left have fetched that one: the others are asked for.
 */
#define GEMM_PREFETCH_C(t, end, rows)                                                   \
    for (int64_t i = (t) / GEMM_C_STEPS; i * GEMM_C_STEPS < (end) && i < (rows); i++) { \
        DGM_PREFETCH_WRITE(c + i * ldc + GEMM_NR / 2 - 1);                              \
        DGM_PREFETCH_WRITE(c + i * ldc + GEMM_NR - 1);                                  \
    }

/* ---- from sums to C ------------------------------------------------------------------------ */

/* Any tile: edges, bias, any beta. `sums` has `width` reals per row. */
static void gemm_finish(const struct dgm_gemm_tile *tile, const float *sums, int64_t width)
{
    const vec alpha = vec_set1(tile->alpha), beta = vec_set1(tile->beta), zero = vec_zero();

    for (int64_t i = 0; i < tile->rows; i++) {
        for (int64_t j = 0; j < tile->cols; j += VEC_WIDTH) {
            int64_t left = tile->cols - j;
            int n = left < VEC_WIDTH ? (int)left : VEC_WIDTH;
            float *c = tile->c + i * tile->ldc + j;
            vec x = vec_load(sums + i * width + j), old = zero;

            if (tile->beta != 0)
                old = vec_mul(beta, vec_load_part(c, n));
            x = vec_fma(alpha, x, old);
            if (tile->bias)
                x = vec_add(x, vec_load_part(tile->bias + j, n));
            if (tile->relu)
                x = vec_max(zero, x);
            vec_store_part(c, x, n);
        }
    }
}

/* Whole vectors, no bias, and c overwritten or added to: needs no detour through memory. */
static inline int gemm_is_plain(const struct dgm_gemm_tile *tile, int64_t cols)
{
    return tile->cols == cols && !tile->bias && !tile->relu && (tile->beta == 0 || tile->beta == 1);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* clang-format off */
#define TILE_SUMS(i) vec s##i = vec_zero(), r##i = vec_zero();
#define TILE_STEP(i)                                                                        \
    {                                                                                       \
        vec x = vec_set1(a[i * a_row]);                                                     \
        s##i = vec_fma(x, b0, s##i);                                                        \
        r##i = vec_fma(x, b1, r##i);                                                        \
    }
#define TILE_SET(i)                                                                         \
    vec_store(c + i * ldc, vec_fma(alpha, s##i, vec_zero()));                               \
    vec_store(c + i * ldc + VEC_WIDTH, vec_fma(alpha, r##i, vec_zero()));
#define TILE_ADD(i)                                                                         \
    vec_store(c + i * ldc, vec_fma(alpha, s##i, vec_load(c + i * ldc)));                    \
    vec_store(c + i * ldc + VEC_WIDTH,                                                      \
              vec_fma(alpha, r##i, vec_load(c + i * ldc + VEC_WIDTH)));
#define TILE_KEEP(i)                                                                        \
    vec_store(sums + i * GEMM_NR, s##i);                                                    \
    vec_store(sums + i * GEMM_NR + VEC_WIDTH, r##i);

#define TILE_STEPS(R, count)                                                                \
    for (int64_t u = (count); u > 0; u--) {                                                 \
        vec b0 = vec_load(b), b1 = vec_load(b + VEC_WIDTH);                                 \
                                                                                            \
        vec_prefetch(b + GEMM_SOON * ldb);                                                  \
        if (GEMM_NR > DGM_PREFETCH_REALS)                                                   \
            vec_prefetch(b + GEMM_SOON * ldb + DGM_PREFETCH_REALS);                         \
        ROWS_##R(TILE_STEP)                                                                 \
        a += a_step;                                                                        \
        b += ldb;                                                                           \
    }

#define TILE(R)                                                                             \
    static void gemm_tile_##R(const struct dgm_gemm_tile *tile)                             \
    {                                                                                       \
        const float *a = tile->a, *b = tile->b;                                             \
        const int64_t a_row = tile->a_row, a_step = tile->a_step, ldb = tile->ldb;          \
        const int64_t ldc = tile->ldc;                                                      \
        const vec alpha = vec_set1(tile->alpha);                                            \
        float *c = tile->c, sums[R * GEMM_NR];                                              \
        ROWS_##R(TILE_SUMS)                                                                 \
                                                                                            \
        for (int64_t t = 0, end; t < tile->steps; t = end) {                                \
            end = t + GEMM_CHUNK < tile->steps ? t + GEMM_CHUNK : tile->steps;              \
            GEMM_PREFETCH_C(t, end, R)                                                      \
            if (tile->ahead)                                                                \
                GEMM_PREFETCH_AHEAD(tile, t, end)                                           \
            TILE_STEPS(R, end - t)                                                          \
        }                                                                                   \
        if (!gemm_is_plain(tile, GEMM_NR)) {                                                \
            ROWS_##R(TILE_KEEP)                                                             \
            gemm_finish(tile, sums, GEMM_NR);                                               \
        } else if (tile->beta == 0) {                                                       \
            ROWS_##R(TILE_SET)                                                              \
        } else {                                                                            \
            ROWS_##R(TILE_ADD)                                                              \
        }                                                                                   \
    }
/* clang-format on */

/* ---- transposing ----------------------------------------------------------------------------- */

/*
 * GEMM_CHUNK steps of VEC_WIDTH columns at the edge of a matrix, through a copy padded with
 * zeros.
 */
static void gemm_columns_edge(float *to, int64_t width, const float *from, int64_t ld,
                              int64_t steps, int64_t cols)
{
    float copy[VEC_WIDTH * GEMM_CHUNK] = { 0 };
    vec v[4];

    for (int64_t j = 0; j < cols; j++)
        for (int64_t t = 0; t < steps; t += VEC_WIDTH)
            vec_store(copy + j * GEMM_CHUNK + t,
                      steps - t >= VEC_WIDTH ? vec_load(from + j * ld + t)
                                             : vec_load_part(from + j * ld + t, (int)(steps - t)));
    for (int64_t t = 0; t < steps; t += 4) {
        vec_load_columns(v, copy + t, GEMM_CHUNK);
        for (int64_t i = 0; i < 4 && t + i < steps; i++)
            vec_store(to + (t + i) * width, v[i]);
    }
}

/*
 * to[t width + j] = from[j ld + t] for a whole chunk. Columns whose addresses agree in their last
 * twelve bits would push each other out of the first cache before all their quarters are read:
 * such ones are copied first, a cache line at a time.
 */
static inline void gemm_columns(float *to, int64_t width, const float *from, int64_t ld)
{
    float copy[VEC_WIDTH * GEMM_CHUNK];
    vec v[4];

    if (ld * (int64_t)sizeof(float) % 4096 == 0) {
        for (int64_t j = 0; j < VEC_WIDTH; j++)
            for (int64_t t = 0; t < GEMM_CHUNK; t += VEC_WIDTH)
                vec_store(copy + j * GEMM_CHUNK + t, vec_load(from + j * ld + t));
        from = copy;
        ld = GEMM_CHUNK;
    }
    for (int64_t t = 0; t < GEMM_CHUNK; t += 4) {
        vec_load_columns(v, from + t, ld);
        vec_store(to + t * width, v[0]);
        vec_store(to + (t + 1) * width, v[1]);
        vec_store(to + (t + 2) * width, v[2]);
        vec_store(to + (t + 3) * width, v[3]);
    }
}

static void gemm_pack_columns(float *to, int width, const float *from, int64_t ld, int64_t steps,
                              int64_t cols)
{
    for (int64_t j = 0; j < width; j += VEC_WIDTH) {
        int64_t some = cols - j < 0 ? 0 : cols - j < VEC_WIDTH ? cols - j : VEC_WIDTH;

        for (int64_t t = 0; t < steps; t += GEMM_CHUNK) {
            int64_t left = steps - t < GEMM_CHUNK ? steps - t : GEMM_CHUNK;

            if (left == GEMM_CHUNK && some == VEC_WIDTH)
                gemm_columns(to + t * width + j, width, from + j * ld + t, ld);
            else
                gemm_columns_edge(to + t * width + j, width, some ? from + j * ld + t : from, ld,
                                  left, some);
        }
    }
}

/* The rows lie far apart, where no hardware foresees them: we ask for them in time. */
static void gemm_pack_rows(float *to, int width, const float *from, int64_t ld, int64_t steps,
                           int64_t cols)
{
    for (int64_t t = 0; t < steps; t++, to += width, from += ld) {
        const float *far = from + (t + GEMM_FAR < steps ? GEMM_FAR * ld : 0);

        DGM_PREFETCH(far);
        DGM_PREFETCH(far + cols - 1);
        if (cols == GEMM_NR && width == GEMM_NR) {
            vec_store(to, vec_load(from));
            vec_store(to + VEC_WIDTH, vec_load(from + VEC_WIDTH));
            continue;
        }
        for (int64_t j = 0; j < width; j += VEC_WIDTH) {
            int64_t left = cols - j < 0 ? 0 : cols - j < VEC_WIDTH ? cols - j : VEC_WIDTH;

            vec_store(to + j, vec_load_part(left ? from + j : from, (int)left));
        }
    }
}

/* ---- thin tiles: few rows, weights in place -------------------------------------------------- */

/* clang-format off */
#define THIN_SUMS(i) vec s##i = vec_zero();
#define THIN_STEP(i) s##i = vec_fma(vec_set1(a[i * a_row]), b0, s##i);
#define THIN_KEEP(i) vec_store(sums + i * VEC_WIDTH, s##i);

#define THIN(R)                                                                             \
    static void gemm_thin_##R(const struct dgm_gemm_tile *tile)                             \
    {                                                                                       \
        const float *a = tile->a;                                                           \
        const int64_t a_row = tile->a_row, a_step = tile->a_step;                           \
        float panel[GEMM_CHUNK * VEC_WIDTH], sums[R * VEC_WIDTH];                           \
        ROWS_##R(THIN_SUMS)                                                                 \
                                                                                            \
        for (int64_t t = 0; t < tile->steps; t += GEMM_CHUNK) {                             \
            int64_t n = gemm_thin_chunk(panel, tile, t);                                    \
                                                                                            \
            for (int64_t u = 0; u < n; u++) {                                               \
                vec b0 = vec_load(panel + u * VEC_WIDTH);                                   \
                                                                                            \
                ROWS_##R(THIN_STEP)                                                         \
                a += a_step;                                                                \
            }                                                                               \
        }                                                                                   \
        ROWS_##R(THIN_KEEP)                                                                 \
        gemm_finish(tile, sums, VEC_WIDTH);                                                 \
    }
/* clang-format on */

/*
 * Transposes up to GEMM_CHUNK steps from step t on; returns how many. Meanwhile asks for a share of
 * the next weights.
 */
static inline int64_t gemm_thin_chunk(float *panel, const struct dgm_gemm_tile *tile, int64_t t)
{
    const float *from = tile->b + t;
    int64_t left = tile->steps - t;

    if (tile->ahead)
        GEMM_PREFETCH_AHEAD(tile, t, left < GEMM_CHUNK ? tile->steps : t + GEMM_CHUNK)
    if (left >= GEMM_CHUNK && tile->cols == VEC_WIDTH) {
        gemm_columns(panel, VEC_WIDTH, from, tile->ldb);
        return GEMM_CHUNK;
    }
    left = left < GEMM_CHUNK ? left : GEMM_CHUNK;
    gemm_columns_edge(panel, VEC_WIDTH, from, tile->ldb, left, tile->cols);
    return left;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* clang-format off */
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)
THIN(1) THIN(2) THIN(3) THIN(4) THIN(5) THIN(6)
THIN(7) THIN(8) THIN(9) THIN(10) THIN(11) THIN(12)
#if GEMM_MR > 6
TILE(7) TILE(8) TILE(9) TILE(10) TILE(11) TILE(12)
#endif
#if GEMM_MR > 12
TILE(13) TILE(14)
THIN(13) THIN(14)
#endif

static void gemm_tile(const struct dgm_gemm_tile *tile)
{
    static void (*const by_rows[])(const struct dgm_gemm_tile *) = {
        gemm_tile_1,  gemm_tile_2,  gemm_tile_3,  gemm_tile_4,  gemm_tile_5,  gemm_tile_6,
#if GEMM_MR > 6
        gemm_tile_7,  gemm_tile_8,  gemm_tile_9,  gemm_tile_10, gemm_tile_11, gemm_tile_12,
#endif
#if GEMM_MR > 12
        gemm_tile_13, gemm_tile_14,
#endif
    };

    by_rows[tile->rows - 1](tile);
}
/* clang-format on */

static void gemm_thin(const struct dgm_gemm_tile *tile)
{
    static void (*const by_rows[])(const struct dgm_gemm_tile *) = {
        gemm_thin_1,
        gemm_thin_2,
        gemm_thin_3,
        gemm_thin_4,
        gemm_thin_5,
        gemm_thin_6,
        gemm_thin_7,
        gemm_thin_8,
        gemm_thin_9,
        gemm_thin_10,
        gemm_thin_11,
        gemm_thin_12,
#if GEMM_THIN > 12
        gemm_thin_13,
        gemm_thin_14,
#endif
    };

    by_rows[tile->rows - 1](tile);
}

static const struct dgm_gemm_kernels gemm_kernels = {
    .mr = GEMM_MR,
    .nr = GEMM_NR,
    .mr_panel = (GEMM_MR + VEC_WIDTH - 1) / VEC_WIDTH * VEC_WIDTH,
    .tile = gemm_tile,
    .thin_rows = GEMM_THIN,
    .thin_cols = VEC_WIDTH,
    .thin = gemm_thin,
    .pack_rows = gemm_pack_rows,
    .pack_columns = gemm_pack_columns,
};
