/*
 * op_linear_heads.c: one small matrix for all heads: y_h = a x_h W^T + b (form NT, W (out,in)), or
 * y_h = a x_h W + b (form NN, W (in,out)), a a constant scale.
 *
 * x_h (N,in): columns column + h in .. of x; y (N, heads out), b (1,out). Backward, form NT:
 * dx_h = a dy_h W, dW += a sum_h dy_h^T x_h; form NN: dx_h = a dy_h W^T, dW += a sum_h x_h^T dy_h;
 * db += column sums of all dy_h.
 *
 * Where x is the heads and nothing else, all of them are one product with N heads rows; else there
 * is a product for each head.
 */
#include "graph/calls.h"
#include "graph/op.h"

struct linear_heads {
    int64_t column, heads;
    enum dgm_gemm_form form;
    dgm_real scale;
};

enum { X, WEIGHT, BIAS };

/* One head's, or all heads', rows of x and y, as a product has to see them. */
struct view {
    int64_t in, out, rows, ldx, ldy, products;
};

static struct view view_of(const struct dgm_node *y)
{
    const struct linear_heads *heads = y->attr;
    const struct dgm_node *x = y->in[X], *w = y->in[WEIGHT];
    struct view view;
    int is_whole;

    view.in = heads->form == DGM_NT ? w->cols : w->rows;
    view.out = heads->form == DGM_NT ? w->rows : w->cols;
    is_whole = x->cols == heads->heads * view.in;
    view.products = is_whole ? 1 : heads->heads;
    view.rows = is_whole ? y->rows * heads->heads : y->rows;
    view.ldx = is_whole ? view.in : x->cols;
    view.ldy = is_whole ? view.out : y->cols;
    return view;
}

/* The first head of x or of its gradient. */
static struct dgm_matrix heads_of(const struct dgm_node *y, const struct view *view,
                                  struct dgm_ref x)
{
    const struct linear_heads *heads = y->attr;

    return dgm_matrix_at(dgm_matrix(x, view->ldx), 0, heads->column);
}

static dgm_status linear_heads_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct linear_heads *heads = y->attr;
    const struct view view = view_of(y);
    struct dgm_product product = dgm_product(heads->form, view.rows, view.out, view.in, 0);

    if (y->in[BIAS] != NULL)
        product.bias = y->in[BIAS]->value;
    product.alpha = heads->scale;
    product.batch = view.products;
    product.stride_a = view.in;
    product.stride_c = view.out;
    return dgm_call_product(g, &product, dgm_matrix(y->value, view.ldy),
                            heads_of(y, &view, y->in[X]->value),
                            dgm_matrix(y->in[WEIGHT]->value, y->in[WEIGHT]->cols));
}

/* dW: one product after the other, each added to what is there. */
static dgm_status weight_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct linear_heads *heads = y->attr;
    const struct view view = view_of(y);
    const struct dgm_matrix x = heads_of(y, &view, y->in[X]->value);
    struct dgm_node *w = y->in[WEIGHT];
    struct dgm_product product = dgm_product(DGM_TN, w->rows, w->cols, view.rows, 0);
    int64_t p;

    product.alpha = heads->scale;
    for (p = 0; p < view.products; p++) {
        const struct dgm_matrix x_p = dgm_matrix_at(x, 0, p * view.in);
        const struct dgm_matrix dy_p =
            dgm_matrix_at(dgm_matrix(y->grad, view.ldy), 0, p * view.out);
        const int by_outputs = heads->form == DGM_NT; /* rows of W are outputs */

        product.beta = dgm_node_accumulate(w) ? 1 : 0;
        DGM_TRY(dgm_call_product(g, &product, dgm_matrix(w->grad, w->cols), by_outputs ? dy_p : x_p,
                                 by_outputs ? x_p : dy_p));
    }
    return DGM_OK;
}

static dgm_status bias_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct linear_heads *heads = y->attr;
    struct dgm_node *bias = y->in[BIAS];

    DGM_TRY(dgm_node_open_sum(g, bias));
    return dgm_call_column_sums(g, bias->grad, dgm_matrix(y->grad, bias->cols),
                                y->rows * heads->heads, bias->cols);
}

