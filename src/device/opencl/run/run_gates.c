/*
 * run_gates.c: context gates and highways through OpenCL.
 */
#include "device/opencl/run/push.h"

enum { BLOCK = 32 }; /* rows that sums of gates are cut into; as in opencl/gates.cl */

static int64_t vectors_of(const struct dgm_opencl *opencl, int64_t width)
{
    return dgm_cl_divide_up(width, opencl->traits.vec);
}

/* ---- context gates ----------------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(gated_mix_forward, runs, args->core.rows * args->core.heads)

static dgm_status find_slopes(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gated_mix_backward_args *args, struct dgm_ref slopes)
{
    const struct dgm_cl_mix_slopes_args kernel = { .slopes = slopes,
                                                   .dy = args->dy,
                                                   .l = args->l,
                                                   .x = args->x,
                                                   .c = args->c,
                                                   .core = args->core };
    struct dgm_launch launch = dgm_begin_cl_mix_slopes(env, opencl, &kernel);

    return dgm_launch_runs(&launch, args->core.rows * args->core.heads);
}

/* The gradient of x. */
static struct dgm_cl_mix_inputs_args input_x(const struct dgm_gated_mix_backward_args *args,
                                             struct dgm_ref slopes)
{
    return (struct dgm_cl_mix_inputs_args){ .d = args->dx,
                                            .dy = args->dy,
                                            .l = args->l,
                                            .slopes = slopes,
                                            .gate = args->x_gate,
                                            .rows = args->core.rows,
                                            .heads = args->core.heads,
                                            .width = args->core.width,
                                            .step = args->core.width,
                                            .ldd = args->core.ldx,
                                            .factor = args->core.scale,
                                            .is_context = 0,
                                            .accumulate = args->accumulate_x };
}

/* The gradient of c. */
static struct dgm_cl_mix_inputs_args input_c(const struct dgm_gated_mix_backward_args *args,
                                             struct dgm_ref slopes)
{
    return (struct dgm_cl_mix_inputs_args){ .d = args->dc,
                                            .dy = args->dy,
                                            .l = args->l,
                                            .slopes = slopes,
                                            .gate = args->c_gate,
                                            .rows = args->core.rows,
                                            .heads = args->core.heads,
                                            .width = args->core.width,
                                            .step = args->core.c_step,
                                            .ldd = args->core.ldc,
                                            .factor = 1,
                                            .is_context = 1,
                                            .accumulate = args->accumulate_c };
}

/* The gradient of x or of c, if it is wanted. */
static dgm_status find_input(struct dgm_env *env, struct dgm_opencl *opencl,
                             struct dgm_cl_mix_inputs_args kernel)
{
    struct dgm_launch launch;

    if (kernel.d.buffer == NULL)
        return DGM_OK;
    launch = dgm_begin_cl_mix_inputs(env, opencl, &kernel);
    return dgm_launch_rows(&launch, kernel.rows * kernel.heads, kernel.width);
}

/* The gradients of the gates themselves: sums of each block of rows, then of all. */
static dgm_status find_gates(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gated_mix_backward_args *args, struct dgm_ref slopes,
                             struct dgm_ref sums)
{
    const struct dgm_gated_mix *core = &args->core;
    const int64_t blocks = dgm_cl_divide_up(core->rows, BLOCK);
    const struct dgm_cl_mix_sums_args parts = {
        .sums = sums, .slopes = slopes, .x = args->x, .c = args->c, .core = *core
    };
    const struct dgm_cl_mix_join_args whole = { .dx_gate = args->dx_gate,
                                                .dc_gate = args->dc_gate,
                                                .dx_bias = args->dx_bias,
                                                .dc_bias = args->dc_bias,
                                                .sums = sums,
                                                .blocks = blocks,
                                                .width = core->width };
    struct dgm_launch launch = dgm_begin_cl_mix_sums(env, opencl, &parts);

    DGM_TRY(dgm_launch_items(&launch, blocks * (2 * vectors_of(opencl, core->width) + 1)));
    launch = dgm_begin_cl_mix_join(env, opencl, &whole);
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
    DGM_TRY(find_input(env, opencl, input_x(args, slopes)));
    DGM_TRY(find_input(env, opencl, input_c(args, slopes)));
    if (!args->dx_gate.buffer && !args->dc_gate.buffer && !args->dx_bias.buffer &&
        !args->dc_bias.buffer)
        return DGM_OK;
    return find_gates(env, opencl, args, slopes, sums);
}

/* ---- highways ---------------------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(highway_forward, rows, args->rows, args->width)
DGM_CL_RUN_KERNEL(highway_backward, rows, args->rows, args->width)

/* ---- simple recurrent units -------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(ssru_forward, rows, args->sentences, args->width)
DGM_CL_RUN_KERNEL(ssru_backward, rows, args->sentences, args->width)
