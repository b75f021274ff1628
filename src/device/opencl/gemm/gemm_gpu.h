/*
 * gemm_gpu.h: the matrix product on GPUs (opencl/gemm_large.cl, gemm_small.cl, gemm_thin.cl).
 *
 * An element is the same sum in the same order as on the CPU (kernel/gemm.h), whatever the shape of
 * the product around it.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_GPU_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_GPU_H

#include "device/opencl/core/launch.h"

/* m, n and batch are positive. */
dgm_status dgm_cl_gemm_gpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args);

/* Which options of a backward pass its kernel serves: bits. */
enum { DGM_CL_SUMS = 1, DGM_CL_MASK = 2 };
int dgm_cl_gemm_gpu_serves(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args);

/* Pushes PARAMETERS of opencl/gemm_gpu.clh. */
void dgm_cl_gemm_parameters(struct dgm_launch *launch, const struct dgm_gemm_args *args);

#endif
