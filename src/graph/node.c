/*
 * node.c: new nodes, and the first write to a gradient.
 */
#include "graph/node.h"

#include <string.h>

struct dgm_node *dgm_node_new(struct dgm_graph *g, const struct dgm_op *op, int64_t rows,
                              int64_t cols, struct dgm_node *const *in, int in_count,
                              const void *attr, size_t attr_bytes)
{
    struct dgm_node *node;
    int i;

    if (g->status != DGM_OK)
        return NULL;
    node =
        dgm_arena_alloc(g->env, &g->arena, 1, sizeof *node + (size_t)in_count * sizeof *node->in);
    if (node == NULL ||
        dgm_grow(g->env, &g->nodes, &g->capacity, (size_t)g->count, sizeof *g->nodes) != DGM_OK) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    node->index = g->count;
    g->nodes[g->count++] = node;
    node->op = op;
    node->rows = rows;
    node->cols = cols;
    node->in = (struct dgm_node **)(node + 1); /* one allocation for both */
    node->in_count = in_count;
    node->segment = g->segment;
    for (i = 0; i < in_count; i++) {
        node->in[i] = in[i];
        if (in[i] != NULL)
            in[i]->readers++;
        if (in[i] != NULL && in[i]->wants_grad)
            node->wants_grad = 1;
    }
    if (attr_bytes > 0) {
        node->attr = dgm_arena_alloc(g->env, &g->arena, 1, attr_bytes);
        if (node->attr == NULL) {
            g->status = DGM_MEMORY;
            return NULL;
        }
        if (attr != NULL)
            memcpy(node->attr, attr, attr_bytes);
    }
    return node;
}

struct dgm_node *dgm_node_fail(struct dgm_graph *g, const char *op, const struct dgm_node *a,
                               const struct dgm_node *b, const char *expected)
{
    if (g->status == DGM_OK)
        g->status =
            dgm_fail(g->env, DGM_FAILURE, "%s: operands %lld x %lld and %lld x %lld; expected %s",
                     op, a ? (long long)a->rows : 0, a ? (long long)a->cols : 0,
                     b ? (long long)b->rows : 0, b ? (long long)b->cols : 0, expected);
    return NULL;
}

dgm_status dgm_node_open_grad(struct dgm_graph *g, struct dgm_node *node, int covers_all,
                              int *accumulate)
{
    int ready = dgm_node_accumulate(node);

    *accumulate = ready || !covers_all;
    if (*accumulate == ready)
        return DGM_OK;
    return dgm_call_zero(g, node->grad, node->rows * node->cols);
}

dgm_status dgm_node_open_sum(struct dgm_graph *g, struct dgm_node *node)
{
    int accumulate;

    return dgm_node_open_grad(g, node, 0, &accumulate);
}

dgm_status dgm_node_weight_grad(struct dgm_graph *g, const struct dgm_node *node, int i,
                                struct dgm_matrix a, struct dgm_matrix b, int64_t rows)
{
    struct dgm_node *w = node->in[i];
    struct dgm_product product;

    if (!dgm_node_wants(node, i))
        return DGM_OK;
    product = dgm_product(DGM_TN, w->rows, w->cols, rows, dgm_node_accumulate(w) ? 1 : 0);
    return dgm_call_product(g, &product, dgm_matrix(w->grad, w->cols), a, b);
}

dgm_status dgm_node_copy_grad(struct dgm_graph *g, const struct dgm_node *node, int i,
                              struct dgm_ref from)
{
    struct dgm_node *x = node->in[i];

    if (!dgm_node_wants(node, i))
        return DGM_OK;
    return dgm_call_copy(g, x->grad, from, x->rows * x->cols, dgm_node_accumulate(x));
}

/* The planner may have given both gradients the same memory (op->hands_down): then there is nothing
 * to copy. */
dgm_status dgm_node_pass_grad(struct dgm_graph *g, struct dgm_node *to, const struct dgm_node *from)
{
    if (to->grad.buffer == from->grad.buffer && to->grad.offset == from->grad.offset) {
        to->grad_ready = 1; /* taken over: already there */
        return DGM_OK;
    }
    return dgm_call_copy(g, to->grad, from->grad, from->rows * from->cols, dgm_node_accumulate(to));
}
