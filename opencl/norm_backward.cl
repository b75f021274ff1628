/*
 * norm_backward.cl: the backward pass of layer norm, alone and with that of the residual connection
 * in front of it.
 */
#include "norm.clh"

/* One row: dx, dy and x as in task.h; dgain and dbias are the group's sums. */
struct norm_grad {
    global real *dx, *dgain, *dbias;
    global const real *dy, *x, *gain;
    real mean, inverse;
    int dim, accumulate;
};

/*
 * With u = gain dy and h = (x - mean) / sqrt(var + eps):
 * dx = (u - mean(u) - h mean(u h)) / sqrt(var + eps). dy h and dy are added to the group's sums, or
 * begin them; each work-item touches its own columns alone.
 */
INLINE void norm_grad_row(const struct norm_grad *row, int begins, local real *scratch,
                          const int ragged)
{
    const int dim = row->dim;
    vreal sum_u = 0, sum_uh = 0;
    real mean_u, mean_uh;

    EACH_VECTOR(j, dim) {
        const int count = dim - j;
        const vreal d = load(row->dy + j, count, ragged);
        const vreal h = (load(row->x + j, count, ragged) - row->mean) * row->inverse;
        const vreal u = load(row->gain + j, count, ragged) * d;
        const vreal dgain = begins ? (vreal)0 : load(row->dgain + j, count, ragged);
        const vreal dbias = begins ? (vreal)0 : load(row->dbias + j, count, ragged);

        sum_u += u;
        sum_uh += u * h;
        store(dgain + d * h, row->dgain + j, count, ragged);
        store(dbias + d, row->dbias + j, count, ragged);
    }
    mean_u = GROUP_SUM(vector_sum(sum_u), scratch) / dim;
    mean_uh = GROUP_SUM(vector_sum(sum_uh), scratch) / dim;
    EACH_VECTOR(j, dim) {
        const int count = dim - j;
        const vreal h = (load(row->x + j, count, ragged) - row->mean) * row->inverse;
        const vreal u = load(row->gain + j, count, ragged) * load(row->dy + j, count, ragged);
        vreal d = (u - mean_u - h * mean_uh) * row->inverse;

        if (row->accumulate)
            d += load(row->dx + j, count, ragged);
        store(d, row->dx + j, count, ragged);
    }
}

/* Row i of a group that begins with row `first`. */
ONCE void norm_grad_any(const struct norm_grad *row, int begins, local real *scratch)
{
#if LANES == 1
    if (row->dim % VEC == 0 && begins)
        norm_grad_row(row, 1, 0, 0);
    else if (row->dim % VEC == 0)
        norm_grad_row(row, 0, 0, 0);
    else
#endif
        norm_grad_row(row, begins, scratch, VEC > 1);
}

/*
 * What row blocks (blocks,2 dim) of a norm left in partial: dgain and dbias += the sums of their
 * columns. Groups 0 .. 2 SUM_GROUPS(dim) - 1 do it, the first half of them dgain; others do none.
 * A work-item adds up a share of the rows of VEC columns, in order; the shares are added in order,
 * too. (A branch around the barriers instead: PoCL 3.1 makes other sums of it.)
 */
struct norm_sums {
    global real *dgain, *dbias;
    global const real *partial;
    int blocks, dim;
};

#define SUM_COLUMNS (LANES < 8 ? LANES : 8)
#define SUM_GROUPS(dim) PARTS_OF(dim, SUM_COLUMNS *VEC)
#define SHARES (LANES / SUM_COLUMNS)

ONCE void add_blocks(const struct norm_sums *sums, int group, local real *scratch)
{
    const int dim = sums->dim, across = max(SUM_GROUPS(dim), 1);
    const int is_bias = group >= across, part = (group - is_bias * across) * SUM_COLUMNS;
    const int column = group < 0 ? dim : (part + LANE % SUM_COLUMNS) * VEC;
    const int rows = PARTS_OF(sums->blocks, SHARES), first = LANE / SUM_COLUMNS * rows;
    const int end = column < dim ? min(sums->blocks, first + rows) : 0;
    global const real *from = sums->partial + is_bias * dim + column;
    global real *to = is_bias ? sums->dbias : sums->dgain;
    vreal sum = (vreal)0;

#pragma unroll 8
    for (int i = first; i < end; i++)
        sum += load_part(from + (long)i * 2 * dim, dim - column, 0);
#if LANES > 1
    scratch[LANE] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < SHARES && LANE < SUM_COLUMNS; i++)
        sum += scratch[i * SUM_COLUMNS + LANE];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (to && LANE < SUM_COLUMNS && column < dim)
        put_part(to + column, sum, dim - column, 1);
}

