/*
 * gemm_gpu.cl: the matrix product on GPUs: tiles in local memory, 8 x 8 sums in the registers of a
 * work-item.
 *
 * On each element of C every kernel performs the operations that src/kernel/gemm.h lists, in that
 * order: one sum per block of 256 steps, added to C when the block ends. So neither the tile nor
 * the way in which a kernel shares out the work shows in a result.
 */
#ifndef GEMM_DEPTH
#define GEMM_DEPTH 16 /* steps that lie in local memory at a time; divides STEPS */
#endif
#define STEPS 256 /* in a block of the sum */
#define PAD 4     /* reals between lines of local memory: neighbours lie in other banks */

#define INLINE static inline __attribute__((always_inline))

/* Bits of the parameter `aligned`: offset and rows of the operand are multiples of 16 bytes. */
enum { ALIGNED_A = 1, ALIGNED_B = 2, ALIGNED_C = 4 };

/* ---- op(a) and op(b) ------------------------------------------------------------------------- */

/*
 * An operand, `lines` rows of op(a) or columns of op(b): element (i,t), t < k, is p[i ld + t] if
 * by_step, else p[t ld + i].
 */
struct source {
    global const real *p;
    long ld;
    int lines, k;
    int is_aligned;
};

/*
 * Four elements that are neighbours in memory: steps t .. t + 3 of line i, or lines i .. i + 3 of
 * step t. Zeros beyond the edges. (vload4 of operands that are aligned to 4 bytes alone is four
 * loads on GPUs.)
 */
INLINE float4 fetch(const struct source *from, const int by_step, const int i, const int t)
{
    const int left = by_step ? from->k - t : from->lines - i;
    global const real *p = from->p + (by_step ? i * from->ld + t : t * from->ld + i);
    float4 x = 0;

    if (by_step ? i >= from->lines : t >= from->k)
        return x;
    if (left >= 4)
        return from->is_aligned ? *(global const float4 *)p : vload4(0, p);
    if (left > 0)
        x.x = p[0];
    if (left > 1)
        x.y = p[1];
    if (left > 2)
        x.z = p[2];
    return x;
}

/* What a work-item carries from global to local memory: up to four float4 of each operand. */
struct cargo {
    float4 part[4];
};

/*
 * Tiles are `side` lines of GEMM_DEPTH steps, to[t (side + PAD) + i]. The items of a group, (side /
 * 8)^2, take parts of four elements each, neighbours those that are neighbours in memory.
 */
#define PARTS(side) ((side) * GEMM_DEPTH / 4)
#define ITEMS(side) ((side) / 8 * ((side) / 8))
#define PASSES(side) (PARTS(side) / ITEMS(side))

INLINE void take(struct cargo *cargo, const struct source *from, const int side, const int by_step,
                 const int i0, const int t0)
{
    const int across = by_step ? GEMM_DEPTH / 4 : side / 4;

#pragma unroll
    for (int pass = 0; pass < PASSES(side); pass++) {
        const int part = pass * ITEMS(side) + (int)get_local_id(0);
        const int far = part / across, near = part % across * 4;

        cargo->part[pass] = fetch(from, by_step, i0 + (by_step ? far : near),
                                  t0 + (by_step ? near : far));
    }
}

INLINE void put(local real *to, const struct cargo *cargo, const int side, const int by_step)
{
    const int across = by_step ? GEMM_DEPTH / 4 : side / 4, ld = side + PAD;

#pragma unroll
    for (int pass = 0; pass < PASSES(side); pass++) {
        const int part = pass * ITEMS(side) + (int)get_local_id(0);
        const int far = part / across, near = part % across * 4;
        const float4 x = cargo->part[pass];

        if (by_step) {
            to[near * ld + far] = x.x;
            to[(near + 1) * ld + far] = x.y;
            to[(near + 2) * ld + far] = x.z;
            to[(near + 3) * ld + far] = x.w;
        } else {
            *(local float4 *)(to + far * ld + near) = x;
        }
    }
}

/* ---- C --------------------------------------------------------------------------------------- */

struct target {
    global real *c;
    global const real *bias; /* or NULL */
    long ldc;
    int m, n;
    real alpha;
    int relu, is_aligned;
};

INLINE real finish_one(const struct target *to, real sum, real old, int j, int is_last)
{
    real x = fma(to->alpha, sum, old);

    if (is_last && to->bias)
        x += to->bias[j];
    return is_last && to->relu && x < 0 ? 0 : x;
}

