/*
 * gradcheck.h: the backward pass of any operation that can sample itself, against central
 * differences, in the double-precision build (base/real.h).
 *
 * A probe turns any output y into the loss L = sum(c .* y) with random c.
 */
#ifndef DGM_TEST_GRADCHECK_H
#define DGM_TEST_GRADCHECK_H

#include <math.h>
#include <string.h>

#include "graph/op.h"

struct gradcheck_probe {
    dgm_real *c; /* (rows, cols), in the graph's arena */
    dgm_real *y;
    double loss;
};

static inline dgm_status probe_forward(struct dgm_graph *g, struct dgm_node *node)
{
    struct gradcheck_probe *probe = node->attr;
    const struct dgm_node *y = node->in[0];
    int64_t i, count = y->rows * y->cols;

    DGM_TRY(
        dgm_device_read(g->env, g->device, probe->y, y->value, (size_t)count * sizeof *probe->y));
    probe->loss = 0;
    for (i = 0; i < count; i++)
        probe->loss += (double)probe->c[i] * (double)probe->y[i];
    return DGM_OK;
}

static inline dgm_status probe_backward(struct dgm_graph *g, struct dgm_node *node)
{
    const struct gradcheck_probe *probe = node->attr;
    struct dgm_node *y = node->in[0];

    y->grad_ready = 1;
    return dgm_device_write(g->env, g->device, y->grad, probe->c,
                            (size_t)(y->rows * y->cols) * sizeof *probe->c);
}

static const struct dgm_op gradcheck_probe_op = {
    .name = "probe",
    .keep = 1,
    .is_loss = DGM_LOSS,
    .forward = probe_forward,
    .backward = probe_backward,
};

static inline struct dgm_node *new_probe(struct dgm_graph *g, struct dgm_node *y, uint64_t seed)
{
    struct dgm_node *node;
    struct gradcheck_probe *probe;
    struct dgm_random random;
    int64_t i, count;

    if (y == NULL)
        return NULL;
    count = y->rows * y->cols;
    node = dgm_node_new(g, &gradcheck_probe_op, 1, 1, &y, 1, NULL, sizeof *probe);
    if (node == NULL)
        return NULL;
    probe = node->attr;
    probe->c = dgm_arena_alloc(g->env, &g->arena, (size_t)count, sizeof *probe->c);
    probe->y = dgm_arena_alloc(g->env, &g->arena, (size_t)count, sizeof *probe->y);
    if (probe->c == NULL || probe->y == NULL) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    dgm_random_init(&random, seed, 99, 0, 0);
    for (i = 0; i < count; i++)
        probe->c[i] = (dgm_real)dgm_random_normal(&random);
    return node;
}

/* ---- the check ------------------------------------------------------------------------------- */

static inline dgm_status read_loss(struct dgm_graph *g, const struct dgm_node *root, double *loss)
{
    dgm_real rows[2 * 16];
    int64_t i;

    DGM_TRY(dgm_graph_run(g));
    if (root->op == &gradcheck_probe_op) {
        *loss = ((const struct gradcheck_probe *)root->attr)->loss;
        return DGM_OK;
    }
    DGM_TRY(dgm_graph_read(g, root, rows));
    *loss = 0;
    for (i = 0; i < root->rows; i++)
        *loss += (double)rows[root->cols * i];
    return DGM_OK;
}

static inline dgm_status shifted_loss(struct dgm_graph *g, const struct dgm_node *root,
                                      const struct dgm_node *leaf, int64_t i, dgm_real value,
                                      double *loss)
{
    struct dgm_ref at = dgm_ref_at(leaf->value, (size_t)i * sizeof value);

    DGM_TRY(dgm_device_write(g->env, g->device, at, &value, sizeof value));
    return read_loss(g, root, loss);
}

static inline dgm_status check_element(struct dgm_graph *g, const struct dgm_node *root,
                                       const struct dgm_node *leaf, int64_t i, dgm_real slope,
                                       double *worst)
{
    const double h = 1e-5;
    struct dgm_ref at = dgm_ref_at(leaf->value, (size_t)i * sizeof(dgm_real));
    dgm_real x;
    double up, down, numeric, error;

    DGM_TRY(dgm_device_read(g->env, g->device, &x, at, sizeof x));
    DGM_TRY(shifted_loss(g, root, leaf, i, (dgm_real)((double)x + h), &up));
    DGM_TRY(shifted_loss(g, root, leaf, i, (dgm_real)((double)x - h), &down));
    DGM_TRY(dgm_device_write(g->env, g->device, at, &x, sizeof x));
    numeric = (up - down) / (2 * h);
    error = fabs(numeric - (double)slope) / (1 + fabs(numeric) + fabs((double)slope));
    if (!isnan(*worst) && !(error <= *worst))
        *worst = error;
    return DGM_OK;
}

