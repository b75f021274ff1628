/*
 * gates.cl: gates that blend two inputs: context gates (gated_mix), highways and simple recurrent
 * units (ssru). Formulas and the layout of x, c and y stand in src/kernel/task/gates_list.h.
 */
#define BLOCK 32 /* rows that sums of gates are cut into; as in run_gates.c */

/* ---- context gates ------------------------------------------------------------------------- */

/* y of one head, by the work-items of a group, which passes the gate's value in. */
INLINE void mix_blend(global real *y, global const real *x, global const real *c, real gate,
                      int width, real scale)
{
    EACH_VECTOR(j, width) {
        const int count = width - j;
        const vreal own = (1 - gate) * scale * load_part(x + j, count, 0);

        store_part(own + gate * load_part(c + j, count, 0), y + j, count);
    }
}

/* This work-item's part of a . (scale x) + b . c. */
INLINE real mix_dot(global const real *a, global const real *x, real scale, global const real *b,
                    global const real *c, int width)
{
    vreal sums = 0;

    EACH_VECTOR(j, width) {
        const int count = width - j;

        sums += load_part(a + j, count, 0) * (scale * load_part(x + j, count, 0));
        sums += load_part(b + j, count, 0) * load_part(c + j, count, 0);
    }
    return vector_sum(sums);
}

/* A group blends RUN heads, one after the other; heads are numbered row by row. */
kernel void gated_mix_forward(OPERAND(real, y), OPERAND(real, l), OPERAND(const real, x),
                        OPERAND(const real, c), OPERAND(const real, x_gate),
                        OPERAND(const real, x_bias), OPERAND(const real, c_gate),
                        OPERAND(const real, c_bias), const int rows, const int heads,
                        const int width, const long c_step, const long ldx, const long ldc,
                        const real scale)
{
    const int begin = (int)get_group_id(0) * RUN, end = min(rows * heads, begin + RUN);
    OPEN(real, y);
    OPEN(real, l);
    OPEN(const real, x);
    OPEN(const real, c);
    OPEN(const real, x_gate);
    OPEN(const real, x_bias);
    OPEN(const real, c_gate);
    OPEN(const real, c_bias);
    GROUP_SCRATCH(scratch);

    for (int place = begin; place < end; place++) {
        const int row = place / heads, head = place % heads;
        global const real *xs = x + row * ldx + head * width;
        global const real *cs = c + row * ldc + head * c_step;
        real gate = mix_dot(x_gate, xs, scale, c_gate, cs, width);

        gate = GROUP_SUM(gate, scratch) + (*x_bias + *c_bias);
        gate = 1 / (1 + exp(-gate));
        mix_blend(y + (size_t)place * width, xs, cs, gate, width, scale);
        if (LANE == 0)
            l[place] = gate;
    }
}

/* slopes (N,H) = l (1 - l) dy . (c - scale x): the gradient of what the gate's sigmoid is given. */
kernel void mix_slopes(OPERAND(real, slopes), OPERAND(const real, dy), OPERAND(const real, l),
                       OPERAND(const real, x), OPERAND(const real, c), const int rows,
                       const int heads, const int width, const long c_step, const long ldx,
                       const long ldc, const real scale)
{
    const int begin = (int)get_group_id(0) * RUN, end = min(rows * heads, begin + RUN);
    OPEN(real, slopes);
    OPEN(const real, dy);
    OPEN(const real, l);
    OPEN(const real, x);
    OPEN(const real, c);
    GROUP_SCRATCH(scratch);

    for (int place = begin; place < end; place++) {
        const int row = place / heads, head = place % heads;
        global const real *xs = x + row * ldx + head * width;
        global const real *cs = c + row * ldc + head * c_step;
        global const real *dys = dy + (size_t)place * width;
        const real sum = GROUP_SUM(mix_dot(dys, xs, -scale, dys, cs, width), scratch);

        if (LANE == 0)
            slopes[place] = sum * (l[place] * (1 - l[place]));
    }
}

/*
 * d = factor (share dy + slope gate), share = l or 1 - l: dx and dc, one launch each, since these
 * may have columns in common. Heads of d are `step` columns apart.
 */