/* Columns j .. j + 3 of row i: c = alpha sum + beta c, after the last block + bias and relu. */
INLINE void finish(const struct target *to, const float4 sum, int i, int j, const real beta,
                   int is_last)
{
    global real *c = to->c + i * to->ldc + j;
    const int is_whole = to->is_aligned && j + 4 <= to->n;
    float4 old = 0;

    if (i >= to->m || j >= to->n)
        return;
    if (beta != 0) {
        if (is_whole)
            old = *(global const float4 *)c;
        else {
            old.x = c[0];
            old.y = j + 1 < to->n ? c[1] : 0;
            old.z = j + 2 < to->n ? c[2] : 0;
            old.w = j + 3 < to->n ? c[3] : 0;
        }
        old *= beta;
    }
    if (is_whole) {
        *(global float4 *)c = (float4)(finish_one(to, sum.x, old.x, j, is_last),
                                       finish_one(to, sum.y, old.y, j + 1, is_last),
                                       finish_one(to, sum.z, old.z, j + 2, is_last),
                                       finish_one(to, sum.w, old.w, j + 3, is_last));
        return;
    }
    c[0] = finish_one(to, sum.x, old.x, j, is_last);
    if (j + 1 < to->n)
        c[1] = finish_one(to, sum.y, old.y, j + 1, is_last);
    if (j + 2 < to->n)
        c[2] = finish_one(to, sum.z, old.z, j + 2, is_last);
    if (j + 3 < to->n)
        c[3] = finish_one(to, sum.w, old.w, j + 3, is_last);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Rows 0-3 and 4-7 of a work-item lie half a tile apart, columns alike: neighbours then read
 * neighbouring float4 of local memory. */
struct sums {
    float4 left[8], right[8];
};

INLINE void clear(struct sums *sums)
{
#pragma unroll
    for (int r = 0; r < 8; r++)
        sums->left[r] = sums->right[r] = 0;
}

INLINE void add_steps(struct sums *sums, local const real *a, local const real *b, const int side)
{
#pragma unroll
    for (int t = 0; t < GEMM_DEPTH; t++) {
        const float4 a0 = *(local const float4 *)(a + t * (side + PAD));
        const float4 a1 = *(local const float4 *)(a + t * (side + PAD) + side / 2);
        const float4 b0 = *(local const float4 *)(b + t * (side + PAD));
        const float4 b1 = *(local const float4 *)(b + t * (side + PAD) + side / 2);
        const real x[8] = { a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w };

#pragma unroll
        for (int r = 0; r < 8; r++) {
            sums->left[r] = fma((float4)x[r], b0, sums->left[r]);
            sums->right[r] = fma((float4)x[r], b1, sums->right[r]);
        }
    }
}

/*
 * The tile at (i0,j0). Two tiles of each operand lie in local memory: while one is multiplied, the
 * next comes in through registers.
 */
INLINE void multiply(const struct source *a, const struct source *b, const struct target *to,
                     const real beta, const int side, const int a_by_step, const int b_by_step,
                     local real *tiles)
{
    const int size = GEMM_DEPTH * (side + PAD);
    /* Thirty-two neighbours make a block of 4 x 8 sums. */
    const int id = (int)get_local_id(0), lane = id % 32, band = id / 32;
    const int ty = band / (side / 64) * 4 + lane / 8, tx = band % (side / 64) * 8 + lane % 8;
    const int i0 = (int)get_group_id(1) * side, j0 = (int)get_group_id(0) * side, k = a->k;
    struct cargo next_a, next_b;
    struct sums sums;
    int t = 0, turn = 0;

    take(&next_a, a, side, a_by_step, i0, 0);
    take(&next_b, b, side, b_by_step, j0, 0);
    put(tiles, &next_a, side, a_by_step);
    put(tiles + size, &next_b, side, b_by_step);
    barrier(CLK_LOCAL_MEM_FENCE);
    clear(&sums);
    do {
        local real *const now = tiles + turn * 2 * size;

        turn = 1 - turn;
        t += GEMM_DEPTH;
        if (t < k) {
            take(&next_a, a, side, a_by_step, i0, t);
            take(&next_b, b, side, b_by_step, j0, t);
        }
        add_steps(&sums, now + ty * 4, now + size + tx * 4, side);
        if (t < k) {
            put(tiles + turn * 2 * size, &next_a, side, a_by_step);
            put(tiles + turn * 2 * size + size, &next_b, side, b_by_step);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t % STEPS == 0 || t >= k) {
#pragma unroll
            for (int r = 0; r < 8; r++) {
                const int i = i0 + ty * 4 + r % 4 + r / 4 * (side / 2), j = j0 + tx * 4;

                finish(to, sums.left[r], i, j, t <= STEPS ? beta : 1, t >= k);
                finish(to, sums.right[r], i, j + side / 2, t <= STEPS ? beta : 1, t >= k);
            }
            clear(&sums);
        }
    } while (t < k);
}

/* ---- kernels --------------------------------------------------------------------------------- */

#define PARAMETERS                                                                              \
    OPERAND(real, c), OPERAND(const real, a), OPERAND(const real, b), OPERAND(const real, bias), \
        const int m, const int n, const int k, const long lda, const long ldb, const long ldc,  \
        const long stride_a, const long stride_b, const long stride_c, const real alpha,        \
        const real beta, const int relu, const int aligned

/* The operands of product group_id(2). */
#define OPEN_ALL                                                                                \
    OPEN(real, c);                                                                              \
    OPEN(const real, a);                                                                        \
    OPEN(const real, b);                                                                        \
    OPEN(const real, bias);                                                                     \
    const long item = (long)get_group_id(2);                                                    \
    const struct source from_a = { a + item * stride_a, lda, m, k, (aligned & ALIGNED_A) != 0 }; \
    const struct source from_b = { b + item * stride_b, ldb, n, k, (aligned & ALIGNED_B) != 0 }; \
    const struct target to = { c + item * stride_c, bias, ldc, m, n, alpha, relu,               \
                               (aligned & ALIGNED_C) != 0 }

#define DEFINE_TILES(name, side, a_by_step, b_by_step)                                          \
    kernel __attribute__((reqd_work_group_size(ITEMS(side), 1, 1))) void name(PARAMETERS)       \
    {                                                                                           \
        local real tiles[4 * GEMM_DEPTH * (side + PAD)] __attribute__((aligned(16)));           \
        OPEN_ALL;                                                                               \
                                                                                                \
        multiply(&from_a, &from_b, &to, beta, side, a_by_step, b_by_step, tiles);               \
    }

DEFINE_TILES(gemm_gpu_nn_128, 128, 1, 0)
DEFINE_TILES(gemm_gpu_nt_128, 128, 1, 1)
DEFINE_TILES(gemm_gpu_tn_128, 128, 0, 0)
DEFINE_TILES(gemm_gpu_nn_64, 64, 1, 0)
DEFINE_TILES(gemm_gpu_nt_64, 64, 1, 1)
DEFINE_TILES(gemm_gpu_tn_64, 64, 0, 0)

/* ---- few rows -------------------------------------------------------------------------------- */

/* A group computes 8 x 8 elements; each of its slices takes a block of the sum at a time. */
#define THIN 8
#define SLICES 4
#define THIN_STEPS 128 /* in local memory at a time; divides STEPS */
#define THIN_LD (THIN_STEPS + PAD)

/* Steps t0 on of lines i0 on, by the 64 work-items of a slice: to[i THIN_LD + t]. */
INLINE void put_thin(local real *to, const struct source *from, const int by_step, const int i0,
                     const int t0)
{
    const int lane = (int)get_local_id(0) % (THIN * THIN);

    if (by_step) {
#pragma unroll
        for (int pass = 0; pass < 4; pass++) {
            const int i = pass * 2 + lane / 32, t = lane % 32 * 4;

            *(local float4 *)(to + i * THIN_LD + t) = fetch(from, 1, i0 + i, t0 + t);
        }
    } else {
        const int i = lane % THIN;

        for (int t = lane / THIN; t < THIN_STEPS; t += THIN)
            to[i * THIN_LD + t] = i0 + i < from->lines && t0 + t < from->k
                                      ? from->p[(t0 + t) * from->ld + i0 + i] : 0;
    }
}

/* The sum of one block by one work-item; all of a group go through it together. */
INLINE real sum_thin(const struct source *a, const struct source *b, const int a_by_step,
                     const int b_by_step, local real *part_a, local real *part_b, const int t0)
{
    const int lane = (int)get_local_id(0) % (THIN * THIN);
    local const real *x = part_a + lane / THIN * THIN_LD, *y = part_b + lane % THIN * THIN_LD;
    real sum = 0;

    for (int t = t0; t < t0 + STEPS; t += THIN_STEPS) {
        put_thin(part_a, a, a_by_step, (int)get_group_id(1) * THIN, t);
        put_thin(part_b, b, b_by_step, (int)get_group_id(0) * THIN, t);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
        for (int u = 0; u < THIN_STEPS; u += 4) {
            const float4 p = *(local const float4 *)(x + u), q = *(local const float4 *)(y + u);

            sum = fma(p.x, q.x, sum);
            sum = fma(p.y, q.y, sum);
            sum = fma(p.z, q.z, sum);
            sum = fma(p.w, q.w, sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sum;
}

kernel __attribute__((reqd_work_group_size(THIN * THIN * SLICES, 1, 1))) void
gemm_gpu_thin(PARAMETERS, const int a_by_step, const int b_by_step)
{
    local real parts[2 * SLICES * THIN * THIN_LD] __attribute__((aligned(16)));
    local real sums[SLICES * THIN * THIN];
    OPEN_ALL;
    const int id = (int)get_local_id(0), slice = id / (THIN * THIN);
    const int i = (int)get_group_id(1) * THIN + id % (THIN * THIN) / THIN;
    const int j = (int)get_group_id(0) * THIN + id % THIN;
    const int owns = slice == 0 && i < m && j < n;
    local real *const part = parts + slice * 2 * THIN * THIN_LD;
    real x = owns && beta != 0 ? beta * to.c[i * ldc + j] : 0;
    int t = 0;

    do {
        sums[id] = sum_thin(&from_a, &from_b, a_by_step, b_by_step, part, part + THIN * THIN_LD,
                            t + slice * STEPS);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 0; s < SLICES && (s == 0 || t + s * STEPS < k); s++)
            if (owns)
                x = fma(alpha, sums[s * THIN * THIN + id], x);
        t += SLICES * STEPS;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (t < k);
    if (!owns)
        return;
    if (bias)
        x += bias[j];
    to.c[i * ldc + j] = relu && x < 0 ? 0 : x;
}
