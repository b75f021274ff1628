/*
 * op.h: what an operation is made of. Files op_*.c include it, graph.c, the planner, and tests.
 * doc/adding-an-op.md explains the fields one by one.
 */
#ifndef DGM_GRAPH_OP_H
#define DGM_GRAPH_OP_H

#include "graph/gates.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "graph/sample.h"

enum {
    DGM_KEEP_COUNT = 30,                   /* inputs that have a bit; of others nothing is kept */
    DGM_KEEP_OUTPUT = 1 << DGM_KEEP_COUNT, /* backward reads the node's own value */
    DGM_KEEP_INPUTS = DGM_KEEP_OUTPUT - 1  /* backward reads every input's value */
};

enum dgm_loss_kind {
    DGM_NO_LOSS,
    DGM_LOSS,         /* backward starts here */
    DGM_LOSS_IN_PLACE /* and forward has turned input 0's value into its gradient */
};

struct dgm_op {
    const char *name;
    unsigned keep;  /* what backward reads: bit i for input i's value, DGM_KEEP_OUTPUT */
    int in_place;   /* 1 + the input whose memory the output may take over; 0: none */
    int hands_down; /* 1 + the input whose gradient may take over that of the output; 0: none */
    int is_cheap;   /* forward takes little beside a product that reads the value: segment.h */
    enum dgm_loss_kind is_loss;
    /* Bytes of statistics saved by forward for backward; NULL: none. More than a word holds where
     * memory would have to be larger. */
    uint64_t (*extra)(const struct dgm_node *node);
    /* Where the gates of recurrent cells are among these, after a forward pass that keeps them
     * (graph/gates.h): writes DGM_GATE_ROWS descriptions at most, returns how many. NULL: none. */
    int (*gates)(const struct dgm_node *node, struct dgm_gate_rows *rows);
    dgm_status (*forward)(struct dgm_graph *g, struct dgm_node *node);
    /* Adds to (or, where !grad_ready, writes) the gradients of the inputs that want one. */
    dgm_status (*backward)(struct dgm_graph *g, struct dgm_node *node);
    /* Builds a random legal instance over leaves from the sample, for tests. */
    struct dgm_node *(*sample)(struct dgm_graph *g, struct dgm_sample *sample);
};

/* Whether backward of the node reads the value of input k. */
static inline int dgm_node_reads_backward(const struct dgm_node *node, int k)
{
    return node->op != NULL && node->wants_grad && k < DGM_KEEP_COUNT &&
           (node->op->keep >> k & 1) != 0;
}

extern const struct dgm_op *const dgm_ops[]; /* in list order, ended by NULL */

#define OP(name) extern const struct dgm_op dgm_op_##name;
#include "graph/op_list.h"
#undef OP

#endif
