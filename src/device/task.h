/*
 * task.h: the arguments of every task, with shapes, and exactly what is computed.
 *
 * Matrices are row-major. N rows (tokens) of a packed batch, D model width, H heads, d_k = D/H,
 * V vocabulary, S sentences. Reals are dgm_real, indices int32_t. Operands come first: outputs,
 * then inputs, in the numbers that task_list.h states; a NULL buffer is an absent option.
 */
#ifndef DGM_DEVICE_TASK_H
#define DGM_DEVICE_TASK_H

#include "base/real.h"
#include "device/device.h"

/*
 * Inverted dropout as a pure function: element (row, column) is kept iff the Philox word with
 * key = {key[0], key[1]} (seed, update) and counter = {column / 4, position, sentence, stream},
 * word column % 4, is >= threshold = (uint32_t)(rate * 2^32); kept values are scaled by
 * 1 / (1 - rate). Sentence and position of a row come from `places`, int32 (N,2): {sentence
 * number in the corpus, position in the sentence}. Attention weights: row = query, column = key,
 * stream = `stream + head`. rate 0: nothing is read or dropped.
 */
struct dgm_drop {
    dgm_real rate;
    uint32_t stream;
    uint32_t key[2];
};

/* y[i] = value, i < count. */
struct dgm_fill_args {
    struct dgm_ref y;
    int64_t count;
    dgm_real value;
};

/* y = a x + b y, element by element. b = 0: y is not read. */
struct dgm_axpby_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t count;
    dgm_real a, b;
};

/* y = a + b. y may be a or b. */
struct dgm_add_args {
    struct dgm_ref y;
    struct dgm_ref a, b;
    int64_t count;
};

enum dgm_gemm_form { DGM_NN, DGM_NT, DGM_TN };

/*
 * c (m,n) = alpha op(a) op(b) + beta c, then + bias (n), then max(., 0) if relu.
 * NN: a (m,k), b (k,n). NT: a (m,k), b (n,k). TN: a (k,m), b (k,n). ld*: elements between rows.
 * `batch` products at element strides stride_a, _b, _c (batch 1: strides unused). beta = 0: c is
 * not read, so it may hold anything. Element (i,j) depends on row i of op(a) and column j of op(b)
 * alone, down to the last bit: not on m, n, the form or the number of threads. A NaN stays one
 * under relu.
 */
struct dgm_gemm_args {
    struct dgm_ref c;
    struct dgm_ref a, b, bias; /* bias optional */
    enum dgm_gemm_form form;
    int64_t m, n, k, lda, ldb, ldc;
    int64_t batch, stride_a, stride_b, stride_c;
    dgm_real alpha, beta;
    int relu;
};

/* y (n) += sum over rows of x (m,n); rows are summed in fixed blocks, blocks in index order. */
struct dgm_column_sums_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t m, n, ldx;
};

/* dx = dy where y > 0, else 0; added to dx if accumulate. dx may be dy. */
struct dgm_relu_backward_args {
    struct dgm_ref dx;
    struct dgm_ref dy, y;
    int64_t count;
    int accumulate;
};

/*
 * y (N,D) = dropout(scale table[ids[i]] + positions[places[i].position]); table (V,D), ids (N),
 * places (N,2). `positions` (max,D) is optional. Specification 1.2. All may be D = dim columns of
 * wider matrices: rows of y and of positions lie ldy apart, those of the table ld_table. Dropout
 * counts columns from the first of these.
 */
struct dgm_embed_forward_args {
    struct dgm_ref y;
    struct dgm_ref table, ids, positions, places;
    int64_t rows, dim, ldy, ld_table;
    dgm_real scale;
    struct dgm_drop drop;
};

/* dtable[ids[i]] += scale dropout'(dy[i]), rows i in order; columns and strides as above. */
struct dgm_embed_backward_args {
    struct dgm_ref dtable;
    struct dgm_ref dy, ids, places;
    int64_t rows, dim, ldy, ld_table;
    dgm_real scale;
    struct dgm_drop drop;
};

/* y (N,D) = x + dropout(r); x optional (plain dropout). y may be x or r. */
struct dgm_residual_forward_args {
    struct dgm_ref y;
    struct dgm_ref x, r, places;
    int64_t rows, dim;
    struct dgm_drop drop;
};

