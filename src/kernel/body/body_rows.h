/*
 * body_rows.h: the kernels of rows.h over the vector vocabulary; body_softmax.h has those on scores
 * over the vocabulary.
 *
 * Look-up and dropout multiply and add separately, and so agree with plain C to the bit. Sums over
 * a row run in two registers, one for the even vectors of columns and one for the odd: each hides
 * the latency of the other's addition. Their order depends on the length of the row alone.
 */
#include <math.h>

#include "kernel/body/body_philox.h"

static void rows_philox(uint32_t *words, uint32_t first, int64_t blocks, const uint32_t rest[3],
                        const uint32_t key[2])
{
    uint32_t last[PHILOX_SPAN];
    int64_t b = 0;

    for (; b + VEC_WIDTH <= blocks; b += VEC_WIDTH)
        philox_span(words + 4 * b, first + (uint32_t)b, rest, key);
    if (b == blocks)
        return;
    philox_span(last, first + (uint32_t)b, rest, key);
    for (int64_t i = 0; i < 4 * (blocks - b); i++)
        words[4 * b + i] = last[i];
}

/* The dropout of one row, asked for vector by vector. */
struct rows_drop {
    const struct dgm_mask *mask; /* NULL: nothing is dropped */
    uint32_t rest[3];
    int64_t end; /* words are those of the PHILOX_SPAN columns before it */
    uint32_t words[PHILOX_SPAN];
};

/* `begin`, the first column, is a multiple of 4. */
static inline void rows_drop_start(struct rows_drop *drop, const struct dgm_mask *mask,
                                   const int32_t *places, int64_t row, int64_t begin)
{
    drop->mask = mask->threshold > 0 ? mask : NULL;
    if (!drop->mask)
        return;
    drop->rest[0] = (uint32_t)places[2 * row + 1];
    drop->rest[1] = (uint32_t)places[2 * row];
    drop->rest[2] = mask->stream;
    drop->end = begin;
}

static inline vec rows_dropped(struct rows_drop *drop, vec x, int64_t column)
{
    if (!drop->mask)
        return x;
    if (column == drop->end) {
        philox_span(drop->words, (uint32_t)(column / 4), drop->rest, drop->mask->key);
        drop->end += PHILOX_SPAN;
    }
    return philox_drop(x, drop->words + (column + PHILOX_SPAN - drop->end), drop->mask);
}

static void rows_embed_forward(const struct dgm_embed_forward_job *job, int64_t begin, int64_t end)
{
    const vec scale = vec_set1(job->scale);

    for (int64_t i = begin; i < end; i++) {
        const float *x = job->table + job->ids[i] * job->ld_table;
        const float *p = job->positions;
        float *y = job->y + i * job->ldy;
        struct rows_drop drop;
        rows_drop_start(&drop, &job->mask, job->places, i, 0);
        if (p)
            p += job->places[2 * i + 1] * job->ldy;
        for (int64_t c = 0; c < job->dim; c += VEC_WIDTH) {
            int lanes = rows_lanes(job->dim - c);
            vec sum = vec_mul(scale, rows_load(x + c, lanes));
            if (p)
                sum = vec_add(sum, rows_load(p + c, lanes));
            rows_store(y + c, rows_dropped(&drop, sum, c), lanes);
        }
    }
}

static void rows_embed_backward(const struct dgm_embed_backward_job *job, int64_t begin,
                                int64_t end)
{
    const vec scale = vec_set1(job->scale);

    for (int64_t i = 0; i < job->rows; i++) {
        float *dx = job->dtable + job->ids[i] * job->ld_table;
        const float *dy = job->dy + i * job->ldy;
        struct rows_drop drop;
        rows_drop_start(&drop, &job->mask, job->places, i, begin);
        for (int64_t c = begin; c < end; c += VEC_WIDTH) {
            int lanes = rows_lanes(end - c);
            vec d = vec_mul(scale, rows_dropped(&drop, rows_load(dy + c, lanes), c));
            rows_store(dx + c, vec_add(rows_load(dx + c, lanes), d), lanes);
        }
    }
}

static void rows_residual(const struct dgm_residual_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const float *x = job->x ? job->x + i * job->dim : NULL;
        const float *r = job->r + i * job->dim;
        float *y = job->y + i * job->dim;
        struct rows_drop drop;
        rows_drop_start(&drop, &job->mask, job->places, i, 0);
        for (int64_t c = 0; c < job->dim; c += VEC_WIDTH) {
            int lanes = rows_lanes(job->dim - c);
            vec kept = rows_dropped(&drop, rows_load(r + c, lanes), c);
            if (x)
                kept = vec_add(rows_load(x + c, lanes), kept);
            rows_store(y + c, kept, lanes);
        }
    }
}

static float rows_sum(const float *x, int64_t dim)
{
    vec sums[2] = { vec_zero(), vec_zero() };
    int64_t c = 0;

    for (; c + 2 * VEC_WIDTH <= dim; c += 2 * VEC_WIDTH) {
        sums[0] = vec_add(sums[0], vec_load(x + c));
        sums[1] = vec_add(sums[1], vec_load(x + c + VEC_WIDTH));
    }
    for (; c < dim; c += VEC_WIDTH)
        sums[0] = vec_add(sums[0], vec_load_part(x + c, rows_lanes(dim - c)));
    return vec_sum(vec_add(sums[0], sums[1]));
}

