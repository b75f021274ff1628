/*
 * rows_list.h: tasks on rows of width D: look-up, dropout, layer norm, sums of columns,
 * copies.
 */

/* clang-format off */

/*
 * y (N,D) = dropout(scale table[ids[i]] + positions[places[i].position]); table (V,D), ids (N),
 * places (N,2). Specification 1.2. All may be D = dim columns of wider matrices: rows of y and of
 * positions lie ldy apart, those of the table ld_table. Dropout counts columns from the first of
 * these.
 */
TASK(embed_forward)
OUT(real, y)
IN(real, table)
IN(int, ids)
IN(real, positions) /* (max,D), optional */
IN(int, places)
INT(rows) INT(dim)
LONG(ldy) LONG(ld_table)
REAL(scale)
DROP
END(embed_forward)

/* dtable[ids[i]] += scale dropout'(dy[i]), rows i in order; columns and strides as above. */
TASK(embed_backward)
OUT(real, dtable)
IN(real, dy)
IN(int, ids) IN(int, places)
INT(rows) INT(dim)
LONG(ldy) LONG(ld_table)
REAL(scale)
DROP
END(embed_backward)

/* y (N,D) = x + dropout(r). y may be x or r. */
TASK(residual_forward)
OUT(real, y)
IN(real, x) /* optional: without it plain dropout */
IN(real, r)
IN(int, places)
INT(rows) INT(dim)
DROP
END(residual_forward)

/* dr = dropout'(dy), added to dr if accumulate. dr may be dy. */
TASK(residual_backward)
OUT(real, dr)
IN(real, dy)
IN(int, places)
INT(rows) INT(dim)
DROP
FLAG(accumulate)
END(residual_backward)

/*
 * Layer norm, specification 1.5: y = gain (x - mean) / sqrt(var + eps) + bias, biased variance.
 * stats (N,2) keeps mean and 1/sqrt(var + eps) for the backward pass.
 */
TASK(norm_forward)
OUT(real, y)
OUT(real, stats) /* optional */
IN(real, x) IN(real, gain) IN(real, bias)
LONG(rows)
INT(dim)
REAL(eps)
END(norm_forward)

/* dx (overwritten, or added to if accumulate); dgain += , dbias += in fixed blocks of rows. */
TASK(norm_backward)
OUT(real, dx) OUT(real, dgain) OUT(real, dbias)
IN(real, dy) IN(real, x) IN(real, stats) IN(real, gain)
LONG(rows)
INT(dim)
FLAG(accumulate)
END(norm_backward)

/*
 * Both in one: h = x + dropout(r), y = the norm of h. h may be r; y shares no memory with h, and
 * none with x or r unless it begins where they do.
 */
TASK(residual_norm_forward)
OUT(real, y)
OUT(real, stats) /* optional */
OUT(real, h)
IN(real, x) /* optional */
IN(real, r)
IN(real, gain) IN(real, bias)
IN(int, places)
INT(rows) INT(dim)
REAL(eps)
DROP
END(residual_norm_forward)

/* As norm_backward, then dr = dropout'(dx); x is what was normed. dr shares no memory with dx, and
 * none with dy or x unless it begins where they do. */
TASK(residual_norm_backward)
OUT(real, dx) OUT(real, dr) OUT(real, dgain) OUT(real, dbias)
IN(real, dy) IN(real, x) IN(real, stats) IN(real, gain)
IN(int, places)
INT(rows) INT(dim)
DROP
FLAG(accumulate)
END(residual_norm_backward)

/* y (n) += sum over rows of x (m,n); rows are summed in fixed blocks, blocks in index order. */
TASK(column_sums)
OUT(real, y)
IN(real, x)
INT(m) INT(n)
LONG(ldx)
END(column_sums)

/* y[i] = x[index[i]], rows of `dim` reals; row strides ldy, ldx. Index -1: a row of zeros. */
TASK(copy_rows)
OUT(real, y)
IN(real, x)
IN(int, index)
INT(rows) INT(dim)
LONG(ldy) LONG(ldx)
END(copy_rows)

/* y[index[i]] += x[i], rows i of `dim` reals in order. Index -1: nothing. */
TASK(add_rows)
OUT(real, y)
IN(real, x)
IN(int, index)
INT(rows) INT(dim)
END(add_rows)

/*
 * Blocks of columns: y[i ldy + g step_y + c] = x[i ldx + g step_x + c] for rows i, groups g and
 * c < width; added to y if accumulate.
 */
TASK(copy_columns)
OUT(real, y)
IN(real, x)
INT(rows) INT(groups) INT(width)
LONG(ldy) LONG(ldx) LONG(step_y) LONG(step_x)
FLAG(accumulate)
END(copy_columns)

    /* clang-format on */
