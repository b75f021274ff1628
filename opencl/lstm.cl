/*
 * lstm.cl: the units of an LSTM at one step, all sequences and both directions side by side, and
 * the dropout masks of sequences. src/kernel/task/lstm_list.h has the equations, src/device/lstm.h
 * the layout of what is saved; matrix products are tasks of their own. A work-item handles VEC
 * units.
 */

/* The units of a work-item, and their place in each matrix. */
struct units {
    int k;       /* the sequence, counted from the longest */
    int count;   /* units, or 0: no more work */
    long row;    /* of the batch */
    long column; /* of the matrices with 2H columns; four times that in those of gates */
};

INLINE struct units find_units(global const int *offsets, global const int *order, long t,
                               int active, int dim)
{
    const int parts = PARTS_OF(dim, VEC), item = get_global_id(0), direction = item / parts % 2;
    const int unit = item % parts * VEC;
    struct units units = { item / parts / 2, 0, 0, 0 };
    int sequence;

    if (units.k >= active)
        return units;
    sequence = order[units.k];
    units.count = min(VEC, dim - unit);
    units.row = direction == 0 ? offsets[sequence] + t : offsets[sequence + 1] - 1 - t;
    units.column = (long)direction * dim + unit;
    return units;
}

/* Where the units' first of four gates stands in a row of 8H. */
INLINE long gate_column(struct units units, int dim)
{
    return units.column < dim ? units.column : units.column + 3L * dim;
}

/* keep (S,2H): what dropout multiplies ones by, at the sentence of a sequence's first row. */
kernel void lstm_masks(OPERAND(real, keep), OPERAND(const int, offsets), OPERAND(const int, order),
                       OPERAND(const int, places), const int sequences, const int dim, DROP)
{
    const struct drop drop = DROP_MAKE;
    const int width = 2 * dim, tiles = PARTS_OF(width, TILE);
    OPEN(real, keep);
    OPEN(const int, offsets);
    OPEN(const int, order);
    OPEN(const int, places);

    FOR_ITEMS(item, sequences * tiles) {
        const int k = item / tiles, column = item % tiles * TILE;
        real factors[TILE];

        drop_tile(&drop, places[2 * offsets[order[k]]], 0, column, factors);
#pragma unroll
        for (int i = 0; i < TILE; i += VEC)
            if (column + i < width)
                store_part(VLOAD(factors + i), keep + (long)k * width + column + i,
                           width - column - i);
    }
}

/* `gates` holds keep h_{t-1} W^T, which is not read at t = 0; becomes i f g o. */
kernel void lstm_forward(OPERAND(real, y), OPERAND(const real, inputs), OPERAND(real, gates),
                         OPERAND(real, c), OPERAND(real, before), OPERAND(const real, keep),
                         OPERAND(const int, offsets), OPERAND(const int, order), const int dim,
                         const int t, const int active, const int later, const long last,
                         const long first, const long next)
{
    const long width = 2L * dim;
    struct units at;
    vreal a[4], cell, h;
    OPEN(real, y);
    OPEN(const real, inputs);
    OPEN(real, gates);
    OPEN(real, c);
    OPEN(real, before);
    OPEN(const real, keep);
    OPEN(const int, offsets);
    OPEN(const int, order);

    at = find_units(offsets, order, t, active, dim);
    if (at.count == 0)
        return;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const long column = gate_column(at, dim) + i * dim;
        global real *gate = gates + (first + at.k) * 4 * width + column;

        a[i] = load_part(inputs + at.row * 4 * width + column, at.count, 0);
        if (t > 0)
            a[i] += load_part(gate, at.count, 0);
        a[i] = i == 2 ? tanh(a[i]) : sigmoid(a[i]);
        store_part(a[i], gate, at.count);
    }
    cell = a[0] * a[2];
    if (t > 0)
        cell += a[1] * load_part(c + (last + at.k) * width + at.column, at.count, 0);
    h = a[3] * tanh(cell);
    store_part(cell, c + (first + at.k) * width + at.column, at.count);
    store_part(h, y + at.row * width + at.column, at.count);
    if (at.k >= later)
        return;
    if (keep)
        h *= load_part(keep + at.k * width + at.column, at.count, 0);
    store_part(h, before + (next + at.k) * width + at.column, at.count);
}

/* The gates' values at one unit become the gradients of the sums they came from. */
INLINE void gates_backward(vreal *a, vreal dh, vreal dc, vreal cell_before, vreal tanh_c)
{
    const vreal i = a[0], f = a[1], g = a[2], o = a[3];

    a[0] = dc * g * (i * (1 - i));
    a[1] = dc * cell_before * (f * (1 - f));
    a[2] = dc * i * (1 - g * g);
    a[3] = dh * tanh_c * (o * (1 - o));
}

/* dgates is optional; dnext and dc are not read where a sequence ends. */
kernel void lstm_backward(OPERAND(real, dgates), OPERAND(const real, dy), OPERAND(real, gates),
                          OPERAND(const real, c), OPERAND(const real, dnext), OPERAND(real, dc),
                          OPERAND(const real, keep), OPERAND(const int, offsets),
                          OPERAND(const int, order), const int accumulate, const int dim,
                          const int t, const int active, const int later, const long last,
                          const long first, const long next)
{
    const long width = 2L * dim;
    struct units at;
    vreal a[4], dh, cell = 0, through = 0, forget, tanh_c;
    long own;
    OPEN(real, dgates);
    OPEN(const real, dy);
    OPEN(real, gates);
    OPEN(const real, c);
    OPEN(const real, dnext);
    OPEN(real, dc);
    OPEN(const real, keep);
    OPEN(const int, offsets);
    OPEN(const int, order);

    at = find_units(offsets, order, t, active, dim);
    if (at.count == 0)
        return;
    own = at.k * width + at.column;
#pragma unroll
    for (int i = 0; i < 4; i++)
        a[i] = load_part(gates + (first + at.k) * 4 * width + gate_column(at, dim) + i * dim,
                         at.count, 0);
    forget = a[1];
    dh = load_part(dy + at.row * width + at.column, at.count, 0);
    if (at.k < later) {
        const vreal d = load_part(dnext + own, at.count, 0);

        dh += keep ? d * load_part(keep + own, at.count, 0) : d;
        through = load_part(dc + own, at.count, 0);
    }
    if (t > 0)
        cell = load_part(c + (last + at.k) * width + at.column, at.count, 0);
    tanh_c = tanh(load_part(c + (first + at.k) * width + at.column, at.count, 0));
    through += dh * a[3] * (1 - tanh_c * tanh_c);
    gates_backward(a, dh, through, cell, tanh_c);
    store_part(through * forget, dc + own, at.count);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const long column = gate_column(at, dim) + i * dim;
        global real *to = dgates ? dgates + at.row * 4 * width + column : dgates;

        store_part(a[i], gates + (first + at.k) * 4 * width + column, at.count);
        if (dgates && accumulate)
            a[i] += load_part(to, at.count, 0);
        if (dgates)
            store_part(a[i], to, at.count);
    }
}
