/*
 * attention_list.h: the attention core: scores, the terms that syntax adds to them, softmax,
 * dropout, and the weighted sum of values.
 */

/* clang-format off */

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
#define NUMBERS_attention                                                                       \
    INT(sentences) INT(heads) INT(head_dim) /* S, H, d_k */                                     \
    INT(value_dim)                          /* d_v; 0: d_k */                                   \
    INT(ldq) INT(ldk) INT(ldv)              /* head h: columns h d_k .., h d_v .. of each */    \
    HOST(ldz)                                                                                   \
    INT(ld_parser_q) INT(ld_parser_k)                                                           \
    HOST(rows) HOST(key_rows_total)         /* all queries; rows of k, v that may be touched */ \
    FLAG(causal)                                                                                \
    INTS(factor_first, 2) INTS(factor_heads, 2)                                                 \
    INTS(label_count, 2) INTS(clip, 2)                                                          \
    INT(parser_head) INT(parser_dim)                                                            \
    REAL(scale) REAL(window_size)                                                               \
    DROP

/* What both passes read; all but the first six are optional. */
#define OPERANDS_attention_inputs                                            \
    IN(real, q) IN(real, k) IN(real, v)                                      \
    IN(int, q_offsets) IN(int, k_starts) IN(int, k_counts)                   \
    IN(int, key_rows) IN(int, squares) IN(int, places)                       \
    INS(real, factor, 2) IN(real, addend) IN(byte, hidden) IN(byte, ignored) \
    INS(byte, labels, 2) INS(real, key_table, 2) INS(real, value_table, 2)   \
    IN(real, center) IN(real, window)                                        \
    IN(real, parser_q) IN(real, parser_k) IN(int, forced)

TASK(attention_forward)
OUT(real, z)
OUT(real, lse) /* optional */
OPERANDS(attention_inputs, in)
CORE(attention)
END(attention_forward)

/*
 * Gradients are written over the touched columns, or added to where the accumulate flag of each
 * says so; the tables' gradients are always added to; each is optional. Sentences must not share
 * keys (training). Order of every sum is fixed by the batch. Weights are recomputed from lse, never
 * stored. Columns of dq and dk at the parser head become zeros before its dparser_q and dparser_k
 * are written: these may be the same columns, with accumulate_parser_q or _k. Forced rows of A
 * pass nothing on to E.
 */
TASK(attention_backward)
OUT(real, dq) OUT(real, dk) OUT(real, dv)
OUTS(real, dkey_table, 2) OUTS(real, dvalue_table, 2)
OUT(real, dcenter) OUT(real, dwindow)
OUT(real, dparser_q) OUT(real, dparser_k)
IN(real, dz) IN(real, lse)
OPERANDS(attention_inputs, in)
INT(lddq) INT(lddk) INT(lddv) INT(lddz) INT(ld_dparser_q) INT(ld_dparser_k)
FLAG(accumulate_q) FLAG(accumulate_k) FLAG(accumulate_v)
FLAG(accumulate_center) FLAG(accumulate_window)
FLAG(accumulate_parser_q) FLAG(accumulate_parser_k)
CORE(attention)
END(attention_backward)

    /* clang-format on */
