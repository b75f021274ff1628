/*
 * op_fold.c: groups of columns added up: y = x_1 + .. + x_n for x (N, n W) = [x_1 | .. | x_n].
 *
 * A matrix W for [o | .. | o], the same o n times, is fold(W) for o alone, at an n-th of the cost.
 * Backward: every group of dx gets dy.
 */
#include "graph/calls.h"
#include "graph/op.h"

/* Shapes of the copy between one group of x and y. */
static struct dgm_copy_columns_args copy_of(const struct dgm_node *y)
{
    struct dgm_copy_columns_args copy = { 0 };

    copy.rows = y->rows;
    copy.groups = 1;
    copy.width = copy.step_y = copy.step_x = y->cols;
    return copy;
}

static struct dgm_ref group_of(const struct dgm_node *y, struct dgm_ref x, int64_t group)
{
    return dgm_reals_at(x, group * y->cols);
}

static dgm_status fold_forward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_copy_columns_args copy = copy_of(y);
    int64_t i;

    copy.y = y->value;
    copy.ldy = y->cols;
    copy.ldx = y->in[0]->cols;
    for (i = 0; i < y->in[0]->cols / y->cols; i++) {
        copy.x = group_of(y, y->in[0]->value, i);
        copy.accumulate = i > 0;
        DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_copy_columns, &copy));
    }
    return DGM_OK;
}

static dgm_status fold_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_copy_columns_args copy = copy_of(y);
    int64_t i;

    copy.accumulate = dgm_node_accumulate(y->in[0]);
    copy.x = y->grad;
    copy.ldx = y->cols;
    copy.ldy = y->in[0]->cols;
    for (i = 0; i < y->in[0]->cols / y->cols; i++) {
        copy.y = group_of(y, y->in[0]->grad, i);
        DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_copy_columns, &copy));
    }
    return DGM_OK;
}

/* x is a leaf, or a computed matrix whose gradient starts from nothing. */
static struct dgm_node *fold_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t groups = dgm_sample_int(sample, 2, 4), width = dgm_sample_int(sample, 1, 5);
    struct dgm_node *x = dgm_sample_leaf(g, sample, dgm_sample_int(sample, 1, 6), groups * width);

    if (dgm_sample_int(sample, 0, 1))
        x = dgm_activate(g, x, DGM_TANH);
    return dgm_fold(g, x, groups);
}

const struct dgm_op dgm_op_fold = {
    .name = "fold",
    .forward = fold_forward,
    .backward = fold_backward,
    .sample = fold_sample,
};

struct dgm_node *dgm_fold(struct dgm_graph *g, struct dgm_node *x, int64_t groups)
{
    if (x == NULL || groups == 1)
        return x;
    if (groups < 1 || x->cols % groups != 0)
        return dgm_node_fail(g, "fold", x, NULL, "columns in equal groups");
    return dgm_node_new(g, &dgm_op_fold, x->rows, x->cols / groups, &x, 1, NULL, 0);
}
