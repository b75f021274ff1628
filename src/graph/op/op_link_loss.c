/*
 * op_link_loss.c: cross-entropy of rows of attention weights with links: what guided alignment
 * (Chen, Matusov, Khadivi, Peter 2016; Garg, Peitz, Nallasamy, Paulik 2019) trains a head towards.
 *
 * a (N,any), links: keys[l] of row i, starts[i] <= l < starts[i+1], each of the same share of the
 * row -> (N,1): -shares[i] sum_l log(a[i][keys[l]] + 1e-6), 0 in a row without links. The sum over
 * rows is the caller's. The small number, which is Marian's, keeps the loss of a weight that
 * vanished finite. Backward: da[i][keys[l]] -= scale shares[i] / (a[i][keys[l]] + 1e-6).
 */
#include "graph/calls.h"
#include "graph/op.h"

static const dgm_real least_weight = (dgm_real)1e-6;

struct link_loss {
    struct dgm_links links;
    int64_t column;
    dgm_real grad_scale;
};

static dgm_status link_loss_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct link_loss *loss = y->attr;
    struct dgm_link_loss_forward_args args = { 0 };

    args.losses = y->value;
    args.a = dgm_reals_at(y->in[0]->value, loss->column);
    args.shares = loss->links.shares;
    args.starts = loss->links.starts;
    args.keys = loss->links.keys;
    args.places = loss->links.places;
    args.rows = y->rows;
    args.lda = y->in[0]->cols;
    args.floor = least_weight;
    return dgm_device_run(g->env, g->device, DGM_TASK_link_loss_forward, &args);
}

static dgm_status link_loss_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct link_loss *loss = y->attr;
    struct dgm_node *a = y->in[0];
    struct dgm_link_loss_backward_args args = { 0 };

    DGM_TRY(dgm_node_open_sum(g, a));
    args.da = dgm_reals_at(a->grad, loss->column);
    args.a = dgm_reals_at(a->value, loss->column);
    args.shares = loss->links.shares;
    args.starts = loss->links.starts;
    args.keys = loss->links.keys;
    args.places = loss->links.places;
    args.rows = y->rows;
    args.lda = args.ldda = a->cols;
    args.floor = least_weight;
    args.scale = loss->grad_scale;
    return dgm_device_run(g->env, g->device, DGM_TASK_link_loss_backward, &args);
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum { MOST_ROWS = 6, MOST_KEYS = 5 };

/* Positive weights, a leaf or computed from one. */
static struct dgm_node *sample_weights(struct dgm_graph *g, struct dgm_sample *sample, int64_t n,
                                       int64_t cols)
{
    struct dgm_node *leaf = dgm_sample_leaf(g, sample, n, cols);
    dgm_real values[MOST_ROWS * (MOST_KEYS + 2)];

    for (int64_t i = 0; i < n * cols; i++)
        values[i] = (dgm_real)(0.2 + dgm_random_unit(&sample->random));
    if (leaf != NULL && g->status == DGM_OK)
        g->status = dgm_device_write(g->env, g->device, dgm_node_value(leaf), values,
                                     (size_t)(n * cols) * sizeof *values);
    return dgm_sample_int(sample, 0, 1) ? dgm_activate(g, leaf, DGM_TANH) : leaf;
}

/* Links of some rows to different keys. */
static struct dgm_node *link_loss_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, MOST_ROWS), width = dgm_sample_int(sample, 1, MOST_KEYS);
    int64_t spare = dgm_sample_int(sample, 0, 2);
    int32_t starts[MOST_ROWS + 1] = { 0 }, keys[MOST_ROWS * MOST_KEYS + 1] = { 0 };
    int32_t places[MOST_ROWS], used = 0;
    dgm_real shares[MOST_ROWS];
    struct dgm_columns a = { NULL, dgm_sample_int(sample, 0, spare) };
    struct dgm_links links = { 0 };

    for (int64_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < width; k++)
            if (dgm_sample_int(sample, 0, 1))
                keys[used++] = k;
        starts[i + 1] = used;
        shares[i] = (dgm_real)dgm_random_unit(&sample->random);
        places[i] = (int32_t)(n - 1 - i);
    }
    a.node = sample_weights(g, sample, n, width + spare);
    links.rows = n;
    links.starts = dgm_sample_data(g, sample, starts, (size_t)(n + 1) * sizeof *starts);
    links.keys = dgm_sample_data(g, sample, keys, ((size_t)used + 1) * sizeof *keys);
    links.shares = dgm_sample_data(g, sample, shares, (size_t)n * sizeof *shares);
    if (dgm_sample_int(sample, 0, 1))
        links.places = dgm_sample_data(g, sample, places, (size_t)n * sizeof *places);
    return dgm_link_loss(g, a, width, &links, 1);
}

const struct dgm_op dgm_op_link_loss = {
    .name = "link_loss",
    .keep = DGM_KEEP_INPUTS,
    .is_loss = DGM_LOSS,
    .forward = link_loss_forward,
    .backward = link_loss_backward,
    .sample = link_loss_sample,
};

struct dgm_node *dgm_link_loss(struct dgm_graph *g, struct dgm_columns a, int64_t width,
                               const struct dgm_links *links, dgm_real grad_scale)
{
    const struct link_loss loss = { *links, a.column, grad_scale };

    if (a.node == NULL)
        return NULL;
    if (a.column < 0 || width < 1 || a.column + width > a.node->cols || links->rows != a.node->rows)
        return dgm_node_fail(g, "link_loss", a.node, NULL, "columns, and links of its rows");
    return dgm_keep(g, dgm_node_new(g, &dgm_op_link_loss, links->rows, 1, &a.node, 1, &loss,
                                    sizeof loss));
}
