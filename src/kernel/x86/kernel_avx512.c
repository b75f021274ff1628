/*
 * kernel_avx512.c: the kernels compiled for AVX-512 (F, DQ, BW, VL).
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/kernel.h"
#include "kernel/simd/vec_avx512.h"
#include "kernel/body/body_all.h"

const struct dgm_kernels dgm_kernels_avx512 = { .name = "avx512",
                                                .needs = DGM_CPU_AVX512,
                                                BODY_KERNELS };
