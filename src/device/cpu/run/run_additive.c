/*
 * run_additive.c: additive attention on the CPU. Blocks are queries; in the backward pass few of
 * them (blocks.h), whose sums of v's gradient are added up in order.
 */
#include <string.h>

#include "device/cpu/blocks.h"

/* Elements of tanh in a block, about. */
#define BLOCK 8192

/* Queries in a block. */
static int64_t query_step(const struct dgm_additive *core)
{
    return dgm_cpu_block_rows(BLOCK, core->longest * core->dim);
}

static struct dgm_additive_operands operands_of(const struct dgm_additive *core, struct dgm_ref q,
                                                struct dgm_ref keys, struct dgm_ref values,
                                                struct dgm_ref v)
{
    struct dgm_additive_operands in;

    memset(&in, 0, sizeof in);
    in.q = dgm_cpu_at(q);
    in.keys = dgm_cpu_at(keys);
    in.values = dgm_cpu_at(values);
    in.v = dgm_cpu_at(v);
    in.dim = core->dim;
    in.width = core->width;
    in.longest = core->longest;
    in.ld_ctx = core->ld_ctx;
    return in;
}

DGM_CPU_BLOCK(forward_block, additive->forward)

dgm_status dgm_cpu_run_additive_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_additive_forward_args *args = args_;
    struct dgm_additive_rows work;

    (void)env;
    work.ctx = dgm_cpu_at(args->ctx);
    work.weights = dgm_cpu_at(args->weights);
    work.in = operands_of(&args->core, args->q, args->keys, args->values, args->v);
    work.in.starts = dgm_cpu_at(args->starts);
    work.in.counts = dgm_cpu_at(args->counts);
    dgm_cpu_run_rows(cpu, &work, args->core.rows, query_step(&args->core), forward_block);
    return DGM_OK;
}

/* ---- backward ------------------------------------------------------------------------------ */

/* The kernel takes the worker's memory, too. */
struct backward {
    const struct dgm_cpu *cpu;
    struct dgm_additive_grad grad;
};

static size_t scratch_bytes(int64_t longest)
{
    return (size_t)longest * sizeof(dgm_real);
}

static void backward_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct backward *work = blocks->work;

    blocks->kernels->additive->backward(&work->grad, block * blocks->step,
                                        dgm_cpu_block_end(blocks, block),
                                        dgm_cpu_block_sums(blocks, block),
                                        dgm_cpu_scratch(work->cpu, worker,
                                                        scratch_bytes(work->grad.in.longest)));
}

dgm_status dgm_cpu_run_additive_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_additive_backward_args *args = args_;
    struct backward work;
    struct dgm_cpu_blocks blocks = { NULL, &work,         args->core.rows, query_step(&args->core),
                                     NULL, args->core.dim };
    dgm_real *dv = dgm_cpu_at(args->dv);

    DGM_TRY(dgm_cpu_reserve(env, cpu, scratch_bytes(args->core.longest)));
    work.cpu = cpu;
    work.grad.dq = dgm_cpu_at(args->dq);
    work.grad.dkeys = dgm_cpu_at(args->dkeys);
    work.grad.dvalues = dgm_cpu_at(args->dvalues);
    work.grad.dctx = dgm_cpu_at(args->dctx);
    work.grad.weights = dgm_cpu_at(args->weights);
    work.grad.in = operands_of(&args->core, args->q, args->keys, args->values, args->v);
    work.grad.in.starts = dgm_cpu_at(args->starts);
    work.grad.in.counts = dgm_cpu_at(args->counts);
    DGM_TRY(dgm_cpu_run_sums(env, cpu, &blocks, backward_block));
    for (int64_t b = 0; dv && b < dgm_cpu_count_blocks(&blocks); b++)
        cpu->kernels->math->add(dv, dv, blocks.partial + b * blocks.sums, blocks.sums);
    return DGM_OK;
}
