/*
 * run_gemm.c: the matrix product through OpenCL: whose kernels serve which device.
 */
#include "device/opencl/run/run_gemm.h"

#include <assert.h>

#include "device/opencl/gemm/clblast.h"
#include "device/opencl/gemm/gemm.h"
#include "device/opencl/gemm/gemm_cpu.h"
#include "device/opencl/gemm/gemm_gpu.h"
#include "device/opencl/gemm/gemm_pair.h"
#include "device/opencl/gemm/gemm_tensor.h"
#include "device/opencl/run/form.h"

/* The product in f32; *served: what its kernel has done beside it, bits of gemm_gpu.h. */
static dgm_status multiply_f32(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_gemm_args *args, int *served)
{
    *served = 0;
    if (dgm_clblast_serves(&opencl->clblast, args))
        return dgm_clblast_gemm(env, opencl, args);
    if (dgm_cl_tuning_family(&opencl->traits) == DGM_TUNE_CPU)
        return dgm_cl_gemm_cpu(env, opencl, args);
    return dgm_cl_gemm_gpu(env, opencl, args, served);
}

/* The product in the precision of the device. */
static dgm_status multiply(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args, int *served)
{
    assert(args->batch == 1 || (args->sums.buffer == NULL && args->mask.buffer == NULL));
    assert(args->ldc == args->n || args->mask.buffer == NULL);
    if (!dgm_cl_tensor_serves(opencl))
        return multiply_f32(env, opencl, args, served);
    *served = DGM_CL_MASK;
    if (!dgm_cl_tensor_is_thin(env, opencl, args) && dgm_cl_pair_serves(env, opencl, args))
        return dgm_cl_pair_gemm(env, opencl, args);
    return dgm_cl_tensor_gemm(env, opencl, args);
}

/* sums += the sums of op(a)'s rows, which are the columns of a. */
static dgm_status add_sums(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args)
{
    const struct dgm_column_sums_args sums = {
        .y = args->sums, .x = args->a, .m = args->k, .n = args->m, .ldx = args->lda
    };

    return dgm_opencl_run_column_sums(env, opencl, &sums);
}

static dgm_status apply_mask(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gemm_args *args)
{
    const struct dgm_relu_backward_args mask = {
        .dx = args->c, .dy = args->c, .y = args->mask, .count = args->m * args->n
    };

    return dgm_opencl_run_relu_backward(env, opencl, &mask);
}

/* Those of a translation, say. */
int dgm_opencl_is_forward_gemm(const void *args)
{
    return dgm_cl_gemm_is_forward(args);
}

dgm_status dgm_opencl_run_gemm(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_gemm_args *args = args_;
    int served;

    if (args->m <= 0 || args->n <= 0 || args->batch <= 0)
        return DGM_OK;
    DGM_TRY(multiply(env, opencl, args, &served));
    if (args->sums.buffer != NULL && !(served & DGM_CL_SUMS))
        DGM_TRY(add_sums(env, opencl, args));
    if (args->mask.buffer != NULL && !(served & DGM_CL_MASK))
        return apply_mask(env, opencl, args);
    return DGM_OK;
}

dgm_status dgm_cl_multiply_exactly(struct dgm_env *env, struct dgm_opencl *opencl,
                                   const struct dgm_gemm_args *args)
{
    int served;

    assert(args->sums.buffer == NULL && args->mask.buffer == NULL);
    if (!dgm_cl_tensor_serves(opencl))
        return dgm_device_run(env, &opencl->device, DGM_TASK_gemm, args);
    return multiply_f32(env, opencl, args, &served);
}

dgm_status dgm_cl_run_products(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_gemm_args *first,
                               const struct dgm_gemm_args *second)
{
    DGM_TRY(dgm_cl_pair_run(env, opencl, first, second));
    if (first->sums.buffer != NULL && dgm_cl_tensor_serves(opencl))
        return add_sums(env, opencl, first);
    return DGM_OK;
}
