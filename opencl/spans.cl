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
