/*
 * panels.h: a matrix that is copied into panels once, for many products with it: those of the steps
 * of a recurrence, which have few rows each, and those of a translation.
 *
 * Pool functions call the products: they use one worker, its scratch memory, and have the bits of
 * the task `gemm` (kernel/gemm.h) in f32: recurrences, and translations by panels, have no other
 * precision.
 */
#ifndef DGM_DEVICE_CPU_PANELS_H
#define DGM_DEVICE_CPU_PANELS_H

#include "device/cpu/cpu.h"

/* op(b) (k,n) in memory of the caller's. */
struct dgm_cpu_panels {
    dgm_real *data; /* dgm_cpu_panels_reals */
    int64_t n, k;
};

/* One product of m rows, C (m,n) = A (m,k) op(b). */
struct dgm_cpu_panels_product {
    dgm_real *c;
    const dgm_real *a;
    int64_t ldc, lda, m;
};

int64_t dgm_cpu_panels_reals(const struct dgm_cpu *cpu, int64_t n, int64_t k);
/* How many panels there are; each can be copied by another worker. */
int64_t dgm_cpu_panels_count(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels);
/* Copies one panel of op(b): b is (n,k) for DGM_NT, (k,n) for DGM_NN. */
void dgm_cpu_panels_copy(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels,
                         int64_t panel, enum dgm_gemm_form form, const dgm_real *b, int64_t ldb);

/* Panels of one block of steps lie side by side; blocks follow each other. This is the panel from
 * column j on, in the block from step t on. */
dgm_real *dgm_cpu_panel_at(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels,
                           int64_t t, int64_t j);

/* Columns j .. j + count - 1 of op(b) from rows of b (n,k), and column j back. */
void dgm_cpu_panels_put(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels, int64_t j,
                        int64_t count, const dgm_real *values);
void dgm_cpu_panels_take(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels, int64_t j,
                         dgm_real *values);

/* Column j becomes column i of panels of as many steps, or zeros where i is negative. */
void dgm_cpu_panels_move(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *to, int64_t j,
                         const struct dgm_cpu_panels *from, int64_t i);

/* Scratch memory of each worker that a product needs. */
size_t dgm_cpu_panels_bytes(const struct dgm_cpu *cpu);
void dgm_cpu_panels_multiply(const struct dgm_cpu *cpu, int worker,
                             const struct dgm_cpu_panels *panels,
                             const struct dgm_cpu_panels_product *product);

#endif
