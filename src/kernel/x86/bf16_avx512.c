/*
 * bf16_avx512.c: products in bfloat16 by AVX-512 without AVX512_BF16.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

#define NARROW_VECTORS 1
#define NARROW_ROWS 12
#define NARROW_FEW 5

#include "kernel/body/body_bf16_wide.h"

const struct dgm_narrow_kernels dgm_bf16_avx512 = {
    .name = "avx512", .base = "avx512", .needs = DGM_CPU_AVX512, BF16_KERNELS
};
