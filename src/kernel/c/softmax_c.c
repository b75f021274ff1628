/*
 * softmax_c.c: kernels on rows of scores over the vocabulary in plain C: cross-entropy,
 * log softmax and the k best.
 */
#include "kernel/softmax.h"

#include "kernel/c/rows_c.h"
#include "kernel/simd/real_math.h"
#include "kernel/top_list.h"

static dgm_real largest_of(const dgm_real *x, int64_t n)
{
    dgm_real largest = -(dgm_real)INFINITY;

    for (int64_t j = 0; j < n; j++)
        largest = x[j] > largest ? x[j] : largest;
    return largest;
}

static double sum_of_exp(const dgm_real *x, int64_t n, dgm_real largest)
{
    double sum = 0;

    for (int64_t j = 0; j < n; j++)
        sum += (double)dgm_real_exp(x[j] - largest);
    return sum;
}

static void cross_entropy_row(const struct dgm_loss_rows *job, int64_t i)
{
    const int64_t vocab = job->vocab;
    const int32_t target = job->targets[i];
    dgm_real *x = job->logits + i * vocab;
    const dgm_real largest = largest_of(x, vocab);
    const double sum = sum_of_exp(x, vocab, largest);
    const dgm_real base = job->grad_scale * (dgm_real)job->base;
    const dgm_real factor = (dgm_real)((double)job->grad_scale / sum);
    double total = 0;

    for (int64_t j = 0; j < vocab; j++)
        total += (double)(x[j] - largest);
    softmax_losses(job, i, softmax_log(sum), total, (double)x[target] - (double)largest);
    if (!job->want_gradient)
        return;
    for (int64_t j = 0; j < vocab; j++)
        x[j] = dgm_real_exp(x[j] - largest) * factor - base;
    x[target] -= job->grad_scale * (dgm_real)job->extra;
}

void dgm_c_cross_entropy(const struct dgm_loss_rows *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        cross_entropy_row(job, i);
}

void dgm_c_log_softmax(dgm_real *y, const dgm_real *x, int64_t count, int64_t vocab)
{
    for (int64_t i = 0; i < count; i++, x += vocab, y += vocab) {
        dgm_real largest = largest_of(x, vocab);
        dgm_real log_sum = (dgm_real)softmax_log(sum_of_exp(x, vocab, largest));
        for (int64_t j = 0; j < vocab; j++)
            y[j] = (x[j] - largest) - log_sum;
    }
}

void dgm_c_top_k(const struct dgm_top_rows *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const dgm_real *x = job->x + i * job->vocab;
        struct top_list list = top_list_begin(job, i);
        dgm_real largest = 0, log_sum = 0;
        if (job->normalize) {
            largest = largest_of(x, job->vocab);
            log_sum = (dgm_real)softmax_log(sum_of_exp(x, job->vocab, largest));
        }
        for (int64_t j = 0; j < job->vocab; j++)
            top_list_offer(&list, x[j], (int32_t)j);
        top_list_end(&list, job->normalize, largest, log_sum);
    }
}
