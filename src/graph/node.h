/*
 * node.h: what a node of a graph is made of, and how operations build one and treat its gradients.
 */
#ifndef DGM_GRAPH_NODE_H
#define DGM_GRAPH_NODE_H

#include "graph/calls.h"

struct dgm_node {
    const struct dgm_op *op; /* NULL: leaf or constant */
    int64_t rows, cols, index;
    struct dgm_node **in; /* in_count of them, in the arena; NULL: an absent operand */
    int in_count;         /* operands */
    int readers;          /* how often the node is one: those nodes alone write to its grad */
    struct dgm_ref value, grad, extra;
    void *attr;     /* the op's own settings, in the arena */
    int wants_grad; /* it, or something below it, is a parameter with a gradient */
    int grad_ready; /* something has been written to grad in this backward pass */
    int is_placed, is_kept;
    /* Notes of segment.c: the segment, 0 for none; when the node runs, beside its index. */
    int64_t segment, again_time, backward_time;
    int is_made_again, is_wanted_again;
    /* Notes of plan.c: blocks of this node, -1 for none, and places of its second life. */
    int64_t value_block, grad_block, extra_block, again_value_block, again_extra_block;
    struct {
        struct dgm_ref value, extra;
    } again;
};

/* A new node, appended to the graph, or NULL when the graph has failed. Inputs may be absent. The
 * op's settings, `attr_bytes` of them, are copied from `attr`; NULL: they are zeros. */
struct dgm_node *dgm_node_new(struct dgm_graph *g, const struct dgm_op *op, int64_t rows,
                              int64_t cols, struct dgm_node *const *in, int in_count,
                              const void *attr, size_t attr_bytes);

/* Records the first error of building; returns NULL for `return dgm_node_fail(...)`. */
struct dgm_node *dgm_node_fail(struct dgm_graph *g, const char *op, const struct dgm_node *a,
                               const struct dgm_node *b, const char *expected);

/* Dropout with the masks of this step; none but in training. */
static inline struct dgm_drop dgm_node_drop(const struct dgm_graph *g, dgm_real rate,
                                            uint32_t stream)
{
    return (struct dgm_drop){ g->training ? rate : 0, stream, { g->key[0], g->key[1] } };
}

static inline int dgm_node_is(const struct dgm_node *node, int64_t rows, int64_t cols)
{
    return node->rows == rows && node->cols == cols;
}

/* Whether backward has to compute the gradient of input i. */
static inline int dgm_node_wants(const struct dgm_node *node, int i)
{
    return node->in[i] != NULL && node->in[i]->wants_grad;
}

/* 0 when the gradient of `node` is still unwritten: the caller overwrites it; then 1: add. */
static inline int dgm_node_accumulate(struct dgm_node *node)
{
    int ready = node->grad_ready;
    node->grad_ready = 1;
    return ready;
}

/* Of input i, if its gradient is wanted: where that is, and the same. Else both stay. */
static inline void dgm_node_take_grad(const struct dgm_node *node, int i, struct dgm_ref *grad,
                                      int *accumulate)
{
    if (!dgm_node_wants(node, i))
        return;
    *grad = node->in[i]->grad;
    *accumulate = dgm_node_accumulate(node->in[i]);
}

/*
 * The same for an op that may write only some columns of the gradient: where nothing has been
 * written yet and `covers_all` is 0, it becomes zeros first, to be added to.
 */
dgm_status dgm_node_open_grad(struct dgm_graph *g, struct dgm_node *node, int covers_all,
                              int *accumulate);

/* The same for a gradient that is only added to. */
dgm_status dgm_node_open_sum(struct dgm_graph *g, struct dgm_node *node);

/* Of input i, a weight, if its gradient is wanted: dW += a^T b or dW = a^T b, sums over `rows`. */
dgm_status dgm_node_weight_grad(struct dgm_graph *g, const struct dgm_node *node, int i,
                                struct dgm_matrix a, struct dgm_matrix b, int64_t rows);

/* Of input i, if its gradient is wanted: dx += from or dx = from. */
dgm_status dgm_node_copy_grad(struct dgm_graph *g, const struct dgm_node *node, int i,
                              struct dgm_ref from);

/* dx += dy or dx = dy, for gradients that pass unchanged. */
dgm_status dgm_node_pass_grad(struct dgm_graph *g, struct dgm_node *to,
                              const struct dgm_node *from);

#endif
