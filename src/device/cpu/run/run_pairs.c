/*
 * run_pairs.c: tasks on the pairs of rows of each sentence on the CPU: scores, their gradients,
 * and softmax over the rows of the blocks. A chunk is a sentence, whatever stands beside it.
 */
#include <math.h>
#include <string.h>

#include "device/cpu/open.h"

/* What all chunks share: the task's own job, and where its sentences and their blocks begin. */
struct sentences {
    const struct dgm_cpu *cpu;
    const void *job;
    const int32_t *offsets, *squares;
};

static int64_t length_of(const struct sentences *all, int64_t sentence)
{
    return all->offsets[sentence + 1] - all->offsets[sentence];
}

/* ---- scores ------------------------------------------------------------------------------ */

/* m x n with a sum over k; packed operands, unless the caller sets strides. */
static struct dgm_gemm_args product(enum dgm_gemm_form form, int64_t m, int64_t n, int64_t k)
{
    struct dgm_gemm_args gemm = { 0 };

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
    const struct sentences *all = shared;
    const struct dgm_pair_scores_job *job = all->job;
    const int64_t n = length_of(all, s), first = all->offsets[s];
    struct dgm_gemm_args gemm = product(DGM_NT, n, n, job->dim);
    const dgm_real *q = job->q, *k = job->k;
    dgm_real *scores = job->scores;

    gemm.lda = job->ldq;
    gemm.ldb = job->ldk;
    /* Blocks (n,n) lie packed: that of sentence s begins at squares[s]. */
    dgm_cpu_product(all->cpu, worker, &gemm, scores + all->squares[s], q + first * job->ldq,
                    k + first * job->ldk);
}

dgm_status dgm_cpu_run_pair_scores(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_pair_scores_job job = dgm_cpu_open_pair_scores(args);
    struct sentences all = { cpu, &job, job.offsets, job.squares };

    DGM_TRY(dgm_cpu_reserve(env, cpu, dgm_cpu_product_bytes(cpu)));
    dgm_pool_run(cpu->pool, pair_scores_chunk, &all, job.sentences);
    return DGM_OK;
}

/* One gradient: dx (+)= E or its transpose, times y; n rows, strides ldx and ldy. */
struct pair_grad {
    enum dgm_gemm_form form;
    dgm_real *dx; /* NULL: not wanted */
    const dgm_real *y;
    int64_t ldx, ldy;
    int accumulate;
};

static void run_pair_grad(const struct sentences *all, int worker, int64_t s,
                          const struct pair_grad *grad)
{
    const struct dgm_pair_scores_backward_job *job = all->job;
    const int64_t n = length_of(all, s), first = all->offsets[s];
    struct dgm_gemm_args gemm = product(grad->form, n, job->dim, n);
    const dgm_real *y = grad->y, *dscores = job->dscores;
    dgm_real *dx = grad->dx;

    if (dx == NULL)
        return;
    gemm.ldb = grad->ldy;
    gemm.ldc = grad->ldx;
    gemm.beta = grad->accumulate ? 1 : 0;
    dgm_cpu_product(all->cpu, worker, &gemm, dx + first * grad->ldx, dscores + all->squares[s],
                    y + first * grad->ldy);
}

static void pair_scores_backward_chunk(void *shared, int64_t s, int worker)
{
    const struct sentences *all = shared;
    const struct dgm_pair_scores_backward_job *job = all->job;
    const struct pair_grad dq = { .form = DGM_NN,
                                  .dx = job->dq,
                                  .y = job->k,
                                  .ldx = job->ldq,
                                  .ldy = job->ldk,
                                  .accumulate = job->accumulate_q };
    const struct pair_grad dk = { .form = DGM_TN,
                                  .dx = job->dk,
                                  .y = job->q,
                                  .ldx = job->ldk,
                                  .ldy = job->ldq,
                                  .accumulate = job->accumulate_k };

    run_pair_grad(all, worker, s, &dq);
    run_pair_grad(all, worker, s, &dk);
}

dgm_status dgm_cpu_run_pair_scores_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                            const void *args)
{
    const struct dgm_pair_scores_backward_job job = dgm_cpu_open_pair_scores_backward(args);
    struct sentences all = { cpu, &job, job.offsets, job.squares };

    DGM_TRY(dgm_cpu_reserve(env, cpu, dgm_cpu_product_bytes(cpu)));
    dgm_pool_run(cpu->pool, pair_scores_backward_chunk, &all, job.sentences);
    return DGM_OK;
}

