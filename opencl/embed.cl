/*
 * embed.cl: rows of a table looked up by number, and gradients added to such rows.
 *
 * Many rows may be added to one row of the table, and always in the same order. On a processor a
 * work-item owns TILE columns and takes rows as they come. A GPU has too few columns for that: it
 * sorts the rows by their numbers (embed_sort), adds up runs of equal numbers within each BLOCK of
 * sorted rows (embed_backward), then what runs have in further blocks (embed_join).
 */
#include "packed.clh"

#define BLOCK 32 /* as in run_rows.c */

/* `add` is optional. */
ONCE void look_up(global real *y, global const real *from, global const real *add,
                  global const int *place, int column, int dim, real scale,
                  const struct drop *drop)
{
    real factors[TILE];

    if (drop->threshold > 0)
        drop_tile(drop, place[0], place[1], column, factors);
#pragma unroll
    for (int i = 0; i < TILE; i += VEC) {
        const int count = dim - column - i;
        vreal sum;

        if (count <= 0)
            continue;
        sum = scale * load_part(from + i, count, 0);
        if (add)
            sum += load_part(add + i, count, 0);
        if (drop->threshold > 0)
            sum = drop_apply(sum, factors + i);
        store_part(sum, y + i, count);
    }
}

kernel void embed_forward(OPERAND(real, y), OPERAND(const real, table), OPERAND(const int, ids),
                          OPERAND(const real, positions), OPERAND(const int, places),
                          const int rows, const int dim, const long ldy, const long ld_table,
                          const real scale, DROP, PACKING)
{
    const struct drop drop = DROP_MAKE;
    const int tiles = PARTS_OF(dim, TILE);
    OPEN_PACKING;
    OPEN(real, y);
    OPEN(const real, table);
    OPEN(const int, ids);
    OPEN(const real, positions);
    OPEN(const int, places);

    FOR_ITEMS(item, rows * tiles) {
        const int row = item / tiles, column = item % tiles * TILE;
        global const real *add =
            positions ? positions + places[2 * row + 1] * ldy + column : positions;

        look_up(y + row * ldy + column, table + ids[row] * ld_table + column, add,
                places + 2 * row, column, dim, scale, &drop);
        if (packing.way)
            pack_columns(&packing, y + row * ldy + column, row, column, min(dim - column, TILE), 0,
                         1);
    }
}

#if IS_CPU

/* dtable[ids[i]] += scale dropout(dy[i]); nothing where ids[i] < 0. */
kernel void embed_backward(OPERAND(real, dtable), OPERAND(const real, dy), OPERAND(const int, ids),
                           OPERAND(const int, places), const int rows, const int dim,
                           const long ldy, const long ld_table, const real scale, DROP)
{
    const struct drop drop = DROP_MAKE;
    const int column = (int)get_global_id(0) * TILE;
    OPEN(real, dtable);
    OPEN(const real, dy);
    OPEN(const int, ids);
    OPEN(const int, places);

    for (int row = 0; row < rows && column < dim; row++) {
        global real *to = dtable + ids[row] * ld_table + column;
        global const real *from = dy + row * ldy + column;
        real factors[TILE];

        if (ids[row] < 0)
            continue;
        if (drop.threshold > 0)
            drop_tile(&drop, places[2 * row], places[2 * row + 1], column, factors);
#pragma unroll
        for (int i = 0; i < TILE; i += VEC) {
            const int count = dim - column - i;
            vreal d;

            if (count <= 0)
                continue;
            d = load_part(from + i, count, 0);
            if (drop.threshold > 0)
                d = drop_apply(d, factors + i);
            store_part(load_part(to + i, count, 0) + scale * d, to + i, count);
        }
    }
}

#else

/*
 * sorted: the rows in the order of their numbers, equal numbers in the order of rows. A row's place
 * is how many come before it, counted over all rows: cheap beside any product of the same rows.
 */
