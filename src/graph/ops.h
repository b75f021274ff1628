/*
 * ops.h: the operations that model code builds a graph of. Each is one file op_<name>.c, which
 * states its mathematics and its gradients; doc/adding-an-op.md says how to add one.
 *
 *   operands       struct dgm_columns, dgm_rows: columns of a node; what a row stands for
 *   products       linear, linear_relu, linear_heads, row_products
 *   elements       activate, relu, residual, norm, highway, gated_mix, mean
 *   rows           embed, embed_tagged, gather, span_mean, span_sigmoid
 *   columns        concat, fold
 *   attention      attention_node
 *   recurrent      lstm, ssru, gru, gru_dynamic, bahdanau_gru, tree_cell, tree_cell_dynamic
 *   pairs          pair_scores
 *   losses         cross_entropy, pair_loss, link_loss
 *
 * Shapes are (rows,columns). N: rows of a packed batch, S: its sentences, d and D: widths.
 * Integer lists are int32 on the device unless a comment says "host"; host lists live at least as
 * long as the step.
 */
#ifndef DGM_GRAPH_OPS_H
#define DGM_GRAPH_OPS_H

#include "graph/graph.h"

/* ---- operands ------------------------------------------------------------------------------ */

/* Columns of a node, from `column` on; the operation says how many. Where an operation takes
 * columns, those of the node that it does not use get a zero gradient. */
struct dgm_columns {
    struct dgm_node *node;
    int64_t column;
};

/* What the rows of a packed batch stand for: embeddings, dropout and attention ask. */
struct dgm_rows {
    int64_t count;         /* N */
    struct dgm_ref ids;    /* int32 (N) */
    struct dgm_ref places; /* int32 (N,2): sentence number in the corpus, position */
};

/* ---- products ------------------------------------------------------------------------------ */

/* x (N,in) times w (out,in) transposed, + bias (1,out) if not NULL -> (N,out). */
struct dgm_node *dgm_linear(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                            struct dgm_node *bias);
/* The same followed by max(., 0). */
struct dgm_node *dgm_linear_relu(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                                 struct dgm_node *bias);

/*
 * One small matrix for all heads: y (N, heads out), y_h = scale x_h w^T + bias for w (out,in), form
 * DGM_NT; y_h = scale x_h w + bias for w (in,out), form DGM_NN. x_h: columns x.column + h in .. of
 * x.node; bias (1,out) or NULL.
 */
struct dgm_node *dgm_linear_heads(struct dgm_graph *g, struct dgm_columns x, int64_t heads,
                                  struct dgm_node *w, struct dgm_node *bias,
                                  enum dgm_gemm_form form, dgm_real scale);

/* y (N,L): y[i][l] = sum_r x[i][l R + r] h[i][r]; x (N, L R), h (N,R): the last step of a bilinear
 * form per label. */
struct dgm_node *dgm_row_products(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *h);

/* ---- elements ------------------------------------------------------------------------------ */

/* tanh(x); x where x > 0 and 0.01 x elsewhere; or x g(x), g = sigmoid or the normal distribution
 * function; (N,D) -> (N,D). */
struct dgm_node *dgm_activate(struct dgm_graph *g, struct dgm_node *x, enum dgm_activation kind);
/* max(x, 0) of what no product has just made (dgm_linear_relu); (N,D) -> (N,D). */
struct dgm_node *dgm_relu(struct dgm_graph *g, struct dgm_node *x);

/* x + dropout(r), all (N,D); x may be NULL: dropout alone. `stream` numbers the place in the model,
 * so that no two places draw the same mask. */
struct dgm_node *dgm_residual(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *r,
                              const struct dgm_rows *rows, dgm_real dropout, uint32_t stream);

/* Layer norm over the columns of x (N,D), with gain (1,D) and bias (1,D). */
struct dgm_node *dgm_norm(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *gain,
                          struct dgm_node *bias, dgm_real eps);

