/*
 * cells.cl: steps of gated recurrent units (gated_cell) and dynamic weights (modulate). Formulas
 * and layouts stand in src/kernel/task/cells_list.h. A work-item handles VEC columns of a row.
 */

/* Columns of a row that may be absent: zeros. */
INLINE vreal cell_load(global const real *row, long at, int count)
{
    vreal none = 0;

    return row ? load_part(row + at, count, 0) : none;
}

/* carry times the sum of the states at the row's places (one, two, or none). */
INLINE vreal cell_carried(global const real *state, global const int *first,
                          global const int *second, int row, int column, int count, long lds,
                          real carry)
{
    const int a = first ? first[row] : row, b = second ? second[row] : -1;
    vreal sum = 0;

    if (state && a >= 0)
        sum += load_part(state + a * lds + column, count, 0);
    if (state && b >= 0)
        sum += load_part(state + b * lds + column, count, 0);
    return carry * sum;
}

kernel void gated_cell_forward(OPERAND(real, y), OPERAND(real, saved), OPERAND(const real, x),
                               OPERAND(const real, h), OPERAND(const real, state),
                               OPERAND(const int, first), OPERAND(const int, second), const int n,
                               const int dim, const long ldy, const long ld_saved, const long ldx,
                               const long ldh, const long lds, const real carry)
{
    BEGIN_ROW(row, n, dim);
    const long at_x = row * ldx + column, at_h = row * ldh + column;
    vreal u, r, q, c, kept;
    OPEN(real, y);
    OPEN(real, saved);
    OPEN(const real, x);
    OPEN(const real, h);
    OPEN(const real, state);
    OPEN(const int, first);
    OPEN(const int, second);

    u = sigmoid(cell_load(x, at_x, count) + cell_load(h, at_h, count));
    r = sigmoid(cell_load(x, at_x + dim, count) + cell_load(h, at_h + dim, count));
    q = cell_load(h, at_h + 2 * dim, count);
    c = x ? load_part(x + at_x + 2 * dim, count, 0) : load_part(h + at_h + 3 * dim, count, 0);
    c = tanh(r * q + c);
    kept = u * cell_carried(state, first, second, row, column, count, lds, carry);
    store_part((1 - u) * c + kept, y + row * ldy + column, count);
    if (saved) {
        global real *to = saved + row * ld_saved + column;

        store_part(u, to, count);
        store_part(r, to + dim, count);
        store_part(q, to + 2 * dim, count);
        store_part(c, to + 3 * dim, count);
    }
}

kernel void gated_cell_backward(OPERAND(real, dx), OPERAND(real, dh), OPERAND(real, dcarry),
                                OPERAND(const real, dy), OPERAND(const real, saved),
                                OPERAND(const real, state), OPERAND(const int, first),
                                OPERAND(const int, second), const int n, const int dim,
                                const long lddx, const long lddh, const long lddcarry,
                                const long lddy, const long ld_saved, const long lds,
                                const real carry, const int joint, const int accumulate_x,
                                const int accumulate_h, const int accumulate_carry)
{
    BEGIN_ROW(row, n, dim);
    const long at = row * ld_saved + column, to_x = row * lddx + column;
    const long to_h = row * lddh + column;
    vreal u, r, q, c, d, du, dr, dc;
    OPEN(real, dx);
    OPEN(real, dh);
    OPEN(real, dcarry);
    OPEN(const real, dy);
    OPEN(const real, saved);
    OPEN(const real, state);
    OPEN(const int, first);
    OPEN(const int, second);

    u = load_part(saved + at, count, 0);
    r = load_part(saved + at + dim, count, 0);
    q = load_part(saved + at + 2 * dim, count, 0);
    c = load_part(saved + at + 3 * dim, count, 0);
    d = load_part(dy + row * lddy + column, count, 0);
    dc = d * (1 - u) * (1 - c * c);
    du = cell_carried(state, first, second, row, column, count, lds, carry) - c;
    du *= d * (u * (1 - u));
    dr = dc * q * (r * (1 - r));
    if (dx) {
        put_part(dx + to_x, du, count, accumulate_x);
        put_part(dx + to_x + dim, dr, count, accumulate_x);
        put_part(dx + to_x + 2 * dim, dc, count, accumulate_x);
    }
    if (dh) {
        put_part(dh + to_h, du, count, accumulate_h);
        put_part(dh + to_h + dim, dr, count, accumulate_h);
        put_part(dh + to_h + 2 * dim, dc * r, count, accumulate_h);
    }
    if (dh && joint)
        put_part(dh + to_h + 3 * dim, dc, count, accumulate_h);
    if (dcarry)
        put_part(dcarry + row * lddcarry + column, carry * (d * u), count, accumulate_carry);
}

