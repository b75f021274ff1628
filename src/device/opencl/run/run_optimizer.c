/*
 * run_optimizer.c: the sum of squares of a gradient and the steps of Adam and Adadelta through
 * OpenCL (opencl/optimizer.cl).
 */
#include "device/opencl/run/push.h"

/* Partial sums of sum_squares, and the least elements of each; a multiple of VEC. */
enum { BLOCKS = 1024, LEAST = 8192 };

static dgm_status add_blocks(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref y,
                             struct dgm_ref sums, int64_t blocks)
{
    const struct dgm_cl_sum_sums_args kernel = { .y = y, .sums = sums, .count = blocks };
    struct dgm_launch launch = dgm_begin_cl_sum_sums(env, opencl, &kernel);

    return dgm_launch_groups(&launch, 1, 1, 1);
}

/* Where kernels cannot count in doubles, blocks are sums of reals, added up here. */
static dgm_status add_here(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref y,
                           struct dgm_ref sums, int64_t blocks)
{
    dgm_real here[BLOCKS];
    double sum = 0;

    DGM_TRY(dgm_device_read(env, &opencl->device, here, sums, (size_t)blocks * sizeof *here));
    for (int64_t i = 0; i < blocks; i++)
        sum += (double)here[i];
    return dgm_device_write(env, &opencl->device, y, &sum, sizeof sum);
}

dgm_status dgm_opencl_run_sum_squares(struct dgm_env *env, struct dgm_opencl *opencl,
                                      const void *args_)
{
    const struct dgm_sum_squares_args *args = args_;
    const int64_t step = (args->count / BLOCKS / LEAST + 1) * LEAST;
    const int64_t blocks = dgm_cl_divide_up(args->count, step);
    struct dgm_cl_sum_squares_args kernel = { .x = args->x, .count = args->count, .step = step };
    struct dgm_launch launch;

    DGM_TRY(dgm_cl_reserve(env, opencl, &kernel.sums, BLOCKS * sizeof(double)));
    launch = dgm_begin_cl_sum_squares(env, opencl, &kernel);
    DGM_TRY(dgm_launch_groups(&launch, blocks, 1, 1));
    return opencl->traits.has_double ? add_blocks(env, opencl, args->y, kernel.sums, blocks)
                                     : add_here(env, opencl, args->y, kernel.sums, blocks);
}

dgm_status dgm_opencl_run_adam(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_adam_args *args = args_;
    const struct dgm_cl_adam_args kernel = { .param = args->param,
                                             .m = args->m,
                                             .v = args->v,
                                             .grad = args->grad,
                                             .count = args->count,
                                             .decay = args->rate * args->weight_decay,
                                             .step_size = args->step_size,
                                             .beta1 = args->beta1,
                                             .beta2 = args->beta2,
                                             .eps = args->eps,
                                             .grad_scale = args->grad_scale };
    struct dgm_launch launch = dgm_begin_cl_adam(env, opencl, &kernel);

    return dgm_launch_vectors(&launch, args->count);
}

DGM_CL_RUN_KERNEL(adadelta, vectors, args->count)
