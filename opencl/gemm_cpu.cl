/*
 * gemm_cpu.cl: the matrix product on processors: tiles of 12 rows and 2 vectors in registers.
 *
 * A work-item is alone in its group and walks over tiles as a thread of the CPU backend does
 * (src/kernel/gemm.h); it performs the very same operations on each element of C: for each block
 * of 256 steps s = a b + s, step by step, then c = alpha s + beta c or c + alpha s, at the end
 * + bias and relu. The way through the kernels, chosen by shape in run_gemm.c, thus never shows in
 * a result. Products of many rows read op(b) from panels that gemm_cpu_pack has copied, others
 * copy the panels that they need, into local memory, which on a processor is a piece of its cache.
 */
#define ROWS 12  /* of a tile */
#define COLS 32
#define STEPS 256 /* in a block of the sum */

#define ALONE __attribute__((reqd_work_group_size(1, 1, 1)))
#define INLINE static inline __attribute__((always_inline))

/* ---- from sums to C ------------------------------------------------------------------------ */

/* What becomes of the sums of one block. */
struct finish {
    real alpha, beta;        /* beta 0: c is not read */
    global const real *bias; /* of the tile's first column, or NULL */
    int relu;
};

INLINE float16 finish_vector(const struct finish *finish, float16 sum, float16 old, float16 bias)
{
    float16 x = fma((float16)finish->alpha, sum, finish->beta * old);

    if (finish->bias)
        x += bias;
    return finish->relu ? select(x, (float16)0, x < (float16)0) : x;
}

/* At the right edge of C: `cols` < 32. */
static void finish_part(const struct finish *finish, const real *sums, global real *c, int cols)
{
    for (int j = 0; j < cols; j++) {
        real x = fma(finish->alpha, sums[j], finish->beta == 0 ? 0 : finish->beta * c[j]);

        if (finish->bias)
            x += finish->bias[j];
        c[j] = finish->relu && x < 0 ? 0 : x;
    }
}

INLINE void finish_tile(const struct finish *finish, const real *sums, global real *c, long ldc,
                        int rows, int cols)
{
    const float16 none = 0;

    for (int i = 0; i < rows; i++, sums += COLS, c += ldc) {
        if (cols < COLS) {
            finish_part(finish, sums, c, cols);
            continue;
        }
        for (int j = 0; j < COLS; j += 16) {
            const float16 old = finish->beta == 0 ? none : vload16(0, c + j);
            const float16 bias = finish->bias ? vload16(0, finish->bias + j) : none;

            vstore16(finish_vector(finish, vload16(0, sums + j), old, bias), 0, c + j);
        }
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

/*
 * sums[i 32 + j] of `rows` (a constant) rows and 32 columns over one block: element (i,t) of op(a)
 * is a[i a_row + t a_step], element (t,j) of op(b) is b[t 32 + j].
 */
#define DEFINE_SUMS(name, A_SPACE, B_SPACE)                                                  \
    INLINE void name(real *sums, const int rows, A_SPACE const real *a, const long a_row,     \
                     const long a_step, B_SPACE const real *b, const int steps)               \
    {                                                                                         \
        float16 left[ROWS], right[ROWS];                                                      \
                                                                                              \
        _Pragma("unroll") for (int i = 0; i < rows; i++) left[i] = right[i] = 0;              \
        for (int t = 0; t < steps; t++) {                                                     \
            const float16 b0 = vload16(0, b), b1 = vload16(1, b);                             \
                                                                                              \
            _Pragma("unroll") for (int i = 0; i < rows; i++)                                  \
            {                                                                                 \
                left[i] = fma((float16)a[i * a_row], b0, left[i]);                            \
                right[i] = fma((float16)a[i * a_row], b1, right[i]);                          \
            }                                                                                 \
            a += a_step;                                                                      \
            b += COLS;                                                                        \
        }                                                                                     \
        _Pragma("unroll") for (int i = 0; i < rows; i++)                                      \
        {                                                                                     \
            vstore16(left[i], 2 * i, sums);                                                   \
            vstore16(right[i], 2 * i + 1, sums);                                              \
        }                                                                                     \
    }

DEFINE_SUMS(sums_packed, local, global)
DEFINE_SUMS(sums_thin, global, local)

/* ---- copying ------------------------------------------------------------------------------- */

/* A cache line that will be needed soon. PoCL knows clang's way to ask for it (its own built-in
 * `prefetch` does nothing). */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define PREFETCH(p) __builtin_prefetch((const void *)(size_t)(p), 0, 2)
#else
#define PREFETCH(p) (void)(p)
#endif

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
#define DEFINE_PANEL(name, SPACE)                                                              \
    INLINE void copy_rows_##name(SPACE real *to, global const real *from, const long ld,        \
                                 const int steps, const int cols)                               \
    {                                                                                           \
        for (int t = 0; t < steps; t++, to += COLS, from += ld) {                               \
            if (cols == COLS) {                                                                 \
                vstore16(vload16(0, from), 0, to);                                              \
                vstore16(vload16(1, from), 1, to);                                              \
                continue;                                                                       \
            }                                                                                   \
            for (int j = 0; j < COLS; j++)                                                      \
                to[j] = j < cols ? from[j] : 0;                                                 \
        }                                                                                       \
    }                                                                                           \
                                                                                                \
    INLINE void transpose_part_##name(SPACE real *to, global const real *from, const long ld,   \
                                      const int steps, const int cols)                          \
    {                                                                                           \
        for (int j = 0; j < 16; j++)                                                            \
            for (int t = 0; t < steps; t++)                                                     \
                to[t * COLS + j] = j < cols ? from[j * ld + t] : 0;                             \
    }                                                                                           \
                                                                                                \
    INLINE void transpose_##name(SPACE real *to, global const real *from, const long ld,        \
                                 const int steps, const int cols,                               \
                                 global const real *ahead)                                      \
    {                                                                                           \
        for (int j = 0; j < COLS; j += 16) {                                                    \
            const int whole = cols - j >= 16 ? steps / 4 * 4 : 0;                               \
                                                                                                \
            for (int t = 0; t < whole; t += 4) {                                                \
                const struct columns columns = load_columns(from + j * ld + t, ld);             \
                                                                                                \
                if (ahead && t % 16 == 0)                                                       \
                    for (int i = 0; i < 16; i++)                                                \
                        PREFETCH(ahead + (j + i) * ld + t);                                     \
                                                                                                \
                vstore16(columns.step[0], 0, to + t * COLS + j);                                \
                vstore16(columns.step[1], 2, to + t * COLS + j);                                \
                vstore16(columns.step[2], 4, to + t * COLS + j);                                \
                vstore16(columns.step[3], 6, to + t * COLS + j);                                \
            }                                                                                   \
            if (whole < steps)                                                                  \
                transpose_part_##name(to + whole * COLS + j, from + j * ld + whole, ld,         \
                                      steps - whole, cols - j);                                 \
        }                                                                                       \
    }

