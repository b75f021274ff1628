/*
 * spans_list.h: tasks that know which sentence a row is of.
 */

/* clang-format off */

/* y (N,C) = max(n sigmoid(x), floor), n = counts[owners[row]], floor >= 0. y may be x. */
TASK(span_sigmoid_forward)
OUT(real, y)
IN(real, x)
IN(int, owners) IN(int, counts)
LONG(rows) LONG(cols)
REAL(floor)
END(span_sigmoid_forward)

/* dx = dy y (1 - y/n) where y > floor, else 0; added to dx if accumulate. dx may be dy. */
TASK(span_sigmoid_backward)
OUT(real, dx)
IN(real, dy) IN(real, y)
IN(int, owners) IN(int, counts)
LONG(rows) LONG(cols)
REAL(floor)
FLAG(accumulate)
END(span_sigmoid_backward)

/*
 * y (S,width) = means of rows offsets[s] .. offsets[s+1]-1 of x at row stride ldx, rows in order;
 * zeros where there are none.
 */
TASK(span_mean_forward)
OUT(real, y)
IN(real, x)
IN(int, offsets)
INT(sentences) INT(width)
LONG(ldx)
END(span_mean_forward)

/* dx = dy / n in each of the n rows of a sentence; added to dx if accumulate. */
TASK(span_mean_backward)
OUT(real, dx)
IN(real, dy)
IN(int, offsets)
INT(sentences) INT(width)
LONG(lddx)
FLAG(accumulate)
END(span_mean_backward)

/*
 * losses (N,1) = -shares[i] sum over l of log(a[r][keys[l]] + floor), starts[i] <= l <
 * starts[i+1]: what rows of attention weights a lack of the weights that links ask for. r =
 * places[i], or i where there are none. shares (N); starts (N+1), keys: columns of a.
 */
TASK(link_loss_forward)
OUT(real, losses)
IN(real, a) IN(real, shares)
IN(int, starts) IN(int, keys) IN(int, places) /* places is optional */
LONG(rows) LONG(lda)
REAL(floor)
END(link_loss_forward)

/* Adds scale times the gradient of that to da, of whose elements others stay as they are. Places
 * are different rows. */
TASK(link_loss_backward)
OUT(real, da)
IN(real, a) IN(real, shares)
IN(int, starts) IN(int, keys) IN(int, places)
LONG(rows) LONG(lda) LONG(ldda)
REAL(floor) REAL(scale)
END(link_loss_backward)

    /* clang-format on */
