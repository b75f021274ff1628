/*
 * op_row_products.c: a matrix times a vector in every row: the last step of a bilinear form.
 *
 * x (N, L R) holds a matrix X_i (L,R) in each row, h (N,R) a vector: y_i = X_i h_i, y (N,L).
 * Backward: dX_i = dy_i h_i^T, dh_i = X_i^T dy_i. Each is a batch of N products of one row or
 * one step, which the device runs about as fast as it reads or writes x.
 */
#include <string.h>

#include "graph/op.h"

enum { X, H };

/* One product for every row of y. */
static struct dgm_gemm_args batch_of(const struct dgm_node *y)
{
    struct dgm_gemm_args gemm;

    memset(&gemm, 0, sizeof gemm);
    gemm.batch = y->rows;
    gemm.alpha = 1;
    return gemm;
}

static dgm_status row_products_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_node *x = y->in[X], *h = y->in[H];
    struct dgm_gemm_args gemm = batch_of(y);

    gemm.c = y->value;
    gemm.a = h->value;
    gemm.b = x->value;
    gemm.form = DGM_NT;
    gemm.m = 1;
    gemm.n = gemm.ldc = gemm.stride_c = y->cols;
    gemm.k = gemm.lda = gemm.ldb = gemm.stride_a = h->cols;
    gemm.stride_b = x->cols;
    return dgm_device_run(g->env, g->device, DGM_TASK_gemm, &gemm);
}

static dgm_status matrix_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    struct dgm_node *x = y->in[X], *h = y->in[H];
    struct dgm_gemm_args gemm = batch_of(y);

    gemm.c = x->grad;
    gemm.a = y->grad;
    gemm.b = h->value;
    gemm.form = DGM_NN;
    gemm.m = gemm.stride_a = y->cols;
    gemm.n = gemm.ldb = gemm.ldc = gemm.stride_b = h->cols;
    gemm.k = gemm.lda = 1;
    gemm.stride_c = x->cols;
    gemm.beta = dgm_node_accumulate(x) ? 1 : 0;
    return dgm_device_run(g->env, g->device, DGM_TASK_gemm, &gemm);
}

static dgm_status vector_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    struct dgm_node *x = y->in[X], *h = y->in[H];
    struct dgm_gemm_args gemm = batch_of(y);

    gemm.c = h->grad;
    gemm.a = y->grad;
    gemm.b = x->value;
    gemm.form = DGM_NN;
    gemm.m = 1;
    gemm.n = gemm.ldb = gemm.ldc = gemm.stride_c = h->cols;
    gemm.k = gemm.lda = gemm.stride_a = y->cols;
    gemm.stride_b = x->cols;
    gemm.beta = dgm_node_accumulate(h) ? 1 : 0;
    return dgm_device_run(g->env, g->device, DGM_TASK_gemm, &gemm);
}

static dgm_status row_products_backward(struct dgm_graph *g, struct dgm_node *y)
{
    if (dgm_node_wants(y, X))
        DGM_TRY(matrix_grad(g, y));
    if (dgm_node_wants(y, H))
        DGM_TRY(vector_grad(g, y));
    return DGM_OK;
}

static struct dgm_node *row_products_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 6), l = dgm_sample_int(sample, 1, 5);
    int64_t r = dgm_sample_int(sample, 1, 7);
    struct dgm_node *x = dgm_sample_leaf(g, sample, n, l * r);

    if (l == 1 && dgm_sample_int(sample, 0, 1)) /* squares: one node is both operands */
        return dgm_row_products(g, x, x);
    return dgm_row_products(g, x, dgm_sample_leaf(g, sample, n, r));
}

const struct dgm_op dgm_op_row_products = {
    "row_products",        1u << X | 1u << H,  -1, -1, DGM_NO_LOSS, NULL, row_products_forward,
    row_products_backward, row_products_sample
};

struct dgm_node *dgm_row_products(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *h)
{
    struct dgm_node *in[2];

    if (x == NULL || h == NULL)
        return NULL;
    if (x->rows != h->rows || h->cols == 0 || x->cols % h->cols != 0)
        return dgm_node_fail(g, "row_products", x, h, "x (N, L R) and h (N,R)");
    in[X] = x;
    in[H] = h;
    return dgm_node_new(g, &dgm_op_row_products, x->rows, x->cols / h->cols, in, 2, 0);
}
