/*
 * run_additive.c: additive attention on the CPU. Blocks are queries; in the backward pass few of
 * them (blocks.h), whose sums of v's gradient are added up in order.
 */
#include "device/cpu/blocks.h"

/* Elements of tanh in a block, about. */
#define BLOCK 8192

/* Queries in a block. */
static int64_t query_step(const struct dgm_additive *core)
{
    return dgm_cpu_block_rows(BLOCK, core->longest * core->dim);
}

DGM_CPU_RUN_KERNEL(additive_forward, additive->forward, job.core.rows, query_step(&job.core))

/* ---- backward ---------------------------------------------------------------------------- */

/* The kernel takes the worker's memory, too. */
struct backward {
    const struct dgm_cpu *cpu;
    struct dgm_additive_backward_job job;
};

static size_t scratch_bytes(int64_t longest)
{
    return (size_t)longest * sizeof(dgm_real);
}

static void backward_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct backward *work = blocks->work;

    blocks->kernels->additive->backward(&work->job, block * blocks->step,
                                        dgm_cpu_block_end(blocks, block),
                                        dgm_cpu_block_sums(blocks, block),
                                        dgm_cpu_scratch(work->cpu, worker,
                                                        scratch_bytes(work->job.core.longest)));
}

dgm_status dgm_cpu_run_additive_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_additive_backward_args *args = args_;
    const struct backward work = { cpu, dgm_cpu_open_additive_backward(args) };
    struct dgm_cpu_blocks blocks = { .work = &work,
                                     .count = args->core.rows,
                                     .step = query_step(&args->core),
                                     .sums = args->core.dim };
    dgm_real *dv = work.job.dv;

    DGM_TRY(dgm_cpu_reserve(env, cpu, scratch_bytes(args->core.longest)));
    DGM_TRY(dgm_cpu_run_sums(env, cpu, &blocks, backward_block));
    for (int64_t b = 0; dv && b < dgm_cpu_count_blocks(&blocks); b++)
        cpu->kernels->math->add(dv, dv, blocks.partial + b * blocks.sums, blocks.sums);
    return DGM_OK;
}
