/*
 * run_gates.c: tasks where gates blend two inputs on the CPU: highways, context gates, and simple
 * recurrent units.
 *
 * Blocks have rows of about BLOCK elements. The gates' own gradients are summed in each of few
 * blocks, and these in order.
 */
#include "device/cpu/blocks.h"

#define BLOCK 8192

/* ---- highways ---------------------------------------------------------------------------- */

DGM_CPU_RUN_KERNEL(highway_forward, gates->highway_forward, job.rows,
                   dgm_cpu_block_rows(BLOCK, job.width))
DGM_CPU_RUN_KERNEL(highway_backward, gates->highway_backward, job.rows,
                   dgm_cpu_block_rows(BLOCK, job.width))

/* ---- context gates ----------------------------------------------------------------------- */

/* Rows in a block. */
static int64_t mix_step(const struct dgm_gated_mix *core)
{
    return dgm_cpu_block_rows(BLOCK, core->heads * core->width);
}

DGM_CPU_RUN_KERNEL(gated_mix_forward, gates->mix_forward, job.core.rows, mix_step(&job.core))

static void mix_backward_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;

    (void)worker;
    blocks->kernels->gates->mix_backward(blocks->work, block * blocks->step,
                                         dgm_cpu_block_end(blocks, block),
                                         dgm_cpu_block_sums(blocks, block));
}

/* The gradients of gates and biases += the sums of one block. */
static void add_sums(const struct dgm_math_kernels *math,
                     const struct dgm_gated_mix_backward_job *job, const dgm_real *sums)
{
    const int64_t width = job->core.width;
    dgm_real *const to[4] = { job->dx_gate, job->dc_gate, job->dx_bias, job->dc_bias };

    for (int i = 0; i < 4; i++)
        if (to[i])
            math->add(to[i], to[i], sums + (i < 2 ? i : 2) * width, i < 2 ? width : 1);
}

dgm_status dgm_cpu_run_gated_mix_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args)
{
    const struct dgm_gated_mix_backward_job job = dgm_cpu_open_gated_mix_backward(args);
    struct dgm_cpu_blocks blocks = { .work = &job,
                                     .count = job.core.rows,
                                     .step = mix_step(&job.core),
                                     .sums = 2 * job.core.width + 1 };

    DGM_TRY(dgm_cpu_run_sums(env, cpu, &blocks, mix_backward_block));
    for (int64_t b = 0; b < dgm_cpu_count_blocks(&blocks); b++)
        add_sums(cpu->kernels->math, &job, blocks.partial + b * blocks.sums);
    return DGM_OK;
}

/* ---- simple recurrent units -------------------------------------------------------------- */

/* Sentences in a block. In a search each has one row, so that a block takes several. */
static int64_t ssru_step(const int32_t *offsets, int64_t sentences, int64_t width)
{
    const int64_t rows = dgm_cpu_chunks(offsets[sentences], sentences);

    return dgm_cpu_block_rows(BLOCK, rows * width);
}

DGM_CPU_RUN_KERNEL(ssru_forward, gates->ssru_forward, job.sentences,
                   ssru_step(job.offsets, job.sentences, job.width))
DGM_CPU_RUN_KERNEL(ssru_backward, gates->ssru_backward, job.sentences,
                   ssru_step(job.offsets, job.sentences, job.width))
