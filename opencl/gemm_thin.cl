/*
 * gemm_thin.cl: the matrix product on GPUs where C has few rows, which tiles would leave idle.
 */
#include "gemm_gpu.clh"

/* A group computes 8 x 8 elements; each of its slices takes a block of the sum at a time. SLICES
 * and DEPTH are chosen for each device (src/device/opencl/gemm/tune/tuning_list.h). */
#define THIN 8
#ifndef SLICES
#define SLICES 4 /* 1, 2 or 4 */
#endif
#ifndef DEPTH
#define DEPTH 128 /* steps in local memory at a time: 64 or 128 */
#endif
#define THIN_LD (DEPTH + PAD)

/* Steps t0 on of lines i0 on, by the 64 work-items of a slice: to[i THIN_LD + t]. */
INLINE void put_thin(local real *to, const struct source *from, const int by_step, const int i0,
                     const int t0)
{
    const int lane = (int)get_local_id(0) % (THIN * THIN);

    if (by_step) {
#pragma unroll
        for (int pass = 0; pass < DEPTH / 32; pass++) {
            const int part = pass * THIN * THIN + lane;
            const int i = part / (DEPTH / 4), t = part % (DEPTH / 4) * 4;

            *(local float4 *)(to + i * THIN_LD + t) =
                fetch(from->p + (i0 + i) * from->ld + t0 + t,
                      i0 + i < from->lines ? from->k - (t0 + t) : 0, from->is_aligned);
        }
    } else {
        const int i = lane % THIN;

        for (int t = lane / THIN; t < DEPTH; t += THIN)
            to[i * THIN_LD + t] = i0 + i < from->lines && t0 + t < from->k
                                      ? from->p[(t0 + t) * from->ld + i0 + i]
                                      : 0;
    }
}

/* The sum of one block by one work-item; all of a group go through it together. */
INLINE real sum_thin(const struct source *a, const struct source *b, const int a_by_step,
                     const int b_by_step, local real *part_a, local real *part_b, const int t0)
{
    const int lane = (int)get_local_id(0) % (THIN * THIN);
    local const real *x = part_a + lane / THIN * THIN_LD, *y = part_b + lane % THIN * THIN_LD;
    real sum = 0;

    for (int t = t0; t < t0 + STEPS; t += DEPTH) {
        put_thin(part_a, a, a_by_step, (int)get_group_id(1) * THIN, t);
        put_thin(part_b, b, b_by_step, (int)get_group_id(0) * THIN, t);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
        for (int u = 0; u < DEPTH; u += 4) {
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
