/*
 * graph_case.h: a step on a device of some threads, leaves with given values, and gradients that
 * come from above.
 */
#ifndef DGM_TEST_GRAPH_CASE_H
#define DGM_TEST_GRAPH_CASE_H

#include <string.h>

#include "graph/op.h"
#include "open_device.h"
#include "test.h"

enum { CASE_ROOTS = 2 };

struct graph_case {
    struct dgm_device *device;
    struct dgm_graph g;
    struct dgm_sample sample;
};

/* On a device of the caller, who closes it after case_end. */
static inline dgm_status case_begin(struct graph_case *c, struct dgm_device *device)
{
    memset(c, 0, sizeof *c);
    c->device = device;
    DGM_TRY(dgm_graph_init(test_env(), &c->g, c->device));
    dgm_random_init(&c->sample.random, 12, 0, 0, 0);
    dgm_graph_begin(&c->g, 1, 1, 1);
    return DGM_OK;
}

static inline void case_end(struct graph_case *c)
{
    dgm_sample_clear(&c->g, &c->sample);
    dgm_graph_clear(&c->g);
}

static inline dgm_status case_open(struct graph_case *c, int threads)
{
    struct dgm_device *device;

    DGM_TRY(open_device(test_env(), &device, threads));
    return case_begin(c, device);
}

static inline void case_close(struct graph_case *c)
{
    case_end(c);
    dgm_device_close(test_env(), c->device);
}

/* A parameter of given values (NULL: zeros), with a gradient of zeros. */
static inline struct dgm_node *case_leaf(struct graph_case *c, const double *values, int64_t rows,
                                         int64_t cols)
{
    struct dgm_node *leaf = dgm_sample_leaf(&c->g, &c->sample, rows, cols);
    int64_t i;

    for (i = 0; leaf != NULL && i < rows * cols; i++) {
        dgm_real x = values != NULL ? (dgm_real)values[i] : 0;
        struct dgm_ref at = dgm_ref_at(leaf->value, (size_t)i * sizeof x);
        if (dgm_device_write(test_env(), c->device, at, &x, sizeof x) != DGM_OK)
            return NULL;
    }
    return leaf;
}

/* Reals on the device. */
static inline struct dgm_ref case_reals(struct graph_case *c, const double *values, int count)
{
    dgm_real reals[64] = { 0 }; /* more than any of these tests has */
    int i;

    for (i = 0; i < count; i++)
        reals[i] = (dgm_real)values[i];
    return dgm_sample_data(&c->g, &c->sample, reals, (size_t)count * sizeof *reals);
}

static inline struct dgm_ref case_ints(struct graph_case *c, const int32_t *values, int count)
{
    return dgm_sample_data(&c->g, &c->sample, values, (size_t)count * sizeof *values);
}

static inline dgm_status case_read(struct graph_case *c, struct dgm_ref from, dgm_real *to,
                                   int64_t count)
{
    return dgm_device_read(test_env(), c->device, to, from, (size_t)count * sizeof *to);
}

/* ---- a loss whose gradients are given ------------------------------------------------------- */

struct case_given {
    const dgm_real *dy[CASE_ROOTS];
};

static inline dgm_status case_given_forward(struct dgm_graph *g, struct dgm_node *node)
{
    (void)g;
    (void)node;
    return DGM_OK;
}

static inline dgm_status case_given_backward(struct dgm_graph *g, struct dgm_node *node)
{
    const struct case_given *given = node->attr;
    int i;

    for (i = 0; i < node->in_count; i++) {
        struct dgm_node *y = node->in[i];
        y->grad_ready = 1;
        DGM_TRY(dgm_device_write(g->env, g->device, y->grad, given->dy[i],
                                 (size_t)(y->rows * y->cols) * sizeof(dgm_real)));
    }
    return DGM_OK;
}

static const struct dgm_op case_given_op = {
    .name = "given",
    .is_loss = DGM_LOSS,
    .forward = case_given_forward,
    .backward = case_given_backward,
};

/* The loss of one node whose gradient is dy, which is kept; both passes are still to be run. */
static inline void case_give(struct graph_case *c, struct dgm_node *y, const double *dy)
{
    struct dgm_node *root =
        dgm_node_new(&c->g, &case_given_op, 1, 1, &y, 1, NULL, sizeof(struct case_given));
    dgm_real *to =
        dgm_arena_alloc(test_env(), &c->g.arena, (size_t)(y->rows * y->cols), sizeof *to);
    int64_t i;

    CHECK(root != NULL && to != NULL);
    for (i = 0; i < y->rows * y->cols; i++)
        to[i] = (dgm_real)dy[i];
    ((struct case_given *)root->attr)->dy[0] = to;
}

/* Runs both passes, with dL/dy_i = dy_i for count kept nodes y_i. */
static inline dgm_status case_run(struct graph_case *c, struct dgm_node *const *y,
                                  const dgm_real *const *dy, int count)
{
    struct dgm_node *root;
    int i;

    root = dgm_node_new(&c->g, &case_given_op, 1, 1, y, count, NULL, sizeof(struct case_given));
    for (i = 0; root != NULL && i < count; i++) {
        dgm_keep(&c->g, y[i]);
        ((struct case_given *)root->attr)->dy[i] = dy[i];
    }
    DGM_TRY(dgm_graph_run(&c->g));
    return dgm_graph_backward(&c->g);
}

/* got[i] is near want[i], i < count. */
static inline void case_check(const dgm_real *got, const double *want, int count, double tolerance)
{
    int i;

    for (i = 0; i < count; i++)
        CHECK_NEAR(got[i], want[i], tolerance);
}

/* What a node's value, or its gradient, ought to be. */
static inline void case_check_at(struct graph_case *c, struct dgm_ref at, const double *want,
                                 int count, double tolerance)
{
    dgm_real got[256];

    CHECK(count <= 256);
    CHECK_STATUS(case_read(c, at, got, count), DGM_OK);
    case_check(got, want, count, tolerance);
}

#endif
