/*
 * pairs_list.h: tasks on all pairs of rows of one sentence, as parsers need them.
 */

/* clang-format off */

/*
 * Scores of all pairs of rows of one sentence: E_ij = q_i . k_j. Sentence s, n long, has rows
 * offsets[s] .. offsets[s+1]-1 of q and k, dim columns wide; its n x n block begins at element
 * squares[s] of scores, i down, j across. Blocks do not depend on each other, down to the last
 * bit.
 */
TASK(pair_scores)
OUT(real, scores)
IN(real, q) IN(real, k)
IN(int, offsets) IN(int, squares) /* offsets (S+1), squares (S) */
HOST(sentences)
INT(dim) INT(ldq) INT(ldk)
END(pair_scores)

/*
 * dq_i = sum_j dE_ij k_j, dk_j = sum_i dE_ij q_i; either is optional, and added to where its
 * accumulate flag says so. dq may be dk, with accumulate_k. Strides are those of q and k.
 */
TASK(pair_scores_backward)
OUT(real, dq) OUT(real, dk)
IN(real, dscores) IN(real, q) IN(real, k)
IN(int, offsets) IN(int, squares)
HOST(sentences)
INT(dim) INT(ldq) INT(ldk)
FLAG(accumulate_q) FLAG(accumulate_k)
END(pair_scores_backward)

/*
 * losses (N,1): -log p_i(targets[i]), with p_i the softmax of row i of its sentence's block over
 * the columns of `mask`; targets (N): such columns. Target -1: not supervised, loss 0. With
 * want_gradient, scores are overwritten by grad_scale (p_i - 1 at the target), by zeros in rows
 * that are not supervised; else the scores stay as they are.
 */
TASK(pair_loss)
OUT(real, scores) OUT(real, losses)
IN(int, targets) IN(int, offsets) IN(int, squares)
HOST(sentences)
REAL(grad_scale)
CHOICE(dgm_pair_mask, mask)
FLAG(want_gradient)
END(pair_loss)

/* y = log p in place, in the notation of pair_loss; -infinity where p is 0. */
TASK(pair_log_softmax)
OUT(real, y)
IN(int, offsets) IN(int, squares)
HOST(sentences)
CHOICE(dgm_pair_mask, mask)
END(pair_log_softmax)

    /* clang-format on */
