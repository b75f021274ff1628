/*
 * int8_neon.c: products of bytes by Advanced SIMD: pairs of products in 16 bits, added to 32.
 *
 * arch: aarch64
 * cflags: 
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_neon.h"

#define INT8_ROWS 2

static inline void int8_bytes(int8_t *to, ivec q)
{
    int16x4_t words = vqmovn_s32(vreinterpretq_s32_u32(q));
    int8x8_t bytes = vqmovn_s16(vcombine_s16(words, words));

    vst1_lane_s32((int32_t *)(void *)to, vreinterpret_s32_s8(bytes), 0);
}

static inline int64_t int8_panels(int64_t rows)
{
    (void)rows;
    return 1;
}

#include "kernel/body/body_int8.h"

enum { PARTS = DGM_INT8_LANES / 4 };

/* One row: four lanes in each part. Weights are signed once their 128 is gone. */
static void sums_of_row(int32_t *sums, const struct dgm_int8_tile *tile, const int8_t *q,
                        const uint8_t *w)
{
    int32x4_t low[PARTS], high[PARTS]; /* two lanes each, in two shares */

    for (int p = 0; p < PARTS; p++)
        low[p] = high[p] = vdupq_n_s32(0);
    for (int64_t t = tile->quads; t > 0; t--, q += 4 * tile->rows) {
        int32_t four;
        int8x8_t x;

        memcpy(&four, q, 4);
        x = vreinterpret_s8_s32(vdup_n_s32(four));
        for (int p = 0; p < PARTS; p++, w += 16) {
            int8x16_t v = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(w), vdupq_n_u8(128)));

            low[p] = vpadalq_s16(low[p], vmull_s8(vget_low_s8(v), x));
            high[p] = vpadalq_s16(high[p], vmull_s8(vget_high_s8(v), x));
        }
    }
    for (int p = 0; p < PARTS; p++)
        vst1q_s32(sums + 4 * p, vpaddq_s32(low[p], high[p]));
}

static void int8_sums(int32_t *sums, const struct dgm_int8_tile *tile, int64_t panel, int64_t count)
{
    (void)count;
    for (int64_t i = 0; i < tile->rows; i++)
        sums_of_row(sums + i * DGM_INT8_LANES, tile, tile->q + 4 * i,
                    tile->w + panel * tile->quads * DGM_INT8_LANES * 4);
}

const struct dgm_int8_kernels dgm_int8_neon = {
    .name = "neon", .base = "neon", .needs = DGM_CPU_NEON, INT8_KERNELS
};
