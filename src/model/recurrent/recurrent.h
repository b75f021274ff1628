/*
 * recurrent.h: what recurrent encoders and decoders share: gated recurrent units and dense layers
 * as parameters and as nodes, and the source as recurrent encoders read it (specification,
 * recurrent models; Yang, Wong, Chao, Zhang, "Improving tree-based neural machine translation with
 * dynamic lexicalized dependency encoding", Knowledge-Based Systems 2019).
 *
 * N rows that are read, e = dim-emb, d = dim-rnn.
 */
#ifndef DGM_MODEL_RECURRENT_RECURRENT_H
#define DGM_MODEL_RECURRENT_RECURRENT_H

#include "model/parameters.h"
#include "model/encoder.h"
#include "nn/schedule/position_trees.h"
#include "nn/schedule/wavefront.h"

/* ---- parameters ------------------------------------------------------------------------------ */

/* input (3d,n) and bias (3d) act on what is read, recurrent (3d,d) on the state before. */
struct dgm_gru {
    struct dgm_dense input;
    dgm_param_id recurrent;
};

/* What a matrix starts from (specification 1.4, 5.4). */
enum dgm_start {
    DGM_START_GATES,  /* blocks that are square are orthogonal, others as _SMALL */
    DGM_START_SMALL,  /* normal, deviation 0.01 */
    DGM_START_FACTOR, /* blocks with orthonormal rows or columns, whichever are fewer */
    DGM_START_ZERO
};

/* A matrix of `blocks` blocks of rows below one another, (blocks rows, cols). `below`: right under
 * the parameter declared before (param.h). */
dgm_status dgm_declare_blocks(const struct dgm_scope *scope, dgm_param_id *id, const char *tail,
                              int64_t blocks, int64_t rows, int64_t cols, enum dgm_start start,
                              int below);
/* "<name>.weight" (blocks rows, cols) and "<name>.bias", zeros. */
dgm_status dgm_declare_dense(const struct dgm_scope *scope, struct dgm_dense *dense,
                             const char *name, int64_t blocks, int64_t rows, int64_t cols,
                             enum dgm_start start);
/*
 * The update gate's bias at the start, in a cell whose carry is u (p + w), a sum of two states.
 *
 * A word without a nearer sibling has w = p: with u = 1/2 it would carry its head undamped and
 * states would grow with depth, where an ordinary GRU carries half of one state. So u starts at
 * 1/4, or at 1/2 where the carry is a mean. The paper says nothing of initial values.
 */
double dgm_carry_bias(const struct dgm_model_config *config);
/* "<name>.input.weight", "<name>.input.bias", "<name>.recurrent.weight". */
dgm_status dgm_declare_gru(const struct dgm_scope *scope, struct dgm_gru *gru, const char *name,
                           int64_t inputs, int64_t dim);

/* ---- nodes ----------------------------------------------------------------------------------- */

struct dgm_node *dgm_dense_node(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_dense *dense, struct dgm_node *x);
/* tanh of it. */
struct dgm_node *dgm_dense_tanh(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_dense *dense, struct dgm_node *x);
/* The GRUs of a schedule of chains, one a side, over rows x; the states H (graph/ops.h). */
struct dgm_node *dgm_gru_chains(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_step *step, const struct dgm_wavefront *w,
                                const struct dgm_gru *grus, struct dgm_node *x);
/* (N, sides d): the states of every chain side by side, in the order of the rows that were read. */
struct dgm_node *dgm_chain_states(struct dgm_graph *g, const struct dgm_step *step,
                                  const struct dgm_wavefront *w, struct dgm_node *states);

/* ---- the source as recurrent encoders read it ------------------------------------------------ */

/* Its rows: all positions, or all but the ends of sentences. Zeroed at first. */
struct dgm_source_slots {
    int32_t sentences, rows;
    dgm_slot ids, places, offsets;
    int32_t *starts; /* (S+1) */
    size_t capacity;
};

dgm_status dgm_source_slots_stage(struct dgm_env *env, struct dgm_step *step,
                                  const struct dgm_batch *batch, int with_end,
                                  struct dgm_source_slots *reading);
