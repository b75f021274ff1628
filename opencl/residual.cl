/*
 * residual.cl: y = x + dropout(r), and its gradient, which is the same with other operands. A
 * work-item handles tiles of rows.
 */

#include "residual.clh"

/* x is optional; y may be x or r. */
kernel void residual_forward(OPERAND(real, y), OPERAND(const real, x), OPERAND(const real, r),
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
