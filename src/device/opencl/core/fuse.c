/*
 * fuse.c: recognises a residual connection with the norm behind it, and their backward passes.
 */
#include "device/opencl/core/fuse.h"

#include "device/opencl/core/stretch.h"

static int is_same(struct dgm_ref a, struct dgm_ref b)
{
    return a.buffer == b.buffer && a.offset == b.offset;
}

/*
 * Rows are handled side by side, each from its first operand to its last result: a result may lie
 * on an operand of the first task row by row, and else only apart from it. (The planner may give
 * the second task memory that the first was the last to read.)
 */
static int is_in_place_or_apart(struct dgm_cl_stretch result, struct dgm_cl_stretch operand)
{
    return is_same(result.at, operand.at) || !dgm_cl_stretches_overlap(result, operand);
}

static int fuse_forward(const struct dgm_residual_forward_args *residual,
                        const struct dgm_norm_forward_args *norm,
                        struct dgm_residual_norm_forward_args *both)
{
    const int64_t count = residual->rows * residual->dim;
    const struct dgm_cl_stretch y = dgm_cl_stretch_of(norm->y, count),
                                stats = dgm_cl_stretch_of(norm->stats, 2 * norm->rows);
    const struct dgm_cl_stretch h = dgm_cl_stretch_of(residual->y, count),
                                x = dgm_cl_stretch_of(residual->x, count);
    const struct dgm_cl_stretch r = dgm_cl_stretch_of(residual->r, count);

    if (!is_same(norm->x, residual->y) || norm->rows != residual->rows ||
        norm->dim != residual->dim)
        return 0;
    if (dgm_cl_stretches_overlap(y, h) || !is_in_place_or_apart(y, x) ||
        !is_in_place_or_apart(y, r))
        return 0;
    if (dgm_cl_stretches_overlap(stats, h) || dgm_cl_stretches_overlap(stats, x) ||
        dgm_cl_stretches_overlap(stats, r))
        return 0;
    *both = (struct dgm_residual_norm_forward_args){ .y = norm->y,
                                                     .stats = norm->stats,
                                                     .h = residual->y,
                                                     .x = residual->x,
                                                     .r = residual->r,
                                                     .gain = norm->gain,
                                                     .bias = norm->bias,
                                                     .places = residual->places,
                                                     .rows = residual->rows,
                                                     .dim = residual->dim,
                                                     .eps = norm->eps,
                                                     .drop = residual->drop };
    return 1;
}

static int fuse_backward(const struct dgm_norm_backward_args *norm,
                         const struct dgm_residual_backward_args *residual,
                         struct dgm_residual_norm_backward_args *both)
{
    const int64_t count = residual->rows * residual->dim;
    const struct dgm_cl_stretch dr = dgm_cl_stretch_of(residual->dr, count),
                                dx = dgm_cl_stretch_of(norm->dx, count);
    const struct dgm_cl_stretch dy = dgm_cl_stretch_of(norm->dy, count),
                                x = dgm_cl_stretch_of(norm->x, count);

    if (!is_same(norm->dx, residual->dy) || norm->rows != residual->rows ||
        norm->dim != residual->dim || residual->accumulate)
        return 0;
    if (dgm_cl_stretches_overlap(dr, dx) || !is_in_place_or_apart(dr, dy) ||
        !is_in_place_or_apart(dr, x))
        return 0;
    if (dgm_cl_stretches_overlap(dr, dgm_cl_stretch_of(norm->stats, 2 * norm->rows)) ||
        dgm_cl_stretches_overlap(dr, dgm_cl_stretch_of(norm->gain, norm->dim)))
        return 0;
    if (dgm_cl_stretches_overlap(dr, dgm_cl_stretch_of(norm->dgain, norm->dim)) ||
        dgm_cl_stretches_overlap(dr, dgm_cl_stretch_of(norm->dbias, norm->dim)))
        return 0;
    *both = (struct dgm_residual_norm_backward_args){ .dx = norm->dx,
                                                      .dr = residual->dr,
                                                      .dgain = norm->dgain,
                                                      .dbias = norm->dbias,
                                                      .dy = norm->dy,
                                                      .x = norm->x,
                                                      .stats = norm->stats,
                                                      .gain = norm->gain,
                                                      .places = residual->places,
                                                      .rows = residual->rows,
                                                      .dim = residual->dim,
                                                      .drop = residual->drop,
                                                      .accumulate = norm->accumulate };
    return 1;
}

int dgm_cl_fuse_begins(enum dgm_task_kind kind, enum dgm_task_kind *pair)
{
    *pair = kind == DGM_TASK_residual_forward ? DGM_TASK_residual_norm_forward
                                              : DGM_TASK_residual_norm_backward;
    return kind == DGM_TASK_residual_forward || kind == DGM_TASK_norm_backward;
}

int dgm_cl_fuse(const struct dgm_cl_waiting *waiting, enum dgm_task_kind kind, const void *args,
                struct dgm_cl_pair *pair)
{
    if (waiting->is_there && waiting->kind == DGM_TASK_residual_forward &&
        kind == DGM_TASK_norm_forward) {
        pair->kind = DGM_TASK_residual_norm_forward;
        return fuse_forward(&waiting->args.residual, args, &pair->args.forward);
    }
    if (waiting->is_there && waiting->kind == DGM_TASK_norm_backward &&
        kind == DGM_TASK_residual_backward) {
        pair->kind = DGM_TASK_residual_norm_backward;
        return fuse_backward(&waiting->args.norm, args, &pair->args.backward);
    }
    return 0;
}