/* dr = dropout'(dy), added to dr if accumulate. dr may be dy. */
struct dgm_residual_backward_args {
    struct dgm_ref dr;
    struct dgm_ref dy, places;
    int64_t rows, dim;
    struct dgm_drop drop;
    int accumulate;
};

/*
 * Layer norm, specification 1.5: y = gain (x - mean) / sqrt(var + eps) + bias, biased variance.
 * stats (N,2) keeps mean and 1/sqrt(var + eps) for the backward pass.
 */
struct dgm_norm_forward_args {
    struct dgm_ref y, stats; /* stats optional */
    struct dgm_ref x, gain, bias;
    int64_t rows, dim;
    dgm_real eps;
};

/* dx (overwritten, or added to if accumulate); dgain += , dbias += in fixed blocks of rows. */
struct dgm_norm_backward_args {
    struct dgm_ref dx, dgain, dbias;
    struct dgm_ref dy, x, stats, gain;
    int64_t rows, dim;
    int accumulate;
};

/*
 * The attention core: kernel order K3..K10 of the specification, section 0, per (sentence, head).
 *
 * Sentence s has queries q_offsets[s] .. q_offsets[s+1]-1 (n of them) and k_counts[s] = m keys,
 * rows k_starts[s] .. of k and v; with `key_rows`, key j of sentence s is row
 * key_rows[k_starts[s] + j] instead (decoder caches). Query i stands at position i + m - n of the
 * keys' sentence (causal masks, relative offsets). Constants of trees are packed: the n x m block
 * of sentence s begins at element squares[s] of factor, addend, hidden and labels.
 *
 *   E_ij = (scale q_i . (k_j + sum_t key_table[t][r_t(i,j)])) factor[0]_ij factor[1]_ij
 *        + addend_ij - 2 (j - center_i)^2 / window_i^2
 *   E_ij = -inf where causal and j > i + m - n, or hidden_ij != 0
 *   A = row softmax(E); a row that is all -inf gives zeros; A = dropout(A)
 *   z_i = sum_j A_ij (v_j + sum_t value_table[t][r_t(i,j)])
 *
 * r_t(i,j) = labels[t] (bytes, packed squares) if present, else clip(j - i', -clip[t], clip[t]) +
 * clip[t] with i' the query's position (Shaw). Key tables are (label_count[t], d_k), value tables
 * (label_count[t], d_v), shared by the heads; either may be absent; relation t is off when
 * label_count[t] is 0.
 * factor[f] touches heads factor_first[f] .. factor_first[f] + factor_heads[f] - 1; elsewhere, and
 * in rows where `ignored` (bytes, (N,H)) is not 0 for f = 1, it counts as 1.
 * center (N,H) is a place among the keys of the sentence, which count from 0; window (N,H), or
 * window_size for every row: K5 of specification 3.7.
 * lse (N,H): log sum exp of each row of E (+inf for an all -inf row), kept for the backward pass.
 *
 * With parser_dim > 0, head parser_head is a parser (K8): E_ij = parser_q_i . parser_k_j, causal
 * mask included, and none of the other terms of E; parser_q (N, parser_dim), parser_k rows as those
 * of k. q and k of that head are not read. A, its dropout and z are as ever. Where forced (N) is a
 * key that the query sees, not -1, its row of A is one-hot there before dropout.
 */
struct dgm_attention {
    int64_t sentences, heads, head_dim; /* S, H, d_k */
    int64_t value_dim;                  /* d_v; 0: d_k */
    int64_t ldq, ldk, ldv, ldz;         /* head h occupies columns h d_k .., h d_v .. of each */
    int64_t ld_parser_q, ld_parser_k;
    int64_t rows, key_rows_total; /* queries in all; rows of k and v that may be touched */
    dgm_real scale;
    int causal;
    int64_t factor_first[2], factor_heads[2];
    int64_t label_count[2], clip[2];
    dgm_real window_size;
    int64_t parser_head, parser_dim;
    struct dgm_drop drop;
};

