/*
 * gemm_cpu.cl: the matrix product on processors: tiles of 12 rows and 2 vectors in registers.
 *
 * A work-item is alone in its group and walks over tiles as a thread of the CPU backend does
 * (src/kernel/gemm.h); it performs the very same operations on each element of C: for each block
 * of 256 steps s = a b + s, step by step, then c = alpha s + beta c or c + alpha s, at the end
 * + bias and relu. The way through the kernels, chosen by shape in gemm_cpu.c, thus never shows in
 * a result. Products of many rows read op(b) from panels that gemm_cpu_pack has copied, others
 * copy the panels that they need, into local memory, which on a processor is a piece of its cache.
 */
#include "prefetch.clh"

#ifndef ROWS
#define ROWS 12 /* of a tile where C has many: 4, 8 or 12 (gemm/tune/tuning_list.h) */
#endif
#define MOST_ROWS 12
#define COLS 32
#define STEPS 256 /* in a block of the sum */

#define ALONE __attribute__((reqd_work_group_size(1, 1, 1)))

/* ---- from sums to C ------------------------------------------------------------------------ */

/* A tile of C, and what becomes of the sums of one block. */
struct target {
    global real *c;
    long ldc;
    int rows, cols;
    real alpha, beta;        /* beta 0: c is not read */
    global const real *bias; /* of the tile's first column, or NULL */
    int relu;
    int ask; /* rows of op(a), from this tile's on, that are to be asked for */
};

/*
 * Without bias, -0 is added, which changes nothing, not even a -0; without relu nothing is below
 * `least`.
 */
#define FINISH(sum, old, bias_, at)                        \
    do {                                                   \
        const float16 x = fma(alpha, sum, old) + bias_;    \
                                                           \
        vstore16(select(x, (float16)0, x < least), 0, at); \
    } while (0)

