/*
 * graph.h: a step of computation: built node by node, planned, then run forwards and backwards.
 *
 * A node is a matrix of rows x cols reals, written (rows,cols) in comments. Leaves stand here, the
 * operations in graph/ops.h. Model code reads like the paper:
 *
 *     h = dgm_linear_relu(g, x, w1, b1);                              (N,d) -> (N,4d)
 *     x = dgm_residual(g, x, dgm_linear(g, h, w2, b2), rows, p, 7);   (N,4d) -> (N,d)
 *     x = dgm_norm(g, x, gain, bias, eps);                            (N,d)
 *
 * The first error sticks: later calls return NULL or do nothing, and all of them accept NULL
 * operands. Only the status of dgm_graph_run has to be looked at.
 *
 * Nodes live in the graph's arena until the next dgm_graph_begin. Before a run, plan.c decides
 * where values, saved statistics and gradients lie: they share one pool of device memory, which
 * grows only when a step is larger than all steps before it. A warm step allocates nothing.
 */
#ifndef DGM_GRAPH_GRAPH_H
#define DGM_GRAPH_GRAPH_H

#include "base/mem.h"
#include "base/philox.h"
#include "base/real.h"
#include "device/device.h"
#include "device/task.h"

struct dgm_node;
struct dgm_op;
struct dgm_plan;

enum { DGM_POOL_PIECES = 64 };

/* Who wants to know, while a backward pass goes on, what of the parameters' gradients is final:
 * `expect` comes before the pass, once for each leaf with a gradient of so many bytes; `is_final`
 * when all that reads the leaf has run. Leaves may share memory: all of them must be final. On a
 * device that computes later than it is told, is_final tells only that it was told. */
struct dgm_grad_watch {
    void *user;
    void (*expect)(void *user, struct dgm_ref grad, size_t bytes);
    dgm_status (*is_final)(void *user, struct dgm_ref grad, size_t bytes);
};

struct dgm_graph {
    struct dgm_env *env;
    struct dgm_device *device;
    struct dgm_arena arena;
    struct dgm_node **nodes; /* in the order of building, which is an order of execution */
    int64_t count;
    size_t capacity;   /* of nodes */
    dgm_status status; /* sticky */
    int training;      /* dropout and training-only terms are on; a backward pass follows */
    int keeps_gates;   /* of recurrent cells, for whoever looks at them after the run: gates.h */
    int recomputes;    /* segments drop their values and make them again: segment.h */
    int64_t segment;   /* that nodes are added to; 0: none */
    struct dgm_node **second; /* the second half of a step, in the order of time: segment.h */
    int64_t second_count;
    uint32_t key[2]; /* of every random mask of this step: seed, update */
    struct dgm_plan *plan;
    const struct dgm_grad_watch *watch; /* of backward passes; may be NULL */
    /* Planned values, statistics and gradients: one buffer, or pieces of pool_piece bytes where a
     * device gives no buffer of such a size. */
    struct dgm_buffer *pool[DGM_POOL_PIECES];
    size_t pool_bytes, pool_piece;
    /* The pool gets an eighth more than is needed: batches of like sizes follow, and each new pool
     * costs a pass over fresh memory. */
    int has_spare;
    int64_t allocations; /* how often the pool has grown: constant when warm */
};

/* ---- life of a graph ---------------------------------------------------------------------- */

dgm_status dgm_graph_init(struct dgm_env *env, struct dgm_graph *g, struct dgm_device *device);
void dgm_graph_clear(struct dgm_graph *g);

/* Starts the next step: forgets all nodes and the sticky status. */
void dgm_graph_begin(struct dgm_graph *g, int training, uint32_t seed, uint32_t update);

/* Plans lifetimes and runs every node in order. */
dgm_status dgm_graph_run(struct dgm_graph *g);

/*
 * Runs backwards from the losses of the last dgm_graph_run. Gradients of parameters are added to
 * what they hold; all others start from nothing.
 */
dgm_status dgm_graph_backward(struct dgm_graph *g);

/* The bytes this step needs, maybe more than there are addresses; nothing is allocated for it. */
dgm_status dgm_graph_size(struct dgm_graph *g, uint64_t *bytes);

/* Plans without running, and allocates the bytes this step needs. */
dgm_status dgm_graph_measure(struct dgm_graph *g, size_t *bytes);

/* Where a kept node's value lies after a run, until the next dgm_graph_run; and its shape. */
struct dgm_ref dgm_node_value(const struct dgm_node *node);
int64_t dgm_node_rows(const struct dgm_node *node);

/* Copies a node's value to the host after a run; rows x cols reals. */
dgm_status dgm_graph_read(struct dgm_graph *g, const struct dgm_node *node, dgm_real *out);

/* ---- leaves ------------------------------------------------------------------------------- */

/* A parameter: its gradient (optional: frozen) is accumulated over steps. */
struct dgm_node *dgm_leaf(struct dgm_graph *g, struct dgm_ref value, struct dgm_ref grad,
                          int64_t rows, int64_t cols);

/* Data of this step, or a cache: no gradient. */
struct dgm_node *dgm_constant(struct dgm_graph *g, struct dgm_ref value, int64_t rows,
                              int64_t cols);

/* Has the node's value written to `where` instead of a planned place (decoder caches). */
struct dgm_node *dgm_place(struct dgm_graph *g, struct dgm_node *node, struct dgm_ref where);

/* Keeps the node's value readable after the run (results; inputs of a later step). */
struct dgm_node *dgm_keep(struct dgm_graph *g, struct dgm_node *node);

#endif