kernel void embed_sort(OPERAND(int, sorted), OPERAND(const int, ids), const int rows)
{
    local int others[LANES];
    const int row = get_global_id(0), lane = get_local_id(0);
    int id, place = 0;
    OPEN(int, sorted);
    OPEN(const int, ids);

    id = row < rows ? ids[row] : 0;
    for (int first = 0; first < rows; first += LANES) {
        const int count = min(LANES, rows - first);

        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < count)
            others[lane] = ids[first + lane];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < count; i++)
            place += others[i] < id || (others[i] == id && first + i < row);
    }
    if (row < rows)
        sorted[place] = row;
}

/* sums (TILE) += dropout(dy) of a row at `column`. */
INLINE void add_row(vreal *sums, global const real *dy, global const int *places, int row,
                    int column, int count, const struct drop *drop)
{
    real factors[TILE];

    if (drop->threshold > 0)
        drop_tile(drop, places[2 * row], places[2 * row + 1], column, factors);
#pragma unroll
    for (int i = 0; i < TILE / VEC; i++) {
        const vreal d = load_part(dy + VEC * i, count - VEC * i, 0);

        sums[i] += drop->threshold > 0 ? drop_apply(d, factors + VEC * i) : d;
    }
}

/*
 * As above. A group takes a block of sorted rows, a work-item one tile of columns. The run that
 * began in an earlier block goes to partial (blocks, dim).
 */
kernel void embed_backward(OPERAND(real, dtable), OPERAND(const real, dy), OPERAND(const int, ids),
                           OPERAND(const int, places), const int rows, const int dim,
                           const long ldy, const long ld_table, const real scale, DROP,
                           OPERAND(const int, sorted), OPERAND(real, partial))
{
    const struct drop drop = DROP_MAKE;
    const int block = get_group_id(0), begin = block * BLOCK, end = min(rows, begin + BLOCK);
    const int column = (int)(get_group_id(1) * LANES + get_local_id(0)) * TILE;
    int at = begin;
    OPEN(real, dtable);
    OPEN(const real, dy);
    OPEN(const int, ids);
    OPEN(const int, places);
    OPEN(const int, sorted);
    OPEN(real, partial);

    while (at < end && column < dim) {
        const int id = ids[sorted[at]];
        const int is_tail = at == begin && block > 0 && ids[sorted[begin - 1]] == id;
        global real *to = (is_tail ? partial + (size_t)block * dim : dtable + id * ld_table);
        vreal sums[TILE / VEC];

#pragma unroll
        for (int i = 0; i < TILE / VEC; i++)
            sums[i] = 0;
        for (; at < end && ids[sorted[at]] == id; at++)
            if (id >= 0)
                add_row(sums, dy + sorted[at] * ldy + column, places, sorted[at], column,
                        dim - column, &drop);
#pragma unroll
        for (int i = 0; i < TILE / VEC; i++) {
            const int count = id < 0 ? 0 : dim - column - VEC * i;
            vreal sum = scale * sums[i];

            if (!is_tail)
                sum += load_part(to + column + VEC * i, count, 0);
            store_part(sum, to + column + VEC * i, count);
        }
    }
}

/* Whether a block begins with a number that the one before ends with. */
INLINE int begins_with_tail(global const int *sorted, global const int *ids, int block)
{
    return block > 0 && ids[sorted[block * BLOCK]] == ids[sorted[block * BLOCK - 1]];
}

/* The first block with a tail of a run adds up those of all. */
kernel void embed_join(OPERAND(real, dtable), OPERAND(const int, ids), const int rows,
                       const int dim, const long ld_table, OPERAND(const int, sorted),
                       OPERAND(const real, partial))
{
    const int first = get_group_id(0), blocks = (rows + BLOCK - 1) / BLOCK;
    const int column = get_group_id(1) * LANES + get_local_id(0);
    real sum = 0;
    int id;
    OPEN(real, dtable);
    OPEN(const int, ids);
    OPEN(const int, sorted);
    OPEN(const real, partial);

    id = ids[sorted[first * BLOCK]];
    if (column >= dim || id < 0 || !begins_with_tail(sorted, ids, first))
        return;
    if (ids[sorted[(first - 1) * BLOCK]] == id && begins_with_tail(sorted, ids, first - 1))
        return;
    for (int b = first; b < blocks && ids[sorted[b * BLOCK]] == id; b++)
        sum += partial[(size_t)b * dim + column];
    dtable[id * ld_table + column] += sum;
}

#endif