/* What both passes read; all but the first six are optional. */
struct dgm_attention_inputs {
    struct dgm_ref q, k, v;
    struct dgm_ref q_offsets, k_starts, k_counts, key_rows, squares, places;
    struct dgm_ref factor[2], addend, hidden, ignored; /* reals, reals, bytes, bytes */
    struct dgm_ref labels[2], key_table[2], value_table[2];
    struct dgm_ref center, window;
    struct dgm_ref parser_q, parser_k, forced;
};

struct dgm_attention_forward_args {
    struct dgm_ref z, lse; /* lse optional */
    struct dgm_attention_inputs in;
    struct dgm_attention core;
};

/*
 * Gradients are written over the touched columns, or added to where the accumulate flag of each
 * says so; the tables' gradients are always added to; each is optional. Sentences must not share
 * keys (training). Order of every sum is fixed by the batch. Weights are recomputed from lse, never
 * stored. Columns of dq and dk at the parser head become zeros before its dparser_q and dparser_k
 * are written: these may be the same columns, with accumulate_parser_q or _k. Forced rows of A
 * pass nothing on to E.
 */
struct dgm_attention_backward_args {
    struct dgm_ref dq, dk, dv;
    struct dgm_ref dkey_table[2], dvalue_table[2];
    struct dgm_ref dcenter, dwindow;
    struct dgm_ref dparser_q, dparser_k;
    struct dgm_ref dz, lse;
    struct dgm_attention_inputs in;
    int64_t lddq, lddk, lddv, lddz, ld_dparser_q, ld_dparser_k;
    int accumulate_q, accumulate_k, accumulate_v;
    int accumulate_center, accumulate_window, accumulate_parser_q, accumulate_parser_k;
    struct dgm_attention core;
};

/*
 * An LSTM with forget gates (Hochreiter and Schmidhuber 1997; Gers et al. 2000) over packed
 * sequences, S of them, in both directions. With a = input + keep h_{t-1} W^T, split into four:
 *
 *   i = sigmoid(a_i)  f = sigmoid(a_f)  g = tanh(a_g)  o = sigmoid(a_o)
 *   c_t = f c_{t-1} + i g     h_t = o tanh(c_t)     c_0 = h_0 = 0
 *
 * y (N,2H) = [forward | backward] h; gates (N,8H): the inputs, i f g o of forward (H columns
 * each), then of backward, which runs from a sequence's last row to its first. weight (8H,H): W of
 * both, one above the other. keep: one dropout mask (2H) for each sequence, its place being
 * {sentence of the sequence's first row, 0}.
 * Sequence s has rows offsets[s] .. offsets[s+1]-1; order (S): by falling length; active[t], on
 * the host: how many are longer than t, t < steps. A sequence's y depends on nothing but its rows,
 * down to the last bit.
 */
struct dgm_lstm {
    int64_t sequences, rows, steps, dim; /* S, N, longest length, H */
    const int32_t *active;
    struct dgm_drop drop;
};

/* Reals of `saved`: what backward needs, and its room to work in; no layout is promised. */
static inline int64_t dgm_lstm_saved(int64_t rows, int64_t sequences, int64_t dim)
{
    return (12 * rows + 6 * sequences) * dim;
}

struct dgm_lstm_forward_args {
    struct dgm_ref y, saved;
    struct dgm_ref gates, weight, offsets, order, places; /* places: with dropout */
    struct dgm_lstm core;
};

/*
 * dgates (optional) and dweight are written, or added to where the accumulate flag of each says
 * so. `saved` is used up: one forward pass serves one backward pass.
 */
struct dgm_lstm_backward_args {
    struct dgm_ref dgates, dweight, saved;
    struct dgm_ref dy, weight, offsets, order;
    int accumulate_gates, accumulate_weight;
    struct dgm_lstm core;
};

/*
 * Additive attention (Bahdanau et al. 2015). Query i of n attends to keys starts[i] ..
 * starts[i] + counts[i] - 1, its span, and reads the values of the same rows:
 *
 *   w_i = softmax over the span of v . tanh(q_i + key_j)     ctx_i = sum over j of w_ij value_j
 *
 * q (n,A), keys (K,A), values (K,W), v (A); rows of ctx, W wide, lie ld_ctx apart. weights
 * (n,longest), longest >= every count: zeros after the span; an empty span gives zeros. Queries
 * may share spans. A row of results depends on its query and span alone, down to the last bit.
 */