/* ---- softmax ----------------------------------------------------------------------------- */

/* -log p(target) of a row of n scores, which become their gradient if that is wanted. */
static dgm_real row_loss(const struct sentences *all, dgm_real *row, int64_t n, int32_t target)
{
    const struct dgm_pair_loss_job *job = all->job;
    struct dgm_loss_rows work;
    dgm_real losses[2];

    if (target < 0) {
        if (job->want_gradient)
            memset(row, 0, (size_t)n * sizeof *row);
        return 0;
    }
    work.logits = row;
    work.losses = losses;
    work.targets = &target;
    work.vocab = n;
    work.base = 0;
    work.extra = 1;
    work.grad_scale = job->grad_scale;
    work.want_gradient = job->want_gradient;
    all->cpu->kernels->rows->cross_entropy(&work, 0, 1);
    return losses[1];
}

/* Row i of a block of n: what the mask hides is cut off, or made impossible for a while. */
static dgm_real masked_loss(const struct sentences *all, dgm_real *row, int64_t n, int64_t i,
                            int32_t target)
{
    const struct dgm_pair_loss_job *job = all->job;
    const int64_t seen = job->mask == DGM_PAIRS_CAUSAL ? i + 1 : n;
    const dgm_real own = row[i];
    dgm_real loss;

    if (job->mask == DGM_PAIRS_NOT_SELF)
        row[i] = -(dgm_real)INFINITY;
    loss = row_loss(all, row, seen, target);
    if (job->want_gradient)
        memset(row + seen, 0, (size_t)(n - seen) * sizeof *row);
    else
        row[i] = own;
    return loss;
}

static void pair_loss_chunk(void *shared, int64_t s, int worker)
{
    const struct sentences *all = shared;
    const struct dgm_pair_loss_job *job = all->job;
    const int64_t n = length_of(all, s), first = all->offsets[s];
    const int32_t *targets = job->targets;
    dgm_real *scores = job->scores, *losses = job->losses;

    (void)worker;
    for (int64_t i = 0; i < n; i++)
        losses[first + i] =
            masked_loss(all, scores + all->squares[s] + i * n, n, i, targets[first + i]);
}

dgm_status dgm_cpu_run_pair_loss(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_pair_loss_job job = dgm_cpu_open_pair_loss(args);
    struct sentences all = { cpu, &job, job.offsets, job.squares };

    (void)env;
    dgm_pool_run(cpu->pool, pair_loss_chunk, &all, job.sentences);
    return DGM_OK;
}

/* Rows of a block of n, each over the columns before itself and its own. */
static void causal_logs(const struct sentences *all, dgm_real *block, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        dgm_real *row = block + i * n;
        all->cpu->kernels->rows->log_softmax(row, row, 1, i + 1);
        for (int64_t j = i + 1; j < n; j++)
            row[j] = -(dgm_real)INFINITY;
    }
}

static void pair_log_softmax_chunk(void *shared, int64_t s, int worker)
{
    const struct sentences *all = shared;
    const struct dgm_pair_log_softmax_job *job = all->job;
    const int64_t n = length_of(all, s);
    dgm_real *block = job->y;

    (void)worker;
    block += all->squares[s];
    if (job->mask == DGM_PAIRS_CAUSAL) {
        causal_logs(all, block, n);
        return;
    }
    for (int64_t i = 0; job->mask == DGM_PAIRS_NOT_SELF && i < n; i++)
        block[i * n + i] = -(dgm_real)INFINITY;
    if (n == 1 && job->mask == DGM_PAIRS_NOT_SELF) /* nothing is left to be normalised */
        return;
    all->cpu->kernels->rows->log_softmax(block, block, n, n);
}

dgm_status dgm_cpu_run_pair_log_softmax(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_pair_log_softmax_job job = dgm_cpu_open_pair_log_softmax(args);
    struct sentences all = { cpu, &job, job.offsets, job.squares };

    (void)env;
    dgm_pool_run(cpu->pool, pair_log_softmax_chunk, &all, job.sentences);
    return DGM_OK;
}
