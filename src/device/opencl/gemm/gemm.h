/*
 * gemm.h: the matrix product through OpenCL, by the kernels for processors and those for GPUs.
 *
 * Either way an element is the same sum in the same order as on the CPU (kernel/gemm.h), whatever
 * the shape of the product around it. m, n and batch are positive.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_H

#include "device/opencl/core/launch.h"

dgm_status dgm_cl_gemm_cpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args);
dgm_status dgm_cl_gemm_gpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args);

/* Whether the device has the local memory that dgm_cl_gemm_cpu needs. */
int dgm_cl_gemm_cpu_fits(const struct dgm_cl_traits *traits);

/* PARAMETERS of opencl/gemm_gpu.clh. */
void dgm_cl_gemm_parameters(struct dgm_launch *launch, const struct dgm_gemm_args *args);

/* Offset and rows are multiples of four reals, so are the matrices of a batch. */
static inline int dgm_cl_gemm_aligned(const struct dgm_gemm_args *args, struct dgm_ref ref,
                                      int64_t ld, int64_t stride)
{
    return ref.offset % 16 == 0 && ld % 4 == 0 && (args->batch == 1 || stride % 4 == 0);
}

/* A reference that lies so many reals behind `ref`; an absent one stays absent. */
static inline struct dgm_ref dgm_cl_ref_plus(struct dgm_ref ref, int64_t reals)
{
    if (ref.buffer != NULL)
        ref.offset += (size_t)reals * sizeof(dgm_real);
    return ref;
}

#endif