kernel void mix_inputs(OPERAND(real, d), OPERAND(const real, dy), OPERAND(const real, l),
                       OPERAND(const real, slopes), OPERAND(const real, gate), const int rows,
                       const int heads, const int width, const long step, const long ldd,
                       const real factor, const int is_context, const int accumulate)
{
    BEGIN_ROW(place, rows * heads, width);
    global real *to;
    real share;
    vreal sum;
    OPEN(real, d);
    OPEN(const real, dy);
    OPEN(const real, l);
    OPEN(const real, slopes);
    OPEN(const real, gate);

    to = d + place / heads * ldd + place % heads * step + column;
    share = is_context ? l[place] : 1 - l[place];
    sum = factor * (share * load_part(dy + (size_t)place * width + column, count, 0) +
                    slopes[place] * load_part(gate + column, count, 0));
    if (accumulate)
        sum += load_part(to, count, 0);
    store_part(sum, to, count);
}

/*
 * sums (blocks, 2 width + 1): of slope scale x, of slope c, and of the slopes of each block. A
 * work-item takes VEC columns.
 */
kernel void mix_sums(OPERAND(real, sums), OPERAND(const real, slopes), OPERAND(const real, x),
                     OPERAND(const real, c), const int rows, const int heads, const int width,
                     const long c_step, const long ldx, const long ldc, const real scale)
{
    const int parts = PARTS_OF(width, VEC), items = 2 * parts + 1;
    const int block = (int)get_global_id(0) / items, part = (int)get_global_id(0) % items;
    const int is_c = part >= parts, column = (part - is_c * parts) * VEC;
    const long step = is_c ? c_step : width, ld = is_c ? ldc : ldx;
    const int end = min(rows, (block + 1) * BLOCK), is_slope = part == 2 * parts;
    global const real *from;
    global real *to;
    vreal sum = 0;
    OPEN(real, sums);
    OPEN(const real, slopes);
    OPEN(const real, x);
    OPEN(const real, c);

    if (block * BLOCK >= rows)
        return;
    from = is_c ? c : x;
    for (int row = block * BLOCK; row < end; row++)
        for (int head = 0; head < heads; head++) {
            vreal v = 1;

            if (!is_slope)
                v = load_part(from + row * ld + head * step + column, width - column, 0);
            sum += slopes[row * heads + head] * v;
        }
    to = sums + (size_t)block * (2 * width + 1) + (is_slope ? 2 * width : is_c * width + column);
    store_part(is_c ? sum : scale * sum, to, is_slope ? 1 : width - column);
}

/* The gradients of the gates and of both biases, each optional, += the sums of all blocks. */
kernel void mix_join(OPERAND(real, dx_gate), OPERAND(real, dc_gate), OPERAND(real, dx_bias),
                     OPERAND(real, dc_bias), OPERAND(const real, sums), const int blocks,
                     const int width)
{
    const int at = get_global_id(0);
    real sum = 0;
    OPEN(real, dx_gate);
    OPEN(real, dc_gate);
    OPEN(real, dx_bias);
    OPEN(real, dc_bias);
    OPEN(const real, sums);

    if (at > 2 * width)
        return;
    for (int b = 0; b < blocks; b++)
        sum += sums[(size_t)b * (2 * width + 1) + at];
    if (at < width && dx_gate)
        dx_gate[at] += sum;
    if (at >= width && at < 2 * width && dc_gate)
        dc_gate[at - width] += sum;
    if (at == 2 * width && dx_bias)
        *dx_bias += sum;
    if (at == 2 * width && dc_bias)
        *dc_bias += sum;
}

/* ---- highways ------------------------------------------------------------------------------ */

/* A work-item handles VEC columns of a row. */
kernel void highway_forward(OPERAND(real, y), OPERAND(const real, ht), OPERAND(const real, c),
                            const int rows, const int width)
{
    BEGIN_ROW(row, rows, width);
    const size_t at = (size_t)row * width + column, at_h = at + (size_t)row * width;
    vreal h, s;
    OPEN(real, y);
    OPEN(const real, ht);
    OPEN(const real, c);

    h = load_part(ht + at_h, count, 0);
    h = h < (vreal)0 ? (vreal)0 : h;
    s = sigmoid(load_part(ht + at_h + width, count, 0));
    store_part(h * s + load_part(c + at, count, 0) * (1 - s), y + at, count);
}

