/*
 * kernel_sse2.c: the kernels compiled for SSE2, which every 64-bit x86 processor has.
 *
 * arch: x86_64
 * cflags: -msse2
 */
#include "base/system/cpu.h"
#include "kernel/kernel.h"
#include "kernel/simd/vec_sse2.h"
#include "kernel/simd/vec_math.h"

#include "kernel/body/body_math.h"
#include "kernel/body/body_softmax.h"
#include "kernel/body/body_rows.h"
#include "kernel/body/body_gemm.h"
#include "kernel/body/body_attention.h"
#include "kernel/body/body_lstm.h"
#include "kernel/body/body_gates.h"
#include "kernel/body/body_cells.h"
#include "kernel/body/body_additive.h"
#include "kernel/body/body_compose.h"

const struct dgm_kernels dgm_kernels_sse2 = {
    "sse2",        DGM_CPU_SSE2,       &math_kernels,    &row_kernels,
    &gemm_kernels, &attention_kernels, &lstm_kernels,    &gate_kernels,
    &cell_kernels, &additive_kernels,  &compose_kernels,
};
