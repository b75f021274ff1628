/*
 * norm.cl: layer norm, forward and backward (specification 1.5). A group handles `step` rows of
 * `dim` reals, one after the other; its LANES work-items share each row.
 *
 * A row is handled by an inline function with a constant `ragged`: 0 where dim is a multiple of
 * VEC. So a processor reads the usual widths in whole vectors, and tests nothing. These functions
 * contain barriers where work-items share rows; there no branch may stand around a call.
 */

INLINE vreal load(global const real *p, int count, int ragged)
{
    return ragged ? load_part(p, count, 0) : VLOAD(p);
}

INLINE void store(vreal v, global real *p, int count, int ragged)
{
    if (ragged)
        store_part(v, p, count);
    else
        VSTORE(v, p);
}

/* ---- forward ------------------------------------------------------------------------------- */

struct norm {
    global const real *gain, *bias;
    int dim;
    real eps;
};

/* y = gain (x - mean) / sqrt(var + eps) + bias for one row; mean and 1 / sqrt to stats. */
INLINE void norm_row(const struct norm *norm, global real *y, global const real *x,
                     global real *stats, local real *scratch, const int ragged)
{
    const int dim = norm->dim;
    vreal sum = 0, squares = 0;
    real mean, inverse;

    EACH_VECTOR(j, dim)
        sum += load(x + j, dim - j, ragged);
    mean = GROUP_SUM(vector_sum(sum), scratch) / dim;
    EACH_VECTOR(j, dim) {
        const vreal d = (ragged ? load_part(x + j, dim - j, mean) : VLOAD(x + j)) - mean;

        squares += d * d;
    }
    inverse = 1 / sqrt(GROUP_SUM(vector_sum(squares), scratch) / dim + norm->eps);
    EACH_VECTOR(j, dim) {
        const vreal h = (load(x + j, dim - j, ragged) - mean) * inverse;

        store(load(norm->gain + j, dim - j, ragged) * h + load(norm->bias + j, dim - j, ragged),
              y + j, dim - j, ragged);
    }
    if (stats && LANE == 0) {
        stats[0] = mean;
        stats[1] = inverse;
    }
}

kernel void norm_forward(OPERAND(real, y), OPERAND(real, stats), OPERAND(const real, x),
                         OPERAND(const real, gain), OPERAND(const real, bias), const long rows,
                         const int dim, const real eps, const int step)
{
    OPEN(real, y);
    OPEN(real, stats);
    OPEN(const real, x);
    OPEN(const real, gain);
    OPEN(const real, bias);
    GROUP_SCRATCH(scratch);
    const long first = (long)get_group_id(0) * step, end = min(rows, first + step);
    const struct norm norm = { gain, bias, dim, eps };

    for (long i = first; i < end; i++) {
        global real *kept = stats ? stats + 2 * i : 0;

#if LANES == 1
        if (dim % VEC == 0)
            norm_row(&norm, y + i * dim, x + i * dim, kept, 0, 0);
        else
#endif
            norm_row(&norm, y + i * dim, x + i * dim, kept, SCRATCH, VEC > 1);
    }
}

/* ---- backward ------------------------------------------------------------------------------ */

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

/* Sums of dy h (dim) and of dy (dim) go to row `group` of partial. */
kernel void norm_backward(OPERAND(real, dx), OPERAND(real, partial), OPERAND(const real, dy),
                          OPERAND(const real, x), OPERAND(const real, stats),
                          OPERAND(const real, gain), const long rows, const int dim, const int step,
                          const int accumulate)
{
    OPEN(real, dx);
    OPEN(real, partial);
    OPEN(const real, dy);
    OPEN(const real, x);
    OPEN(const real, stats);
    OPEN(const real, gain);
    GROUP_SCRATCH(scratch);
    const long first = (long)get_group_id(0) * step, end = min(rows, first + step);
    global real *sums = partial + (long)get_group_id(0) * 2 * dim;
    struct norm_grad row = { 0, sums, sums + dim, 0, 0, gain, 0, 0, dim, accumulate };

    for (long i = first; i < end; i++) {
        row.dx = dx + i * dim;
        row.dy = dy + i * dim;
        row.x = x + i * dim;
        row.mean = stats[2 * i];
        row.inverse = stats[2 * i + 1];
#if LANES == 1
        if (dim % VEC == 0 && i == first)
            norm_grad_row(&row, 1, 0, 0);
        else if (dim % VEC == 0)
            norm_grad_row(&row, 0, 0, 0);
        else
#endif
            norm_grad_row(&row, i == first, SCRATCH, VEC > 1);
    }
}
