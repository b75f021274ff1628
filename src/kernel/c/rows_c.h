/*
 * rows_c.h: the plain C row kernels that live in softmax_c.c.
 */
#ifndef DGM_KERNEL_C_ROWS_C_H
#define DGM_KERNEL_C_ROWS_C_H

#include "kernel/rows.h"

void dgm_c_cross_entropy(const struct dgm_loss_rows *job, int64_t begin, int64_t end);
void dgm_c_log_softmax(dgm_real *y, const dgm_real *x, int64_t count, int64_t vocab);
void dgm_c_top_k(const struct dgm_top_rows *job, int64_t begin, int64_t end);

#endif