/* ht (N,2W) = [h | t], c (N,W): relu(h) s + c (1 - s), s = sigmoid(t) -> (N,W). */
struct dgm_node *dgm_highway(struct dgm_graph *g, struct dgm_node *ht, struct dgm_node *c);

/*
 * A context gate (specification 3.8). Head h of row i has x = scale times columns x.column +
 * h width .., c = columns c.column + h c_step .., both `width` long, c_step >= width:
 *
 *   y = (1 - l) x + l c,  l = sigmoid(x_gate . x + x_bias + c_gate . c + c_bias)
 *
 * y (N, heads width); gates (1,width) and biases (1,1) serve all heads.
 */
struct dgm_context_gate {
    struct dgm_columns x, c;
    int64_t heads, width, c_step;
    dgm_real scale;
    struct dgm_node *x_gate, *x_bias, *c_gate, *c_bias;
};

struct dgm_node *dgm_gated_mix(struct dgm_graph *g, const struct dgm_context_gate *gate);

/* (x_1 + .. + x_n) / n, n = count matrices of one shape. */
struct dgm_node *dgm_mean(struct dgm_graph *g, struct dgm_node *const *parts, int count);

/* ---- rows ---------------------------------------------------------------------------------- */

/* y (N,D) = dropout(scale table[ids] + positions[place]); table (V,D), positions (max,D) or
 * absent. */
struct dgm_node *dgm_embed(struct dgm_graph *g, struct dgm_node *table, const struct dgm_rows *rows,
                           struct dgm_ref positions, dgm_real scale, dgm_real dropout,
                           uint32_t stream);

/* Tags of a batch's rows, of one kind or several: the last g = g_1 + .. + g_k columns of an
 * embedding. */
enum { DGM_EMBED_TAGS = 6 };
struct dgm_embed_tags {
    int count; /* k, at least 1 */
    struct {
        struct dgm_node *table; /* (T_i,g_i) */
        struct dgm_ref ids;     /* int32 (N) */
    } kinds[DGM_EMBED_TAGS];
    dgm_real scale;
    int64_t dim; /* D, the width of words and tags together */
};

/*
 * As dgm_embed, with tags: y (N,D) = dropout([scale words | tags.scale tags of every kind] +
 * positions). The words are the first D-g columns of table: (V,D), the last g unused, or (V,D-g).
 */
struct dgm_node *dgm_embed_tagged(struct dgm_graph *g, struct dgm_node *table,
                                  const struct dgm_embed_tags *tags, const struct dgm_rows *rows,
                                  struct dgm_ref positions, dgm_real scale, dgm_real dropout,
                                  uint32_t stream);

/* y (M,D) = x[index[m]], index int32 (M), M = count. Index -1: a row of zeros. */
struct dgm_node *dgm_gather(struct dgm_graph *g, struct dgm_node *x, struct dgm_ref index,
                            int64_t count);

/*
 * (S,width): the mean of rows offsets[s] .. offsets[s+1]-1 of columns x.column .. of x.node, zeros
 * without rows. offsets int32 (S+1), S = sentences: together they hold every row of x.node.
 */
struct dgm_node *dgm_span_mean(struct dgm_graph *g, struct dgm_columns x, int64_t width,
                               struct dgm_ref offsets, int64_t sentences);

/*
 * y (N,C) = max(n sigmoid(x), floor), n = counts[owners[row]]: places and widths within a sentence
 * of n rows. owners int32 (N), counts int32 by owner, floor >= 0; gradient 0 where the floor holds.
 */
struct dgm_node *dgm_span_sigmoid(struct dgm_graph *g, struct dgm_node *x, struct dgm_ref owners,
                                  struct dgm_ref counts, dgm_real floor);

/* ---- columns ------------------------------------------------------------------------------- */

/*
 * Columns side by side. Each part (N, any) is cut into `groups` equal groups of columns; y is
 * group 0 of every part, then group 1 of every part, and so on. A node may be several parts.
 */
struct dgm_node *dgm_concat(struct dgm_graph *g, struct dgm_node *const *parts, int count,
                            int64_t groups);