/* A tile at an edge of C. */
ONCE void finish_part(const struct target *to, const real *sums)
{
    const float16 alpha = to->alpha, none = -0.0f, least = to->relu ? 0 : -INFINITY;
    global real *c = to->c;

    for (int i = 0; i < to->rows; i++, c += to->ldc, sums += COLS) {
        for (int j = 0; j + 16 <= to->cols; j += 16) {
            const float16 old = to->beta == 0 ? 0 : to->beta * vload16(0, c + j);

            FINISH(vload16(0, sums + j), old, (to->bias ? vload16(0, to->bias + j) : none), c + j);
        }
        for (int j = to->cols & ~15; j < to->cols; j++) {
            real x = fma(to->alpha, sums[j], to->beta == 0 ? 0 : to->beta * c[j]);

            if (to->bias)
                x += to->bias[j];
            c[j] = to->relu && x < 0 ? 0 : x;
        }
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

#define SOON 12      /* steps of op(b) */
#define FAR 32       /* steps of op(a) */
#define STEPS_OF_C 8 /* between one row of C that is asked for and the next */

/* The rows of C that belong to steps t .. t + 15; none of them need be there. */
INLINE void ask_for_c(const struct target *to, const int t)
{
#pragma unroll
    for (int i = 0; i < CACHE_LINE / STEPS_OF_C; i++) {
        global const real *const c = to->c + (t / STEPS_OF_C + i) * to->ldc;

        PREFETCH_WRITE(c + COLS / 2 - 1);
        PREFETCH_WRITE(c + COLS - 1);
    }
}

/* The next lines of op(a). Where its rows are columns in memory, the first tile of a block asks for
 * all of the block's, as they lie. */
INLINE void ask_for_a(global const real *a, const long row, const long step, const int ask)
{
    if (row == 1)
        for (int t = FAR; t < FAR + CACHE_LINE; t++)
            for (int i = 0; i < ask; i += CACHE_LINE)
                PREFETCH(a + t * step + i);
    else
#pragma unroll
        for (int i = 0; i < MOST_ROWS; i++)
            PREFETCH(a + FAR * step + i * row);
}

/* What a tile asks for each 16 steps, and at each step. */
INLINE void ask_of_lies(const struct target *to, global const real *a, const long row,
                        const long step, const int t)
{
    if (to->ask > 0)
        ask_for_a(a, row, step, to->ask);
    ask_for_c(to, t);
}

INLINE void ask_of_shared(const struct target *to, local const real *a, const long row,
                          const long step, const int t)
{
    (void)a, (void)row, (void)step;
    ask_for_c(to, t);
}

/* Operands that were just copied: their cache has them. */
INLINE void ask_of_own(const struct target *to, local const real *a, const long row,
                       const long step, const int t)
{
    (void)to, (void)a, (void)row, (void)step, (void)t;
}

INLINE void soon_global(global const real *b)
{
    PREFETCH_SOON(b + SOON * COLS);
    PREFETCH_SOON(b + SOON * COLS + CACHE_LINE);
}

INLINE void soon_local(local const real *b)
{
    (void)b;
}

/* Kept apart, each is a register, and rows between them are factors of an address: PoCL 3.1 would
 * make eleven additions, one behind the other, which cost a tenth of the time. */
INLINE void advance_global(global const real *from[4], const long step)
{
    from[0] += step, from[1] += step, from[2] += step, from[3] += step;
    APART(from[0]);
    APART(from[1]);
    APART(from[2]);
    APART(from[3]);
}

INLINE void advance_local(local const real *from[4], const long step)
{
    from[0] += step, from[1] += step, from[2] += step, from[3] += step;
}

/* Rows are written out: sums in an array whose index is a variable would lie in memory. */
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

#define CLEAR_ROW(i) left[i] = right[i] = 0;
#define STEP_ROW(i)                                          \
    if (i < rows) {                                          \
        const float16 x = (float16)from[i / 3][i % 3 * row]; \
                                                             \
        left[i] = fma(x, b0, left[i]);                       \
        right[i] = fma(x, b1, right[i]);                     \
    }
#define KEEP_ROW(i)                          \
    if (i < rows) {                          \
        vstore16(left[i], 2 * i, sums);      \
        vstore16(right[i], 2 * i + 1, sums); \
    }
#define SET_ROW(i)                                             \
    if (i < rows) {                                            \
        FINISH(left[i], (float16)0, bias0, c + i * ldc);       \
        FINISH(right[i], (float16)0, bias1, c + i * ldc + 16); \
    }
#define ADD_ROW(i)                                                                \
    if (i < rows) {                                                               \
        FINISH(left[i], beta *vload16(0, c + i * ldc), bias0, c + i * ldc);       \
        FINISH(right[i], beta *vload16(1, c + i * ldc), bias1, c + i * ldc + 16); \
    }

/*
 * One block of a tile of up to `rows` rows, a constant: element (i,t) of op(a) is
 * a[i row + t step], element (t,j) of op(b) is b[t 32 + j].
 */
#define DEFINE_TILE(name, A_SPACE, B_SPACE)                                                 \
    INLINE void tile_##name(const struct target *to, const int rows, A_SPACE const real *a, \
                            const long row, const long step, B_SPACE const real *b,         \
                            const int steps)                                                \
    {                                                                                       \
        const float16 alpha = to->alpha, none = -0.0f, least = to->relu ? 0 : -INFINITY;    \
        A_SPACE const real *from[4] = { a, a + 3 * row, a + 6 * row, a + 9 * row };         \
        float16 left[MOST_ROWS], right[MOST_ROWS];                                          \
                                                                                            \
        EACH_ROW(CLEAR_ROW)                                                                 \
        for (int t = 0; t < steps;) {                                                       \
            const int end = min(t + CACHE_LINE, steps);                                     \
                                                                                            \
            ask_of_##name(to, from[0], row, step, t);                                       \
            for (; t < end; t++, b += COLS) {                                               \
                const float16 b0 = vload16(0, b), b1 = vload16(1, b);                       \
                                                                                            \
                soon_##B_SPACE(b);                                                          \
                EACH_ROW(STEP_ROW)                                                          \
                advance_##A_SPACE(from, step);                                              \
            }                                                                               \
        }                                                                                   \
        if (to->rows < rows || to->cols < COLS) {                                           \
            real sums[MOST_ROWS * COLS];                                                    \
                                                                                            \
            EACH_ROW(KEEP_ROW)                                                              \
            finish_part(to, sums);                                                          \
        } else {                                                                            \
            const float16 bias0 = to->bias ? vload16(0, to->bias) : none;                   \
            const float16 bias1 = to->bias ? vload16(1, to->bias) : none;                   \
            const real beta = to->beta;                                                     \
            const long ldc = to->ldc;                                                       \
            global real *const c = to->c;                                                   \
                                                                                            \
            if (beta == 0) {                                                                \
                EACH_ROW(SET_ROW)                                                           \
            } else {                                                                        \
                EACH_ROW(ADD_ROW)                                                           \
            }                                                                               \
        }                                                                                   \
    }

DEFINE_TILE(lies, global, global)
DEFINE_TILE(shared, local, global)
DEFINE_TILE(own, local, local)

/* The tiles that kernels call. */
ONCE void tile_of_rows(const struct target *to, global const real *a, const long row,
                       const long step, global const real *b, const int steps)
{
    tile_lies(to, ROWS, a, row, step, b, steps);
}

ONCE void tile_of_packed_rows(const struct target *to, local const real *a, global const real *b,
                              const int steps)
{
    tile_shared(to, ROWS, a, 1, ROWS, b, steps);
}

ONCE void tile_of_4(const struct target *to, local const real *a, local const real *b,
                    const int steps)
{
    tile_own(to, 4, a, 1, 4, b, steps);
}

ONCE void tile_of_8(const struct target *to, local const real *a, local const real *b,
                    const int steps)
{
    tile_own(to, 8, a, 1, 8, b, steps);
}

ONCE void tile_of_12(const struct target *to, local const real *a, local const real *b,
                     const int steps)
{
    tile_own(to, 12, a, 1, 12, b, steps);
}

/* ---- copying ------------------------------------------------------------------------------- */

/* Steps t .. t + 3 of 16 columns of a transposed matrix, four columns to each quarter. */
struct columns {
    float16 step[4];
};

INLINE float16 quarters(global const real *from, const long ld)
{
    return (float16)(vload4(0, from), vload4(0, from + 4 * ld), vload4(0, from + 8 * ld),
                     vload4(0, from + 12 * ld));
}

INLINE float16 low_pairs(const float16 x, const float16 y)
{
    return (float16)(x.s0, y.s0, x.s1, y.s1, x.s4, y.s4, x.s5, y.s5, x.s8, y.s8, x.s9, y.s9, x.sc,
                     y.sc, x.sd, y.sd);
}

INLINE float16 high_pairs(const float16 x, const float16 y)
{
    return (float16)(x.s2, y.s2, x.s3, y.s3, x.s6, y.s6, x.s7, y.s7, x.sa, y.sa, x.sb, y.sb, x.se,
                     y.se, x.sf, y.sf);
}

INLINE float16 low_halves(const float16 x, const float16 y)
{
    return (float16)(x.s01, y.s01, x.s45, y.s45, x.s89, y.s89, x.scd, y.scd);
}

INLINE float16 high_halves(const float16 x, const float16 y)
{
    return (float16)(x.s23, y.s23, x.s67, y.s67, x.sab, y.sab, x.sef, y.sef);
}

INLINE struct columns load_columns(global const real *from, const long ld)
{
    const float16 a = quarters(from, ld), b = quarters(from + ld, ld);
    const float16 c = quarters(from + 2 * ld, ld), d = quarters(from + 3 * ld, ld);
    const float16 ab = low_pairs(a, b), AB = high_pairs(a, b);
    const float16 cd = low_pairs(c, d), CD = high_pairs(c, d);
    struct columns columns;

    columns.step[0] = low_halves(ab, cd);
    columns.step[1] = high_halves(ab, cd);
    columns.step[2] = low_halves(AB, CD);
    columns.step[3] = high_halves(AB, CD);
    return columns;
}

/*
 * Panels of op(b): to[t 32 + j]; columns from `cols` to 32 are zero. `copy_rows` takes a matrix
 * (steps, cols), `transpose` a matrix (cols, steps); the latter asks for what will be needed next,
 * which lies `ahead` (or is NULL) as the matrix does: in 32 pieces, where no hardware foresees it.
 */
#define DEFINE_PANEL(name, SPACE)                                                             \
    INLINE void copy_rows_##name(SPACE real *to, global const real *from, const long ld,      \
                                 const int steps, const int cols)                             \
    {                                                                                         \
        for (int t = 0; t < steps; t++, to += COLS, from += ld) {                             \
            if (cols == COLS) {                                                               \
                vstore16(vload16(0, from), 0, to);                                            \
                vstore16(vload16(1, from), 1, to);                                            \
                continue;                                                                     \
            }                                                                                 \
            for (int j = 0; j < COLS; j++)                                                    \
                to[j] = j < cols ? from[j] : 0;                                               \
        }                                                                                     \
    }                                                                                         \
                                                                                              \
    INLINE void transpose_part_##name(SPACE real *to, global const real *from, const long ld, \
                                      const int steps, const int cols)                        \
    {                                                                                         \
        for (int j = 0; j < 16; j++)                                                          \
            for (int t = 0; t < steps; t++)                                                   \
                to[t * COLS + j] = j < cols ? from[j * ld + t] : 0;                           \
    }                                                                                         \
                                                                                              \
    ONCE void transpose_##name(SPACE real *to, global const real *from, const long ld,        \
                               const int steps, const int cols, global const real *ahead)     \
    {                                                                                         \
        for (int j = 0; j < COLS; j += 16) {                                                  \
            const int whole = cols - j >= 16 ? steps / 4 * 4 : 0;                             \
                                                                                              \
            for (int t = 0; t < whole; t += 4) {                                              \
                const struct columns columns = load_columns(from + j * ld + t, ld);           \
                                                                                              \
                if (ahead && t % 16 == 0)                                                     \
                    for (int i = 0; i < 16; i++)                                              \
                        PREFETCH(ahead + (j + i) * ld + t);                                   \
                                                                                              \
                vstore16(columns.step[0], 0, to + t * COLS + j);                              \
                vstore16(columns.step[1], 2, to + t * COLS + j);                              \
                vstore16(columns.step[2], 4, to + t * COLS + j);                              \
                vstore16(columns.step[3], 6, to + t * COLS + j);                              \
            }                                                                                 \
            if (whole < steps)                                                                \
                transpose_part_##name(to + whole * COLS + j, from + j * ld + whole, ld,       \
                                      steps - whole, cols - j);                               \
        }                                                                                     \
    }

