/*
 * op_row_products.c: a matrix times a vector in every row: the last step of a bilinear form.
 *
 * x (N, L R) holds a matrix X_i (L,R) in each row, h (N,R) a vector: y_i = X_i h_i, y (N,L).
 * Backward: dX_i = dy_i h_i^T, dh_i = X_i^T dy_i. Each is a batch of N products of one row or
 * one step, which the device runs about as fast as it reads or writes x.
 */
#include "graph/calls.h"
#include "graph/op.h"

enum { X, H };

/* y_i (1,L) = h_i (1,R) X_i^T for every row i. */
static dgm_status row_products_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_node *x = y->in[X], *h = y->in[H];
    struct dgm_product product = dgm_product(DGM_NT, 1, y->cols, h->cols, 0);

    product.batch = y->rows;
    product.stride_a = h->cols;
    product.stride_b = x->cols;
    product.stride_c = y->cols;
    return dgm_call_product(g, &product, dgm_matrix(y->value, y->cols),
                            dgm_matrix(h->value, h->cols), dgm_matrix(x->value, h->cols));
}

/* dX_i (L,R) = dy_i^T (L,1) h_i (1,R). */
static dgm_status matrix_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    struct dgm_node *x = y->in[X], *h = y->in[H];
    struct dgm_product product =
        dgm_product(DGM_NN, y->cols, h->cols, 1, dgm_node_accumulate(x) ? 1 : 0);

    product.batch = y->rows;
    product.stride_a = y->cols;
    product.stride_b = h->cols;
    product.stride_c = x->cols;
    return dgm_call_product(g, &product, dgm_matrix(x->grad, h->cols), dgm_matrix(y->grad, 1),
                            dgm_matrix(h->value, h->cols));
}

/* dh_i (1,R) = dy_i (1,L) X_i (L,R). */
static dgm_status vector_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    struct dgm_node *x = y->in[X], *h = y->in[H];
    struct dgm_product product =
        dgm_product(DGM_NN, 1, h->cols, y->cols, dgm_node_accumulate(h) ? 1 : 0);

    product.batch = y->rows;
    product.stride_a = y->cols;
    product.stride_b = x->cols;
    product.stride_c = h->cols;
    return dgm_call_product(g, &product, dgm_matrix(h->grad, h->cols), dgm_matrix(y->grad, y->cols),
                            dgm_matrix(x->value, h->cols));
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
    .name = "row_products",
    .keep = 1u << X | 1u << H,
    .forward = row_products_forward,
    .backward = row_products_backward,
    .sample = row_products_sample,
};

struct dgm_node *dgm_row_products(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *h)
{
    struct dgm_node *const in[] = { [X] = x, [H] = h };

    if (x == NULL || h == NULL)
        return NULL;
    if (x->rows != h->rows || h->cols == 0 || x->cols % h->cols != 0)
        return dgm_node_fail(g, "row_products", x, h, "x (N, L R) and h (N,R)");
    return dgm_node_new(g, &dgm_op_row_products, x->rows, x->cols / h->cols, in, 2, NULL, 0);
}
