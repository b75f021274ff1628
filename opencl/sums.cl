/*
 * sums.cl: sums over the rows of a matrix, column by column. A work-item takes WIDE vectors of
 * neighbouring columns and `step` rows, in order.
 */

/* A processor reads rows in pieces of some length; GPUs have neighbours for that. */
#if IS_CPU
#define WIDE 4
#else
#define WIDE 1
#endif

/*
 * Block b is rows b step .. of x (m,n). With add, there is one block, and its sums are added to
 * y (n); else they become row b of y (blocks,n).
 */
kernel void column_sums(OPERAND(real, y), OPERAND(const real, x), const int m, const int n,
                        const long ldx, const int step, const int add)
{
    OPEN(real, y);
    OPEN(const real, x);
    const int block = get_group_id(1), first = block * step, end = min(m, first + step);
    const long column = (long)get_global_id(0) * (WIDE * VEC);
    const int count = (int)min(n - column, (long)(WIDE * VEC));
    global const real *from = x + column;
    global real *to = y + (long)block * n + column;
    vreal sum[WIDE];

    if (count <= 0)
        return;
#pragma unroll
    for (int w = 0; w < WIDE; w++)
        sum[w] = 0;
    if (count == WIDE * VEC)
#if !IS_CPU
#pragma unroll 8 /* loads on their way together */
#endif
        for (int i = first; i < end; i++) {
#pragma unroll
            for (int w = 0; w < WIDE; w++)
                sum[w] += VLOAD(from + i * ldx + w * VEC);
        }
    else
        for (int i = first; i < end; i++) {
#pragma unroll
            for (int w = 0; w < WIDE; w++)
                sum[w] += load_part(from + i * ldx + w * VEC, count - w * VEC, 0);
        }
#pragma unroll
    for (int w = 0; w < WIDE; w++) {
        if (add)
            sum[w] += load_part(to + w * VEC, count - w * VEC, 0);
        store_part(sum[w], to + w * VEC, count - w * VEC);
    }
}
