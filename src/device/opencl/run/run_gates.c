/*
 * run_gates.c: context gates and highways through OpenCL.
 */
#include "device/opencl/core/launch.h"

enum { BLOCK = 32 }; /* rows that sums of gates are cut into; as in opencl/gates.cl */

static int64_t vectors_of(const struct dgm_opencl *opencl, int64_t width)
{
    return dgm_cl_divide_up(width, opencl->traits.vec);
}

/* ---- context gates --------------------------------------------------------------------------- */

/* The last parameters of most kernels. */
static void add_core(struct dgm_launch *launch, const struct dgm_gated_mix *core)
{
    dgm_launch_int(launch, core->rows);
    dgm_launch_int(launch, core->heads);
    dgm_launch_int(launch, core->width);
    dgm_launch_long(launch, core->c_step);
    dgm_launch_long(launch, core->ldx);
    dgm_launch_long(launch, core->ldc);
    dgm_launch_real(launch, core->scale);
}

dgm_status dgm_opencl_run_gated_mix_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_gated_mix_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_mix_forward);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->l);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_ref(&launch, args->x_gate);
    dgm_launch_ref(&launch, args->x_bias);
    dgm_launch_ref(&launch, args->c_gate);
    dgm_launch_ref(&launch, args->c_bias);
    add_core(&launch, &args->core);
    return dgm_launch_runs(&launch, args->core.rows * args->core.heads);
}

static dgm_status find_slopes(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gated_mix_backward_args *args, struct dgm_ref slopes)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_mix_slopes);
    dgm_launch_ref(&launch, slopes);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->l);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->c);
    add_core(&launch, &args->core);
    return dgm_launch_runs(&launch, args->core.rows * args->core.heads);
}

/* The gradient of x or of c. */
static dgm_status find_input(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gated_mix_backward_args *args, struct dgm_ref slopes,
                             int is_context)
{
    const struct dgm_gated_mix *core = &args->core;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_mix_inputs);
    dgm_launch_ref(&launch, is_context ? args->dc : args->dx);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->l);
    dgm_launch_ref(&launch, slopes);
    dgm_launch_ref(&launch, is_context ? args->c_gate : args->x_gate);
    dgm_launch_int(&launch, core->rows);
    dgm_launch_int(&launch, core->heads);
    dgm_launch_int(&launch, core->width);
    dgm_launch_long(&launch, is_context ? core->c_step : core->width);
    dgm_launch_long(&launch, is_context ? core->ldc : core->ldx);
    dgm_launch_real(&launch, is_context ? 1 : core->scale);
    dgm_launch_int(&launch, is_context);
    dgm_launch_int(&launch, is_context ? args->accumulate_c : args->accumulate_x);
    return dgm_launch_items(&launch, core->rows * core->heads * vectors_of(opencl, core->width));
}

/* The gradients of the gates themselves: sums of each block of rows, then of all. */
static dgm_status find_gates(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gated_mix_backward_args *args, struct dgm_ref slopes,
                             struct dgm_ref sums)
{
    const struct dgm_gated_mix *core = &args->core;
    const int64_t blocks = dgm_cl_divide_up(core->rows, BLOCK);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_mix_sums);
    dgm_launch_ref(&launch, sums);
    dgm_launch_ref(&launch, slopes);
    dgm_launch_ref(&launch, args->x);
    dgm_launch_ref(&launch, args->c);
    add_core(&launch, core);
    DGM_TRY(dgm_launch_items(&launch, blocks * (2 * vectors_of(opencl, core->width) + 1)));
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_mix_join);
    dgm_launch_ref(&launch, args->dx_gate);
    dgm_launch_ref(&launch, args->dc_gate);
    dgm_launch_ref(&launch, args->dx_bias);
    dgm_launch_ref(&launch, args->dc_bias);
    dgm_launch_ref(&launch, sums);
    dgm_launch_int(&launch, blocks);
    dgm_launch_int(&launch, core->width);
    return dgm_launch_items(&launch, 2 * core->width + 1);
}

dgm_status dgm_opencl_run_gated_mix_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_gated_mix_backward_args *args = args_;
    const int64_t slope_count = args->core.rows * args->core.heads;
    const int64_t blocks = dgm_cl_divide_up(args->core.rows, BLOCK);
    const int64_t sum_count = blocks * (2 * args->core.width + 1);
    struct dgm_ref slopes, sums;

    DGM_TRY(
        dgm_cl_reserve(env, opencl, &slopes, (size_t)(slope_count + sum_count) * sizeof(dgm_real)));
    sums = dgm_ref_at(slopes, (size_t)slope_count * sizeof(dgm_real));
    DGM_TRY(find_slopes(env, opencl, args, slopes));
    if (args->dx.buffer)
        DGM_TRY(find_input(env, opencl, args, slopes, 0));
    if (args->dc.buffer)
        DGM_TRY(find_input(env, opencl, args, slopes, 1));
    if (!args->dx_gate.buffer && !args->dc_gate.buffer && !args->dx_bias.buffer &&
        !args->dc_bias.buffer)
        return DGM_OK;
    return find_gates(env, opencl, args, slopes, sums);
}

/* ---- highways -------------------------------------------------------------------------------- */

dgm_status dgm_opencl_run_highway_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                          const void *args_)
{
    const struct dgm_highway_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_highway_forward);
    dgm_launch_ref(&launch, args->y);
    dgm_launch_ref(&launch, args->ht);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_int(&launch, args->rows);
    dgm_launch_int(&launch, args->width);
    return dgm_launch_items(&launch, args->rows * vectors_of(opencl, args->width));
}

dgm_status dgm_opencl_run_highway_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const void *args_)
{
    const struct dgm_highway_backward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_highway_backward);
    dgm_launch_ref(&launch, args->dht);
    dgm_launch_ref(&launch, args->dc);
    dgm_launch_ref(&launch, args->dy);
    dgm_launch_ref(&launch, args->ht);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_int(&launch, args->rows);
    dgm_launch_int(&launch, args->width);
    dgm_launch_int(&launch, args->accumulate_ht);
    dgm_launch_int(&launch, args->accumulate_c);
    return dgm_launch_items(&launch, args->rows * vectors_of(opencl, args->width));
}