struct dgm_additive {
    int64_t rows, dim, width, longest, ld_ctx; /* n, A, W */
};

struct dgm_additive_forward_args {
    struct dgm_ref ctx, weights;
    struct dgm_ref q, keys, values, v, starts, counts;
    struct dgm_additive core;
};

/*
 * dq is written; dkeys, dvalues and dv, each optional, are added to: dv in fixed blocks of rows.
 * Spans must not overlap (training). Rows of dctx lie ld_ctx apart. The tanh are computed anew.
 */
struct dgm_additive_backward_args {
    struct dgm_ref dq, dkeys, dvalues, dv;
    struct dgm_ref dctx, weights, q, keys, values, v, starts, counts;
    struct dgm_additive core;
};

/*
 * Context gates, specification 3.8. Per row and head, with x' = scale x:
 *
 *   l = sigmoid(x_gate . x' + x_bias + c_gate . c + c_bias)     y = (1 - l) x' + l c
 *
 * Head h has columns h width .. of x (rows ldx apart) and of y (N, heads width), and columns
 * h c_step .. of c (rows ldc apart), `width` of them; c_step >= width. Gates (1,width), biases
 * (1,1). l (N,H) is kept for the backward pass.
 */
struct dgm_gated_mix {
    int64_t rows, heads, width, c_step, ldx, ldc;
    dgm_real scale;
};

struct dgm_gated_mix_forward_args {
    struct dgm_ref y, l;
    struct dgm_ref x, c, x_gate, x_bias, c_gate, c_bias;
    struct dgm_gated_mix core;
};

/*
 * With g = l (1 - l) dy . (c - x'): dx = scale ((1 - l) dy + g x_gate), dc = l dy + g c_gate,
 * written over the columns of x and c (their strides), or added to where the accumulate flag of
 * each says so. dx_gate += sum of g x', dc_gate += sum of g c, both biases += sum of g, in fixed
 * blocks of rows. Each output is optional.
 */
struct dgm_gated_mix_backward_args {
    struct dgm_ref dx, dc, dx_gate, dx_bias, dc_gate, dc_bias;
    struct dgm_ref dy, l, x, c, x_gate, c_gate;
    struct dgm_gated_mix core;
    int accumulate_x, accumulate_c;
};

/* y (N,W) = relu(h) s + c (1 - s), s = sigmoid(t); ht (N,2W) = [h | t], c (N,W). 3.9. */
struct dgm_highway_forward_args {
    struct dgm_ref y;
    struct dgm_ref ht, c;
    int64_t rows, width;
};

/*
 * dh = dy s where h > 0, else 0; dt = dy (relu(h) - c) s (1 - s); dc = dy (1 - s). dht = [dh | dt]
 * and dc are written, or added to where the accumulate flag says so; each is optional.
 */
struct dgm_highway_backward_args {
    struct dgm_ref dht, dc;
    struct dgm_ref dy, ht, c;
    int64_t rows, width;
    int accumulate_ht, accumulate_c;
};

/*
 * One step of n gated recurrent units (Cho et al. 2014), the reset gate behind the recurrent
 * product, over one state each or two (trees: Yang et al. 2019):
 *
 *   u = sigmoid(x_u + h_u)   r = sigmoid(x_r + h_r)   q = h_h   c = tanh(r q + x_h)
 *   y = (1 - u) c + u carry (state[first] + state[second])
 *
 * x (n,3D) = [x_u | x_r | x_h]: the input side; h (n,3D): the recurrent side, products of states;
 * biases in either. first, second (n): rows of `state`, -1: zeros; first absent: row i itself,
 * second absent: there is one state only. h absent, state absent: zeros. x absent: x_u = x_r = 0,
 * and h (n,4D) has x_h as its fourth part. All matrices have rows ld* apart. saved (n,4D) =
 * [u | r | q | c] is kept for the backward pass; h may be the same columns. y may be rows of the
 * same matrix as `state`, if they are none of those that are read.
 */
struct dgm_gated_cell_forward_args {
    struct dgm_ref y, saved;                   /* saved optional */
    struct dgm_ref x, h, state, first, second; /* all but one of x and h optional */
    int64_t n, dim, ldy, ld_saved, ldx, ldh, lds;
    dgm_real carry; /* 1; for the mean of two states 0.5 */
};

