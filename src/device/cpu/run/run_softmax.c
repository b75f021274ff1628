/*
 * run_softmax.c: tasks on rows of scores over the vocabulary on the CPU: cross-entropy,
 * log softmax, the k best, some columns. A block is a few rows of about BLOCK scores.
 */
#include "device/cpu/blocks.h"
#include "device/cpu/open.h"

#define BLOCK 16384

/* Rows of scores in a block. */
static int64_t score_rows(int64_t vocab)
{
    return vocab < BLOCK ? BLOCK / (vocab + 1) + 1 : 1;
}

DGM_CPU_BLOCK(cross_entropy_block, rows->cross_entropy)

/* The two readings of label smoothing as one distribution; specification 1.8. */
static void set_distribution(struct dgm_loss_rows *work, const struct dgm_cross_entropy_args *args)
{
    const double smoothing = (double)args->smoothing, vocab = (double)args->vocab;

    if (args->form == DGM_SMOOTHING_OLD) {
        work->base = smoothing / vocab; /* smoothing spread over all entries, the target included */
        work->extra = 1 - smoothing;
    } else {
        work->base = vocab > 1 ? smoothing / (vocab - 1) : 0; /* over all but the target */
        work->extra = 1 - smoothing - work->base;
    }
}

dgm_status dgm_cpu_run_cross_entropy(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_cross_entropy_args *args = args_;
    struct dgm_loss_rows work;

    (void)env;
    work.logits = dgm_cpu_at(args->logits);
    work.losses = dgm_cpu_at(args->losses);
    work.targets = dgm_cpu_at(args->targets);
    work.vocab = args->vocab;
    work.grad_scale = args->grad_scale;
    work.want_gradient = args->want_gradient;
    set_distribution(&work, args);
    dgm_cpu_run_rows(cpu, &work, args->rows, score_rows(args->vocab), cross_entropy_block);
    return DGM_OK;
}

static void log_softmax_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_log_softmax_job *job = blocks->work;
    const int64_t begin = block * blocks->step, at = begin * job->vocab;

    (void)worker;
    blocks->kernels->rows->log_softmax(job->y + at, job->x + at,
                                       dgm_cpu_block_end(blocks, block) - begin, job->vocab);
}

dgm_status dgm_cpu_run_log_softmax(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_log_softmax_job job = dgm_cpu_open_log_softmax(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.rows, score_rows(job.vocab), log_softmax_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(top_k_block, rows->top_k)

dgm_status dgm_cpu_run_top_k(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_top_k_job job = dgm_cpu_open_top_k(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.rows, score_rows(job.vocab), top_k_block);
    return DGM_OK;
}

static void pick_columns_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_pick_columns_job *job = blocks->work;

    (void)worker;
    for (int64_t i = block * blocks->step; i < dgm_cpu_block_end(blocks, block); i++) {
        const int32_t *list = job->index + job->owners[i] * job->width;
        const dgm_real *x = job->x + i * job->ldx;
        dgm_real *y = job->y + i * job->width;

        for (int64_t j = 0; j < job->width; j++)
            y[j] = list[j] < 0 ? job->missing : x[list[j]];
    }
}

dgm_status dgm_cpu_run_pick_columns(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_pick_columns_job job = dgm_cpu_open_pick_columns(args);

    (void)env;
    dgm_cpu_run_rows(cpu, &job, job.rows, score_rows(job.width), pick_columns_block);
    return DGM_OK;
}
