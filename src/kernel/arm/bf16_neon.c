/*
 * bf16_neon.c: products in bfloat16 by Advanced SIMD. (Armv8.6 has instructions for them that round
 * otherwise.)
 *
 * arch: aarch64
 * cflags: 
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_neon.h"

#define NARROW_VECTORS 4
#define NARROW_ROWS 5

#include "kernel/body/body_bf16_wide.h"

const struct dgm_narrow_kernels dgm_bf16_neon = {
    .name = "neon", .base = "neon", .needs = DGM_CPU_NEON, BF16_KERNELS
};
