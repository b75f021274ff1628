/*
 * residual.cl: y = x + dropout(r), and its gradient, which is the same with other operands. A
 * work-item handles TILE columns of a row.
 */

/* x is optional; y may be x or r. */
kernel void residual(OPERAND(real, y), OPERAND(const real, x), OPERAND(const real, r),
                     OPERAND(const int, places), const int rows, const int dim, DROP)
{
    const struct drop drop = DROP_MAKE;
    const int tiles = (dim + TILE - 1) / TILE, item = get_global_id(0);
    const int row = item / tiles, column = item % tiles * TILE;
    const size_t at = (size_t)row * dim + column;
    real factors[TILE];
    OPEN(real, y);
    OPEN(const real, x);
    OPEN(const real, r);
    OPEN(const int, places);

    if (row >= rows)
        return;
    if (drop.threshold > 0)
        drop_tile(&drop, places[2 * row], places[2 * row + 1], column, factors);
#pragma unroll
    for (int i = 0; i < TILE; i += VEC) {
        const int count = dim - column - i;
        vreal kept;

        if (count <= 0)
            continue;
        kept = load_part(r + at + i, count, 0);
        if (drop.threshold > 0)
            kept = drop_apply(kept, factors + i);
        if (x)
            kept += load_part(x + at + i, count, 0);
        store_part(kept, y + at + i, count);
    }
}
