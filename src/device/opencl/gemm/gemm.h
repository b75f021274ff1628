/*
 * gemm.h: what the matrix products of gemm_cpu.c, gemm_gpu.c and gemm_tensor.c have in common.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_H

#include "device/opencl/core/launch.h"

/* Whether kernels may read the operand four reals at a time: its offset and rows, and the matrices
 * of a batch, are multiples of that. */
static inline int dgm_cl_gemm_aligned(const struct dgm_gemm_args *args, struct dgm_ref ref,
                                      int64_t ld, int64_t stride)
{
    return ref.offset % 16 == 0 && ld % 4 == 0 && (args->batch == 1 || stride % 4 == 0);
}

/* Whether no backward pass has asked for it: gradients of weights have sums over rows, and kernels
 * of other tasks at their end. */
static inline int dgm_cl_gemm_is_forward(const struct dgm_gemm_args *args)
{
    return args->form != DGM_TN && args->sums.buffer == NULL && args->mask.buffer == NULL;
}

/* A reference that lies so many reals behind `ref`; an absent one stays absent. */
static inline struct dgm_ref dgm_cl_ref_plus(struct dgm_ref ref, int64_t reals)
{
    if (ref.buffer != NULL)
        ref.offset += (size_t)reals * sizeof(dgm_real);
    return ref;
}

/* Pushes PARAMETERS of opencl/gemm_gpu.clh. */
void dgm_cl_gemm_parameters(struct dgm_launch *launch, const struct dgm_gemm_args *args);

#endif