DEFINE_PANEL(global, global)
DEFINE_PANEL(local, local)

/* op(a): element (i,t) is p[i row + t step]; one of the two is 1. */
struct source {
    global const real *p;
    long row, step;
};

/* Four steps of four rows whose steps are neighbours: to[t width + i]; `rows` of them exist. */
INLINE void pack_square(local real *to, const int width, global const real *a, const long row,
                        const int rows)
{
    const float4 x = vload4(0, a), y = vload4(0, a + min(1, rows - 1) * row);
    const float4 z = vload4(0, a + min(2, rows - 1) * row);
    const float4 w = vload4(0, a + min(3, rows - 1) * row);
    const float4 xy = (float4)(x.s0, y.s0, x.s1, y.s1), XY = (float4)(x.s2, y.s2, x.s3, y.s3);
    const float4 zw = (float4)(z.s0, w.s0, z.s1, w.s1), ZW = (float4)(z.s2, w.s2, z.s3, w.s3);

    vstore4((float4)(xy.lo, zw.lo), 0, to);
    vstore4((float4)(xy.hi, zw.hi), 0, to + width);
    vstore4((float4)(XY.lo, ZW.lo), 0, to + 2 * width);
    vstore4((float4)(XY.hi, ZW.hi), 0, to + 3 * width);
}

