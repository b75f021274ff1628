/*
 * op_tree_cell.c: binary trees composed from the leaves up, step by step over all sentences (ops.h
 * has the schedule, kernel/task/compose_list.h the composition).
 *
 * A step gathers the states of the children, multiplies them by the weights of their side, and
 * composes the products. Backward runs the steps from the last to the first; what a node gets from
 * its parent is added to the gradient of the node's own state. The weights' gradients are one
 * product over all nodes after that.
 *
 * Saved for backward: the children's states and the products of both sides, 12 or 14 D reals a
 * node (5 or 6 parts and one state on each side). Without a backward pass only those of one step.
 */
#include "graph/calls.h"
#include "graph/recurrent/tree_cell_plan.h"

enum { LEAVES, LEFT, RIGHT, BIAS, INPUTS };

struct compose {
    struct dgm_tree_cell_plan plan;
    struct dgm_compose core; /* n: of one step */
    int64_t most;            /* nodes in a step */
};

/*
 * Places in `extra`, in this order. R rows: those of all nodes, or of the largest step where no
 * backward pass follows. P = 5 or 6 parts of D columns.
 *
 *   left, right (R, P D)   products; backward writes their gradients over them
 *   l, r (R,D)             states of the children
 *   dl, dr (step,D)        their gradients
 */
struct parts {
    struct dgm_ref left, right, l, r, dl, dr;
};

static int64_t kept_rows(const struct dgm_node *y)
{
    const struct compose *compose = y->attr;

    return y->wants_grad ? compose->plan.nodes : compose->most;
}

static uint64_t compose_extra(const struct dgm_node *y)
{
    const struct compose *compose = y->attr;
    const int64_t kept = (2 * dgm_compose_parts(&compose->core) + 2) * kept_rows(y);

    return (uint64_t)((kept + 2 * compose->most) * y->cols) * sizeof(dgm_real);
}

/* What belongs to nodes from `first` on. */
static struct parts parts_at(const struct dgm_node *y, int64_t first)
{
    const struct compose *compose = y->attr;
    const int64_t rows = kept_rows(y), dim = y->cols;
    const int64_t width = dgm_compose_parts(&compose->core) * dim;
    struct parts parts;

    if (!y->wants_grad)
        first = 0;
    parts.left = dgm_reals_at(y->extra, first * width);
    parts.right = dgm_reals_at(y->extra, (rows + first) * width);
    parts.l = dgm_reals_at(y->extra, 2 * rows * width + first * dim);
    parts.r = dgm_reals_at(parts.l, rows * dim);
    parts.dl = dgm_reals_at(y->extra, 2 * rows * (width + dim));
    parts.dr = dgm_reals_at(parts.dl, compose->most * dim);
    return parts;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* child (count,D) = the states that `index` names, product (count,5D or 6D) = child weight^T. */
static dgm_status multiply_children(struct dgm_graph *g, const struct dgm_node *y,
                                    const struct dgm_node *weight, struct dgm_ref index,
                                    struct dgm_ref child, struct dgm_ref product, int64_t count)
{
    const struct dgm_product shape = dgm_product(DGM_NT, count, weight->rows, y->cols, 0);

    DGM_TRY(dgm_call_gather(g, child, y->value, index, count, y->cols));
    return dgm_call_product(g, &shape, dgm_matrix(product, weight->rows),
                            dgm_matrix(child, y->cols), dgm_matrix(weight->value, y->cols));
}

static dgm_status forward_step(struct dgm_graph *g, struct dgm_node *y, int64_t first,
                               int64_t count)
{
    const struct compose *compose = y->attr;
    const struct dgm_tree_cell_plan *plan = &compose->plan;
    const struct parts parts = parts_at(y, first);
    struct dgm_compose_forward_args args = { 0 };

    DGM_TRY(multiply_children(g, y, y->in[LEFT], dgm_list_at(plan->left, first), parts.l,
                              parts.left, count));
    DGM_TRY(multiply_children(g, y, y->in[RIGHT], dgm_list_at(plan->right, first), parts.r,
                              parts.right, count));
    args.y = dgm_reals_at(y->value, (plan->leaves + first) * y->cols);
    args.left = parts.left;
    args.right = parts.right;
    args.l = parts.l;
    args.r = parts.r;
    args.bias = y->in[BIAS]->value;
    args.core = compose->core;
    args.core.n = count;
    return dgm_device_run(g->env, g->device, DGM_TASK_compose_forward, &args);
}

static dgm_status compose_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct compose *compose = y->attr;
    int64_t first = 0;

    DGM_TRY(dgm_call_copy(g, y->value, y->in[LEAVES]->value, compose->plan.leaves * y->cols, 0));
    for (int s = 0; s < compose->plan.steps; s++) {
        DGM_TRY(forward_step(g, y, first, compose->plan.counts[s]));
        first += compose->plan.counts[s];
    }
    return DGM_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Adds to the gradients of the children's states: `child`, which holds what composition brings
 * them, plus product times weight, what their products bring them. */
static dgm_status add_to_children(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_node *weight, struct dgm_ref index,
                                  struct dgm_ref child, struct dgm_ref product, int64_t count)
{
    const struct dgm_product shape = dgm_product(DGM_NN, count, y->cols, weight->rows, 1);

