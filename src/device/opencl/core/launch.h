/*
 * launch.h: one call of a kernel: its arguments in order, then how many work-items.
 *
 *     struct dgm_launch launch;
 *     dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_fill);
 *     dgm_push_fill(&launch, args);
 *     return dgm_launch_items(&launch, args->count);
 *
 * dgm_push_<task> (run/push.h) hands over the arguments by the list of the task; where that is all,
 * DGM_CL_RUN_KERNEL there makes the function. The first error sticks: later calls do nothing, and
 * the last one returns it.
 *
 * From the beginning to the last argument no buffer may be released: arguments that the kernel has
 * by an earlier launch are not set again, and a new buffer may have the handle of a released one.
 * So memory is reserved (memory.h) before dgm_launch_begin.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_LAUNCH_H
#define DGM_DEVICE_OPENCL_CORE_LAUNCH_H

#include "device/opencl/core/memory.h"
#include "device/opencl/core/opencl.h"

/* Steps of `step` that cover `count`. */
static inline int64_t dgm_cl_divide_up(int64_t count, int64_t step)
{
    return (count + step - 1) / step;
}

/* Of `count` rows, how many make a block: at least `least`, and at most `most` blocks. */
static inline int64_t dgm_cl_block_rows(int64_t count, int64_t least, int64_t most)
{
    const int64_t rows = dgm_cl_divide_up(count, most);

    return rows > least ? rows : least;
}

struct dgm_launch {
    struct dgm_env *env;
    struct dgm_opencl *opencl;
    enum dgm_cl_kernel_id id;
    cl_kernel kernel;
    cl_uint count;                /* arguments so far */
    struct dgm_cl_arguments *set; /* those that the kernel has */
    dgm_status status;
};

void dgm_launch_begin(struct dgm_launch *launch, struct dgm_env *env, struct dgm_opencl *opencl,
                      enum dgm_cl_kernel_id id);

/* An operand: two parameters, the buffer and a ulong, its offset in bytes; OPERAND in common.cl
 * makes one pointer of them, NULL for an absent operand. */
void dgm_launch_ref(struct dgm_launch *launch, struct dgm_ref ref);
/* An int; an error if the value does not fit. */
void dgm_launch_int(struct dgm_launch *launch, int64_t value);
void dgm_launch_long(struct dgm_launch *launch, int64_t value);
void dgm_launch_real(struct dgm_launch *launch, dgm_real value);
/* DROP in common.cl: five parameters. */
void dgm_launch_drop(struct dgm_launch *launch, const struct dgm_drop *drop);
/* A parameter in local memory. */
void dgm_launch_local(struct dgm_launch *launch, size_t bytes);

/* Runs at least `count` work-items in a row; the kernel ignores those beyond. */
dgm_status dgm_launch_items(struct dgm_launch *launch, int64_t count);
/* Runs work-items that handle VEC reals each: count / VEC of them, rounded up. */
dgm_status dgm_launch_vectors(struct dgm_launch *launch, int64_t count);
/* The same for each of `rows` rows of so many columns. */
dgm_status dgm_launch_rows(struct dgm_launch *launch, int64_t rows, int64_t columns);
/*
 * TILE of common.cl. Runs work-items for all tiles, or strips, of `rows` rows of so many columns:
 * an error if kernels cannot count them.
 */
int64_t dgm_launch_tile(const struct dgm_opencl *opencl);
dgm_status dgm_launch_tiles(struct dgm_launch *launch, int64_t rows, int64_t columns);
dgm_status dgm_launch_strips(struct dgm_launch *launch, int64_t rows, int64_t columns);
/* Runs groups of LANES work-items that take RUN of `count` things, one after the other. */
dgm_status dgm_launch_runs(struct dgm_launch *launch, int64_t count);
/* Runs x y z groups of LANES work-items. */
dgm_status dgm_launch_groups(struct dgm_launch *launch, int64_t x, int64_t y, int64_t z);
/* Runs groups[i] groups of local[i] work-items in each of three directions. */
dgm_status dgm_launch_grid(struct dgm_launch *launch, const size_t groups[3],
                           const size_t local[3]);

#endif
