/*
 * int8_i8mm.c: products of bytes by the matrix instructions of Armv8.6: usmmla multiplies eight
 * steps of two lanes of unsigned bytes, weights with their 128, by those of two rows of signed
 * ones.
 *
 * arch: aarch64
 * cflags: -march=armv8.2-a+i8mm
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_neon.h"

#define NARROW_ROWS 6

#include "kernel/body/body_int8.h"
#include "kernel/body/body_unroll.h"

static inline int64_t narrow_panels(int64_t rows)
{
    (void)rows;
    return 1;
}

/* ---- one row: usdot, the instruction for a vector -------------------------------------------- */

static void sums_of_row(int32_t *sums, const struct dgm_narrow_tile *tile, const uint8_t *w)
{
    enum { PARTS = DGM_NARROW_LANES / 4 };
    const uint8_t *q = tile->q;
    int32x4_t part[PARTS];

    for (int p = 0; p < PARTS; p++)
        part[p] = vdupq_n_s32(-128 * tile->sums[0]);
    for (int64_t t = tile->groups; t > 0; t--, q += 4) {
        const int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(int8_quad(q)));

        for (int p = 0; p < PARTS; p++, w += 16)
            part[p] = vusdotq_s32(part[p], vld1q_u8(w), x);
    }
    for (int p = 0; p < PARTS; p++)
        vst1q_s32(sums + 4 * p, part[p]);
}

/* ---- pairs of rows --------------------------------------------------------------------------- */

/* Four steps of two rows; of one row twice where there is no second. */
static inline int32x4_t four_steps(const uint8_t *q, int is_pair)
{
    const int32x2_t rows = is_pair ? vreinterpret_s32_u8(vld1_u8(q)) : vdup_n_s32(int8_quad(q));

    return vcombine_s32(rows, rows);
}

/* Eight steps of two rows, one row after the other, from two groups of four. */
static inline int8x16_t eight_steps(const uint8_t *q, const uint8_t *next, int is_pair)
{
    return vreinterpretq_s8_s32(vzip1q_s32(four_steps(q, is_pair), four_steps(next, is_pair)));
}

/* Minus what the 128 in every weight adds: of the first row, the second, the first, the second. */
static inline int32x4_t begin_pair(const int32_t *sums, int is_pair)
{
    const int32x2_t first = vdup_n_s32(-128 * sums[0]), second = vdup_n_s32(-128 * sums[is_pair]);
    const int32x2_t both = vzip1_s32(first, second);

    return vcombine_s32(both, both);
}

/* Four lanes of two rows, from sums of two lanes each. */
static inline void keep_pair(int32_t *sums, int32x4_t low, int32x4_t high, int is_pair)
{
    vst1q_s32(sums, vuzp1q_s32(low, high));
    if (is_pair)
        vst1q_s32(sums + DGM_NARROW_LANES, vuzp2q_s32(low, high));
}

/* clang-format off */
/* Pair i of R rows: sums a to h, of two lanes each. */
#define IS_PAIR(i) (2 * i + 1 < COUNT)
#define BEGIN(i)                                                                           \
    int32x4_t a##i = begin_pair(tile->sums + 2 * i, IS_PAIR(i)), b##i = a##i, c##i = a##i, \
              d##i = a##i, e##i = a##i, f##i = a##i, g##i = a##i, h##i = a##i;
#define LOAD(i) const int8x16_t x##i = eight_steps(q + 8 * i, next_q + 8 * i, IS_PAIR(i));
#define ADD(low, high, i)                       \
    low##i = vusmmlaq_s32(low##i, lower, x##i); \
    high##i = vusmmlaq_s32(high##i, upper, x##i);
#define ADD_0(i) ADD(a, b, i)
#define ADD_1(i) ADD(c, d, i)
#define ADD_2(i) ADD(e, f, i)
#define ADD_3(i) ADD(g, h, i)
/* Lanes 4 p to 4 p + 3: eight steps of each, from two groups of four. */
#define PART(p, P)                                                               \
    {                                                                            \
        const uint32x4_t now = vreinterpretq_u32_u8(vld1q_u8(w + 16 * p));       \
        const uint32x4_t then = vreinterpretq_u32_u8(vld1q_u8(next_w + 16 * p)); \
        const uint8x16_t lower = vreinterpretq_u8_u32(vzip1q_u32(now, then));    \
        const uint8x16_t upper = vreinterpretq_u8_u32(vzip2q_u32(now, then));    \
        ROWS_##P(ADD_##p)                                                        \
    }
#define KEEP(i)                                                               \
    keep_pair(sums + (2 * i) * DGM_NARROW_LANES, a##i, b##i, IS_PAIR(i));     \
    keep_pair(sums + (2 * i) * DGM_NARROW_LANES + 4, c##i, d##i, IS_PAIR(i)); \
    keep_pair(sums + (2 * i) * DGM_NARROW_LANES + 8, e##i, f##i, IS_PAIR(i)); \
    keep_pair(sums + (2 * i) * DGM_NARROW_LANES + 12, g##i, h##i, IS_PAIR(i));

/* R rows in P pairs. An odd group of four steps has zeros beside it. */
#define SUMS(R, P)                                                           \
    static void sums_##R(int32_t *sums, const struct dgm_narrow_tile *tile,  \
                         const uint8_t *w0)                                  \
    {                                                                        \
        enum { COUNT = R };                                                  \
        static const uint8_t zeros[4 * R] = { 0 };                           \
        ROWS_##P(BEGIN)                                                      \
                                                                             \
        for (int64_t t = 0; t < tile->groups; t += 2) {                      \
            const int is_alone = t + 1 == tile->groups;                      \
            const uint8_t *q = (const uint8_t *)tile->q + t * 4 * R;         \
            const uint8_t *next_q = is_alone ? zeros : q + 4 * R;            \
            const uint8_t *w = w0 + t * 4 * DGM_NARROW_LANES;                \
            const uint8_t *next_w = is_alone ? w : w + 4 * DGM_NARROW_LANES; \
            ROWS_##P(LOAD)                                                   \
                                                                             \
            PART(0, P) PART(1, P) PART(2, P) PART(3, P)                      \
        }                                                                    \
        ROWS_##P(KEEP)                                                       \
    }

SUMS(2, 1)
SUMS(3, 2)
SUMS(4, 2)
SUMS(5, 3)
SUMS(6, 3)
/* clang-format on */

static void narrow_sums(int32_t *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count)
{
    static void (*const by_rows[])(int32_t *, const struct dgm_narrow_tile *,
                                   const uint8_t *) = { sums_of_row, sums_2, sums_3,
                                                        sums_4,      sums_5, sums_6 };

    (void)count;
    by_rows[tile->rows - 1](sums, tile, tile->w + panel * tile->groups * DGM_NARROW_LANES * 4);
}

const struct dgm_narrow_kernels dgm_int8_i8mm = {
    .name = "i8mm", .base = "neon", .needs = DGM_CPU_NEON | DGM_CPU_I8MM, INT8_KERNELS
};