void dgm_source_slots_clear(struct dgm_env *env, struct dgm_source_slots *reading);
/* (N,e): embeddings. */
struct dgm_node *dgm_source_slots_embed(struct dgm_graph *g, const struct dgm_net *net,
                                        const struct dgm_step *step,
                                        const struct dgm_source_slots *reading);
/* (S,cols): the mean of each sentence's rows of x. */
struct dgm_node *dgm_source_slots_mean(struct dgm_graph *g, const struct dgm_step *step,
                                       const struct dgm_source_slots *reading, struct dgm_node *x,
                                       int64_t cols);

/* ---- options -------------------------------------------------------------------------------- */

/* DGM_USAGE for --src-eos 1: a tree has no place for the end of a sentence. */
dgm_status dgm_check_no_end(struct dgm_env *env, const struct dgm_model_config *config);

/* ---- the layer beneath a tree ---------------------------------------------------------------- */

/* A bidirectional GRU (Bahdanau, Cho, Bengio, "Neural machine translation by jointly learning to
 * align and translate", ICLR 2015), and its schedule. */
struct dgm_birnn {
    struct dgm_gru gru[2]; /* forward, backward */
};

dgm_status dgm_declare_birnn(const struct dgm_scope *scope, struct dgm_birnn *birnn, int64_t inputs,
                             int64_t dim);
dgm_status dgm_birnn_stage(struct dgm_env *env, struct dgm_step *step, struct dgm_wavefront *w,
                           const struct dgm_source_slots *reading);
/* (N,2d): [forward | backward]. */
struct dgm_node *dgm_birnn_node(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_step *step, const struct dgm_birnn *birnn,
                                const struct dgm_wavefront *w, struct dgm_node *x);

/* From the states of that layer into the tree: tanh, or linear. */
struct dgm_node *dgm_project(struct dgm_graph *g, const struct dgm_net *net,
                             const struct dgm_dense *dense, struct dgm_node *x);

/* ---- dynamic parameters (specification, recurrent models, 5) --------------------------------- */

/* Of one input of a cell: P (3d,k), and Q (2k,n), or (3k,n) with --share-q matrix. */
struct dgm_factors {
    dgm_param_id in, out;
};

/* One side of the lexicalized encoder: its factors, and the network of width k that makes z. */
struct dgm_dynamic_side {
    struct dgm_factors parent, sibling, word;
    dgm_param_id bias;                      /* (3d,k) */
    dgm_param_id meta_parent, meta_sibling; /* (3k,d) */
    struct dgm_dense meta_word, z;          /* (3k,x), (k,k) */
};

/* "encoder.tree.<name>.": of a side whose words have `inputs` columns. */
dgm_status dgm_declare_dynamic_side(struct dgm_scope *scope, struct dgm_dynamic_side *side,
                                    const char *name, int64_t inputs);
dgm_status dgm_declare_factors(const struct dgm_scope *scope, struct dgm_factors *factors,
                               const char *name, int64_t in_blocks, int64_t out_blocks,
                               int64_t inputs);
/* The composition of the constituency encoder: factors of either child, B, and the network that
 * makes z, which its children share. */
struct dgm_dynamic_composition {
    struct dgm_factors left, right;
    dgm_param_id bias;        /* (5d,k) */
    struct dgm_dense meta, z; /* (3k,d), (k,k) */
};

/* "encoder.tree.up." */
dgm_status dgm_declare_dynamic_composition(const struct dgm_scope *scope,
                                           struct dgm_dynamic_composition *composition);
/* The states of the way up. */
struct dgm_node *dgm_dynamic_tree_cell(struct dgm_graph *g, const struct dgm_net *net,
                                       const struct dgm_dynamic_composition *composition,
                                       struct dgm_node *leaves,
                                       const struct dgm_tree_cell_plan *plan);

/* (k,k) and a bias of ones. */
dgm_status dgm_declare_z(const struct dgm_scope *scope, struct dgm_dense *z, const char *name);
/* The tree's states; words[s]: what the cells of side s read, in the order of its rows. */
struct dgm_node *dgm_dynamic_gru(struct dgm_graph *g, const struct dgm_net *net,
                                 const struct dgm_dynamic_side *sides, struct dgm_node *init,
                                 struct dgm_node *const *words, const struct dgm_gru_plan *plan,
                                 dgm_real carry);

#endif
