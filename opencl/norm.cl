/*
 * norm.cl: layer norm, forward and backward (specification 1.5). A group handles `step` rows of
 * `dim` reals, one after the other; its LANES work-items share each row.
 */

kernel void norm_forward(OPERAND(real, y), OPERAND(real, stats), OPERAND(const real, x),
                         OPERAND(const real, gain), OPERAND(const real, bias), const long rows,
                         const int dim, const int step, const real eps)
{
    OPEN(real, y);
    OPEN(real, stats);
    OPEN(const real, x);
    OPEN(const real, gain);
    OPEN(const real, bias);
    GROUP_SCRATCH(scratch);
    const long first = (long)get_group_id(0) * step, end = min(rows, first + step);

    for (long i = first; i < end; i++) {
        global const real *row = x + i * dim;
        global real *out = y + i * dim;
        vreal sum = 0, squares = 0;
        real mean, inverse;

        EACH_VECTOR(j, dim)
            sum += load_part(row + j, dim - j, 0);
        mean = GROUP_SUM(vector_sum(sum), scratch) / dim;
        EACH_VECTOR(j, dim) {
            const vreal d = load_part(row + j, dim - j, mean) - mean;

            squares += d * d;
        }
        inverse = 1 / sqrt(GROUP_SUM(vector_sum(squares), scratch) / dim + eps);
        EACH_VECTOR(j, dim) {
            const vreal h = (load_part(row + j, dim - j, 0) - mean) * inverse;

            store_part(load_part(gain + j, dim - j, 0) * h + load_part(bias + j, dim - j, 0),
                       out + j, dim - j);
        }
        if (stats && LANE == 0) {
            stats[2 * i] = mean;
            stats[2 * i + 1] = inverse;
        }
    }
}

/*
 * With u = gain dy and h = (x - mean) / sqrt(var + eps):
 * dx = (u - mean(u) - h mean(u h)) / sqrt(var + eps). The group's sums of dy h (dim) and of dy
 * (dim) go to row `group` of partial; each work-item touches its own columns alone.
 */
kernel void norm_backward(OPERAND(real, dx), OPERAND(real, partial), OPERAND(const real, dy),
                          OPERAND(const real, x), OPERAND(const real, stats),
                          OPERAND(const real, gain), const long rows, const int dim,
                          const int step, const int accumulate)
{
    OPEN(real, dx);
    OPEN(real, partial);
    OPEN(const real, dy);
    OPEN(const real, x);
    OPEN(const real, stats);
    OPEN(const real, gain);
    GROUP_SCRATCH(scratch);
    const long first = (long)get_group_id(0) * step, end = min(rows, first + step);
    global real *dgain = partial + (long)get_group_id(0) * 2 * dim, *dbias = dgain + dim;

    for (long i = first; i < end; i++) {
        global const real *row = x + i * dim, *up = dy + i * dim;
        global real *out = dx + i * dim;
        const real mean = stats[2 * i], inverse = stats[2 * i + 1];
        vreal sum_u = 0, sum_uh = 0;
        real mean_u, mean_uh;

        EACH_VECTOR(j, dim) {
            const int count = dim - j;
            const vreal d = load_part(up + j, count, 0);
            const vreal h = (load_part(row + j, count, 0) - mean) * inverse;
            const vreal u = load_part(gain + j, count, 0) * d;
            vreal dg = d * h, db = d;

            sum_u += u;
            sum_uh += u * h;
            if (i > first) {
                dg += load_part(dgain + j, count, 0);
                db += load_part(dbias + j, count, 0);
            }
            store_part(dg, dgain + j, count);
            store_part(db, dbias + j, count);
        }
        mean_u = GROUP_SUM(vector_sum(sum_u), scratch) / dim;
        mean_uh = GROUP_SUM(vector_sum(sum_uh), scratch) / dim;
        EACH_VECTOR(j, dim) {
            const int count = dim - j;
            const vreal h = (load_part(row + j, count, 0) - mean) * inverse;
            const vreal u = load_part(gain + j, count, 0) * load_part(up + j, count, 0);
            vreal d = (u - mean_u - h * mean_uh) * inverse;

            if (accumulate)
                d += load_part(out + j, count, 0);
            store_part(d, out + j, count);
        }
    }
}