/* One part of t; returns where the next one begins. */
INLINE global real *modulate_part(global real *t, vreal z, global const real *factor, long at,
                                  int dim, int count)
{
    if (!factor)
        return t;
    store_part(z * load_part(factor + at, count, 0), t, count);
    return t + dim;
}

kernel void modulate_forward(OPERAND(real, t), OPERAND(const real, z), OPERAND(const real, factor0),
                             OPERAND(const real, factor1), OPERAND(const real, factor2),
                             const int n, const int dim, const int blocks, const long ldz,
                             const long ld_factor0, const long ld_factor1, const long ld_factor2,
                             const long ldt)
{
    BEGIN_ROW(row, n, dim);
    global real *to;
    vreal own;
    OPEN(real, t);
    OPEN(const real, z);
    OPEN(const real, factor0);
    OPEN(const real, factor1);
    OPEN(const real, factor2);

    own = load_part(z + row * ldz + column, count, 0);
    to = t + row * ldt + column;
    for (int b = 0; b < blocks; b++) {
        const int at = b * dim + column;

        to = modulate_part(to, own, factor0, row * ld_factor0 + at, dim, count);
        to = modulate_part(to, own, factor1, row * ld_factor1 + at, dim, count);
        to = modulate_part(to, own, factor2, row * ld_factor2 + at, dim, count);
        store_part(own, to, count);
        to += dim;
    }
}

/* One part of dt: returns its share of dz, and stores the gradient of the factor. */
INLINE vreal modulate_grad(global real *df, global const real *factor, vreal d, vreal z, long to,
                           long at, int count, int accumulate)
{
    const vreal share = d * load_part(factor + at, count, 0);

    if (df)
        put_part(df + to, d * z, count, accumulate);
    return share;
}

kernel void modulate_backward(OPERAND(real, dz), OPERAND(real, dfactor0), OPERAND(real, dfactor1),
                              OPERAND(real, dfactor2), OPERAND(const real, dt),
                              OPERAND(const real, z), OPERAND(const real, factor0),
                              OPERAND(const real, factor1), OPERAND(const real, factor2),
                              const int n, const int dim, const int blocks, const long ldz,
                              const long ld_factor0, const long ld_factor1, const long ld_factor2,
                              const long ldt, const long lddf0, const long lddf1, const long lddf2,
                              const int accumulate0, const int accumulate1, const int accumulate2)
{
    BEGIN_ROW(row, n, dim);
    global const real *from;
    vreal own, sum = 0;
    OPEN(real, dz);
    OPEN(real, dfactor0);
    OPEN(real, dfactor1);
    OPEN(real, dfactor2);
    OPEN(const real, dt);
    OPEN(const real, z);
    OPEN(const real, factor0);
    OPEN(const real, factor1);
    OPEN(const real, factor2);

    own = load_part(z + row * ldz + column, count, 0);
    from = dt + row * ldt + column;
    for (int b = 0; b < blocks; b++) {
        const int at = b * dim + column;

        if (factor0) {
            sum += modulate_grad(dfactor0, factor0, load_part(from, count, 0), own,
                                 row * lddf0 + at, row * ld_factor0 + at, count, accumulate0);
            from += dim;
        }
        if (factor1) {
            sum += modulate_grad(dfactor1, factor1, load_part(from, count, 0), own,
                                 row * lddf1 + at, row * ld_factor1 + at, count, accumulate1);
            from += dim;
        }
        if (factor2) {
            sum += modulate_grad(dfactor2, factor2, load_part(from, count, 0), own,
                                 row * lddf2 + at, row * ld_factor2 + at, count, accumulate2);
            from += dim;
        }
        sum += load_part(from, count, 0);
        from += dim;
    }
    store_part(sum, dz + row * ldz + column, count);
}
