/*
 * bf16_avx2.c: products in bfloat16 by AVX2.
 *
 * arch: x86_64
 * cflags: -mavx2 -mfma
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx2.h"

#define NARROW_VECTORS 2
#define NARROW_ROWS 5

#include "kernel/body/body_bf16_wide.h"

const struct dgm_narrow_kernels dgm_bf16_avx2 = {
    .name = "avx2", .base = "avx2", .needs = DGM_CPU_AVX2, BF16_KERNELS
};
