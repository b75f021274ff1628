/*
 * op_highway.c: a highway layer's blend of what is new and what is carried on (specification 3.9;
 * Srivastava et al. 2015): y = relu(h) s + c (1 - s), s = sigmoid(t).
 *
 * ht (N,2W) = [h | t], c (N,W) -> (N,W). Backward: dh = dy s where h > 0, dt = dy (relu(h) - c)
 * s (1 - s), dc = dy (1 - s); s is computed again.
 */
#include "graph/op.h"

enum { HT, C };

static dgm_status highway_forward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_highway_forward_args args = { 0 };

    args.y = y->value;
    args.ht = y->in[HT]->value;
    args.c = y->in[C]->value;
    args.rows = y->rows;
    args.width = y->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_highway_forward, &args);
}

static dgm_status highway_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct dgm_highway_backward_args args = { 0 };

    dgm_node_take_grad(y, HT, &args.dht, &args.accumulate_ht);
    dgm_node_take_grad(y, C, &args.dc, &args.accumulate_c);
    args.dy = y->grad;
    args.ht = y->in[HT]->value;
    args.c = y->in[C]->value;
    args.rows = y->rows;
    args.width = y->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_highway_backward, &args);
}

static struct dgm_node *highway_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    static const struct dgm_rows no_rows;
    int64_t n = dgm_sample_int(sample, 1, 6), width = dgm_sample_int(sample, 1, 9);
    struct dgm_node *c = dgm_sample_leaf(g, sample, n, width);
    struct dgm_node *ht = dgm_sample_leaf(g, sample, n, 2 * width);

    if (dgm_sample_int(sample, 0, 1)) { /* gradients that begin with nothing */
        c = dgm_residual(g, c, c, &no_rows, 0, 0);
        ht = dgm_residual(g, ht, ht, &no_rows, 0, 0);
    }
    return dgm_highway(g, ht, c);
}

const struct dgm_op dgm_op_highway = {
    .name = "highway",
    .keep = 1u << HT | 1u << C,
    .forward = highway_forward,
    .backward = highway_backward,
    .sample = highway_sample,
};

struct dgm_node *dgm_highway(struct dgm_graph *g, struct dgm_node *ht, struct dgm_node *c)
{
    struct dgm_node *const in[] = { [HT] = ht, [C] = c };

    if (ht == NULL || c == NULL)
        return NULL;
    if (ht->rows != c->rows || ht->cols != 2 * c->cols)
        return dgm_node_fail(g, "highway", ht, c, "ht (N,2W) and c (N,W)");
    return dgm_node_new(g, &dgm_op_highway, c->rows, c->cols, in, 2, NULL, 0);
}
