/*
 * run_lstm.c: the LSTM through OpenCL: both directions, step by step over all sequences that are
 * long enough, a matrix product and a kernel for the units at each step. Errors of rounding would
 * add up from step to step: --precision leaves these products alone, as on the CPU.
 */
#include "device/lstm.h"
#include "device/opencl/run/push.h"
#include "device/opencl/run/run_gemm.h"

/* The masks, or an absent operand where nothing is dropped. */
static struct dgm_ref keep_of(const struct dgm_lstm *core, const struct dgm_lstm_parts *parts)
{
    const struct dgm_ref nothing = { NULL, 0 };

    return core->drop.rate > 0 ? parts->keep : nothing;
}

/* ---- forward ----------------------------------------------------------------------------- */

/* The masks of all sequences that are not empty. */
static dgm_status draw_masks(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_lstm_forward_args *args, struct dgm_ref keep)
{
    const int64_t sequences = dgm_lstm_active(&args->core, 0);
    const struct dgm_cl_lstm_masks_args kernel = { .keep = keep,
                                                   .offsets = args->offsets,
                                                   .order = args->order,
                                                   .places = args->places,
                                                   .sequences = sequences,
                                                   .dim = args->core.dim,
                                                   .drop = args->core.drop };
    struct dgm_launch launch = dgm_begin_cl_lstm_masks(env, opencl, &kernel);

    return dgm_launch_tiles(&launch, sequences, 2 * args->core.dim);
}

static dgm_status forward_step(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_lstm_forward_args *args,
                               const struct dgm_lstm_parts *parts, const struct dgm_lstm_step *step)
{
    const struct dgm_cl_lstm_forward_args kernel = { .y = args->y,
                                                     .inputs = args->gates,
                                                     .gates = parts->gates,
                                                     .c = parts->c,
                                                     .before = parts->before,
                                                     .keep = keep_of(&args->core, parts),
                                                     .offsets = args->offsets,
                                                     .order = args->order,
                                                     .dim = args->core.dim,
                                                     .t = step->t,
                                                     .active = step->active,
                                                     .later = step->later,
                                                     .last = step->last,
                                                     .first = step->first,
                                                     .next = step->next };
    struct dgm_launch launch = dgm_begin_cl_lstm_forward(env, opencl, &kernel);

    return dgm_launch_rows(&launch, 2 * step->active, args->core.dim);
}

dgm_status dgm_opencl_run_lstm_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                       const void *args_)
{
    const struct dgm_lstm_forward_args *args = args_;
    const struct dgm_lstm_parts parts = dgm_lstm_parts(args->saved, &args->core);
    struct dgm_lstm_step step = { 0, 0, 0, 0, 0, 0 };
    struct dgm_gemm_args gemm;

    if (args->core.drop.rate > 0)
        DGM_TRY(draw_masks(env, opencl, args, parts.keep));
    for (int64_t t = 0; t < args->core.steps; t++) {
        step = dgm_lstm_step(&args->core, t, step.next);
        gemm = dgm_lstm_gates_product(&args->core, &parts, args->weight, &step);
        if (t > 0)
            DGM_TRY(dgm_cl_multiply_exactly(env, opencl, &gemm));
        DGM_TRY(forward_step(env, opencl, args, &parts, &step));
    }
    return DGM_OK;
}

/* ---- backward ---------------------------------------------------------------------------- */

static dgm_status backward_step(struct dgm_env *env, struct dgm_opencl *opencl,
                                const struct dgm_lstm_backward_args *args,
                                const struct dgm_lstm_parts *parts,
                                const struct dgm_lstm_step *step)
{
    const struct dgm_cl_lstm_backward_args kernel = { .dgates = args->dgates,
                                                      .dy = args->dy,
                                                      .gates = parts->gates,
                                                      .c = parts->c,
                                                      .dnext = parts->dnext,
                                                      .dc = parts->dc,
                                                      .keep = keep_of(&args->core, parts),
                                                      .offsets = args->offsets,
                                                      .order = args->order,
                                                      .accumulate = args->accumulate_gates,
                                                      .dim = args->core.dim,
                                                      .t = step->t,
                                                      .active = step->active,
                                                      .later = step->later,
                                                      .last = step->last,
                                                      .first = step->first,
                                                      .next = step->next };
    struct dgm_launch launch = dgm_begin_cl_lstm_backward(env, opencl, &kernel);

    return dgm_launch_rows(&launch, 2 * step->active, args->core.dim);
}

dgm_status dgm_opencl_run_lstm_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                        const void *args_)
{
    const struct dgm_lstm_backward_args *args = args_;
    const struct dgm_lstm_parts parts = dgm_lstm_parts(args->saved, &args->core);
    int64_t first = args->core.rows;
    struct dgm_gemm_args gemm;

    for (int64_t t = args->core.steps; t-- > 0;) {
        struct dgm_lstm_step step;

        first -= dgm_lstm_active(&args->core, t);
        step = dgm_lstm_step(&args->core, t, first);
        DGM_TRY(backward_step(env, opencl, args, &parts, &step));
        gemm = dgm_lstm_next_product(&args->core, &parts, args->weight, &step);
        if (t > 0)
            DGM_TRY(dgm_cl_multiply_exactly(env, opencl, &gemm));
    }
    gemm = dgm_lstm_weight_product(args, &parts);
    if (args->dweight.buffer == NULL)
        return DGM_OK;
    return dgm_device_run(env, &opencl->device, DGM_TASK_gemm, &gemm);
}