/*
 * With s = carry (state[first] + state[second]), du = dy (s - c) u (1 - u),
 * dc = dy (1 - u) (1 - c^2), dr = dc q r (1 - r):
 *
 *   dx (n,3D) = [du | dr | dc]   dh (n,3D) = [du | dr | dc r]   dcarry (n,D) = carry dy u
 *
 * The last is what goes to state[first] and, once more, to state[second], besides what dh brings
 * them. Each is optional, and added to where its accumulate flag says so. With `joint`, for a
 * forward pass without x, dh (n,4D) has dc as its fourth part. dh may be columns of saved.
 */
struct dgm_gated_cell_backward_args {
    struct dgm_ref dx, dh, dcarry;
    struct dgm_ref dy, saved, state, first, second;
    int64_t n, dim, lddx, lddh, lddcarry, lddy, ld_saved, lds;
    dgm_real carry;
    int joint, accumulate_x, accumulate_h, accumulate_carry;
};

/*
 * Factors times a vector of each row, as of weights P diag(z) Q that depend on it: for each of
 * `blocks` blocks of K columns, t_b = [z f1_b | z f2_b | z f3_b | z], element by element, with the
 * factors that are there. z (n,K), factor (n, blocks K), t (n, blocks (factors + 1) K); rows ld*
 * apart.
 */
struct dgm_modulate {
    int64_t n, dim, blocks, ldz, ld_factor[3], ldt; /* dim: K */
};

struct dgm_modulate_forward_args {
    struct dgm_ref t;
    struct dgm_ref z, factor[3];
    struct dgm_modulate core;
};

/*
 * dz = sums over blocks of dt f1 + dt f2 + dt f3 + dt, each with its part of dt; df = dt z, written
 * over rows like those of the factors but lddf apart, or added to these. Each df is optional, and
 * may be its factor; dz may be z.
 */
struct dgm_modulate_backward_args {
    struct dgm_ref dz, dfactor[3];
    struct dgm_ref dt, z, factor[3];
    struct dgm_modulate core; /* its ldt: of dt; its ldz: of z and dz */
    int64_t lddf[3];
    int accumulate[3];
};

/*
 * Composition of two constituents into one (binary trees: Yang et al. 2017, Chen et al. 2017), n
 * of them at a time. With the states l and r (n,D) of the children, products [r_L | r_R | a_L |
 * a_R | c] of each with weights of its side, and the bias:
 *
 *   r_L = sigmoid(left_rL + right_rL + bias_rL), and so r_R; a_L and a_R without the sigmoid
 *   c = tanh(r_L left_c + r_R right_c + bias_c)
 *   z_L, z_R, z_C = e^a_L, e^a_R, 1, divided by their sum
 *   y = z_L l + z_R r + z_C c
 *
 * left, right (n,5D): the products; they become what backward needs, in no promised layout. bias
 * (5D), or rows of it ld_bias apart. mixes 3: one more part [.. a_R | a_C | c], 6D wide, and z =
 * sigmoid(a), each for itself. All other rows lie one behind the other. y may be rows of the matrix
 * that l and r came from.
 */
struct dgm_compose {
    int64_t n, dim;
    int mixes; /* parts a: 2 or 3 */
};

static inline int64_t dgm_compose_parts(const struct dgm_compose *core)
{
    return 3 + core->mixes;
}

struct dgm_compose_forward_args {
    struct dgm_ref y, left, right;
    struct dgm_ref l, r, bias;
    int64_t ld_bias; /* 0: one row serves all */
    struct dgm_compose core;
};

/*
 * left and right, as forward left them, become the gradients of the products: equal but for the
 * last part. dl = z_L dy and dr = z_R dy: what goes to the children besides what the products
 * bring. dy becomes the gradient of bias_c, that of the other parts of the bias is in left.
 */
struct dgm_compose_backward_args {
    struct dgm_ref dl, dr, dy, left, right;
    struct dgm_ref l, r;
    struct dgm_compose core;
};