/* The sum of (x - mean)^2, in a second pass: sum(x^2) - n mean^2 would cancel. */
static float rows_spread(const float *x, int64_t dim, float mean)
{
    const vec centre = vec_set1(mean);
    vec sums[2] = { vec_zero(), vec_zero() };
    int64_t c = 0;

    for (; c + 2 * VEC_WIDTH <= dim; c += 2 * VEC_WIDTH) {
        vec d0 = vec_sub(vec_load(x + c), centre);
        vec d1 = vec_sub(vec_load(x + c + VEC_WIDTH), centre);
        sums[0] = vec_fma(d0, d0, sums[0]);
        sums[1] = vec_fma(d1, d1, sums[1]);
    }
    for (; c < dim; c += VEC_WIDTH) {
        int lanes = rows_lanes(dim - c);
        vec d = vec_keep_first(vec_sub(vec_load_part(x + c, lanes), centre), lanes);
        sums[0] = vec_fma(d, d, sums[0]);
    }
    return vec_sum(vec_add(sums[0], sums[1]));
}

static void rows_norm_forward(const struct dgm_norm_forward_job *job, int64_t begin, int64_t end)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const float *x = job->x + i * dim;
        float *y = job->y + i * dim;
        float mean = rows_sum(x, dim) / (float)dim;
        float inverse = 1.0f / sqrtf(rows_spread(x, dim, mean) / (float)dim + job->eps);
        for (int64_t c = 0; c < dim; c += VEC_WIDTH) {
            int lanes = rows_lanes(dim - c);
            vec h = vec_mul(vec_sub(rows_load(x + c, lanes), vec_set1(mean)), vec_set1(inverse));
            h = vec_fma(rows_load(job->gain + c, lanes), h, rows_load(job->bias + c, lanes));
            rows_store(y + c, h, lanes);
        }
        if (job->stats) {
            job->stats[2 * i] = mean;
            job->stats[2 * i + 1] = inverse;
        }
    }
}

/* One row, with u = gain dy and h = (x - mean) inverse. */
static void rows_norm_backward_row(const struct dgm_norm_backward_job *job, int64_t i, float *dgain,
                                   float *dbias)
{
    const int64_t dim = job->dim;
    const float *x = job->x + i * dim, *dy = job->dy + i * dim;
    const vec mean = vec_set1(job->stats[2 * i]), inverse = vec_set1(job->stats[2 * i + 1]);
    vec sum_u = vec_zero(), sum_uh = vec_zero();
    float *dx = job->dx + i * dim;

    for (int64_t c = 0; c < dim; c += VEC_WIDTH) {
        int lanes = rows_lanes(dim - c);
        vec h = vec_mul(vec_sub(rows_load(x + c, lanes), mean), inverse);
        vec d = rows_load(dy + c, lanes);
        vec u = vec_mul(rows_load(job->gain + c, lanes), d);
        sum_u = vec_add(sum_u, u);
        sum_uh = vec_fma(u, h, sum_uh);
        rows_store(dgain + c, vec_fma(d, h, rows_load(dgain + c, lanes)), lanes);
        rows_store(dbias + c, vec_add(d, rows_load(dbias + c, lanes)), lanes);
    }
    sum_u = vec_set1(vec_sum(sum_u) / (float)dim);
    sum_uh = vec_set1(vec_sum(sum_uh) / (float)dim);
    for (int64_t c = 0; c < dim; c += VEC_WIDTH) {
        int lanes = rows_lanes(dim - c);
        vec h = vec_mul(vec_sub(rows_load(x + c, lanes), mean), inverse);
        vec u = vec_mul(rows_load(job->gain + c, lanes), rows_load(dy + c, lanes));
        vec d = vec_mul(vec_fnma(h, sum_uh, vec_sub(u, sum_u)), inverse);
        if (job->accumulate)
            d = vec_add(rows_load(dx + c, lanes), d);
        rows_store(dx + c, d, lanes);
    }
}

static void rows_norm_backward(const struct dgm_norm_backward_job *job, int64_t begin, int64_t end,
                               float *dgain, float *dbias)
{
    for (int64_t i = begin; i < end; i++)
        rows_norm_backward_row(job, i, dgain, dbias);
}

static void rows_column_sums(float *y, const float *x, int64_t ldx, int64_t rows, int64_t cols)
{
    int64_t c = 0;

    for (; c + 4 * VEC_WIDTH <= cols; c += 4 * VEC_WIDTH) {
        vec sums[4] = { vec_zero(), vec_zero(), vec_zero(), vec_zero() };
        for (int64_t i = 0; i < rows; i++)
            for (int part = 0; part < 4; part++)
                sums[part] = vec_add(sums[part], vec_load(x + i * ldx + c + part * VEC_WIDTH));
        for (int part = 0; part < 4; part++) {
            float *to = y + c + part * VEC_WIDTH;
            vec_store(to, vec_add(vec_load(to), sums[part]));
        }
    }
    for (; c < cols; c += VEC_WIDTH) {
        int lanes = rows_lanes(cols - c);
        vec sum = vec_zero();
        for (int64_t i = 0; i < rows; i++)
            sum = vec_add(sum, rows_load(x + i * ldx + c, lanes));
        rows_store(y + c, vec_add(rows_load(y + c, lanes), sum), lanes);
    }
}

static const struct dgm_row_kernels row_kernels = {
    .philox = rows_philox,
    .embed_forward = rows_embed_forward,
    .embed_backward = rows_embed_backward,
    .residual = rows_residual,
    .norm_forward = rows_norm_forward,
    .norm_backward = rows_norm_backward,
    .cross_entropy = softmax_cross_entropy,
    .log_softmax = softmax_log_rows,
    .top_k = softmax_top_k,
    .column_sums = rows_column_sums,
};
