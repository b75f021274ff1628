/*
 * gemm.c: the arguments of kernels that multiply on GPUs.
 */
#include "device/opencl/gemm/gemm.h"

void dgm_cl_gemm_parameters(struct dgm_launch *launch, const struct dgm_gemm_args *args)
{
    dgm_launch_ref(launch, args->c);
    dgm_launch_ref(launch, args->sums);
    dgm_launch_ref(launch, args->a);
    dgm_launch_ref(launch, args->b);
    dgm_launch_ref(launch, args->bias);
    dgm_launch_ref(launch, args->mask);
    dgm_launch_int(launch, args->m);
    dgm_launch_int(launch, args->n);
    dgm_launch_int(launch, args->k);
    dgm_launch_long(launch, args->lda);
    dgm_launch_long(launch, args->ldb);
    dgm_launch_long(launch, args->ldc);
    dgm_launch_long(launch, args->stride_a);
    dgm_launch_long(launch, args->stride_b);
    dgm_launch_long(launch, args->stride_c);
    dgm_launch_real(launch, args->alpha);
    dgm_launch_real(launch, args->beta);
    dgm_launch_int(launch, args->relu);
    dgm_launch_int(launch, dgm_cl_gemm_aligned(args, args->a, args->lda, args->stride_a) +
                               2 * dgm_cl_gemm_aligned(args, args->b, args->ldb, args->stride_b) +
                               4 * dgm_cl_gemm_aligned(args, args->c, args->ldc, args->stride_c));
}
