/*
 * op_span_mean.c: the mean of every sentence's rows: y_s = sum of x_i over its n rows / n, of some
 * of the columns of x. Backward: dx_i = dy_s / n.
 */
#include "graph/calls.h"
#include "graph/op.h"

struct span_mean {
    int64_t column;
    struct dgm_ref offsets;
};

static struct dgm_ref columns_of(const struct dgm_node *y, struct dgm_ref x)
{
    const struct span_mean *mean = y->attr;

    return dgm_reals_at(x, mean->column);
}

static dgm_status span_mean_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct span_mean *mean = y->attr;
    struct dgm_span_mean_forward_args args = { 0 };

    args.y = y->value;
    args.x = columns_of(y, y->in[0]->value);
    args.offsets = mean->offsets;
    args.sentences = y->rows;
    args.width = y->cols;
    args.ldx = y->in[0]->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_span_mean_forward, &args);
}

static dgm_status span_mean_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct span_mean *mean = y->attr;
    struct dgm_node *x = y->in[0];
    struct dgm_span_mean_backward_args args = { 0 };

    DGM_TRY(dgm_node_open_grad(g, x, x->cols == y->cols, &args.accumulate));
    args.dx = columns_of(y, x->grad);
    args.dy = y->grad;
    args.offsets = mean->offsets;
    args.sentences = y->rows;
    args.width = y->cols;
    args.lddx = x->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_span_mean_backward, &args);
}

/* All columns of a computed matrix, or some of them, or of a leaf. */
static struct dgm_node *span_mean_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int32_t offsets[DGM_SAMPLE_SPANS + 1];
    struct dgm_spans spans = dgm_sample_spans(g, sample, offsets);
    int64_t width = dgm_sample_int(sample, 1, 5);
    struct dgm_columns x;

    x.column = dgm_sample_int(sample, 0, 1) * dgm_sample_int(sample, 0, 3);
    x.node = dgm_sample_leaf(g, sample, spans.rows,
                             x.column + width + (x.column ? dgm_sample_int(sample, 0, 2) : 0));
    if (dgm_sample_int(sample, 0, 2))
        x.node = dgm_activate(g, x.node, DGM_TANH);
    return dgm_span_mean(g, x, width, spans.offsets, spans.sentences);
}

const struct dgm_op dgm_op_span_mean = {
    .name = "span_mean",
    .forward = span_mean_forward,
    .backward = span_mean_backward,
    .sample = span_mean_sample,
};

struct dgm_node *dgm_span_mean(struct dgm_graph *g, struct dgm_columns x, int64_t width,
                               struct dgm_ref offsets, int64_t sentences)
{
    const struct span_mean mean = { x.column, offsets };

    if (x.node == NULL)
        return NULL;
    if (x.column < 0 || width < 1 || x.column + width > x.node->cols || offsets.buffer == NULL)
        return dgm_node_fail(g, "span_mean", x.node, NULL, "columns of the first, and offsets");
    return dgm_node_new(g, &dgm_op_span_mean, sentences, width, &x.node, 1, &mean, sizeof mean);
}
