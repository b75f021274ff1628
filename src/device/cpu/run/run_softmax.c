/*
 * run_softmax.c: tasks on rows of scores over the vocabulary on the CPU: cross-entropy,
 * log softmax, the k best, some columns. A block is a few rows of about BLOCK scores.
 */
#include "device/cpu/blocks.h"

#define BLOCK 16384

/* Rows of scores in a block. */
static int64_t score_rows(int64_t vocab)
{
    return vocab < BLOCK ? BLOCK / (vocab + 1) + 1 : 1;
}

DGM_CPU_KERNEL_ROWS(cross_entropy_rows, rows->cross_entropy)

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
    dgm_cpu_run_rows(cpu, &work, args->rows, score_rows(args->vocab), cross_entropy_rows);
    return DGM_OK;
}

static void log_softmax_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                             int64_t end)
{
    const struct dgm_log_softmax_job *job = work;
    const int64_t at = begin * job->vocab;

    kernels->rows->log_softmax(job->y + at, job->x + at, end - begin, job->vocab);
}

DGM_CPU_RUN_ROWS(log_softmax, job.rows, score_rows(job.vocab), log_softmax_rows)

DGM_CPU_RUN_KERNEL(top_k, rows->top_k, job.rows, score_rows(job.vocab))

static void pick_columns_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                              int64_t end)
{
    const struct dgm_pick_columns_job *job = work;

    (void)kernels;
    for (int64_t i = begin; i < end; i++) {
        const int32_t *list = job->index + job->owners[i] * job->width;
        const dgm_real *x = job->x + i * job->ldx;
        dgm_real *y = job->y + i * job->width;

        for (int64_t j = 0; j < job->width; j++)
            y[j] = list[j] < 0 ? job->missing : x[list[j]];
    }
}

DGM_CPU_RUN_ROWS(pick_columns, job.rows, score_rows(job.width), pick_columns_rows)