/* Four rows of op(a) as to[t width + i]; those beyond `rows` repeat the last. */
INLINE void pack_rows(local real *to, const int width, const struct source *a, const int i0,
                      const int t0, const int steps, const int rows)
{
    global const real *const from = a->p + i0 * a->row + t0 * a->step;
    int t = 0;

    if (a->step == 1)
        for (; t < steps - 3; t += 4)
            pack_square(to + t * width, width, from + t, a->row, rows);
    else if (rows >= 4)
        for (; t < steps; t++)
            vstore4(vload4(0, from + t * a->step), 0, to + t * width);
    for (; t < steps; t++)
        for (int i = 0; i < 4; i++)
            to[t * width + i] = from[min(i, rows - 1) * a->row + t * a->step];
}

/* `rows` rows of op(a), `width` of them after the other: to[i steps + t width + i % width]. */
ONCE void pack_block(local real *to, const int width, const struct source *a, const int i0,
                     const int t0, const int steps, const int rows)
{
    for (int i = 0; i < rows; i += width)
        for (int r = 0; r < width; r += 4)
            pack_rows(to + i * steps + r, width, a, i0 + min(i + r, rows - 1), t0, steps,
                      max(1, rows - i - r));
}

/* ---- kernels ------------------------------------------------------------------------------- */