/*
 * One step of n child-sum gated units (Tai et al. 2015) over the small states l and r (n,K) of two
 * children, whose larger states have been multiplied by the same weights: left, right (n,3K) =
 * [u | r | h]. With the bias (3K):
 *
 *   u = sigmoid(left_u + right_u + bias_u)   r_L = sigmoid(left_r + bias_r), and so r_R
 *   c = tanh(r_L left_h + r_R right_h + bias_h)   y = (1 - u) c + u (l + r)
 *
 * left and right become what backward needs, in no promised layout. Rows lie one behind the other.
 */
struct dgm_child_sum_forward_args {
    struct dgm_ref y, left, right;
    struct dgm_ref l, r, bias;
    int64_t n, dim; /* dim: K */
};

/*
 * left and right, as forward left them, become the gradients of the products; dcarry = u dy: what
 * goes to l and, once more, to r. dy becomes the gradient of bias_h.
 */
struct dgm_child_sum_backward_args {
    struct dgm_ref dcarry, dy, left, right;
    struct dgm_ref l, r;
    int64_t n, dim;
};

/*
 * Scores of all pairs of rows of one sentence: E_ij = q_i . k_j. Sentence s, n long, has rows
 * offsets[s] .. offsets[s+1]-1 of q and k, dim columns wide; its n x n block begins at element
 * squares[s] of scores, i down, j across. Blocks do not depend on each other, down to the last
 * bit.
 */
struct dgm_pair_scores_args {
    struct dgm_ref scores;
    struct dgm_ref q, k, offsets, squares; /* offsets (S+1), squares (S) */
    int64_t sentences, dim, ldq, ldk;
};

/*
 * dq_i = sum_j dE_ij k_j, dk_j = sum_i dE_ij q_i; either is optional, and added to where its
 * accumulate flag says so. dq may be dk, with accumulate_k. Strides are those of q and k.
 */
struct dgm_pair_scores_backward_args {
    struct dgm_ref dq, dk;
    struct dgm_ref dscores, q, k, offsets, squares;
    int64_t sentences, dim, ldq, ldk;
    int accumulate_q, accumulate_k;
};

/* Which columns of a block row i may choose; the others have probability 0. */
enum dgm_pair_mask {
    DGM_PAIRS_ALL,
    DGM_PAIRS_NOT_SELF, /* all but i: a word is not its own head */
    DGM_PAIRS_CAUSAL    /* up to i itself: heads that have been seen */
};

/*
 * losses (N,1): -log p_i(targets[i]), with p_i the softmax of row i of its sentence's block over
 * the columns of `mask`; targets (N): such columns. Target -1: not supervised, loss 0. With
 * want_gradient, scores are overwritten by grad_scale (p_i - 1 at the target), by zeros in rows
 * that are not supervised; else the scores stay as they are.
 */
struct dgm_pair_loss_args {
    struct dgm_ref scores, losses;
    struct dgm_ref targets, offsets, squares;
    int64_t sentences;
    dgm_real grad_scale;
    enum dgm_pair_mask mask;
    int want_gradient;
};

/* y = log p in place, in the notation of pair_loss; -infinity where p is 0. */
struct dgm_pair_log_softmax_args {
    struct dgm_ref y;
    struct dgm_ref offsets, squares;
    int64_t sentences;
    enum dgm_pair_mask mask;
};

enum dgm_smoothing { DGM_SMOOTHING_OLD, DGM_SMOOTHING_T2T };

/*
 * Label-smoothed cross-entropy, specification 1.8. losses (N,2): smoothed loss and plain -log p
 * of the target, per row. With want_gradient, logits (N,V) are overwritten by grad_scale
 * (softmax - target distribution): probabilities are never stored a second time. Row stride of
 * logits is V.
 */
struct dgm_cross_entropy_args {
    struct dgm_ref logits, losses;
    struct dgm_ref targets; /* (N) */
    int64_t rows, vocab;
    dgm_real smoothing, grad_scale;
    enum dgm_smoothing form;
    int want_gradient;
};

/* y = log softmax(x) per row. y may be x. */
struct dgm_log_softmax_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t rows, vocab;
};

/* y = log(exp(y) + exp(x)), element by element: how an ensemble adds up probabilities. */
struct dgm_log_add_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t count;
};

/*
 * The k largest of each row of x (rows, vocab) after log softmax if `normalize`, in descending
 * order, ties to the smaller index; values (rows,k), ids (rows,k). Up to two indices are
 * forbidden: they count in the normalisation but are never chosen (-1: none). NaN is smaller
 * than every number, so that broken weights still end a search.
 */