DEFINE_PANEL(global, global)
DEFINE_PANEL(local, local)

/* Steps t .. t + 3 of rows i .. i + 3 of op(a), whose steps are neighbours. */
INLINE void pack_square(local real *to, global const real *a, const long a_row)
{
    const float4 x = vload4(0, a), y = vload4(0, a + a_row);
    const float4 z = vload4(0, a + 2 * a_row), w = vload4(0, a + 3 * a_row);
    const float4 xy = (float4)(x.s0, y.s0, x.s1, y.s1), XY = (float4)(x.s2, y.s2, x.s3, y.s3);
    const float4 zw = (float4)(z.s0, w.s0, z.s1, w.s1), ZW = (float4)(z.s2, w.s2, z.s3, w.s3);

    vstore4((float4)(xy.lo, zw.lo), 0, to);
    vstore4((float4)(xy.hi, zw.hi), 0, to + ROWS);
    vstore4((float4)(XY.lo, ZW.lo), 0, to + 2 * ROWS);
    vstore4((float4)(XY.hi, ZW.hi), 0, to + 3 * ROWS);
}

/* 12 rows of op(a) as to[t 12 + i]; rows from `rows` to 12 repeat the last. */
INLINE void pack_rows(local real *to, global const real *a, const long a_row, const long a_step,
                      const int steps, const int rows)
{
    int t = 0;

    if (rows == ROWS && a_row == 1)
        for (; t < steps; t++) {
            vstore8(vload8(0, a + t * a_step), 0, to + t * ROWS);
            vstore4(vload4(0, a + t * a_step + 8), 0, to + t * ROWS + 8);
        }
    else if (rows == ROWS)
        for (; t < steps - 3; t += 4)
            for (int i = 0; i < ROWS; i += 4)
                pack_square(to + t * ROWS + i, a + i * a_row + t, a_row);
    for (; t < steps; t++)
        for (int i = 0; i < ROWS; i++)
            to[t * ROWS + i] = a[min(i, rows - 1) * a_row + t * a_step];
}

/* ---- kernels ------------------------------------------------------------------------------- */

/*
 * The panel of block group_id(1) of the sum and columns 32 group_id(0) on. Panels of one block lie
 * side by side, blocks follow each other.
 */
