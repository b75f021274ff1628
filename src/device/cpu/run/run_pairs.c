/*
 * run_pairs.c: tasks on the pairs of rows of each sentence on the CPU: scores, their gradients,
 * and softmax over the rows of the blocks. A chunk is a sentence, whatever stands beside it.
 */
#include <math.h>
#include <string.h>

#include "device/cpu/cpu.h"

struct job {
    const struct dgm_cpu *cpu;
    const void *args;
    const int32_t *offsets, *squares;
};

static struct job job_of(const struct dgm_cpu *cpu, const void *args, struct dgm_ref offsets,
                         struct dgm_ref squares)
{
    struct job job;

    job.cpu = cpu;
    job.args = args;
    job.offsets = dgm_cpu_at(offsets);
    job.squares = dgm_cpu_at(squares);
    return job;
}

static int64_t length_of(const struct job *job, int64_t sentence)
{
    return job->offsets[sentence + 1] - job->offsets[sentence];
}

/* ---- scores -------------------------------------------------------------------------------- */

/* m x n with a sum over k; packed operands, unless the caller sets strides. */
static struct dgm_gemm_args product(enum dgm_gemm_form form, int64_t m, int64_t n, int64_t k)
{
    struct dgm_gemm_args gemm;

    memset(&gemm, 0, sizeof gemm);
    gemm.form = form;
    gemm.m = m;
    gemm.n = gemm.ldc = n;
    gemm.k = k;
    gemm.lda = form == DGM_TN ? m : k;
    gemm.ldb = form == DGM_NT ? k : n;
    gemm.alpha = 1;
    return gemm;
}

static void pair_scores_chunk(void *shared, int64_t s, int worker)
{
    const struct job *job = shared;
    const struct dgm_pair_scores_args *args = job->args;
    const int64_t n = length_of(job, s), first = job->offsets[s];
    struct dgm_gemm_args gemm = product(DGM_NT, n, n, args->dim);
    const dgm_real *q = dgm_cpu_at(args->q), *k = dgm_cpu_at(args->k);
    dgm_real *scores = dgm_cpu_at(args->scores);

    gemm.lda = args->ldq;
    gemm.ldb = args->ldk;
    dgm_cpu_product(job->cpu, worker, &gemm, scores + job->squares[s], q + first * args->ldq,
                    k + first * args->ldk);
}

dgm_status dgm_cpu_run_pair_scores(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_pair_scores_args *args = args_;
    struct job job = job_of(cpu, args, args->offsets, args->squares);

    DGM_TRY(dgm_cpu_reserve(env, cpu, dgm_cpu_product_bytes(cpu)));
    dgm_pool_run(cpu->pool, pair_scores_chunk, &job, args->sentences);
    return DGM_OK;
}

/* One gradient: dx (+)= E or its transpose, times y; n rows, strides ldx and ldy. */
struct pair_grad {
    enum dgm_gemm_form form;
    struct dgm_ref dx, y; /* dx may be absent */
    int64_t ldx, ldy;
    int accumulate;
};

static void run_pair_grad(const struct job *job, int worker, int64_t s,
                          const struct pair_grad *grad)
{
    const struct dgm_pair_scores_backward_args *args = job->args;
    const int64_t n = length_of(job, s), first = job->offsets[s];
    struct dgm_gemm_args gemm = product(grad->form, n, args->dim, n);
    const dgm_real *y = dgm_cpu_at(grad->y), *dscores = dgm_cpu_at(args->dscores);
    dgm_real *dx = dgm_cpu_at(grad->dx);

    if (dx == NULL)
        return;
    gemm.ldb = grad->ldy;
    gemm.ldc = grad->ldx;
    gemm.beta = grad->accumulate ? 1 : 0;
    dgm_cpu_product(job->cpu, worker, &gemm, dx + first * grad->ldx, dscores + job->squares[s],
                    y + first * grad->ldy);
}

static void pair_scores_backward_chunk(void *shared, int64_t s, int worker)
{
    const struct job *job = shared;
    const struct dgm_pair_scores_backward_args *args = job->args;
    const struct pair_grad dq = { DGM_NN,    args->dq,  args->k,
                                  args->ldq, args->ldk, args->accumulate_q };
    const struct pair_grad dk = { DGM_TN,    args->dk,  args->q,
                                  args->ldk, args->ldq, args->accumulate_k };

    run_pair_grad(job, worker, s, &dq);
    run_pair_grad(job, worker, s, &dk);
}

