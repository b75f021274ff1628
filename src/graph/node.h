/*
 * node.h: what a node of a graph is made of, and how operations build one and treat its gradients.
 */
#ifndef DGM_GRAPH_NODE_H
#define DGM_GRAPH_NODE_H

#include "graph/graph.h"

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

/* A new node, appended to the graph, or NULL when the graph has failed. Inputs may be absent. */
struct dgm_node *dgm_node_new(struct dgm_graph *g, const struct dgm_op *op, int64_t rows,
                              int64_t cols, struct dgm_node *const *in, int in_count,
                              size_t attr_bytes);

/* Records the first error of building; returns NULL for `return dgm_node_fail(...)`. */
struct dgm_node *dgm_node_fail(struct dgm_graph *g, const char *op, const struct dgm_node *a,
                               const struct dgm_node *b, const char *expected);

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

/*
 * The same for an op that may write only some columns of the gradient: where nothing has been
 * written yet and `covers_all` is 0, it becomes zeros first, to be added to.
 */
dgm_status dgm_node_open_grad(struct dgm_graph *g, struct dgm_node *node, int covers_all,
                              int *accumulate);

/* dx += dy or dx = dy, for gradients that pass unchanged. */
dgm_status dgm_node_pass_grad(struct dgm_graph *g, struct dgm_node *to,
                              const struct dgm_node *from);

#endif
