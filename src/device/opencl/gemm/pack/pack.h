/*
 * pack.h: operands of products of narrow numbers, rounded and packed in fragments
 * (opencl/tensor.clh), and the launch that packs them.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_PACK_PACK_H
#define DGM_DEVICE_OPENCL_GEMM_PACK_PACK_H

#include "device/opencl/core/launch.h"

/* Of a fragment: lines, bytes, words of each line. Fragments of a stage along the sum. */
enum { DGM_LINES = 16, DGM_FRAGMENT_BYTES = 512, DGM_WORDS = 8, DGM_STAGE_DEPTH = 2 };

/* Work-items of a group that packs; operands that are packed together, as in gemm_tensor.clh. */
enum { DGM_PACK_ITEMS = 64, DGM_PACK_MOST = 4 };

/* Operand of a product: where it lies, and where its fragments go, `depth` along the sum. */
struct dgm_cl_operand {
    struct dgm_ref from, to;
    int64_t lines, k, ld, stride, depth;
    int by_step, is_b, is_aligned;
    int is_packed; /* already */
};

/* Steps of a word. */
static inline int64_t dgm_cl_steps_of_word(const struct dgm_opencl *opencl)
{
    return opencl->precision == DGM_BF16 ? 2 : 1;
}

/* Fragments along a sum of k steps, rounded up to whole stages, of which an empty sum has one, too:
 * packing fills the rest with zeros. */
static inline int64_t dgm_cl_depth_of(const struct dgm_opencl *opencl, int64_t k)
{
    const int64_t steps = DGM_WORDS * dgm_cl_steps_of_word(opencl);

    return dgm_cl_divide_up(k > 0 ? k : 1, steps * DGM_STAGE_DEPTH) * DGM_STAGE_DEPTH;
}

/* Bytes of the fragments of so many lines. */
static inline size_t dgm_cl_packed_bytes(int64_t lines, int64_t depth)
{
    return (size_t)(dgm_cl_divide_up(lines, DGM_LINES) * depth) * DGM_FRAGMENT_BYTES;
}

/* Groups that pack the operand; what the kernel knows of how it lies, as bits. */
int64_t dgm_cl_pack_groups(const struct dgm_cl_operand *operand);
int dgm_cl_pack_flags(const struct dgm_cl_operand *operand);

/* One launch for all operands that are not packed, for each product of the batch; none if there is
 * nothing to do. There are `count` of them, DGM_PACK_MOST at most. */
dgm_status dgm_cl_pack(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_cl_operand *operands, int count, int64_t batch);

#endif