kernel void highway_backward(OPERAND(real, dht), OPERAND(real, dc), OPERAND(const real, dy),
                             OPERAND(const real, ht), OPERAND(const real, c), const int rows,
                             const int width, const int accumulate_ht, const int accumulate_c)
{
    BEGIN_ROW(row, rows, width);
    const size_t at = (size_t)row * width + column, at_h = at + (size_t)row * width;
    vreal h, s, d, r;
    OPEN(real, dht);
    OPEN(real, dc);
    OPEN(const real, dy);
    OPEN(const real, ht);
    OPEN(const real, c);

    h = load_part(ht + at_h, count, 0);
    s = sigmoid(load_part(ht + at_h + width, count, 0));
    d = load_part(dy + at, count, 0);
    r = h < (vreal)0 ? (vreal)0 : h;
    r -= load_part(c + at, count, 0);
    if (dht) {
        put_part(dht + at_h, h > (vreal)0 ? d * s : (vreal)0, count, accumulate_ht);
        put_part(dht + at_h + width, d * r * (s * (1 - s)), count, accumulate_ht);
    }
    if (dc)
        put_part(dc + at, d * (1 - s), count, accumulate_c);
}

/* ---- simple recurrent units ---------------------------------------------------------------- */

/* A work-item takes VEC columns through all rows of a sentence. */
kernel void ssru_forward(OPERAND(real, c), OPERAND(const real, x), OPERAND(const real, g),
                         OPERAND(const real, start), OPERAND(const int, offsets),
                         const int sentences, const int width)
{
    BEGIN_ROW(sentence, sentences, width);
    vreal cell = 0;
    OPEN(real, c);
    OPEN(const real, x);
    OPEN(const real, g);
    OPEN(const real, start);
    OPEN(const int, offsets);

    if (start)
        cell = load_part(start + (size_t)sentence * width + column, count, 0);
    for (int row = offsets[sentence]; row < offsets[sentence + 1]; row++) {
        const size_t at = (size_t)row * width + column;
        const vreal f = sigmoid(load_part(g + at, count, 0));

        cell = f * cell + (1 - f) * load_part(x + at, count, 0);
        store_part(cell, c + at, count);
    }
}

kernel void ssru_backward(OPERAND(real, dx), OPERAND(real, dg), OPERAND(real, dstart),
                          OPERAND(const real, dc), OPERAND(const real, c), OPERAND(const real, x),
                          OPERAND(const real, g), OPERAND(const real, start),
                          OPERAND(const int, offsets), const int sentences, const int width,
                          const int accumulate_x, const int accumulate_g,
                          const int accumulate_start)
{
    BEGIN_ROW(sentence, sentences, width);
    const size_t at_start = (size_t)sentence * width + column;
    vreal d = 0, first = 0;
    OPEN(real, dx);
    OPEN(real, dg);
    OPEN(real, dstart);
    OPEN(const real, dc);
    OPEN(const real, c);
    OPEN(const real, x);
    OPEN(const real, g);
    OPEN(const real, start);
    OPEN(const int, offsets);

    if (start)
        first = load_part(start + at_start, count, 0);
    for (int row = offsets[sentence + 1] - 1; row >= offsets[sentence]; row--) {
        const size_t at = (size_t)row * width + column;
        const vreal f = sigmoid(load_part(g + at, count, 0));
        vreal before = first;

        if (row > offsets[sentence])
            before = load_part(c + at - width, count, 0);
        d += load_part(dc + at, count, 0);
        if (dx)
            put_part(dx + at, d * (1 - f), count, accumulate_x);
        if (dg)
            put_part(dg + at, d * (before - load_part(x + at, count, 0)) * (f * (1 - f)), count,
                     accumulate_g);
        d *= f;
    }
    if (dstart)
        put_part(dstart + at_start, d, count, accumulate_start);
}