ALONE kernel void gemm_cpu_pack(OPERAND(real, panels), OPERAND(const real, b), const int n,
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

/* Rows block group_id(0) on and columns strip group_id(1) on, of panels that are packed. */
ALONE kernel void gemm_cpu_rows(OPERAND(real, c), OPERAND(const real, a), OPERAND(const real, bias),
                                OPERAND(const real, panels), const int m, const int n,
                                const int k, const long a_row, const long a_step, const long ldc,
                                const int block, const int strip, const real alpha,
                                const real beta, const int relu, local real *packed)
{
    OPEN(real, c);
    OPEN(const real, a);
    OPEN(const real, bias);
    OPEN(const real, panels);
    const int i0 = (int)get_group_id(0) * block, j0 = (int)get_group_id(1) * strip;
    const int rows = min(block, m - i0), end = min(j0 + strip, n);
    const long width = (long)(n + COLS - 1) / COLS * COLS;
    real sums[ROWS * COLS];

    for (int t = 0; t < k; t += STEPS) {
        const int steps = min(STEPS, k - t), is_last = t + STEPS >= k;
        struct finish finish = { alpha, t == 0 ? beta : 1, 0, is_last && relu };

        for (int i = 0; i < rows; i += ROWS)
            pack_rows(packed + i * steps, a + (i0 + i) * a_row + t * a_step, a_row, a_step, steps,
                      min(ROWS, rows - i));
        for (int j = j0; j < end; j += COLS) {
            if (is_last && bias)
                finish.bias = bias + j;
            for (int i = 0; i < rows; i += ROWS) {
                sums_packed(sums, ROWS, packed + i * steps, 1, ROWS,
                            panels + t * width + (long)j * steps, steps);
                finish_tile(&finish, sums, c + (i0 + i) * ldc + j, ldc, min(ROWS, rows - i),
                            min(COLS, n - j));
            }
        }
    }
}

/* The sums of `rows` rows, a number that compilers know in each case. */
INLINE void sums_of(real *sums, const int rows, global const real *a, const long a_row,
                    const long a_step, local const real *b, const int steps)
{
#define CASE(count)                                            \
    case count:                                                \
        sums_thin(sums, count, a, a_row, a_step, b, steps);    \
        break
    switch (rows) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
        CASE(9);
        CASE(10);
        CASE(11);
        CASE(12);
    }
#undef CASE
}

/* The whole block that follows that of columns j and steps t: below it, or to its right. */
INLINE global const real *block_ahead(global const real *b, const long ldb, const int j,
                                      const int t, const int end, const int k)
{
    if (t + STEPS < k)
        return t + 2 * STEPS <= k && j + COLS <= end ? b + j * ldb + t + STEPS : 0;
    return j + 2 * COLS <= end ? b + (j + COLS) * ldb : 0;
}

/* All rows, `tile` at a time, of columns strip group_id(0) on, of product group_id(1). */
ALONE kernel void gemm_cpu_columns(OPERAND(real, c), OPERAND(const real, a),
                                   OPERAND(const real, b), OPERAND(const real, bias), const int m,
                                   const int n, const int k, const long a_row, const long a_step,
                                   const long ldb, const long ldc, const long stride_a,
                                   const long stride_b, const long stride_c, const int transposed,
                                   const int tile, const int strip, const real alpha,
                                   const real beta, const int relu)
{
    OPEN(real, c);
    OPEN(const real, a);
    OPEN(const real, b);
    OPEN(const real, bias);
    const long item = (long)get_group_id(1);
    const int j0 = (int)get_group_id(0) * strip, end = min(j0 + strip, n);
    local real panel[STEPS * COLS];
    real sums[ROWS * COLS];

    for (int j = j0; j < end; j += COLS) {
        const int cols = min(COLS, n - j);
        int t = 0;

        do {
            const int steps = min(STEPS, k - t), is_last = t + STEPS >= k;
            const struct finish finish = { alpha, t == 0 ? beta : 1,
                                           is_last && bias ? bias + j : 0, is_last && relu };

            if (transposed)
                transpose_local(panel, b + item * stride_b + j * ldb + t, ldb, steps, cols,
                                block_ahead(b + item * stride_b, ldb, j, t, end, k));
            else
                copy_rows_local(panel, b + item * stride_b + t * ldb + j, ldb, steps, cols);
            for (int i = 0; i < m; i += tile) {
                const int rows = min(tile, m - i);

                sums_of(sums, rows, a + item * stride_a + i * a_row + t * a_step, a_row, a_step,
                        panel, steps);
                finish_tile(&finish, sums, c + item * stride_c + i * ldc + j, ldc, rows, cols);
            }
            t += STEPS;
        } while (t < k);
    }
}
