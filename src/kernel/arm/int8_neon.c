/*
 * int8_neon.c: products of bytes by Advanced SIMD: pairs of products in 16 bits, added to 32.
 *
 * arch: aarch64
 * cflags: 
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_neon.h"

#define NARROW_VECTORS 4
#define NARROW_ROWS 2
#define NARROW_ROW_BYTES 4

#include "kernel/body/body_int8.h"

/* Two lanes each, in two shares. */
typedef struct {
    int32x4_t low, high;
} narrow_sums_vector;

typedef int8x16_t narrow_weights;
typedef int8x8_t narrow_row;

static inline narrow_sums_vector narrow_begin(const struct dgm_narrow_tile *tile, int64_t i)
{
    const narrow_sums_vector zero = { vdupq_n_s32(0), vdupq_n_s32(0) };

    (void)tile;
    (void)i;
    return zero;
}

/* Weights are signed once their 128 is gone. */
static inline narrow_weights narrow_load_weights(const uint8_t *w)
{
    return vreinterpretq_s8_u8(veorq_u8(vld1q_u8(w), vdupq_n_u8(128)));
}

static inline narrow_row narrow_load_row(const uint8_t *q)
{
    return vreinterpret_s8_s32(vdup_n_s32(int8_quad(q)));
}

static inline narrow_sums_vector narrow_add(narrow_sums_vector sum, narrow_weights w, narrow_row x)
{
    sum.low = vpadalq_s16(sum.low, vmull_s8(vget_low_s8(w), x));
    sum.high = vpadalq_s16(sum.high, vmull_s8(vget_high_s8(w), x));
    return sum;
}

static inline void narrow_keep(narrow_sum *sums, narrow_sums_vector sum)
{
    vst1q_s32(sums, vpaddq_s32(sum.low, sum.high));
}

#include "kernel/body/body_narrow_sums.h"

const struct dgm_narrow_kernels dgm_int8_neon = {
    .name = "neon", .base = "neon", .needs = DGM_CPU_NEON, INT8_KERNELS
};