/* Groups behind those of the rows, `blocks`, do this for a norm whose backward pass came before; or
 * there are no others. */
#define BEFORE                                                                              \
    OPERAND(real, old_dgain), OPERAND(real, old_dbias), OPERAND(const real, old_partial),   \
        const int old_blocks, const int old_dim, const int blocks
#define OPEN_BEFORE                                                                         \
    OPEN(real, old_dgain);                                                                  \
    OPEN(real, old_dbias);                                                                  \
    OPEN(const real, old_partial);                                                          \
    const struct norm_sums old = { old_dgain, old_dbias, old_partial, old_blocks, old_dim }; \
    const int old_group = (int)get_group_id(0) - blocks

/* Sums of dy h (dim) and of dy (dim) go to row `group` of partial. */
kernel void norm_backward(OPERAND(real, dx), OPERAND(real, partial), OPERAND(const real, dy),
                          OPERAND(const real, x), OPERAND(const real, stats),
                          OPERAND(const real, gain), const long rows, const int dim, const int step,
                          const int accumulate, BEFORE)
{
    OPEN(real, dx);
    OPEN(real, partial);
    OPEN(const real, dy);
    OPEN(const real, x);
    OPEN(const real, stats);
    OPEN(const real, gain);
    OPEN_BEFORE;
    GROUP_SCRATCH(scratch);
    const long first = (long)get_group_id(0) * step, end = min(rows, first + step);
    global real *sums = partial + (long)get_group_id(0) * 2 * dim;
    struct norm_grad row = { 0, sums, sums + dim, 0, 0, gain, 0, 0, dim, accumulate };

    add_blocks(&old, old_group, SCRATCH);
    for (long i = first; i < end; i++) {
        row.dx = dx + i * dim;
        row.dy = dy + i * dim;
        row.x = x + i * dim;
        row.mean = stats[2 * i];
        row.inverse = stats[2 * i + 1];
        norm_grad_any(&row, i == first, SCRATCH);
    }
}

/* The same, and dr = dropout(dx). */
kernel void residual_norm_backward(OPERAND(real, dx), OPERAND(real, dr), OPERAND(real, partial),
                                   OPERAND(const real, dy), OPERAND(const real, x),
                                   OPERAND(const real, stats), OPERAND(const real, gain),
                                   OPERAND(const int, places), const int rows, const int dim,
                                   DROP, const int step, const int accumulate, BEFORE)
{
    OPEN(real, dx);
    OPEN(real, dr);
    OPEN(real, partial);
    OPEN(const real, dy);
    OPEN(const real, x);
    OPEN(const real, stats);
    OPEN(const real, gain);
    OPEN(const int, places);
    OPEN_BEFORE;
    GROUP_SCRATCH(scratch);
    const struct drop drop = DROP_MAKE;
    const int first = (int)get_group_id(0) * step, end = min(rows, first + step);
    global real *sums = partial + (long)get_group_id(0) * 2 * dim;
    struct norm_grad row = { 0, sums, sums + dim, 0, 0, gain, 0, 0, dim, accumulate };

    add_blocks(&old, old_group, SCRATCH);
    for (int i = first; i < end; i++) {
        const long at = (long)i * dim;

        row.dx = dx + at;
        row.dy = dy + at;
        row.x = x + at;
        row.mean = stats[2 * i];
        row.inverse = stats[2 * i + 1];
        norm_grad_any(&row, i == first, SCRATCH);
        SHARE_ROW;
        residual_row(dr + at, 0, dx + at, places + 2 * i, dim, &drop);
    }
}
