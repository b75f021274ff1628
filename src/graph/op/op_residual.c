/*
 * op_residual.c: y = x + dropout(r): the residual connection (specification 1.5, 1.6); without x,
 * dropout alone.
 *
 * The mask is a pure function of the row's place, so backward draws it again. dx = dy: the
 * planner lets x's gradient take over the memory of dy.
 */
#include <string.h>

#include "graph/op.h"

struct residual {
    struct dgm_rows rows;
    struct dgm_drop drop;
};

enum { X, R };

static dgm_status residual_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct residual *residual = y->attr;
    struct dgm_residual_forward_args args = { 0 };

    args.y = y->value;
    if (y->in[X] != NULL)
        args.x = y->in[X]->value;
    args.r = y->in[R]->value;
    args.places = residual->rows.places;
    args.rows = y->rows;
    args.dim = y->cols;
    args.drop = residual->drop;
    return dgm_device_run(g->env, g->device, DGM_TASK_residual_forward, &args);
}

static dgm_status residual_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct residual *residual = y->attr;
    struct dgm_residual_backward_args args = { 0 };

    if (dgm_node_wants(y, R)) {
        args.dr = y->in[R]->grad;
        args.dy = y->grad;
        args.places = residual->rows.places;
        args.rows = y->rows;
        args.dim = y->cols;
        args.drop = residual->drop;
        args.accumulate = dgm_node_accumulate(y->in[R]);
        DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_residual_backward, &args));
    }
    if (dgm_node_wants(y, X))
        DGM_TRY(dgm_node_pass_grad(g, y->in[X], y));
    return DGM_OK;
}

static struct dgm_node *residual_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 9), dim = dgm_sample_int(sample, 1, 9), i;
    int32_t places[18];
    struct dgm_rows rows = { 0 };
    struct dgm_node *r = dgm_sample_leaf(g, sample, n, dim);
    struct dgm_node *x = dgm_sample_int(sample, 0, 2) ? dgm_sample_leaf(g, sample, n, dim) : NULL;

    for (i = 0; i < n; i++) {
        places[2 * i] = 1;
        places[2 * i + 1] = (int32_t)i;
    }
    rows.count = n;
    rows.places = dgm_sample_data(g, sample, places, (size_t)n * 2 * sizeof *places);
    return dgm_residual(g, x, r, &rows, (dgm_real)0.4, 5);
}

const struct dgm_op dgm_op_residual = {
    .name = "residual",
    .in_place = 1 + R,
    .hands_down = 1 + X,
    .is_cheap = 1,
    .forward = residual_forward,
    .backward = residual_backward,
    .sample = residual_sample,
};

struct dgm_node *dgm_residual(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *r,
                              const struct dgm_rows *rows, dgm_real dropout, uint32_t stream)
{
    struct dgm_node *const in[] = { [X] = x, [R] = r };
    struct residual residual = { .drop = dgm_node_drop(g, dropout, stream) };

    if (r == NULL)
        return NULL;
    if (x == NULL && (!g->training || dropout <= 0))
        return r;
    if (x != NULL && (x->rows != r->rows || x->cols != r->cols))
        return dgm_node_fail(g, "residual", x, r, "equal shapes");
    residual.rows = *rows;
    return dgm_node_new(g, &dgm_op_residual, r->rows, r->cols, in, 2, &residual, sizeof residual);
}