/*
 * The panel of block group_id(1) of the sum and columns 32 group_id(0) on. Panels of one block lie
 * side by side, blocks follow each other.
 */
kernel ALONE void gemm_cpu_pack(OPERAND(real, panels), OPERAND(const real, b), const int n,
                                const int k, const long ldb, const int transposed)
{
    OPEN(real, panels);
    OPEN(const real, b);
    const int j = (int)get_group_id(0) * COLS, t = (int)get_group_id(1) * STEPS;
    const int steps = min(STEPS, k - t), cols = min(COLS, n - j);
    const long width = (long)(n + COLS - 1) / COLS * COLS;
    global real *to = panels + t * width + (long)j * steps;

    if (transposed)
        transpose_global(to, b + j * ldb + t, ldb, steps, cols, 0);
    else
        copy_rows_global(to, b + t * ldb + j, ldb, steps, cols);
}

#define PARAMETERS                                                                               \
    OPERAND(real, c), OPERAND(const real, a), OPERAND(const real, b), OPERAND(const real, bias), \
        const int m, const int n, const int k, const long a_row, const long a_step,              \
        const long ldc, const int block, const int strip, const real alpha, const real beta,     \
        const int relu, local real *packed

/* The tile at (i,j) of the matrix c, of up to `rows` rows, after the block of steps t on. */
#define TARGET(c, i, rows, j, t, ask)                                                         \
    {                                                                                         \
        c + (i)*ldc + j, ldc, min(rows, m - (i)), min(COLS, n - j), alpha, t == 0 ? beta : 1, \
            t + STEPS >= k &&bias ? bias + j : 0, t + STEPS >= k &&relu, ask                  \
    }

/*
 * Rows block group_id(0) on and columns strip group_id(1) on; b: the panels of gemm_cpu_pack. With
 * `packs`, op(a) is copied; else it is read as it lies, but for the rows of a last tile that are
 * less than ROWS.
 */