/* Makes NaN of all planned memory, so that reading what was never written shows. */
static inline dgm_status spoil_pool(struct dgm_graph *g)
{
    size_t count = g->pool_bytes / sizeof(dgm_real), i;
    dgm_real *spoilt = dgm_arena_alloc(g->env, &g->arena, count, sizeof *spoilt);
    struct dgm_ref pool = { NULL, 0 };

    if (spoilt == NULL)
        return DGM_MEMORY;
    for (i = 0; i < count; i++)
        spoilt[i] = (dgm_real)NAN;
    pool.buffer = g->pool[0];
    return dgm_device_write(g->env, g->device, pool, spoilt, count * sizeof *spoilt);
}

/* The gradient of a leaf, in the graph's arena: a loss may add to it in each forward pass. */
static inline dgm_status copy_slopes(struct dgm_graph *g, const struct dgm_node *leaf,
                                     dgm_real **slopes)
{
    const size_t count = (size_t)(leaf->rows * leaf->cols);

    *slopes = dgm_arena_alloc(g->env, &g->arena, count, sizeof **slopes);
    if (*slopes == NULL)
        return DGM_MEMORY;
    return dgm_device_read(g->env, g->device, *slopes, leaf->grad, count * sizeof **slopes);
}

static inline dgm_status zero_slopes(struct dgm_graph *g, const struct dgm_node *leaf)
{
    const dgm_real zero = 0;

    for (int64_t i = 0; i < leaf->rows * leaf->cols; i++)
        DGM_TRY(dgm_device_write(g->env, g->device, dgm_ref_at(leaf->grad, (size_t)i * sizeof zero),
                                 &zero, sizeof zero));
    return DGM_OK;
}

static inline dgm_status check_leaves(struct dgm_graph *g, const struct dgm_sample *sample,
                                      const struct dgm_node *root, double *worst)
{
    dgm_real *slopes[DGM_SAMPLE_LEAVES];
    double loss;
    int l;
    int64_t i;

    DGM_TRY(read_loss(g, root, &loss));
    DGM_TRY(spoil_pool(g));
    for (l = 0; l < sample->leaf_count; l++)
        DGM_TRY(zero_slopes(g, sample->leaves[l]));
    DGM_TRY(read_loss(g, root, &loss));
    DGM_TRY(dgm_graph_backward(g));
    for (l = 0; l < sample->leaf_count; l++)
        DGM_TRY(copy_slopes(g, sample->leaves[l], &slopes[l]));
    for (l = 0; l < sample->leaf_count; l++) {
        const struct dgm_node *leaf = sample->leaves[l];
        for (i = 0; i < leaf->rows * leaf->cols; i++)
            DGM_TRY(check_element(g, root, leaf, i, slopes[l][i], worst));
    }
    return DGM_OK;
}

/*
 * Compares the backward pass of one op on random instances with central differences of
 * L = sum(c .* y) for random c (of the loss itself for losses). *worst: largest relative error.
 * Meaningful in the double-precision build.
 */
static inline dgm_status gradcheck_op(struct dgm_env *env, struct dgm_device *device,
                                      const struct dgm_op *op, uint64_t seed, double *worst)
{
    struct dgm_graph g;
    struct dgm_sample sample;
    struct dgm_node *root;
    dgm_status status;

    *worst = 0;
    memset(&sample, 0, sizeof sample);
    dgm_random_init(&sample.random, seed, 98, 0, 0);
    DGM_TRY(dgm_graph_init(env, &g, device));
    dgm_graph_begin(&g, 1, (uint32_t)seed, 1);
    root = op->sample(&g, &sample);
    if (root != NULL && root->op->is_loss == DGM_NO_LOSS)
        root = new_probe(&g, root, seed);
    status = g.status != DGM_OK ? g.status : check_leaves(&g, &sample, root, worst);
    dgm_sample_clear(&g, &sample);
    dgm_graph_clear(&g);
    return status;
}

#endif
