/*
 * compose.cl: two constituents of a tree composed into one, and child sums. Formulas stand in
 * src/kernel/task/compose_list.h; what forward leaves in left and right, in src/kernel/compose.h. A
 * work-item handles VEC columns of a row.
 */

/* One part of left + right + bias, which begins `at` columns behind the row's first. */
INLINE vreal sum_of(global const real *left, global const real *right, global const real *bias,
                    int at, int count)
{
    return load_part(left + at, count, 0) + load_part(right + at, count, 0) +
           load_part(bias + at, count, 0);
}

/* c = tanh(r_l left + r_r right + bias), of the last part of each row. */
INLINE vreal fresh(vreal r_l, vreal r_r, global const real *left, global const real *right,
                   global const real *bias, int count)
{
    return tanh(r_l * load_part(left, count, 0) + r_r * load_part(right, count, 0) +
                load_part(bias, count, 0));
}

kernel void compose_forward(OPERAND(real, y), OPERAND(real, left), OPERAND(real, right),
                            OPERAND(const real, l), OPERAND(const real, r),
                            OPERAND(const real, bias), const int n, const int dim, const int mixes,
                            const long ld_bias)
{
    BEGIN_ROW(row, n, dim);
    const int last = (2 + mixes) * dim;
    const size_t at = (size_t)row * dim + column;
    const size_t at_side = (size_t)row * (last + dim) + column;
    global real *a, *b;
    global const real *s;
    vreal r_l, r_r, z_l, z_r, z_c, c;
    OPEN(real, y);
    OPEN(real, left);
    OPEN(real, right);
    OPEN(const real, l);
    OPEN(const real, r);
    OPEN(const real, bias);

    a = left + at_side;
    b = right + at_side;
    s = bias + row * ld_bias + column;
    r_l = sigmoid(sum_of(a, b, s, 0, count));
    r_r = sigmoid(sum_of(a, b, s, dim, count));
    z_l = sum_of(a, b, s, 2 * dim, count);
    z_r = sum_of(a, b, s, 3 * dim, count);
    c = fresh(r_l, r_r, a + last, b + last, s + last, count);
    if (mixes == 2) {
        const vreal most = fmax(fmax(z_l, z_r), (vreal)0);
        vreal sum;

        z_l = exp(z_l - most);
        z_r = exp(z_r - most);
        z_c = exp(-most);
        sum = z_l + z_r + z_c;
        z_l /= sum;
        z_r /= sum;
        z_c /= sum;
    } else {
        z_l = sigmoid(z_l);
        z_r = sigmoid(z_r);
        z_c = sigmoid(sum_of(a, b, s, 4 * dim, count));
    }
    store_part(z_l * load_part(l + at, count, 0) + z_r * load_part(r + at, count, 0) + z_c * c,
               y + at, count);
    store_part(r_l, a, count);
    store_part(r_r, a + dim, count);
    store_part(z_l, a + 2 * dim, count);
    store_part(z_r, a + 3 * dim, count);
    store_part(z_c, b, count);
    store_part(c, b + dim, count);
}

/* A gradient that both sides have in common. */
INLINE void put_both(global real *a, global real *b, vreal d, int count)
{
    store_part(d, a, count);
    store_part(d, b, count);
}

