/*
 * rows_c.c: the kernels of rows.h in plain C, the reference for all others: look-up, dropout, layer
 * norm, sums of columns, cross-entropy, log softmax and the k best. Sums run in double.
 */
#include "kernel/rows.h"

#include "base/philox.h"
#include "kernel/simd/real_math.h"
#include "kernel/softmax.h"
#include "kernel/top_list.h"

static void rows_philox(uint32_t *words, uint32_t first, int64_t blocks, const uint32_t rest[3],
                        const uint32_t key[2])
{
    uint32_t counter[4] = { 0, rest[0], rest[1], rest[2] };

    for (int64_t b = 0; b < blocks; b++) {
        counter[0] = first + (uint32_t)b;
        dgm_philox(words + 4 * b, counter, key);
    }
}

/* The dropout of one row, asked column by column, upwards from a multiple of 4. */
struct row_drop {
    const struct dgm_mask *mask;
    uint32_t counter[4], words[4];
};

static struct row_drop row_drop(const struct dgm_mask *mask, const int32_t *places, int64_t row)
{
    /* Counter: column / 4, position, sentence, stream (kernel/task/numbers.h). */
    struct row_drop drop = { mask, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };

    if (mask->threshold > 0) {
        drop.counter[1] = (uint32_t)places[2 * row + 1];
        drop.counter[2] = (uint32_t)places[2 * row];
        drop.counter[3] = mask->stream;
    }
    return drop;
}

static dgm_real dropped(struct row_drop *drop, dgm_real x, int64_t column)
{
    if (drop->mask->threshold == 0)
        return x;
    if (column % 4 == 0) {
        drop->counter[0] = (uint32_t)(column / 4);
        dgm_philox(drop->words, drop->counter, drop->mask->key);
    }
    return drop->words[column % 4] >= drop->mask->threshold ? x * drop->mask->scale : 0;
}

static void rows_embed_forward(const struct dgm_embed_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        struct row_drop drop = row_drop(&job->mask, job->places, i);
        const dgm_real *x = job->table + job->ids[i] * job->ld_table;
        const dgm_real *p = job->positions;
        dgm_real *y = job->y + i * job->ldy;
        if (p)
            p += job->places[2 * i + 1] * job->ldy;
        for (int64_t c = 0; c < job->dim; c++)
            y[c] = dropped(&drop, p ? job->scale * x[c] + p[c] : job->scale * x[c], c);
    }
}

static void rows_embed_backward(const struct dgm_embed_backward_job *job, int64_t begin,
                                int64_t end)
{
    /* All rows in order, for an id may come twice: threads share out the columns. */
    for (int64_t i = 0; i < job->rows; i++) {
        struct row_drop drop = row_drop(&job->mask, job->places, i);
        dgm_real *dx = job->dtable + job->ids[i] * job->ld_table;
        const dgm_real *dy = job->dy + i * job->ldy;
        for (int64_t c = begin; c < end; c++)
            dx[c] += job->scale * dropped(&drop, dy[c], c);
    }
}

static void rows_residual(const struct dgm_residual_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        struct row_drop drop = row_drop(&job->mask, job->places, i);
        const dgm_real *x = job->x ? job->x + i * job->dim : NULL;
        const dgm_real *r = job->r + i * job->dim;
        dgm_real *y = job->y + i * job->dim;
        for (int64_t c = 0; c < job->dim; c++) {
            dgm_real kept = dropped(&drop, r[c], c);
            y[c] = x ? x[c] + kept : kept;
        }
    }
}

