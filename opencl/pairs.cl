/*
 * pairs.cl: scores of all pairs of rows of a sentence, and their gradients; small products whose
 * sizes stand in device memory. Groups (s, part) handle rows 4 part, 4 (part + parts), ... of
 * sentence s, four at a time; sums are kept in registers.
 */
#define DOWN 4 /* rows of a tile */
#if LANES == 1
#define ACROSS 4 /* columns of a tile (scores), or vectors of columns (gradients) */
#else
#define ACROSS 1
#endif

/* Up to VEC of `count` reals. A constant count of VEC leaves no test in the code. */
INLINE vreal load(global const real *p, int count)
{
    return load_part(p, count, 0);
}

/* ---- scores -------------------------------------------------------------------------------- */

/* A tile: its rows of q and of k; rows beyond the last are the last once more. */
struct tile {
    global const real *q[DOWN], *k[ACROSS];
    vreal sum[DOWN][ACROSS];
};

INLINE void add_products(struct tile *tile, int d, int count)
{
    vreal b[ACROSS];

#pragma unroll
    for (int j = 0; j < ACROSS; j++)
        b[j] = load(tile->k[j] + d, count);
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        const vreal a = load(tile->q[i] + d, count);

#pragma unroll
        for (int j = 0; j < ACROSS; j++)
            tile->sum[i][j] += a * b[j];
    }
}

/* E_ij = q_i . k_j for i from i0 and j from j0; q, k and scores are the sentence's own. */
INLINE void score_tile(global real *scores, global const real *q, global const real *k, int n,
                       int dim, int ldq, int ldk, int i0, int j0)
{
    struct tile tile;
    int d = 0;

#pragma unroll
    for (int i = 0; i < DOWN; i++)
        tile.q[i] = q + (long)min(i0 + i, n - 1) * ldq;
#pragma unroll
    for (int j = 0; j < ACROSS; j++)
        tile.k[j] = k + (long)min(j0 + j, n - 1) * ldk;
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int j = 0; j < ACROSS; j++)
            tile.sum[i][j] = 0;
    }
    for (; d + VEC <= dim; d += VEC)
        add_products(&tile, d, VEC);
    if (d < dim)
        add_products(&tile, d, dim - d);
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int j = 0; j < ACROSS; j++)
            if (i0 + i < n && j0 + j < n)
                scores[(long)(i0 + i) * n + j0 + j] = vector_sum(tile.sum[i][j]);
    }
}

kernel void pair_scores(OPERAND(real, scores), OPERAND(const real, q), OPERAND(const real, k),
                        OPERAND(const int, offsets), OPERAND(const int, squares), const int dim,
                        const int ldq, const int ldk)
{
    OPEN(real, scores);
    OPEN(const real, q);
    OPEN(const real, k);
    OPEN(const int, offsets);
    OPEN(const int, squares);
    const int s = get_group_id(0), n = offsets[s + 1] - offsets[s];
    const long first = offsets[s];

    for (int i = get_group_id(1) * DOWN; i < n; i += get_num_groups(1) * DOWN)
        for (int j = LANE * ACROSS; j < n; j += LANES * ACROSS)
            score_tile(scores + squares[s], q + first * ldq, k + first * ldk, n, dim, ldq, ldk, i,
                       j);
}

/* ---- gradients ----------------------------------------------------------------------------- */

/* One sentence's dx = E y: element (i,j) of E is weights[i down + j across]. */
struct product {
    global real *dx;
    global const real *y, *weights;
    int n, ldx, ldy, down, across, accumulate;
};

/* Rows i0 .., columns 0 .. count - 1. For whole tiles the caller passes a constant count. */
INLINE void gradient_tile(const struct product *job, int i0, int count)
{
    const int rows = min(DOWN, job->n - i0);
    vreal sum[DOWN][ACROSS];

#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int c = 0; c < ACROSS; c++)
            sum[i][c] = 0;
    }
    for (int j = 0; j < job->n; j++) {
        global const real *y = job->y + (long)j * job->ldy;
        global const real *column = job->weights + (long)j * job->across;
        vreal b[ACROSS];

#pragma unroll
        for (int c = 0; c < ACROSS; c++)
            b[c] = load(y + c * VEC, count - c * VEC);
#pragma unroll
        for (int i = 0; i < DOWN; i++) {
            const real weight = column[(long)min(i0 + i, job->n - 1) * job->down];

#pragma unroll
            for (int c = 0; c < ACROSS; c++)
                sum[i][c] += weight * b[c];
        }
    }
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        global real *dx = job->dx + (long)(i0 + i) * job->ldx;

#pragma unroll
        for (int c = 0; c < ACROSS; c++)
            if (i < rows) {
                if (job->accumulate)
                    sum[i][c] += load(dx + c * VEC, count - c * VEC);
                store_part(sum[i][c], dx + c * VEC, count - c * VEC);
            }
    }
}

/* dx_i = sum_j E_ij y_j, E the scores' gradient or, transposed, E_ji. Third direction: columns. */
kernel void pair_gradient(OPERAND(real, dx), OPERAND(const real, dscores), OPERAND(const real, y),
                          OPERAND(const int, offsets), OPERAND(const int, squares), const int dim,
                          const int ldx, const int ldy, const int transposed, const int accumulate)
{
    OPEN(real, dx);
    OPEN(const real, dscores);
    OPEN(const real, y);
    OPEN(const int, offsets);
    OPEN(const int, squares);
    const int s = get_group_id(0), n = offsets[s + 1] - offsets[s];
    const int column = ((int)get_group_id(2) * LANES + LANE) * (ACROSS * VEC);
    const long first = offsets[s];
    const struct product job = {
        dx + first * ldx + column, y + first * ldy + column, dscores + squares[s],
        n, ldx, ldy, transposed ? 1 : n, transposed ? n : 1, accumulate,
    };

    for (int i = get_group_id(1) * DOWN; i < n; i += get_num_groups(1) * DOWN)
        if (column + ACROSS * VEC <= dim)
            gradient_tile(&job, i, ACROSS * VEC);
        else if (column < dim)
            gradient_tile(&job, i, dim - column);
}