dgm_status dgm_cpu_run_pair_scores_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                            const void *args_)
{
    const struct dgm_pair_scores_backward_args *args = args_;
    struct job job = job_of(cpu, args, args->offsets, args->squares);

    DGM_TRY(dgm_cpu_reserve(env, cpu, dgm_cpu_product_bytes(cpu)));
    dgm_pool_run(cpu->pool, pair_scores_backward_chunk, &job, args->sentences);
    return DGM_OK;
}

/* ---- softmax -------------------------------------------------------------------------------- */

/* -log p(target) of a row of n scores, which become their gradient if that is wanted. */
static dgm_real row_loss(const struct job *job, dgm_real *row, int64_t n, int32_t target)
{
    const struct dgm_pair_loss_args *args = job->args;
    struct dgm_loss_rows work;
    dgm_real losses[2];

    if (target < 0) {
        if (args->want_gradient)
            memset(row, 0, (size_t)n * sizeof *row);
        return 0;
    }
    work.logits = row;
    work.losses = losses;
    work.targets = &target;
    work.vocab = n;
    work.base = 0;
    work.extra = 1;
    work.grad_scale = args->grad_scale;
    work.want_gradient = args->want_gradient;
    job->cpu->kernels->rows->cross_entropy(&work, 0, 1);
    return losses[1];
}

/* Row i of a block of n: what the mask hides is cut off, or made impossible for a while. */
static dgm_real masked_loss(const struct job *job, dgm_real *row, int64_t n, int64_t i,
                            int32_t target)
{
    const struct dgm_pair_loss_args *args = job->args;
    const int64_t seen = args->mask == DGM_PAIRS_CAUSAL ? i + 1 : n;
    const dgm_real own = row[i];
    dgm_real loss;

    if (args->mask == DGM_PAIRS_NOT_SELF)
        row[i] = -(dgm_real)INFINITY;
    loss = row_loss(job, row, seen, target);
    if (args->want_gradient)
        memset(row + seen, 0, (size_t)(n - seen) * sizeof *row);
    else
        row[i] = own;
    return loss;
}

static void pair_loss_chunk(void *shared, int64_t s, int worker)
{
    const struct job *job = shared;
    const struct dgm_pair_loss_args *args = job->args;
    const int64_t n = length_of(job, s), first = job->offsets[s];
    const int32_t *targets = dgm_cpu_at(args->targets);
    dgm_real *scores = dgm_cpu_at(args->scores), *losses = dgm_cpu_at(args->losses);

    (void)worker;
    for (int64_t i = 0; i < n; i++)
        losses[first + i] =
            masked_loss(job, scores + job->squares[s] + i * n, n, i, targets[first + i]);
}

dgm_status dgm_cpu_run_pair_loss(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_pair_loss_args *args = args_;
    struct job job = job_of(cpu, args, args->offsets, args->squares);

    (void)env;
    dgm_pool_run(cpu->pool, pair_loss_chunk, &job, args->sentences);
    return DGM_OK;
}

/* Rows of a block of n, each over the columns before itself and its own. */
static void causal_logs(const struct job *job, dgm_real *block, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        dgm_real *row = block + i * n;
        job->cpu->kernels->rows->log_softmax(row, row, 1, i + 1);
        for (int64_t j = i + 1; j < n; j++)
            row[j] = -(dgm_real)INFINITY;
    }
}

static void pair_log_softmax_chunk(void *shared, int64_t s, int worker)
{
    const struct job *job = shared;
    const struct dgm_pair_log_softmax_args *args = job->args;
    const int64_t n = length_of(job, s);
    dgm_real *block = dgm_cpu_at(args->y);

    (void)worker;
    block += job->squares[s];
    if (args->mask == DGM_PAIRS_CAUSAL) {
        causal_logs(job, block, n);
        return;
    }
    for (int64_t i = 0; args->mask == DGM_PAIRS_NOT_SELF && i < n; i++)
        block[i * n + i] = -(dgm_real)INFINITY;
    if (n == 1 && args->mask == DGM_PAIRS_NOT_SELF) /* nothing is left to be normalised */
        return;
    job->cpu->kernels->rows->log_softmax(block, block, n, n);
}

dgm_status dgm_cpu_run_pair_log_softmax(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_pair_log_softmax_args *args = args_;
    struct job job = job_of(cpu, args, args->offsets, args->squares);

    (void)env;
    dgm_pool_run(cpu->pool, pair_log_softmax_chunk, &job, args->sentences);
    return DGM_OK;
}
