/*
 * run_gemm.h: two products that share a launch (gemm/gemm_pair.h).
 */
#ifndef DGM_DEVICE_OPENCL_RUN_RUN_GEMM_H
#define DGM_DEVICE_OPENCL_RUN_RUN_GEMM_H

#include "device/opencl/core/opencl.h"

/* A product that dgm_cl_pair_begins has let wait, and one that fits it. */
dgm_status dgm_cl_run_products(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_gemm_args *first,
                               const struct dgm_gemm_args *second);

#endif
