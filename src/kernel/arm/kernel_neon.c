/*
 * kernel_neon.c: the kernels compiled for Advanced SIMD, which every AArch64 processor has.
 *
 * arch: aarch64
 * cflags: 
 */
#include "base/system/cpu.h"
#include "kernel/kernel.h"
#include "kernel/simd/vec_neon.h"
#include "kernel/body/body_all.h"

const struct dgm_kernels dgm_kernels_neon = { .name = "neon", .needs = DGM_CPU_NEON, BODY_KERNELS };