static dgm_status input_grad(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct linear_heads *heads = y->attr;
    const struct view view = view_of(y);
    struct dgm_node *x = y->in[X];
    struct dgm_product product;
    int accumulate;

    DGM_TRY(dgm_node_open_grad(g, x, x->cols == heads->heads * view.in, &accumulate));
    product = dgm_product(heads->form == DGM_NT ? DGM_NN : DGM_NT, view.rows, view.in, view.out,
                          accumulate ? 1 : 0);
    product.alpha = heads->scale;
    product.batch = view.products;
    product.stride_a = view.out;
    product.stride_c = view.in;
    return dgm_call_product(g, &product, heads_of(y, &view, x->grad), dgm_matrix(y->grad, view.ldy),
                            dgm_matrix(y->in[WEIGHT]->value, y->in[WEIGHT]->cols));
}

static dgm_status linear_heads_backward(struct dgm_graph *g, struct dgm_node *y)
{
    if (dgm_node_wants(y, WEIGHT))
        DGM_TRY(weight_grad(g, y));
    if (dgm_node_wants(y, BIAS))
        DGM_TRY(bias_grad(g, y));
    if (dgm_node_wants(y, X))
        DGM_TRY(input_grad(g, y));
    return DGM_OK;
}

/* Columns of a leaf or of a computed matrix; all of them or not. */
static struct dgm_node *linear_heads_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t n = dgm_sample_int(sample, 1, 6), heads = dgm_sample_int(sample, 1, 4);
    int64_t in = dgm_sample_int(sample, 1, 5), out = dgm_sample_int(sample, 1, 5), extra;
    enum dgm_gemm_form form = dgm_sample_int(sample, 0, 1) ? DGM_NT : DGM_NN;
    struct dgm_node *w, *bias = NULL;
    struct dgm_columns x;

    x.column = dgm_sample_int(sample, 0, 1) * dgm_sample_int(sample, 0, 3);
    extra = dgm_sample_int(sample, 0, 1) * dgm_sample_int(sample, 0, 2);
    x.node = dgm_sample_leaf(g, sample, n, x.column + heads * in + extra);
    if (dgm_sample_int(sample, 0, 2))
        x.node = dgm_activate(g, x.node, DGM_TANH);
    w = dgm_sample_leaf(g, sample, form == DGM_NT ? out : in, form == DGM_NT ? in : out);
    if (dgm_sample_int(sample, 0, 2))
        bias = dgm_sample_leaf(g, sample, 1, out);
    return dgm_linear_heads(g, x, heads, w, bias, form,
                            dgm_sample_int(sample, 0, 1) ? 1 : (dgm_real)0.5);
}

const struct dgm_op dgm_op_linear_heads = {
    .name = "linear_heads",
    .keep = 1u << X | 1u << WEIGHT,
    .forward = linear_heads_forward,
    .backward = linear_heads_backward,
    .sample = linear_heads_sample,
};

struct dgm_node *dgm_linear_heads(struct dgm_graph *g, struct dgm_columns x, int64_t heads,
                                  struct dgm_node *w, struct dgm_node *bias,
                                  enum dgm_gemm_form form, dgm_real scale)
{
    struct dgm_node *const in[] = { [X] = x.node, [WEIGHT] = w, [BIAS] = bias };
    const struct linear_heads attr = { x.column, heads, form, scale };
    int64_t width, out;

    if (x.node == NULL || w == NULL)
        return NULL;
    width = form == DGM_NT ? w->cols : w->rows;
    out = form == DGM_NT ? w->rows : w->cols;
    if (form == DGM_TN || heads < 1 || x.column < 0 || x.column + heads * width > x.node->cols)
        return dgm_node_fail(g, "linear_heads", x.node, w,
                             "columns for all heads, and weight (out,in) or (in,out)");
    if (bias != NULL && (bias->cols != out || bias->rows != 1))
        return dgm_node_fail(g, "linear_heads", w, bias, "weight, and bias (1,out)");
    return dgm_node_new(g, &dgm_op_linear_heads, x.node->rows, heads * out, in, 3, &attr,
                        sizeof attr);
}