struct dgm_top_k_args {
    struct dgm_ref values, ids;
    struct dgm_ref x;
    int64_t rows, vocab, k;
    int32_t forbidden[2];
    int normalize;
};

/* y[i] = x[index[i]], rows of `dim` reals; row strides ldy, ldx. Index -1: a row of zeros. */
struct dgm_copy_rows_args {
    struct dgm_ref y;
    struct dgm_ref x, index;
    int64_t rows, dim, ldy, ldx;
};

/* y[index[i]] += x[i], rows i of `dim` reals in order. Index -1: nothing. */
struct dgm_add_rows_args {
    struct dgm_ref y;
    struct dgm_ref x, index;
    int64_t rows, dim;
};

enum dgm_activation { DGM_TANH, DGM_LEAKY_RELU };

/* y = tanh(x); or x where x > 0, else slope x, slope > 0. y may be x. */
struct dgm_activate_forward_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t count;
    enum dgm_activation kind;
    dgm_real slope;
};

/* dx = dy times the slope at y; added to dx if accumulate. dx may be dy. */
struct dgm_activate_backward_args {
    struct dgm_ref dx;
    struct dgm_ref dy, y;
    int64_t count;
    enum dgm_activation kind;
    dgm_real slope;
    int accumulate;
};

/*
 * Blocks of columns: y[i ldy + g step_y + c] = x[i ldx + g step_x + c] for rows i, groups g and
 * c < width; added to y if accumulate.
 */
struct dgm_copy_columns_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t rows, groups, width, ldy, ldx, step_y, step_x;
    int accumulate;
};

/* y (N,C) = max(n sigmoid(x), floor), n = counts[owners[row]], floor >= 0. y may be x. */
struct dgm_span_sigmoid_forward_args {
    struct dgm_ref y;
    struct dgm_ref x, owners, counts;
    int64_t rows, cols;
    dgm_real floor;
};

/* dx = dy y (1 - y/n) where y > floor, else 0; added to dx if accumulate. dx may be dy. */
struct dgm_span_sigmoid_backward_args {
    struct dgm_ref dx;
    struct dgm_ref dy, y, owners, counts;
    int64_t rows, cols;
    dgm_real floor;
    int accumulate;
};

/*
 * y (S,width) = means of rows offsets[s] .. offsets[s+1]-1 of x at row stride ldx, rows in order;
 * zeros where there are none.
 */
struct dgm_span_mean_forward_args {
    struct dgm_ref y;
    struct dgm_ref x, offsets;
    int64_t sentences, width, ldx;
};

/* dx = dy / n in each of the n rows of a sentence; added to dx if accumulate. */
struct dgm_span_mean_backward_args {
    struct dgm_ref dx;
    struct dgm_ref dy, offsets;
    int64_t sentences, width, lddx;
    int accumulate;
};

/* y[0] (a double) = sum of x[i]^2: doubles, fixed blocks, blocks in index order. */
struct dgm_sum_squares_args {
    struct dgm_ref y;
    struct dgm_ref x;
    int64_t count;
};

/*
 * Adam with bias correction, specification 1.9; g = grad_scale * grad.
 *   p -= rate weight_decay p;  m = beta1 m + (1-beta1) g;  v = beta2 v + (1-beta2) g^2
 *   p -= step_size m / (sqrt(v) + eps),  step_size = rate sqrt(1-beta2^t) / (1-beta1^t)
 */
struct dgm_adam_args {
    struct dgm_ref param, m, v;
    struct dgm_ref grad;
    int64_t count;
    dgm_real rate, step_size, beta1, beta2, eps, weight_decay, grad_scale;
};

/*
 * Adadelta (Zeiler 2012), without a rate; g = grad_scale * grad. Running means of squares:
 *   squares = rho squares + (1-rho) g^2;  d = sqrt(steps + eps) / sqrt(squares + eps) g
 *   steps = rho steps + (1-rho) d^2;      p -= d
 */
struct dgm_adadelta_args {
    struct dgm_ref param, squares, steps;
    struct dgm_ref grad;
    int64_t count;
    dgm_real rho, eps, grad_scale;
};

#endif
