/*
 * spans.cl: kernels that need to know a row's sentence: sigmoids that range over the sentence's
 * rows, and means of its rows. A work-item handles one element of a sigmoid, or VEC columns of a
 * sentence.
 */

/* y = max(n sigmoid(x), floor), n = counts[owners[row]]; a NaN stays one. */
kernel void span_sigmoid_forward(OPERAND(real, y), OPERAND(const real, x),
                                 OPERAND(const int, owners), OPERAND(const int, counts),
                                 const long rows, const long cols, const real floor)
{
    const long at = get_global_id(0);
    real v;
    OPEN(real, y);
    OPEN(const real, x);
    OPEN(const int, owners);
    OPEN(const int, counts);

    if (at >= rows * cols)
        return;
    v = counts[owners[at / cols]] * (1 / (1 + exp(-x[at])));
    y[at] = v < floor ? floor : v;
}

/* dx = dy y (1 - y/n) where y > floor, else 0. */
kernel void span_sigmoid_backward(OPERAND(real, dx), OPERAND(const real, dy),
                                  OPERAND(const real, y), OPERAND(const int, owners),
                                  OPERAND(const int, counts), const long rows, const long cols,
                                  const real floor, const int accumulate)
{
    const long at = get_global_id(0);
    real d;
    OPEN(real, dx);
    OPEN(const real, dy);
    OPEN(const real, y);
    OPEN(const int, owners);
    OPEN(const int, counts);

    if (at >= rows * cols)
        return;
    d = y[at] > floor ? dy[at] * y[at] * (1 - y[at] / counts[owners[at / cols]]) : 0;
    dx[at] = accumulate ? dx[at] + d : d;
}

/* y[s] = the mean of rows offsets[s] .. offsets[s+1]-1 of x, in order; zeros if there are none. */
kernel void span_mean_forward(OPERAND(real, y), OPERAND(const real, x), OPERAND(const int, offsets),
                              const int sentences, const int width, const long ldx)
{
    BEGIN_ROW(s, sentences, width);
    vreal sum = 0;
    OPEN(real, y);
    OPEN(const real, x);
    OPEN(const int, offsets);

    for (int row = offsets[s]; row < offsets[s + 1]; row++)
        sum += load_part(x + row * ldx + column, count, 0);
    if (offsets[s + 1] > offsets[s])
        sum *= (real)1 / (offsets[s + 1] - offsets[s]);
    store_part(sum, y + (size_t)s * width + column, count);
}

/* dx = dy / n in each of the n rows of a sentence. */
kernel void span_mean_backward(OPERAND(real, dx), OPERAND(const real, dy),
                               OPERAND(const int, offsets), const int sentences, const int width,
                               const long lddx, const int accumulate)
{
    BEGIN_ROW(s, sentences, width);
    vreal d;
    OPEN(real, dx);
    OPEN(const real, dy);
    OPEN(const int, offsets);

    if (offsets[s + 1] == offsets[s])
        return;
    d = load_part(dy + (size_t)s * width + column, count, 0);
    d *= (real)1 / (offsets[s + 1] - offsets[s]);
    for (int row = offsets[s]; row < offsets[s + 1]; row++)
        put_part(dx + row * lddx + column, d, count, accumulate);
}

/* losses[i] = -shares[i] sum log(a[r][keys[l]] + floor) over the links of row i, in their order. */
kernel void link_loss_forward(OPERAND(real, losses), OPERAND(const real, a),
                              OPERAND(const real, shares), OPERAND(const int, starts),
                              OPERAND(const int, keys), OPERAND(const int, places), const long rows,
                              const long lda, const real floor)
{
    const long i = get_global_id(0);
    global const real *row;
    real sum = 0;
    OPEN(real, losses);
    OPEN(const real, a);
    OPEN(const real, shares);
    OPEN(const int, starts);
    OPEN(const int, keys);
    OPEN(const int, places);

    if (i >= rows)
        return;
    row = a + (places ? places[i] : i) * lda;
    for (int l = starts[i]; l < starts[i + 1]; l++)
        sum += log(row[keys[l]] + floor);
    losses[i] = starts[i] < starts[i + 1] ? -shares[i] * sum : 0;
}

/* da[r][keys[l]] -= scale shares[i] / (a[r][keys[l]] + floor). */
kernel void link_loss_backward(OPERAND(real, da), OPERAND(const real, a),
                               OPERAND(const real, shares), OPERAND(const int, starts),
                               OPERAND(const int, keys), OPERAND(const int, places),
                               const long rows, const long lda, const long ldda, const real floor,
                               const real scale)
{
    const long i = get_global_id(0);
    long row;
    OPEN(real, da);
    OPEN(const real, a);
    OPEN(const real, shares);
    OPEN(const int, starts);
    OPEN(const int, keys);
    OPEN(const int, places);

    if (i >= rows)
        return;
    row = places ? places[i] : i;
    for (int l = starts[i]; l < starts[i + 1]; l++)
        da[row * ldda + keys[l]] -= scale * shares[i] / (a[row * lda + keys[l]] + floor);
}
