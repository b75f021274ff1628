/*
 * op.h: what an operation is made of; included by op_*.c, the planner and the gradient check.
 */
#ifndef DGM_GRAPH_OP_H
#define DGM_GRAPH_OP_H

#include "graph/graph.h"

struct dgm_sample;

enum {
    DGM_KEEP_COUNT = 30,                   /* inputs that have a bit; of others nothing is kept */
    DGM_KEEP_OUTPUT = 1 << DGM_KEEP_COUNT, /* backward reads the node's own value */
    DGM_KEEP_INPUTS = DGM_KEEP_OUTPUT - 1  /* backward reads every input's value */
};

/* No input takes over anything. Both fields must say so: 0 is the first input. */
enum { DGM_NO_INPUT = -1 };

enum dgm_loss_kind {
    DGM_NO_LOSS,
    DGM_LOSS,         /* backward starts here */
    DGM_LOSS_IN_PLACE /* and forward has turned input 0's value into its gradient */
};

struct dgm_op {
    const char *name;
    unsigned keep;  /* what backward reads: bit i for input i's value, DGM_KEEP_OUTPUT */
    int in_place;   /* input whose memory the output may take over, or DGM_NO_INPUT */
    int hands_down; /* input whose gradient may take over that of the output, or DGM_NO_INPUT */
    enum dgm_loss_kind is_loss;
    /* Bytes of statistics saved by forward for backward; NULL: none. */
    size_t (*extra)(const struct dgm_node *node);
    dgm_status (*forward)(struct dgm_graph *g, struct dgm_node *node);
    /* Adds to (or, where !grad_ready, writes) the gradients of the inputs that want one. */
    dgm_status (*backward)(struct dgm_graph *g, struct dgm_node *node);
    /* Builds a random legal instance over leaves from the sample, for tests. */
    struct dgm_node *(*sample)(struct dgm_graph *g, struct dgm_sample *sample);
};

struct dgm_node {
    const struct dgm_op *op; /* NULL: leaf or constant */
    int64_t rows, cols, index;
    struct dgm_node **in; /* in_count of them, in the arena; NULL: an absent operand */
    int in_count;
    struct dgm_ref value, grad, extra;
    void *attr;     /* the op's own settings, in the arena */
    int wants_grad; /* it, or something below it, is a parameter with a gradient */
    int grad_ready; /* something has been written to grad in this backward pass */
    int is_placed, is_kept;
    /* Planner's notes: blocks of this node, -1 for none. */
    int64_t value_block, grad_block, extra_block;
};

/* A new node, appended to the graph, or NULL when the graph has failed or an input is NULL. */
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

/* The planner (plan.c): where value, extra and grad of every node lie in a pool of so many bytes. */
dgm_status dgm_plan_size(struct dgm_graph *g, size_t *bytes);
/* The same; grows the pool, and assigns them their places. */
dgm_status dgm_plan_make(struct dgm_graph *g, size_t *bytes);
void dgm_plan_free(struct dgm_graph *g);

/* ---- samples: random instances for gradient checks and device comparisons ------------------ */

enum { DGM_SAMPLE_BUFFERS = 96, DGM_SAMPLE_LEAVES = 32 };

/* Leaves made by a sample, so that a test can perturb them one by one. */
struct dgm_sample {
    struct dgm_random random;
    struct dgm_buffer *buffers[DGM_SAMPLE_BUFFERS]; /* freed by dgm_sample_clear */
    int buffer_count;
    struct dgm_node *leaves[DGM_SAMPLE_LEAVES];
    int leaf_count;
};

/* Uniform in low..high. */
int64_t dgm_sample_int(struct dgm_sample *sample, int64_t low, int64_t high);
/* A leaf with normal values and a zeroed gradient. */
struct dgm_node *dgm_sample_leaf(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                                 int64_t cols);
/* Host data copied to a fresh device buffer. */
struct dgm_ref dgm_sample_data(struct dgm_graph *g, struct dgm_sample *sample, const void *data,
                               size_t bytes);
/* A few sentences of one to five rows; their offsets stay on the host, too. */
enum { DGM_SAMPLE_SPANS = 3 };
struct dgm_spans dgm_sample_spans(struct dgm_graph *g, struct dgm_sample *sample,
                                  int32_t offsets[DGM_SAMPLE_SPANS + 1]);
void dgm_sample_clear(struct dgm_graph *g, struct dgm_sample *sample);

/*
 * Compares the backward pass of one op on random instances with central differences of
 * L = sum(c .* y) for random c (of the loss itself for losses). *worst: largest relative error.
 * Meaningful in the double-precision build.
 */
dgm_status dgm_gradcheck_op(struct dgm_env *env, struct dgm_device *device, const struct dgm_op *op,
                            uint64_t seed, double *worst);

extern const struct dgm_op *const dgm_ops[]; /* in list order, ended by NULL */

#define OP(name) extern const struct dgm_op dgm_op_##name;
#include "graph/op_list.h"
#undef OP

#endif
