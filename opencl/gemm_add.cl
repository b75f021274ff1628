/*
 * gemm_add.cl: adds up the blocks of a matrix product's sums, which groups of their own have made
 * (DEFINE_BLOCKS in gemm_tiles.clh), in the order in which one group would have added them.
 */
#include "gemm_gpu.clh"

/* Columns j .. j + 3 of row i, of which `left` exist. */
INLINE void store(global real *to, const float4 x, const int left, const int is_aligned)
{
    if (left >= 4 && is_aligned) {
        *(global float4 *)to = x;
        return;
    }
    to[0] = x.x;
    if (left > 1)
        to[1] = x.y;
    if (left > 2)
        to[2] = x.z;
    if (left > 3)
        to[3] = x.w;
}

/* Of four neighbours, alpha times each block is added to x; `next` reals from block to block. Four
 * loads are on their way together. */
INLINE float4 add_parts(float4 x, global const real *part, const long next, const int blocks,
                        const float4 alpha)
{
    int b = 0;

    for (; b + 4 <= blocks; b += 4, part += 4 * next) {
        const float4 p = *(global const float4 *)part;
        const float4 q = *(global const float4 *)(part + next);
        const float4 r = *(global const float4 *)(part + 2 * next);
        const float4 s = *(global const float4 *)(part + 3 * next);

        x = fma(alpha, s, fma(alpha, r, fma(alpha, q, fma(alpha, p, x))));
    }
    for (; b < blocks; b++, part += next)
        x = fma(alpha, *(global const float4 *)part, x);
    return x;
}

/*
 * c (m,n) = beta c + alpha parts[0] + alpha parts[1] and so on, then + bias, relu, mask; parts
 * (blocks,m,ld), where ld is n in whole fours; lines (blocks,m) are added to sums (m). An item has
 * four columns of c; those behind the last of them have one line each.
 */
kernel void gemm_add(OPERAND(real, c), OPERAND(real, sums), OPERAND(const real, parts),
                     OPERAND(const real, lines), OPERAND(const real, bias),
                     OPERAND(const real, mask), const int m, const int n, const int blocks,
                     const long ldc, const real alpha, const real beta, const int relu,
                     const int is_aligned)
{
    OPEN(real, c);
    OPEN(real, sums);
    OPEN(const real, parts);
    OPEN(const real, lines);
    OPEN(const real, bias);
    OPEN(const real, mask);
    const int across = (n + 3) / 4, id = (int)get_global_id(0), line = id - m * across;
    const int i = id / across, j = id % across * 4;

    if (line < 0) {
        global real *const at = c + i * ldc + j;
        const float4 old = beta != 0 ? beta * fetch(at, n - j, is_aligned) : (float4)0;
        float4 x = add_parts(old, parts + id * 4, (long)m * across * 4, blocks, alpha);

        if (bias)
            x += fetch(bias + j, n - j, 0);
        if (relu)
            x = x < (float4)0 ? (float4)0 : x;
        if (mask)
            x = fetch(mask + i * ldc + j, n - j, 0) > (float4)0 ? x : (float4)0;
        store(at, x, n - j, is_aligned);
    } else if (sums && line < m) {
        real sum = sums[line];

        for (int b = 0; b < blocks; b++)
            sum += lines[b * m + line];
        sums[line] = sum;
    }
}