kernel ALONE void gemm_cpu_rows(PARAMETERS, const int packs)
{
    OPEN(real, c);
    OPEN(const real, a);
    OPEN(const real, b);
    OPEN(const real, bias);
    const struct source from = { a, a_row, a_step };
    const int i0 = (int)get_group_id(0) * block, j0 = (int)get_group_id(1) * strip;
    const int rows = min(block, m - i0), end = min(j0 + strip, n);
    const int whole = packs ? 0 : rows / ROWS * ROWS;
    const long width = (long)(n + COLS - 1) / COLS * COLS;

    for (int t = 0; t < k; t += STEPS) {
        const int steps = min(STEPS, k - t);
        global const real *const lies = a + i0 * a_row + t * a_step;

        if (whole < rows)
            pack_block(packed, ROWS, &from, i0 + whole, t, steps, rows - whole);
        for (int j = j0; j < end; j += COLS) {
            global const real *const panel = b + t * width + (long)j * steps;

            for (int i = 0; i < whole; i += ROWS) {
                const int ask = j > j0 ? 0 : a_row > 1 ? ROWS : i > 0 ? 0 : whole;
                const struct target to = TARGET(c, i0 + i, ROWS, j, t, ask);

                tile_of_rows(&to, lies + i * a_row, a_row, a_step, panel, steps);
            }
            for (int i = whole; i < rows; i += ROWS) {
                const struct target to = TARGET(c, i0 + i, ROWS, j, t, 0);

                tile_of_packed_rows(&to, packed + (i - whole) * steps, panel, steps);
            }
        }
    }
}

/* The whole block that follows that of columns j and steps t: to its right, or below. */
INLINE global const real *block_ahead(global const real *b, const long ldb, const int j,
                                      const int t, const int j0, const int end, const int k)
{
    if (j + COLS < end)
        return j + 2 * COLS <= end && t + STEPS <= k ? b + (j + COLS) * ldb + t : 0;
    return j0 + COLS <= end && t + 2 * STEPS <= k ? b + j0 * ldb + t + STEPS : 0;
}

/*
 * All rows, `block` and in it `tile` (4, 8 or 12) at a time, of columns strip group_id(0) on, of
 * product group_id(1). packed: room for a panel of op(b), and behind it for `block` rows of op(a).
 */
kernel ALONE void gemm_cpu_columns(PARAMETERS, const long ldb, const long stride_a,
                                   const long stride_b, const long stride_c, const int transposed,
                                   const int tile)
{
    OPEN(real, c);
    OPEN(const real, a);
    OPEN(const real, b);
    OPEN(const real, bias);
    const long item = (long)get_group_id(1);
    const struct source from = { a + item * stride_a, a_row, a_step };
    const int j0 = (int)get_group_id(0) * strip, end = min(j0 + strip, n);
    global const real *const weights = b + item * stride_b;
    global real *const product = c + item * stride_c;
    local real *const panel = packed, *const rows_of_a = packed + STEPS * COLS;

    for (int i0 = 0; i0 < m; i0 += block) {
        const int rows = min(block, m - i0);
        int t = 0;

        do {
            const int steps = min(STEPS, k - t);

            pack_block(rows_of_a, tile, &from, i0, t, steps, rows);
            for (int j = j0; j < end; j += COLS) {
                if (transposed)
                    transpose_local(panel, weights + j * ldb + t, ldb, steps, min(COLS, n - j),
                                    block_ahead(weights, ldb, j, t, j0, end, k));
                else
                    copy_rows_local(panel, weights + t * ldb + j, ldb, steps, min(COLS, n - j));
                for (int i = 0; i < rows; i += tile) {
                    const struct target to = TARGET(product, i0 + i, tile, j, t, 0);

                    if (tile == 4)
                        tile_of_4(&to, rows_of_a + i * steps, panel, steps);
                    else if (tile == 8)
                        tile_of_8(&to, rows_of_a + i * steps, panel, steps);
                    else
                        tile_of_12(&to, rows_of_a + i * steps, panel, steps);
                }
            }
            t += STEPS;
        } while (t < k);
    }
}
