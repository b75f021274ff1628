/*
 * run_softmax.c: tasks on rows of scores over the vocabulary on the CPU: cross-entropy,
 * log softmax, the k best. One chunk is a few rows of about CHUNK scores.
 */
#include "device/cpu/cpu.h"

#define CHUNK 16384

struct job {
    const struct dgm_row_kernels *kernels;
    const void *work; /* the struct that the kernel takes */
    int64_t rows, step;
};

static void run(struct dgm_cpu *cpu, struct job *job, int64_t vocab, dgm_pool_fn *fn)
{
    job->kernels = cpu->kernels->rows;
    job->step = vocab < CHUNK ? CHUNK / (vocab + 1) + 1 : 1;
    dgm_pool_run(cpu->pool, fn, job, dgm_cpu_chunks(job->rows, job->step));
}

static int64_t block_end(const struct job *job, int64_t chunk)
{
    return dgm_cpu_min(job->rows, (chunk + 1) * job->step);
}

static void cross_entropy_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->cross_entropy(job->work, chunk * job->step, block_end(job, chunk));
}

/* The two readings of label smoothing as one distribution; specification 1.8. */
static void set_distribution(struct dgm_loss_rows *work,
                             const struct dgm_cross_entropy_args *args)
{
    const double smoothing = (double)args->smoothing, vocab = (double)args->vocab;

    if (args->form == DGM_SMOOTHING_OLD) {
        work->base = smoothing / vocab;
        work->extra = 1 - smoothing;
    } else {
        work->base = vocab > 1 ? smoothing / (vocab - 1) : 0;
        work->extra = 1 - smoothing - work->base;
    }
}

dgm_status dgm_cpu_run_cross_entropy(struct dgm_env *env, struct dgm_cpu *cpu,
                                     const void *args_)
{
    const struct dgm_cross_entropy_args *args = args_;
    struct dgm_loss_rows work;
    struct job job = { NULL, &work, args->rows, 1 };

    (void)env;
    work.logits = dgm_cpu_at(args->logits);
    work.losses = dgm_cpu_at(args->losses);
    work.targets = dgm_cpu_at(args->targets);
    work.vocab = args->vocab;
    work.grad_scale = args->grad_scale;
    work.want_gradient = args->want_gradient;
    set_distribution(&work, args);
    run(cpu, &job, args->vocab, cross_entropy_chunk);
    return DGM_OK;
}

static void log_softmax_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const struct dgm_log_softmax_args *args = job->work;
    const int64_t begin = chunk * job->step;
    const dgm_real *x = dgm_cpu_at(args->x);
    dgm_real *y = dgm_cpu_at(args->y);

    (void)worker;
    job->kernels->log_softmax(y + begin * args->vocab, x + begin * args->vocab,
                              block_end(job, chunk) - begin, args->vocab);
}

dgm_status dgm_cpu_run_log_softmax(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_log_softmax_args *args = args_;
    struct job job = { NULL, args, args->rows, 1 };

    (void)env;
    run(cpu, &job, args->vocab, log_softmax_chunk);
    return DGM_OK;
}

static void top_k_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;

    (void)worker;
    job->kernels->top_k(job->work, chunk * job->step, block_end(job, chunk));
}

dgm_status dgm_cpu_run_top_k(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_top_k_args *args = args_;
    struct dgm_top_rows work;
    struct job job = { NULL, &work, args->rows, 1 };

    (void)env;
    work.values = dgm_cpu_at(args->values);
    work.ids = dgm_cpu_at(args->ids);
    work.x = dgm_cpu_at(args->x);
    work.vocab = args->vocab;
    work.k = args->k;
    work.forbidden[0] = args->forbidden[0];
    work.forbidden[1] = args->forbidden[1];
    work.normalize = args->normalize;
    run(cpu, &job, args->vocab, top_k_chunk);
    return DGM_OK;
}