/* x_1 + .. + x_n (N,W) for x (N, n W) = [x_1 | .. | x_n], n = groups. */
struct dgm_node *dgm_fold(struct dgm_graph *g, struct dgm_node *x, int64_t groups);

/* ---- attention ----------------------------------------------------------------------------- */

/* Everything the attention core takes besides q, k, v: kernel/task/attention_list.h. */
struct dgm_attention_terms {
    struct dgm_ref q_offsets, k_starts, k_counts, key_rows, squares, places;
    struct dgm_ref factor[2], addend, hidden, ignored, labels[2], forced;
    struct dgm_node *key_table[2], *value_table[2]; /* (label_count, d_k), (.., d_v) or NULL */
    struct dgm_node *center, *window;               /* (N,H) or NULL */
    struct dgm_columns parser_q, parser_k;          /* parser_dim columns each, or no node */
    struct dgm_attention core; /* ld*, rows and drop.key are filled in by dgm_attention_node */
};

/*
 * z (N, heads d_v): every head of every query attends to the keys of its sentence. q and k are
 * heads d_k columns each, v is heads d_v: d_k = core.head_dim, d_v = core.value_dim, or d_k if 0.
 */
struct dgm_node *dgm_attention_node(struct dgm_graph *g, struct dgm_columns q, struct dgm_columns k,
                                    struct dgm_columns v, const struct dgm_attention_terms *terms);

/* ---- recurrent: sequences ------------------------------------------------------------------ */

/* Packed sequences of one step: rows offsets[s] .. offsets[s+1]-1 belong to sequence s. */
struct dgm_sequences {
    int64_t count, rows, steps;
    struct dgm_ref offsets; /* int32 (S+1) */
    struct dgm_ref order;   /* int32 (S): sequences by falling length, ties by number */
    const int32_t *active;  /* host (steps): how many sequences are longer than t */
};

/*
 * A bidirectional LSTM. y (N,2H) = [forward | backward] hidden states. gates (N,8H) = x W_x^T + b
 * of both directions, each i f g o (H columns each): forward 4H, then backward 4H. weight (8H,H):
 * the recurrent matrices, forward's 4H rows above backward's.
 *
 * `dropout` is the recurrent dropout of Gal and Ghahramani (2016): one mask per sequence and
 * direction on h_{t-1}, the same for every step, as struct dgm_drop says for a row at (sentence,
 * 0), columns 0..2H-1. places int32 (N,2) as in dgm_rows: the first row of a sequence names its
 * sentence; absent without dropout.
 */
struct dgm_node *dgm_lstm(struct dgm_graph *g, struct dgm_node *gates, struct dgm_node *weight,
                          const struct dgm_sequences *sequences, struct dgm_ref places,
                          dgm_real dropout, uint32_t stream);

/*
 * A Simpler Simple Recurrent Unit (Kim et al. 2019; kernel/task/gates_list.h): the cells c (N,W) of
 * packed sentences, sentence s of which has rows offsets[s] .. offsets[s+1]-1, from candidates x
 * (N,W), what the sigmoid of the gates is given, (N,W), and the cell before the first row of each
 * sentence, start (S,W); NULL: zeros. offsets int32 (S+1).
 */
struct dgm_node *dgm_ssru(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *gates,
                          struct dgm_node *start, struct dgm_ref offsets, int64_t sentences);

/* ---- recurrent: gated units over a schedule ------------------------------------------------ */

enum { DGM_GRU_SIDES = 4 };

/*
 * Rows first .. first+count-1 of the states, computed together with the weights of one side. They
 * are rows in_side .. in_side+count-1 of that side's inputs. parents >= 0: their parents are the
 * rows parents .. parents+count-1; -1: their parents are those that the side's list names.
 */
struct dgm_gru_block {
    int32_t side, first, count, in_side, parents;
};

struct dgm_gru_side {
    int64_t rows;           /* N_s */
    struct dgm_ref parent;  /* int32 (N_s): rows of the states, in the order of the side's rows */
    struct dgm_ref sibling; /* the same; absent: cells read one state only */
};

