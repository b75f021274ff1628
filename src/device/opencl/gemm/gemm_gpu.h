/*
 * gemm_gpu.h: the matrix product on GPUs (opencl/gemm_large.cl, gemm_small.cl, gemm_thin.cl).
 *
 * An element is the same sum in the same order as on the CPU (kernel/gemm.h), whatever the shape of
 * the product around it.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_GPU_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_GPU_H

#include "device/opencl/core/launch.h"

/* Options of a backward pass that a kernel may serve beside the product: bits. */
enum { DGM_CL_SUMS = 1, DGM_CL_MASK = 2 };
/* m, n and batch are positive. *served: which of these options are done with. */
dgm_status dgm_cl_gemm_gpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args, int *served);

/* Why smaller tiles compute what others should: "" where the driver takes all. Builds them all. */
void dgm_cl_gemm_gpu_explain(struct dgm_env *env, struct dgm_opencl *opencl,
                             char words[DGM_CL_REFUSAL_SIZE]);

#endif
