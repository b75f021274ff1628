/*
 * run_gemm.c: the matrix product through OpenCL: whose kernels serve which device.
 */
#include "device/opencl/gemm/clblast.h"
#include "device/opencl/gemm/gemm_cpu.h"
#include "device/opencl/gemm/gemm_gpu.h"
#include "device/opencl/gemm/gemm_tensor.h"

dgm_status dgm_opencl_run_gemm(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_gemm_args *args = args_;

    if (args->m <= 0 || args->n <= 0 || args->batch <= 0)
        return DGM_OK;
    if (dgm_cl_tensor_serves(opencl))
        return dgm_cl_tensor_gemm(env, opencl, args);
    if (dgm_clblast_serves(&opencl->clblast, args))
        return dgm_clblast_gemm(env, opencl, args);
    if (dgm_cl_tuning_family(&opencl->traits) == DGM_TUNE_CPU)
        return dgm_cl_gemm_cpu(env, opencl, args);
    return dgm_cl_gemm_gpu(env, opencl, args);
}