kernel void compose_backward(OPERAND(real, dl), OPERAND(real, dr), OPERAND(real, dy),
                             OPERAND(real, left), OPERAND(real, right), OPERAND(const real, l),
                             OPERAND(const real, r), const int n, const int dim, const int mixes)
{
    BEGIN_ROW(row, n, dim);
    const int last = (2 + mixes) * dim;
    const size_t at = (size_t)row * dim + column;
    const size_t at_side = (size_t)row * (last + dim) + column;
    global real *a, *b;
    vreal r_l, r_r, q_l, q_r, z_l, z_r, z_c, c, d, dc, x_l, x_r;
    OPEN(real, dl);
    OPEN(real, dr);
    OPEN(real, dy);
    OPEN(real, left);
    OPEN(real, right);
    OPEN(const real, l);
    OPEN(const real, r);

    a = left + at_side;
    b = right + at_side;
    r_l = load_part(a, count, 0);
    r_r = load_part(a + dim, count, 0);
    z_l = load_part(a + 2 * dim, count, 0);
    z_r = load_part(a + 3 * dim, count, 0);
    z_c = load_part(b, count, 0);
    c = load_part(b + dim, count, 0);
    q_l = load_part(a + last, count, 0);
    q_r = load_part(b + last, count, 0);
    x_l = load_part(l + at, count, 0);
    x_r = load_part(r + at, count, 0);
    d = load_part(dy + at, count, 0);
    dc = z_c * d * (1 - c * c);
    if (mixes == 2) {
        const vreal value = z_l * x_l + z_r * x_r + z_c * c;

        put_both(a + 2 * dim, b + 2 * dim, z_l * d * (x_l - value), count);
        put_both(a + 3 * dim, b + 3 * dim, z_r * d * (x_r - value), count);
    } else {
        put_both(a + 2 * dim, b + 2 * dim, d * x_l * (z_l * (1 - z_l)), count);
        put_both(a + 3 * dim, b + 3 * dim, d * x_r * (z_r * (1 - z_r)), count);
        put_both(a + 4 * dim, b + 4 * dim, d * c * (z_c * (1 - z_c)), count);
    }
    put_both(a, b, dc * q_l * (r_l * (1 - r_l)), count);
    put_both(a + dim, b + dim, dc * q_r * (r_r * (1 - r_r)), count);
    store_part(dc * r_l, a + last, count);
    store_part(dc * r_r, b + last, count);
    store_part(z_l * d, dl + at, count);
    store_part(z_r * d, dr + at, count);
    store_part(dc, dy + at, count);
}

/* ---- child sums ---------------------------------------------------------------------------- */

kernel void child_sum_forward(OPERAND(real, y), OPERAND(real, left), OPERAND(real, right),
                              OPERAND(const real, l), OPERAND(const real, r),
                              OPERAND(const real, bias), const int n, const int dim)
{
    BEGIN_ROW(row, n, dim);
    const size_t at = (size_t)row * dim + column, at_side = 3 * (size_t)row * dim + column;
    global real *a, *b;
    global const real *s;
    vreal u, r_l, r_r, c;
    OPEN(real, y);
    OPEN(real, left);
    OPEN(real, right);
    OPEN(const real, l);
    OPEN(const real, r);
    OPEN(const real, bias);

    a = left + at_side;
    b = right + at_side;
    s = bias + column;
    u = sigmoid(sum_of(a, b, s, 0, count));
    r_l = sigmoid(load_part(a + dim, count, 0) + load_part(s + dim, count, 0));
    r_r = sigmoid(load_part(b + dim, count, 0) + load_part(s + dim, count, 0));
    c = fresh(r_l, r_r, a + 2 * dim, b + 2 * dim, s + 2 * dim, count);
    store_part((1 - u) * c + u * (load_part(l + at, count, 0) + load_part(r + at, count, 0)),
               y + at, count);
    store_part(u, a, count);
    store_part(r_l, a + dim, count);
    store_part(c, b, count);
    store_part(r_r, b + dim, count);
}

kernel void child_sum_backward(OPERAND(real, dcarry), OPERAND(real, dy), OPERAND(real, left),
                               OPERAND(real, right), OPERAND(const real, l), OPERAND(const real, r),
                               const int n, const int dim)
{
    BEGIN_ROW(row, n, dim);
    const size_t at = (size_t)row * dim + column, at_side = 3 * (size_t)row * dim + column;
    global real *a, *b;
    vreal u, r_l, r_r, q_l, q_r, c, d, dc, carried;
    OPEN(real, dcarry);
    OPEN(real, dy);
    OPEN(real, left);
    OPEN(real, right);
    OPEN(const real, l);
    OPEN(const real, r);

    a = left + at_side;
    b = right + at_side;
    u = load_part(a, count, 0);
    r_l = load_part(a + dim, count, 0);
    q_l = load_part(a + 2 * dim, count, 0);
    c = load_part(b, count, 0);
    r_r = load_part(b + dim, count, 0);
    q_r = load_part(b + 2 * dim, count, 0);
    d = load_part(dy + at, count, 0);
    dc = d * (1 - u) * (1 - c * c);
    carried = load_part(l + at, count, 0) + load_part(r + at, count, 0);
    put_both(a, b, d * (carried - c) * (u * (1 - u)), count);
    store_part(dc * q_l * (r_l * (1 - r_l)), a + dim, count);
    store_part(dc * q_r * (r_r * (1 - r_r)), b + dim, count);
    store_part(dc * r_l, a + 2 * dim, count);
    store_part(dc * r_r, b + 2 * dim, count);
    store_part(u * d, dcarry + at, count);
    store_part(dc, dy + at, count);
}