static void rows_norm_forward(const struct dgm_norm_forward_job *job, int64_t begin, int64_t end)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *x = job->x + i * dim;
        dgm_real *y = job->y + i * dim;
        double sum = 0, squares = 0;
        dgm_real mean, inverse;
        for (int64_t c = 0; c < dim; c++)
            sum += (double)x[c];
        /* Rounded before the squares: backward subtracts this very number. */
        mean = (dgm_real)(sum / (double)dim);
        for (int64_t c = 0; c < dim; c++)
            squares += ((double)x[c] - (double)mean) * ((double)x[c] - (double)mean);
        inverse = 1 / dgm_real_sqrt((dgm_real)(squares / (double)dim) + job->eps);
        for (int64_t c = 0; c < dim; c++)
            y[c] = job->gain[c] * ((x[c] - mean) * inverse) + job->bias[c];
        if (job->stats) {
            job->stats[2 * i] = mean;
            job->stats[2 * i + 1] = inverse;
        }
    }
}

/* With u = gain dy and h = (x - mean) / sqrt(var + eps):
 * dx = (u - mean(u) - h mean(u h)) / sqrt(var + eps). Specification 1.5. */
static void rows_norm_backward(const struct dgm_norm_backward_job *job, int64_t begin, int64_t end,
                               dgm_real *dgain, dgm_real *dbias)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *x = job->x + i * dim, *dy = job->dy + i * dim;
        const dgm_real mean = job->stats[2 * i], inverse = job->stats[2 * i + 1];
        dgm_real *dx = job->dx + i * dim;
        double sum_u = 0, sum_uh = 0;
        for (int64_t c = 0; c < dim; c++) {
            dgm_real h = (x[c] - mean) * inverse, u = job->gain[c] * dy[c];
            sum_u += (double)u;
            sum_uh += (double)u * (double)h;
            dgain[c] += dy[c] * h;
            dbias[c] += dy[c];
        }
        sum_u /= (double)dim, sum_uh /= (double)dim;
        for (int64_t c = 0; c < dim; c++) {
            dgm_real h = (x[c] - mean) * inverse, u = job->gain[c] * dy[c];
            dgm_real d = (u - (dgm_real)sum_u - h * (dgm_real)sum_uh) * inverse;
            dx[c] = job->accumulate ? dx[c] + d : d;
        }
    }
}

static void rows_column_sums(dgm_real *y, const dgm_real *x, int64_t ldx, int64_t rows,
                             int64_t cols)
{
    for (int64_t c = 0; c < cols; c++) {
        double sum = 0;
        for (int64_t i = 0; i < rows; i++)
            sum += (double)x[i * ldx + c];
        y[c] += (dgm_real)sum;
    }
}

/* ---- rows of scores over the vocabulary ----------------------------------------------------- */

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
    /* The losses come first: the gradient takes the place of the logits. */
    softmax_losses(job, i, softmax_log(sum), total, (double)x[target] - (double)largest);
    if (!job->want_gradient)
        return;
    for (int64_t j = 0; j < vocab; j++)
        x[j] = dgm_real_exp(x[j] - largest) * factor - base;
    x[target] -= job->grad_scale * (dgm_real)job->extra;
}

static void rows_cross_entropy(const struct dgm_loss_rows *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        cross_entropy_row(job, i);
}

static void rows_log_softmax(dgm_real *y, const dgm_real *x, int64_t count, int64_t vocab)
{
    for (int64_t i = 0; i < count; i++, x += vocab, y += vocab) {
        dgm_real largest = largest_of(x, vocab);
        dgm_real log_sum = (dgm_real)softmax_log(sum_of_exp(x, vocab, largest));
        for (int64_t j = 0; j < vocab; j++)
            y[j] = (x[j] - largest) - log_sum;
    }
}

static void rows_top_k(const struct dgm_top_k_job *job, int64_t begin, int64_t end)
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

const struct dgm_row_kernels dgm_rows_c = {
    .philox = rows_philox,
    .embed_forward = rows_embed_forward,
    .embed_backward = rows_embed_backward,
    .residual = rows_residual,
    .norm_forward = rows_norm_forward,
    .norm_backward = rows_norm_backward,
    .cross_entropy = rows_cross_entropy,
    .log_softmax = rows_log_softmax,
    .top_k = rows_top_k,
    .column_sums = rows_column_sums,
};
