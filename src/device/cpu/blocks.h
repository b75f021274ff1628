/*
 * blocks.h: tasks whose kernel takes a range of rows: cut into blocks, which the pool shares out.
 *
 * How many rows a block has follows from shapes alone, so that whatever is summed within a block
 * has the same bits on any number of threads.
 */
#ifndef DGM_DEVICE_CPU_BLOCKS_H
#define DGM_DEVICE_CPU_BLOCKS_H

#include <string.h>

#include "device/cpu/cpu.h"
#include "device/cpu/open.h"

/* Blocks of a task whose kernel sums, at most: each has sums of its own. */
#define DGM_CPU_MOST_SUMS 32

/* Rows, or columns, begin .. end - 1 of the task that is `work`. */
typedef void dgm_cpu_rows_fn(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                             int64_t end);

/* `count` rows, or columns, `step` of them a block; `work`: the struct that the kernel takes. */
struct dgm_cpu_blocks {
    const struct dgm_kernels *kernels;
    const void *work;
    int64_t count, step;
    dgm_real *partial; /* (blocks, sums): where a kernel sums over the rows of a block */
    int64_t sums;
    dgm_cpu_rows_fn *fn; /* of tasks without sums */
};

/* Rows of `dim` elements in a block of about `elements`: at least one. */
static inline int64_t dgm_cpu_block_rows(int64_t elements, int64_t dim)
{
    return dim < elements ? elements / (dim > 0 ? dim : 1) : 1;
}

static inline int64_t dgm_cpu_count_blocks(const struct dgm_cpu_blocks *blocks)
{
    return dgm_cpu_chunks(blocks->count, blocks->step);
}

static inline int64_t dgm_cpu_block_end(const struct dgm_cpu_blocks *blocks, int64_t block)
{
    return dgm_cpu_min(blocks->count, (block + 1) * blocks->step);
}

static inline void dgm_cpu_run_blocks(struct dgm_cpu *cpu, struct dgm_cpu_blocks *blocks,
                                      dgm_pool_fn *fn)
{
    blocks->kernels = cpu->kernels;
    dgm_pool_run(cpu->pool, fn, blocks, dgm_cpu_count_blocks(blocks));
}

static inline void dgm_cpu_rows_of_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;

    (void)worker;
    blocks->fn(blocks->kernels, blocks->work, block * blocks->step,
               dgm_cpu_block_end(blocks, block));
}

/* The same without sums. */
static inline void dgm_cpu_run_rows(struct dgm_cpu *cpu, const void *work, int64_t count,
                                    int64_t step, dgm_cpu_rows_fn *fn)
{
    struct dgm_cpu_blocks blocks = { .work = work, .count = count, .step = step, .fn = fn };

    dgm_cpu_run_blocks(cpu, &blocks, dgm_cpu_rows_of_block);
}

/*
 * The same where the kernel sums `sums` reals over the rows of each block, in few blocks: with
 * `partial` in shared scratch memory, for the caller to add up in the order of blocks.
 */
static inline dgm_status dgm_cpu_run_sums(struct dgm_env *env, struct dgm_cpu *cpu,
                                          struct dgm_cpu_blocks *blocks, dgm_pool_fn *fn)
{
    const int64_t least = dgm_cpu_chunks(blocks->count, DGM_CPU_MOST_SUMS);
    int64_t reals;
    void *partial;

    blocks->step = blocks->step > least ? blocks->step : least;
    reals = dgm_cpu_count_blocks(blocks) * blocks->sums;
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &partial, (size_t)reals * sizeof(dgm_real)));
    blocks->partial = partial;
    dgm_cpu_run_blocks(cpu, blocks, fn);
    return DGM_OK;
}

/* The sums of a block, zero to begin with. */
static inline dgm_real *dgm_cpu_block_sums(const struct dgm_cpu_blocks *blocks, int64_t block)
{
    return memset(blocks->partial + block * blocks->sums, 0,
                  (size_t)blocks->sums * sizeof(dgm_real));
}

/*
 * Defines dgm_cpu_run_<task>: `fn` on `count` rows, `step` of them a block. Both numbers may read
 * the task, `job` (open.h).
 */
#define DGM_CPU_RUN_ROWS(task, count, step, fn)                                               \
    dgm_status dgm_cpu_run_##task(struct dgm_env *env, struct dgm_cpu *cpu, const void *args) \
    {                                                                                         \
        const struct dgm_##task##_job job = dgm_cpu_open_##task(args);                        \
                                                                                              \
        (void)env;                                                                            \
        dgm_cpu_run_rows(cpu, &job, count, step, fn);                                         \
        return DGM_OK;                                                                        \
    }

/* Defines `name`, which calls `kernel` (a path from struct dgm_kernels) for some rows. */
#define DGM_CPU_KERNEL_ROWS(name, kernel)                                                \
    static void name(const struct dgm_kernels *kernels, const void *work, int64_t begin, \
                     int64_t end)                                                        \
    {                                                                                    \
        kernels->kernel(work, begin, end);                                               \
    }

/* Defines dgm_cpu_run_<task>, which is this kernel on all rows. */
#define DGM_CPU_RUN_KERNEL(task, kernel, count, step) \
    DGM_CPU_KERNEL_ROWS(task##_rows, kernel)          \
    DGM_CPU_RUN_ROWS(task, count, step, task##_rows)

#endif
