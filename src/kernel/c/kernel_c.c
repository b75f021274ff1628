/*
 * kernel_c.c: the plain C kernels as a table. They run everywhere and stay the reference.
 */
#include "kernel/kernel.h"

/* clang-format off */
const struct dgm_kernels dgm_kernels_c = {
    "c", 0, &dgm_math_c, &dgm_rows_c, &dgm_gemm_c, &dgm_attention_c, &dgm_lstm_c,
    &dgm_gates_c, &dgm_cells_c, &dgm_additive_c, &dgm_compose_c,
};
/* clang-format on */
