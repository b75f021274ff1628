/*
 * kernel_c.c: the plain C kernels as a table. They run everywhere and stay the reference.
 */
#include "kernel/kernel.h"

const struct dgm_kernels dgm_kernels_c = {
    .name = "c",
    .math = &dgm_math_c,
    .rows = &dgm_rows_c,
    .gemm = &dgm_gemm_c,
    .attention = &dgm_attention_c,
    .lstm = &dgm_lstm_c,
    .gates = &dgm_gates_c,
    .cells = &dgm_cells_c,
    .additive = &dgm_additive_c,
    .compose = &dgm_compose_c,
};
