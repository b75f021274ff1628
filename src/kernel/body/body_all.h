/*
 * body_all.h: every kernel body, compiled for the instruction set whose vec_<isa>.h was included
 * before, and the table of what came of it: BODY_KERNELS, the fields of struct dgm_kernels but for
 * name and needs.
 */
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

/* clang-format off */
#define BODY_KERNELS                  \
    .math = &math_kernels,            \
    .rows = &row_kernels,             \
    .gemm = &gemm_kernels,            \
    .attention = &attention_kernels,  \
    .lstm = &lstm_kernels,            \
    .gates = &gate_kernels,           \
    .cells = &cell_kernels,           \
    .additive = &additive_kernels,    \
    .compose = &compose_kernels
/* clang-format on */
