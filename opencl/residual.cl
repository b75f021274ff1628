/*
 * residual.cl: y = x + dropout(r), and its gradient, which is the same with other operands. A
 * work-item handles tiles of rows.
 */

INLINE void residual_tile(global real *y, global const real *x, global const real *r,
                          global const int *place, int column, int dim, const struct drop *drop)
{
    real factors[TILE];

    if (drop->threshold > 0)
        drop_tile(drop, place[0], place[1], column, factors);
#pragma unroll
    for (int i = 0; i < TILE; i += VEC) {
        const int count = dim - column - i;
        vreal kept;

        if (count <= 0)
            continue;
        kept = load_part(r + i, count, 0);
        if (drop->threshold > 0)
            kept = drop_apply(kept, factors + i);
        if (x)
            kept += load_part(x + i, count, 0);
        store_part(kept, y + i, count);
    }
}

/* x is optional; y may be x or r. */
kernel void residual(OPERAND(real, y), OPERAND(const real, x), OPERAND(const real, r),
                     OPERAND(const int, places), const int rows, const int dim, DROP)
{
    const struct drop drop = DROP_MAKE;
    const int tiles = PARTS_OF(dim, TILE);
    OPEN(real, y);
    OPEN(const real, x);
    OPEN(const real, r);
    OPEN(const int, places);

    FOR_ITEMS(item, rows * tiles) {
        const int row = item / tiles, column = item % tiles * TILE;
        const size_t at = (size_t)row * dim + column;

        residual_tile(y + at, x ? x + at : 0, r + at, places + 2 * row, column, dim, &drop);
    }
}
