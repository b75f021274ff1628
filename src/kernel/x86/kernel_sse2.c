/*
 * kernel_sse2.c: the kernels compiled for SSE2, which every 64-bit x86 processor has.
 *
 * arch: x86_64
 * cflags: -msse2
 */
#include "base/system/cpu.h"
#include "kernel/kernel.h"
#include "kernel/simd/vec_sse2.h"
#include "kernel/body/body_all.h"

const struct dgm_kernels dgm_kernels_sse2 = { .name = "sse2", .needs = DGM_CPU_SSE2, BODY_KERNELS };