/* A schedule of recurrent cells over all sentences of a step (nn/schedule makes them). */
struct dgm_gru_plan {
    int64_t roots, rows; /* of the states H: first the roots, then `rows` others, block by block */
    int sides, block_count;
    const struct dgm_gru_block *blocks; /* host */
    struct dgm_gru_side side[DGM_GRU_SIDES];
};

/*
 * Gated recurrent units over any schedule: sequences in any order and trees. The value is the
 * states H (roots + rows, d), roots first; these are init (roots,d), or zeros where it is NULL. A
 * row of side s has a parent p, a sibling w, and a row x of x[s] (N_s,3d) = [x_u | x_r | x_h],
 * which holds the bias, too:
 *
 *   u, r = sigmoid(x_ur + W_ur p + U_ur w)   c = tanh(r (W_h p + U_h w) + x_h)
 *   h = (1 - u) c + u carry (p + w)
 *
 * with W = parent_weight[s] and U = sibling_weight[s], both (3d,d); where U is NULL, the side has
 * no siblings. sibling_weight may be NULL where no side has any. carry: 1, or 0.5 for the mean of
 * two states. No two sides share an x.
 */
struct dgm_node *dgm_gru(struct dgm_graph *g, struct dgm_node *init, struct dgm_node *const *x,
                         struct dgm_node *const *parent_weight,
                         struct dgm_node *const *sibling_weight, const struct dgm_gru_plan *plan,
                         dgm_real carry);

/*
 * One side of cells whose weights depend on a vector z of K numbers that a small recurrent network
 * of the same form computes for every row (Yang et al. 2019): each weight is P diag(z) Q, each bias
 * B z. Gates are stacked u, r, h. Q has QK rows: K for u and r together and K for h (2K), or K for
 * each (3K).
 */
struct dgm_gru_dynamic {
    struct dgm_node *parent, *sibling;           /* (QK,D): Q of W and of U */
    struct dgm_node *word;                       /* (N_s,QK): Q of V times the words */
    struct dgm_node *out;                        /* (3D,4K): [P of W | P of U | P of V | B] */
    struct dgm_node *parent_meta, *sibling_meta; /* (3K,D): of the small network */
    struct dgm_node *word_meta;                  /* (N_s,3K): its x, with the bias */
    struct dgm_node *z, *z_bias;                 /* (K,K); (1,K) or NULL */
};

/* As dgm_gru, with siblings on every side and dynamic weights; small states begin with zeros. */
struct dgm_node *dgm_gru_dynamic(struct dgm_graph *g, struct dgm_node *init,
                                 const struct dgm_gru_dynamic *sides,
                                 const struct dgm_gru_plan *plan, dgm_real carry);

/* ---- recurrent: a decoder that attends ----------------------------------------------------- */

/* Rows in the order of time: step after step, in each the sentences that are still there, the
 * longest first. nn/schedule/time_major.h makes them of a packed batch. */
struct dgm_steps {
    int64_t count;
    const int32_t *active; /* host (count), falling: rows of each step */
};

/* What each sentence, by number of its first row, attends to: rows starts[s] .. of keys and
 * values, counts[s] of them. int32 (S) both; longest >= every count. */
struct dgm_memory {
    struct dgm_ref starts, counts;
    int64_t longest;
};

