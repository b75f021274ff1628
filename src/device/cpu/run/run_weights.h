/*
 * run_weights.h: tasks with weights in fewer bits, or in panels (cpu_weights.h).
 */
#ifndef DGM_DEVICE_CPU_RUN_RUN_WEIGHTS_H
#define DGM_DEVICE_CPU_RUN_RUN_WEIGHTS_H

#include "device/cpu/cpu_weights.h"

/* The task gemm with such weights as b. */
dgm_status dgm_cpu_multiply_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                    const struct dgm_gemm_args *args);
dgm_status dgm_cpu_multiply_panels(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_gemm_args *args);
dgm_status dgm_cpu_multiply_narrow(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_gemm_args *args);

/*
 * One product with weights in fewer bits, by the worker of a pool function alone, with the bits of
 * the task. Of args' references b is read, the others are c and a. The worker's scratch memory,
 * reserved with dgm_cpu_product_narrow_bytes, is used.
 */
size_t dgm_cpu_product_narrow_bytes(const struct dgm_cpu *cpu, struct dgm_ref b, int64_t m);
void dgm_cpu_product_narrow(const struct dgm_cpu *cpu, int worker, const struct dgm_gemm_args *args,
                            dgm_real *c, const dgm_real *a);

/* DGM_UNSUPPORTED unless weights in fewer bits have `rows` rows of `dim` columns from where
 * `weight` points. */
dgm_status dgm_cpu_check_recurrent(struct dgm_env *env, struct dgm_ref weight, int64_t rows,
                                   int64_t dim);

/* The task copy_rows between two such matrices. */
dgm_status dgm_cpu_copy_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                const struct dgm_copy_rows_args *args);

/* Gives a look-up in such weights a table of the rows it asks for, as reals, and numbers of
 * them. */
dgm_status dgm_cpu_look_up_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_embed_forward_args *args,
                                   struct dgm_embed_forward_job *job);

#endif
