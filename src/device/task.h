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
 * places (N,2). `positions` (max,D) is optional. Specification 1.2.
 */
struct dgm_embed_forward_args {
    struct dgm_ref y;
    struct dgm_ref table, ids, positions, places;
    int64_t rows, dim;
    dgm_real scale;
    struct dgm_drop drop;
};

/* dtable[ids[i]] += scale dropout'(dy[i]), rows i in order. */
struct dgm_embed_backward_args {
    struct dgm_ref dtable;
    struct dgm_ref dy, ids, places;
    int64_t rows, dim;
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
 *   E_ij = (scale q_i . (k_j + sum_t key_table[t][r_t(i,j)])) factor_ij + addend_ij
 *   E_ij = -inf where causal and j > i + m - n, or hidden_ij != 0
 *   A = row softmax(E); a row that is all -inf gives zeros; A = dropout(A)
 *   z_i = sum_j A_ij (v_j + sum_t value_table[t][r_t(i,j)])
 *
 * r_t(i,j) = labels[t] (bytes, packed squares) if present, else clip(j - i', -clip[t], clip[t]) +
 * clip[t] with i' the query's position (Shaw). Tables are (label_count[t], d_k), shared by the
 * heads; either may be absent; relation t is off when label_count[t] is 0. Terms other than causal
 * touch heads term_head .. term_head + term_heads - 1 only; the others are plain.
 * lse (N,H): log sum exp of each row of E (+inf for an all -inf row), kept for the backward pass.
 */
struct dgm_attention {
    int64_t sentences, heads, head_dim; /* S, H, d_k */
    int64_t ldq, ldk, ldv, ldz;         /* head h occupies columns h d_k .. of each matrix */
    int64_t rows, key_rows_total;       /* queries in all; rows of k and v that may be touched */
    dgm_real scale;
    int causal;
    int64_t term_head, term_heads;
    int64_t label_count[2], clip[2];
    struct dgm_drop drop;
};

struct dgm_attention_forward_args {
    struct dgm_ref z, lse; /* lse optional */
    struct dgm_ref q, k, v;
    struct dgm_ref q_offsets, k_starts, k_counts, key_rows, squares, places;
    struct dgm_ref factor, addend, hidden; /* reals, reals, bytes; each optional */
    struct dgm_ref labels[2], key_table[2], value_table[2];
    struct dgm_attention core;
};

/*
 * dq, dk, dv are written over the touched columns, or added to where the accumulate flag of each
 * says so; the tables' gradients are always added to. Sentences must not share keys (training).
 * Order of every sum is fixed by the batch. Weights are recomputed from lse, never stored.
 */
struct dgm_attention_backward_args {
    struct dgm_ref dq, dk, dv;
    struct dgm_ref dkey_table[2], dvalue_table[2];
    struct dgm_ref dz, lse, q, k, v;
    struct dgm_ref q_offsets, k_starts, k_counts, key_rows, squares, places;
    struct dgm_ref factor, addend, hidden;
    struct dgm_ref labels[2], key_table[2], value_table[2];
    int64_t lddq, lddk, lddv, lddz;
    int accumulate_q, accumulate_k, accumulate_v;
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
 * Scores of all pairs of rows of one sentence: E_ij = q_i . k_j. Sentence s, n long, has rows
 * offsets[s] .. offsets[s+1]-1 of q and k (N,A); its n x n block begins at element squares[s] of
 * scores, i down, j across. Blocks do not depend on each other, down to the last bit.
 */
struct dgm_pair_scores_args {
    struct dgm_ref scores;
    struct dgm_ref q, k, offsets, squares; /* offsets (S+1), squares (S) */
    int64_t sentences, dim;                /* S, A */
};

/*
 * dq_i = sum_j dE_ij k_j, dk_j = sum_i dE_ij q_i; either is optional, and added to where its
 * accumulate flag says so. dq may be dk, with accumulate_k.
 */
struct dgm_pair_scores_backward_args {
    struct dgm_ref dq, dk;
    struct dgm_ref dscores, q, k, offsets, squares;
    int64_t sentences, dim;
    int accumulate_q, accumulate_k;
};

/*
 * losses (N,1): -log p_i(targets[i]), with p_i the softmax of row i of its sentence's block;
 * targets (N): columns of the block. With exclude_diagonal p_i(i) is 0, and i no target. Target
 * -1: not supervised, loss 0. With want_gradient, scores are overwritten by grad_scale (p_i - 1 at
 * the target), by zeros in rows that are not supervised.
 */
struct dgm_pair_loss_args {
    struct dgm_ref scores, losses;
    struct dgm_ref targets, offsets, squares;
    int64_t sentences;
    dgm_real grad_scale;
    int exclude_diagonal, want_gradient;
};

/* y = log p in place, in the notation of pair_loss; -infinity where excluded. */
struct dgm_pair_log_softmax_args {
    struct dgm_ref y;
    struct dgm_ref offsets, squares;
    int64_t sentences;
    int exclude_diagonal;
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

#endif
