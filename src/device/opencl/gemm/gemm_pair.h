/*
 * gemm_pair.h: products of a backward pass that share a launch (opencl/gemm_pair.clh): the gradient
 * of a layer's weights, form TN, and the one below the layer, form NN.
 *
 * A gradient of weights has few tiles with long sums, so that units would idle. Its sums are split
 * into a first chunk and single blocks behind it, and its groups take what those of the other
 * product leave free. The first chunk is added up where the result belongs; the blocks behind it
 * lie in memory until the next such launch adds them up beside its own work, or whoever may see the
 * result before has them added up.
 * They are added in their order: an element has the bits that one group would have given it.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_PAIR_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_PAIR_H

#include "device/opencl/core/launch.h"

/* What shares a launch: `whole`, `split` or both are absent (NULL); blocks of an earlier one. */
struct dgm_cl_pair_job {
    const struct dgm_gemm_args *whole, *split;
    int side;               /* of a tile */
    int64_t chunk;          /* blocks of the split sum in its first chunk; all others are alone */
    int64_t wholes;         /* groups of the whole product, */
    int64_t firsts, others; /* of first chunks, and of blocks behind them */
    int is_split_first;
    struct dgm_ref parts; /* for the blocks that are not in the first chunk */
    struct dgm_cl_gemm_rest rest;
};

/* Groups of so many work-items that add up the rest. A work-item has four columns of a line, or,
 * behind them, its sum. */
static inline int64_t dgm_cl_pair_rest_groups(const struct dgm_cl_gemm_rest *rest, size_t items)
{
    const int64_t each = dgm_cl_divide_up(rest->n, 4) + (rest->sums.buffer != NULL ? 1 : 0);

    return rest->is_there ? dgm_cl_divide_up(rest->m * each, (int64_t)items) : 0;
}

/* Whether the product may wait for the next one, to share its launch. */
int dgm_cl_pair_begins(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args);
/* Whether `next` shares the launch of such a product: its form, no memory that one of them writes
 * and the other needs, and, of narrow numbers, no more packed operands than there is room for. */
int dgm_cl_pair_fits(const struct dgm_opencl *opencl, const struct dgm_gemm_args *waiting,
                     const struct dgm_gemm_args *next);
dgm_status dgm_cl_pair_run(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *waiting, const struct dgm_gemm_args *next);

/* Whether a single product is one for this kernel: by its shape, if the driver takes it; and such a
 * product, with its `sums` and `mask`. */
int dgm_cl_pair_serves(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args);
dgm_status dgm_cl_pair_gemm(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args);

/* The most bytes that pairs take on the device beside their operands: blocks that wait, and packed
 * operands. (A single product of narrow numbers may take more: its own operands, packed.) */
size_t dgm_cl_pair_room(const struct dgm_opencl *opencl);

/* Adds up the blocks that wait, if there are any. */
dgm_status dgm_cl_pair_settle(struct dgm_env *env, struct dgm_opencl *opencl);
/* Whether a task may read or write what waits for such blocks. */
int dgm_cl_pair_concerns(const struct dgm_opencl *opencl, enum dgm_task_kind kind,
                         const void *args);

#endif
