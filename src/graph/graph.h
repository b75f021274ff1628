/*
 * graph.h: a step of computation: built first, planned, then run forwards and backwards.
 *
 * Model code reads like the paper: y = dgm_norm(g, dgm_residual(g, x, dgm_linear(g, x, w, b), ...)). Every node is a
 * matrix of `rows` x `cols` reals. Nodes live in the graph's arena until the next dgm_graph_begin.
 * The first error sticks: later calls return NULL or do nothing, and accept NULL operands, so
 * that only dgm_graph_run needs its status looked at.
 *
 * Lifetimes are planned before running: values, saved statistics and gradients share one device
 * buffer that grows only when a step is larger than any before it. A warm step allocates nothing.
 */
#ifndef DGM_GRAPH_GRAPH_H
#define DGM_GRAPH_GRAPH_H

#include "base/mem.h"
#include "base/philox.h"
#include "base/real.h"
#include "device/device.h"
#include "device/task.h"

enum { DGM_NODE_INPUTS = 8 };

struct dgm_node;
struct dgm_op;
struct dgm_plan;

struct dgm_graph {
    struct dgm_env *env;
    struct dgm_device *device;
    struct dgm_arena arena;
    struct dgm_node **nodes;   /* in the order of building, which is an order of execution */
    int64_t count, capacity;
    dgm_status status;         /* sticky */
    int training;              /* dropout and training-only terms are on; a backward pass follows */
    uint32_t key[2];           /* of every random mask of this step: seed, update */
    struct dgm_plan *plan;
    struct dgm_buffer *pool;   /* planned values, statistics and gradients */
    size_t pool_bytes;
    int64_t allocations;       /* how often the pool has grown: constant when warm */
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

/* Plans without running: the bytes this step needs. */
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

/* ---- operations; each is one file op_<name>.c that states its mathematics ------------------ */

/* x (N,in) times w (out,in) transposed, + bias (1,out) if not NULL -> (N,out). */
struct dgm_node *dgm_linear(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                            struct dgm_node *bias);
/* The same followed by max(., 0). */
struct dgm_node *dgm_linear_relu(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                                 struct dgm_node *bias);

/* Rows of one packed batch, on the device: what embeddings, dropout and attention ask of it. */
struct dgm_rows {
    int64_t count;           /* N */
    struct dgm_ref ids;      /* int32 (N) */
    struct dgm_ref places;   /* int32 (N,2): sentence number in the corpus, position */
};

/* dropout(scale table[ids] + positions[place]); table (V,D), positions (max,D) or absent. */
struct dgm_node *dgm_embed(struct dgm_graph *g, struct dgm_node *table,
                           const struct dgm_rows *rows, struct dgm_ref positions,
                           dgm_real scale, dgm_real dropout, uint32_t stream);

/* x + dropout(r); x may be NULL: dropout alone. `stream` names the place in the model. */
struct dgm_node *dgm_residual(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *r,
                              const struct dgm_rows *rows, dgm_real dropout, uint32_t stream);

/* Layer norm over columns with gain (1,D) and bias (1,D). */
struct dgm_node *dgm_norm(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *gain,
                          struct dgm_node *bias, dgm_real eps);

/* One operand of an attention: heads x head_dim columns of a node, from `column` on. */
struct dgm_columns {
    struct dgm_node *node;
    int64_t column;
};

/* Everything the attention core takes besides q, k, v (device/task.h says what each does). */
struct dgm_attention_terms {
    struct dgm_ref q_offsets, k_starts, k_counts, key_rows, squares, places;
    struct dgm_ref factor, addend, hidden, labels[2];
    struct dgm_node *key_table[2], *value_table[2]; /* (label_count, d_k) or NULL */
    struct dgm_attention core; /* ld*, rows and drop.key are filled in by dgm_attention_node */
};

struct dgm_node *dgm_attention_node(struct dgm_graph *g, struct dgm_columns q,
                                    struct dgm_columns k, struct dgm_columns v,
                                    const struct dgm_attention_terms *terms);

/*
 * A loss: label-smoothed cross-entropy of logits (M,V) against targets, int32 (M). Its value is
 * (M,2): smoothed loss and -log p(target) per row, kept after the run. In training the logits'
 * memory becomes their gradient times grad_scale.
 */
struct dgm_node *dgm_cross_entropy(struct dgm_graph *g, struct dgm_node *logits,
                                   struct dgm_ref targets, dgm_real smoothing,
                                   enum dgm_smoothing form, dgm_real grad_scale);

#endif