/*
 * A decoder that attends (Bahdanau et al. 2015; op_bahdanau.c has the equations): M rows in the
 * order of `steps`, S = active[0] sentences, K rows of memory. y (M, d+W) = [s | ctx].
 *
 * Around it, for a batch of training whose time-major schedule is `order`
 * (nn/schedule/time_major.h):
 *     e = gather(embed(E_t), order.previous)            y_{j-1}; zeros (-1) at the first step
 *     x = linear(e, I1, b1)                             (M,3d)
 *     start = activate(linear(span_mean(a), W_init, b)) (S,d), then gather(.., order.sentence)
 *     keys = linear(a, W_a, b_a)                        (K,A); values = a, the annotations
 *     y = bahdanau_gru(..)
 *     o = linear_heads of columns {y, 0} with L_s, and {y, d} with L_d, heads = 1, form DGM_NT;
 *         linear(e, L_y); added up, tanh
 *     gather(o, order.place)                            rows of the packed batch again, for logits
 * One step of a beam search: steps = {1, {hypotheses}}, x and start of one row per hypothesis
 * (start: gathered columns 0..d-1 of the last y), starts and counts per hypothesis, several of
 * which may be the same span. Rows have the bits that the whole loop gives them. The bias c_a of
 * the scores is no operand: a softmax does not see it, and its gradient is 0.
 */
struct dgm_bahdanau_decoder {
    struct dgm_node *x, *start;      /* (M,3d), (S,d) */
    struct dgm_node *keys, *values;  /* (K,A), (K,W) */
    struct dgm_node *state1;         /* R1 (3d,d) */
    struct dgm_node *query, *v;      /* U_a (A,d), v_a (1,A) */
    struct dgm_node *state2, *bias2; /* R2 (3d,d), b2 (1,3d) */
    struct dgm_node *context;        /* C (3d,W), or less: of the first columns of ctx */
    struct dgm_steps steps;
    struct dgm_memory memory;
    struct dgm_ref weights; /* if not absent: where the attention weights go, (M,longest) reals,
                               zeros after each span */
};

struct dgm_node *dgm_bahdanau_gru(struct dgm_graph *g, const struct dgm_bahdanau_decoder *decoder);

/* ---- recurrent: trees from the leaves up --------------------------------------------------- */

/*
 * Binary trees that are composed from the leaves up, all sentences of a step together. The states
 * are those of all leaves, then of all internal nodes, those whose children are done first:
 * counts[0] nodes over leaves alone, then counts[1] nodes, and so on. A node has one parent at
 * most.
 */
struct dgm_tree_cell_plan {
    int64_t leaves, nodes; /* nodes: the internal ones, M */
    int steps;
    const int32_t *counts;      /* host (steps): nodes of each step */
    struct dgm_ref left, right; /* int32 (M): the states of the children */
};

/*
 * (leaves + nodes, d): bottom-up composition (task compose) of leaves (N,d).
 * left_weight, right_weight (5d,d) and bias (1,5d) hold the parts r_L r_R a_L a_R c; where they
 * hold 6d rows, r_L r_R a_L a_R a_C c, each state is mixed in by a sigmoid of its own.
 */
struct dgm_node *dgm_tree_cell(struct dgm_graph *g, struct dgm_node *leaves,
                               struct dgm_node *left_weight, struct dgm_node *right_weight,
                               struct dgm_node *bias, const struct dgm_tree_cell_plan *plan);

/*
 * Composition whose weights depend on a vector z of K numbers that a small child-sum network (Tai
 * et al. 2015; task child_sum) computes for every node: each weight is P diag(z) Q, each
 * bias B z (Yang et al. 2019). Q has K rows for the four gates together and K for the candidate
 * (2K), or K for each part (5K). The small states of leaves are leaf_meta, or zeros.
 */
struct dgm_tree_cell_dynamic {
    struct dgm_node *left_in, *right_in;   /* (QK,D): Q */
    struct dgm_node *left_out, *right_out; /* (5D,K): P */
    struct dgm_node *bias;                 /* (5D,K): B */
    struct dgm_node *meta, *meta_bias;     /* (3K,D), (1,3K): u, r, h of the small network */
    struct dgm_node *z, *z_bias;           /* z = small state z^T + z_bias: (K,K); (1,K) or NULL */
    struct dgm_node *leaf_meta;            /* (leaves,K) or NULL */
};

/* As dgm_tree_cell, mixing the states by a softmax. */
struct dgm_node *dgm_tree_cell_dynamic(struct dgm_graph *g, struct dgm_node *leaves,
                                       const struct dgm_tree_cell_dynamic *weights,
                                       const struct dgm_tree_cell_plan *plan);

