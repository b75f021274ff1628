/*
 * gemm_cpu.h: the matrix product on processors (opencl/gemm_cpu.cl).
 *
 * An element is the same sum in the same order as on the CPU (kernel/gemm.h), whatever the shape of
 * the product around it.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_CPU_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_CPU_H

#include "device/opencl/core/launch.h"

/* m, n and batch are positive. */
dgm_status dgm_cl_gemm_cpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args);

#endif
