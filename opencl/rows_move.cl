/*
 * rows_move.cl: rows copied by number, and blocks of columns moved between matrices. A work-item
 * handles strips of rows.
 */

/* A strip of a row of y, of which `count` columns are left; zeros where `from` is NULL. */
ONCE void copy_strip(global real *y, global const real *from, const int count)
{
#pragma unroll
    for (int i = 0; i < STRIP; i += VEC) {
        if (i < count && !from)
            store_part(0, y + i, count - i);
        else if (i < count)
            store_part(load_part(from + i, count - i, 0), y + i, count - i);
    }
}

/* y[i] = x[index[i]]; zeros where index[i] < 0. */
kernel void copy_rows(OPERAND(real, y), OPERAND(const real, x), OPERAND(const int, index),
                      const int rows, const int dim, const long ldy, const long ldx)
{
    const int strips = PARTS_OF(dim, STRIP);
    OPEN(real, y);
    OPEN(const real, x);
    OPEN(const int, index);

    FOR_ITEMS(item, rows * strips) {
        const int row = item / strips, column = item % strips * STRIP, from = index[row];

        copy_strip(y + row * ldy + column, from < 0 ? 0 : x + from * ldx + column, dim - column);
    }
}

/* y[row ldy + g step_y + c] = x[row ldx + g step_x + c], c < width; added if accumulate. */
kernel void copy_columns(OPERAND(real, y), OPERAND(const real, x), const int rows, const int groups,
                         const int width, const long ldy, const long ldx, const long step_y,
                         const long step_x, const int accumulate)
{
    const int strips = PARTS_OF(width, STRIP);
    OPEN(real, y);
    OPEN(const real, x);

    FOR_ITEMS(item, rows * groups * strips) {
        const int block = item / strips, column = item % strips * STRIP;
        const int row = block / groups, group = block % groups;
        global real *to = y + row * ldy + group * step_y + column;
        global const real *from = x + row * ldx + group * step_x + column;

#pragma unroll
        for (int i = 0; i < STRIP; i += VEC) {
            const int count = width - column - i;
            vreal v;

            if (count <= 0)
                continue;
            v = load_part(from + i, count, 0);
            if (accumulate)
                v += load_part(to + i, count, 0);
            store_part(v, to + i, count);
        }
    }
}
