/*
 * run_gemm.h: products that are no task of their own: two that share a launch (gemm/gemm_pair.h),
 * and those inside another task.
 */
#ifndef DGM_DEVICE_OPENCL_RUN_RUN_GEMM_H
#define DGM_DEVICE_OPENCL_RUN_RUN_GEMM_H

#include "device/opencl/core/opencl.h"

/* A product that dgm_cl_pair_begins has let wait, and one that fits it. */
dgm_status dgm_cl_run_products(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_gemm_args *first,
                               const struct dgm_gemm_args *second);

/* A product of operands that --precision does not round, without sums and mask. */
dgm_status dgm_cl_multiply_exactly(struct dgm_env *env, struct dgm_opencl *opencl,
                                   const struct dgm_gemm_args *args);

#endif
