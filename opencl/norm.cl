/*
 * norm.cl: the forward pass of layer norm (specification 1.5), alone and with the residual
 * connection in front of it. The backward pass is a program of its own: a translation needs none.
 */
#include "norm.clh"
#include "packed.clh"

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

ONCE void norm_any(const struct norm *norm, global real *y, global const real *x,
                   global real *stats, local real *scratch)
{
#if LANES == 1
    if (norm->dim % VEC == 0)
        norm_row(norm, y, x, stats, 0, 0);
    else
#endif
        norm_row(norm, y, x, stats, scratch, VEC > 1);
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

        norm_any(&norm, y + i * dim, x + i * dim, kept, SCRATCH);
    }
}

/* Each work-item packs what it has stored itself: no barrier stands in between. */
INLINE void pack_own(const struct packing *packing, global const real *y, const int row,
                     const int dim)
{
    EACH_VECTOR(j, dim)
        for (int i = j; i < min(j + VEC, dim); i++)
            pack_one(packing, y[i], row, i);
}

/* h = x + dropout(r), and the norm of h, which is packed, too. */
kernel void residual_norm_forward(OPERAND(real, y), OPERAND(real, stats), OPERAND(real, h),
                                  OPERAND(const real, x), OPERAND(const real, r),
                                  OPERAND(const real, gain), OPERAND(const real, bias),
                                  OPERAND(const int, places), const int rows, const int dim,
                                  const real eps, DROP, const int step, PACKING)
{
    OPEN_PACKING;
    OPEN(real, y);
    OPEN(real, stats);
    OPEN(real, h);
    OPEN(const real, x);
    OPEN(const real, r);
    OPEN(const real, gain);
    OPEN(const real, bias);
    OPEN(const int, places);
    GROUP_SCRATCH(scratch);
    const struct drop drop = DROP_MAKE;
    const int first = (int)get_group_id(0) * step, end = min(rows, first + step);
    const struct norm norm = { gain, bias, dim, eps };

    for (int i = first; i < end; i++) {
        const long at = (long)i * dim;
        global real *kept = stats ? stats + 2 * i : 0;

        residual_row(h + at, x ? x + at : 0, r + at, places + 2 * i, dim, &drop);
        SHARE_ROW;
        norm_any(&norm, y + at, h + at, kept, SCRATCH);
        if (packing.way)
            pack_own(&packing, y + at, i, dim);
    }
}
