/*
 * body_softmax.h: cross-entropy, log softmax and the k best over the vector vocabulary.
 *
 * Exponentials are floats, but their sum is double: with sums in float, the loss of a word that is
 * predicted well, log(1 + tiny), would lose its digits, and so would a sum over 10,000 words. So a
 * loss keeps six digits.
 */
#include "kernel/softmax.h"
#include "kernel/top_list.h"

/* The largest number; a NaN is skipped. */
static float softmax_largest(const float *x, int64_t n)
{
    vec even = vec_set1(-INFINITY), odd = even;
    int64_t j = 0;
    float largest;

    for (; j + 2 * VEC_WIDTH <= n; j += 2 * VEC_WIDTH) {
        even = vec_max(vec_load(x + j), even);
        odd = vec_max(vec_load(x + j + VEC_WIDTH), odd);
    }
    largest = vec_max_lanes(vec_max(even, odd));
    for (; j < n; j++)
        largest = x[j] > largest ? x[j] : largest;
    return largest;
}

static double softmax_sum(const float *x, int64_t n, float largest)
{
    const vec shift = vec_set1(largest);
    struct dsum sum = dsum_zero();
    int64_t j = 0;

    for (; j + VEC_WIDTH <= n; j += VEC_WIDTH)
        dsum_add(&sum, vec_exp(vec_sub(vec_load(x + j), shift)));
    if (j < n) {
        int left = (int)(n - j);
        vec e = vec_exp(vec_sub(vec_load_part(x + j, left), shift));
        dsum_add(&sum, vec_keep_first(e, left));
    }
    return dsum_total(&sum);
}

/* Replaces x by exp(x - largest); returns the sum. */
static double softmax_exp(float *x, int64_t n, float largest)
{
    const vec shift = vec_set1(largest);
    struct dsum sum = dsum_zero();
    int64_t j = 0;

    for (; j + VEC_WIDTH <= n; j += VEC_WIDTH) {
        vec e = vec_exp(vec_sub(vec_load(x + j), shift));
        dsum_add(&sum, e);
        vec_store(x + j, e);
    }
    if (j < n) {
        int left = (int)(n - j);
        vec e = vec_exp(vec_sub(vec_load_part(x + j, left), shift));
        dsum_add(&sum, vec_keep_first(e, left));
        vec_store_part(x + j, e, left);
    }
    return dsum_total(&sum);
}

/* The sum of x - largest. */
static double softmax_differences(const float *x, int64_t n, float largest)
{
    const vec shift = vec_set1(largest);
    struct dsum sum = dsum_zero();
    int64_t j = 0;

    for (; j + VEC_WIDTH <= n; j += VEC_WIDTH)
        dsum_add(&sum, vec_sub(vec_load(x + j), shift));
    if (j < n) {
        int left = (int)(n - j);
        dsum_add(&sum, vec_keep_first(vec_sub(vec_load_part(x + j, left), shift), left));
    }
    return dsum_total(&sum);
}

static void softmax_cross_entropy_row(const struct dgm_loss_rows *job, int64_t i)
{
    const int64_t vocab = job->vocab;
    const int32_t target = job->targets[i];
    float *x = job->logits + i * vocab;
    const float largest = softmax_largest(x, vocab);
    const double chosen = (double)x[target] - (double)largest;
    const double total = job->base > 0 ? softmax_differences(x, vocab, largest) : 0;
    const double sum =
        job->want_gradient ? softmax_exp(x, vocab, largest) : softmax_sum(x, vocab, largest);
    const float base = job->grad_scale * (float)job->base;
    const float factor = (float)((double)job->grad_scale / sum);
    int64_t j = 0;

    softmax_losses(job, i, softmax_log(sum), total, chosen);
    if (!job->want_gradient)
        return;
    for (; j + VEC_WIDTH <= vocab; j += VEC_WIDTH)
        vec_store(x + j, vec_sub(vec_mul(vec_load(x + j), vec_set1(factor)), vec_set1(base)));
    for (; j < vocab; j++)
        x[j] = x[j] * factor - base;
    x[target] -= job->grad_scale * (float)job->extra;
}

static void softmax_cross_entropy(const struct dgm_loss_rows *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        softmax_cross_entropy_row(job, i);
}

static void softmax_log_rows(float *y, const float *x, int64_t count, int64_t vocab)
{
    for (int64_t i = 0; i < count; i++, x += vocab, y += vocab) {
        float largest = softmax_largest(x, vocab);
        float log_sum = (float)softmax_log(softmax_sum(x, vocab, largest));
        const vec shift = vec_set1(largest), norm = vec_set1(log_sum);
        int64_t j = 0;
        for (; j + VEC_WIDTH <= vocab; j += VEC_WIDTH)
            vec_store(y + j, vec_sub(vec_sub(vec_load(x + j), shift), norm));
        for (; j < vocab; j++)
            y[j] = (x[j] - largest) - log_sum;
    }
}

/* Two vectors from j on, lane by lane. */
static void softmax_offer(struct top_list *list, const float *x, int64_t j)
{
    for (int lane = 0; lane < 2 * VEC_WIDTH; lane++)
        top_list_offer(list, x[j + lane], (int32_t)(j + lane));
}

/*
 * Once the list is full, most vectors hold no score above its last: one comparison of a vector then
 * replaces VEC_WIDTH offers. The offers themselves go from left to right, which breaks ties.
 * Returns the largest score, forbidden ones included; a NaN is skipped.
 */
static float softmax_scan(struct top_list *list, const float *x, int64_t vocab)
{
    vec even = vec_set1(-INFINITY), odd = even;
    float largest = -INFINITY;
    int64_t j = 0;

    while (j < vocab) {
        vec a, b, last;

        if (!top_list_settled(list) || j + 2 * VEC_WIDTH > vocab) {
            largest = x[j] > largest ? x[j] : largest;
            top_list_offer(list, x[j], (int32_t)j);
            j++;
            continue;
        }
        a = vec_load(x + j);
        b = vec_load(x + j + VEC_WIDTH);
        last = vec_set1(list->values[list->k - 1]);
        even = vec_max(a, even);
        odd = vec_max(b, odd);
        if ((vmask_bits(vec_gt(a, last)) | vmask_bits(vec_gt(b, last))) != 0)
            softmax_offer(list, x, j);
        j += 2 * VEC_WIDTH;
    }
    even = vec_max(even, odd);
    return vec_max_lanes(vec_max(even, vec_set1(largest)));
}

static void softmax_top_k(const struct dgm_top_k_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const float *x = job->x + i * job->vocab;
        struct top_list list = top_list_begin(job, i);
        float largest = softmax_scan(&list, x, job->vocab), log_sum = 0;

        if (job->normalize)
            log_sum = (float)softmax_log(softmax_sum(x, job->vocab, largest));
        top_list_end(&list, job->normalize, largest, log_sum);
    }
}