    DGM_TRY(dgm_call_product(g, &shape, dgm_matrix(child, y->cols),
                             dgm_matrix(product, weight->rows),
                             dgm_matrix(weight->value, y->cols)));
    return dgm_call_scatter(g, y->grad, child, index, count, y->cols);
}

static dgm_status backward_step(struct dgm_graph *g, struct dgm_node *y, int64_t first,
                                int64_t count)
{
    const struct compose *compose = y->attr;
    const struct dgm_tree_cell_plan *plan = &compose->plan;
    const struct parts parts = parts_at(y, first);
    struct dgm_compose_backward_args args = { 0 };

    args.dl = parts.dl;
    args.dr = parts.dr;
    args.dy = dgm_reals_at(y->grad, (plan->leaves + first) * y->cols);
    args.left = parts.left;
    args.right = parts.right;
    args.l = parts.l;
    args.r = parts.r;
    args.core = compose->core;
    args.core.n = count;
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_compose_backward, &args));
    DGM_TRY(add_to_children(g, y, y->in[LEFT], dgm_list_at(plan->left, first), parts.dl, parts.left,
                            count));
    return add_to_children(g, y, y->in[RIGHT], dgm_list_at(plan->right, first), parts.dr,
                           parts.right, count);
}

/* dweight (5D,D) = products^T children, over all nodes. */
static dgm_status weight_grad(struct dgm_graph *g, const struct dgm_node *y, int which,
                              struct dgm_ref products, struct dgm_ref children)
{
    return dgm_node_weight_grad(g, y, which, dgm_matrix(products, y->in[which]->rows),
                                dgm_matrix(children, y->cols),
                                ((const struct compose *)y->attr)->plan.nodes);
}

/* The parts of the bias but the last are the sums of the products' gradients; the last, that of c,
 * is the sum of what composition left in dy. */
static dgm_status bias_grad(struct dgm_graph *g, const struct dgm_node *y, struct dgm_ref left)
{
    const struct compose *compose = y->attr;
    struct dgm_node *bias = y->in[BIAS];
    const int64_t dim = y->cols, nodes = compose->plan.nodes, before = bias->cols - dim;

    DGM_TRY(dgm_node_open_sum(g, bias));
    DGM_TRY(dgm_call_column_sums(g, bias->grad, dgm_matrix(left, bias->cols), nodes, before));
    return dgm_call_column_sums(g, dgm_reals_at(bias->grad, before),
                                dgm_matrix(dgm_reals_at(y->grad, compose->plan.leaves * dim), dim),
                                nodes, dim);
}

static dgm_status compose_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct compose *compose = y->attr;
    const struct parts parts = parts_at(y, 0);
    const int64_t nodes = compose->plan.nodes;
    int64_t first = nodes;

    for (int s = compose->plan.steps - 1; s >= 0; s--) {
        first -= compose->plan.counts[s];
        DGM_TRY(backward_step(g, y, first, compose->plan.counts[s]));
    }
    if (nodes > 0) {
        DGM_TRY(weight_grad(g, y, LEFT, parts.left, parts.l));
        DGM_TRY(weight_grad(g, y, RIGHT, parts.right, parts.r));
        if (dgm_node_wants(y, BIAS))
            DGM_TRY(bias_grad(g, y, parts.left));
    }
    return dgm_node_copy_grad(g, y, LEAVES, y->grad);
}

/* ---- the node -------------------------------------------------------------------------------- */

static struct dgm_node *compose_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const struct dgm_tree_cell_plan plan = dgm_tree_cell_plan_sample(g, sample);
    int64_t dim = dgm_sample_int(sample, 1, 5), rows = dim * dgm_sample_int(sample, 5, 6);
    struct dgm_node *leaves = dgm_sample_leaf(g, sample, plan.leaves, dim);

    if (dgm_sample_int(sample, 0, 1))
        leaves = dgm_linear(g, leaves, dgm_sample_leaf(g, sample, dim, dim), NULL);
    return dgm_tree_cell(g, leaves, dgm_sample_leaf(g, sample, rows, dim),
                         dgm_sample_leaf(g, sample, rows, dim), dgm_sample_leaf(g, sample, 1, rows),
                         &plan);
}

const struct dgm_op dgm_op_tree_cell = {
    .name = "compose",
    .keep = 1u << LEFT | 1u << RIGHT,
    .extra = compose_extra,
    .forward = compose_forward,
    .backward = compose_backward,
    .sample = compose_sample,
};

static int has_shapes(const struct dgm_node *leaves, const struct dgm_node *left,
                      const struct dgm_node *right, const struct dgm_node *bias)
{
    const int64_t dim = leaves->cols;

    return left->cols == dim && right->cols == dim && left->rows == right->rows &&
           (left->rows == 5 * dim || left->rows == 6 * dim) && bias->rows == 1 &&
           bias->cols == left->rows;
}

struct dgm_node *dgm_tree_cell(struct dgm_graph *g, struct dgm_node *leaves,
                               struct dgm_node *left_weight, struct dgm_node *right_weight,
                               struct dgm_node *bias, const struct dgm_tree_cell_plan *plan)
{
    struct dgm_node *const in[] = {
        [LEAVES] = leaves, [LEFT] = left_weight, [RIGHT] = right_weight, [BIAS] = bias
    };
    struct compose compose = { .plan = *plan, .most = dgm_tree_cell_plan_most(plan) };

    if (leaves == NULL || left_weight == NULL || right_weight == NULL || bias == NULL)
        return NULL;
    if (leaves->rows != plan->leaves || !has_shapes(leaves, left_weight, right_weight, bias))
        return dgm_node_fail(g, "compose", leaves, left_weight,
                             "leaves (N,D), two weights (5D or 6D,D) and a bias");
    compose.core.dim = leaves->cols;
    compose.core.mixes = (int)(left_weight->rows / leaves->cols) - 3;
    return dgm_node_new(g, &dgm_op_tree_cell, plan->leaves + plan->nodes, leaves->cols, in, INPUTS,
                        &compose, sizeof compose);
}
