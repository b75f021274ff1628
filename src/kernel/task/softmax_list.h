/*
 * softmax_list.h: tasks on rows of scores over the vocabulary.
 */

/* clang-format off */

/*
 * Label-smoothed cross-entropy, specification 1.8. losses (N,2): smoothed loss and plain -log p
 * of the target, per row. With want_gradient, logits (N,V) are overwritten by grad_scale
 * (softmax - target distribution): probabilities are never stored a second time. Row stride of
 * logits is V.
 */
TASK(cross_entropy)
OUT(real, logits) OUT(real, losses)
IN(int, targets) /* (N) */
HOST(rows)
INT(vocab)
REAL(smoothing) REAL(grad_scale)
CHOICE(dgm_smoothing, form)
FLAG(want_gradient)
END(cross_entropy)

/* y = log softmax(x) per row. y may be x. */
TASK(log_softmax)
OUT(real, y)
IN(real, x)
HOST(rows)
INT(vocab)
END(log_softmax)

/*
 * The k largest of each row of x (rows, vocab) after log softmax if `normalize`, in descending
 * order, ties to the smaller index; values (rows,k), ids (rows,k). Up to two indices are
 * forbidden: they count in the normalisation but are never chosen (-1: none). NaN is smaller
 * than every number, so that broken weights still end a search.
 */
TASK(top_k)
OUT(real, values) OUT(int, ids)
IN(real, x)
HOST(rows)
INT(vocab) INT(k)
IDS(forbidden, 2)
FLAG(normalize)
END(top_k)

/*
 * y (rows,width): of row i of x the columns that list owners[i] of `index` names, (lists,width) in
 * all; `missing` where it names none (-1). Rows of x lie ldx apart, those of y `width`.
 */
TASK(pick_columns)
OUT(real, y)
IN(real, x)
IN(int, index) IN(int, owners)
HOST(rows)
INT(width)
LONG(ldx)
REAL(missing)
END(pick_columns)

    /* clang-format on */