/* ---- pairs --------------------------------------------------------------------------------- */

/*
 * Sentences whose rows are paired with each other: rows offsets[s] .. offsets[s+1]-1. The n x n
 * pairs of sentence s are a packed block: row after row, from element squares[s] of T on.
 */
struct dgm_spans {
    int64_t sentences, rows, pairs; /* S, N, T: elements of all blocks */
    struct dgm_ref offsets;         /* int32 (S+1) */
    struct dgm_ref squares;         /* int32 (S) or more */
};

/* (T,1): the packed blocks E_ij = q_i . k_j, i and j rows of one sentence; q, k: dim columns. */
struct dgm_node *dgm_pair_scores(struct dgm_graph *g, struct dgm_columns q, struct dgm_columns k,
                                 int64_t dim, const struct dgm_spans *spans);

/* ---- losses: a backward pass starts at them ------------------------------------------------ */

/*
 * Label-smoothed cross-entropy of logits (M,V) against targets, int32 (M). Its value is (M,2):
 * smoothed loss and -log p(target) per row, kept after the run. In training the logits' memory
 * becomes their gradient times grad_scale.
 */
struct dgm_node *dgm_cross_entropy(struct dgm_graph *g, struct dgm_node *logits,
                                   struct dgm_ref targets, dgm_real smoothing,
                                   enum dgm_smoothing form, dgm_real grad_scale);

/*
 * The same loss of the logits x W^T + b, of which only some rows exist at a time. x (M,in); W
 * (V,in) and b (1,V) or NULL are parameters, and forward in training already adds to their
 * gradients: they are zeroed before it.
 */
struct dgm_node *dgm_output_loss(struct dgm_graph *g, struct dgm_node *x, struct dgm_node *w,
                                 struct dgm_node *bias, struct dgm_ref targets, dgm_real smoothing,
                                 enum dgm_smoothing form, dgm_real grad_scale);
/* Rows offsets[s] .. offsets[s+1]-1 count weights[s] times, s < count; both arrays are there until
 * the graph has run. */
struct dgm_row_weights {
    const int32_t *offsets; /* (count+1), of all rows */
    const float *weights;   /* (count) */
    int32_t count;
};
/* Such a loss multiplies both numbers of a row, and its gradient, by the row's weight. */
void dgm_output_loss_weigh(struct dgm_node *loss, const struct dgm_row_weights *weights);
/* Such a loss also writes the index of the largest logit of each row: int32 (M). */
void dgm_output_loss_best(struct dgm_node *loss, struct dgm_ref ids);

/*
 * A loss on packed blocks (T,1). Row i of its sentence's block is softmaxed over the columns that
 * `mask` leaves it. The value (N,1), kept after the run, is -log p(target). targets int32 (N):
 * columns of the block that the mask leaves, or -1: not supervised, with loss 0 and gradient 0. In
 * training the scores' memory becomes their gradient times grad_scale.
 */
struct dgm_node *dgm_pair_loss(struct dgm_graph *g, struct dgm_node *scores,
                               const struct dgm_spans *spans, struct dgm_ref targets,
                               enum dgm_pair_mask mask, dgm_real grad_scale);

/* Which columns of some rows should have their weight: N rows and, of row i, columns
 * keys[starts[i]] .. keys[starts[i+1] - 1], none of them twice. */
struct dgm_links {
    int64_t rows;
    struct dgm_ref starts, keys; /* int32 (N+1), .. */
    struct dgm_ref shares;       /* reals (N): what each link of a row counts */
    struct dgm_ref places;       /* int32 (N): the row of weights for each of these; absent: the
                                  * same row */
};

/* A loss on rows of weights, columns a (N,width): the value (N,1), kept after the run, is -share
 * sum log weight over the links of a row. */
struct dgm_node *dgm_link_loss(struct dgm_graph *g, struct dgm_columns a, int64_t width,
                               const struct dgm_links *links, dgm_real grad_scale);

#endif
