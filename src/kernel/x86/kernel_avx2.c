/*
 * kernel_avx2.c: the kernels compiled for AVX2 with fused multiply-add.
 *
 * arch: x86_64
 * cflags: -mavx2 -mfma
 */
#include "base/system/cpu.h"
#include "kernel/kernel.h"
#include "kernel/simd/vec_avx2.h"
#include "kernel/body/body_all.h"

const struct dgm_kernels dgm_kernels_avx2 = { .name = "avx2", .needs = DGM_CPU_AVX2, BODY_KERNELS };
