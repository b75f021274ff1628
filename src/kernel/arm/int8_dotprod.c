/*
 * int8_dotprod.c: products of bytes by the dot product instructions of Armv8.2: sdot adds four
 * products of signed bytes to each lane.
 *
 * arch: aarch64
 * cflags: -march=armv8.2-a+dotprod
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_neon.h"

#define NARROW_VECTORS 4
#define NARROW_ROWS 6
#define NARROW_ROW_BYTES 4

#include "kernel/body/body_int8.h"

typedef int32x4_t narrow_sums_vector;
typedef int8x16_t narrow_weights;
typedef int8x16_t narrow_row;

static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    (void)tile;
    (void)i;
    return vdupq_n_s32(0);
}

/* Weights are signed once their 128 is gone. */
static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    return vreinterpretq_s8_u8(veorq_u8(vld1q_u8(w), vdupq_n_u8(128)));
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    return vreinterpretq_s8_s32(vdupq_n_s32(int8_quad(q)));
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    return vdotq_s32(sum, w, x);
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    vst1q_s32(sums, sum);
}

#include "kernel/body/body_narrow_sums.h"

const struct dgm_narrow_kernels dgm_int8_dotprod = {
    .name = "dotprod", .base = "neon", .needs = DGM_CPU_NEON | DGM_CPU_DOTPROD, INT8_KERNELS
};
