/*
 * attention_c.c: the attention core in plain loops over dgm_real: the reference for every vector
 * kernel, and the only one when dgm_real is double.
 *
 * One query at a time. E, A, dA and dS are rows of n x m matrices that never exist; P holds the
 * products of the query with a relation's table, B the sums of weights per label (Shaw et al.
 * 2018, specification 3.1): the vectors of a relation are never copied out per pair.
 */
#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "kernel/attention_row.h"
#include "kernel/simd/real_math.h"

/* ---- one row of weights --------------------------------------------------------------------- */

/* Rows of the scratch memory. */
struct rows {
    dgm_real *weight, *grad, *keep; /* m each */
    dgm_real *label[2];             /* one element for each label */
};

static inline struct rows take_rows(const struct dgm_attention_block *b)
{
    int64_t keys = dgm_attention_padded(b->m);
    dgm_real *at = b->scratch;
    struct rows rows;
    int t;

    rows.weight = at;
    rows.grad = at + keys;
    rows.keep = at + 2 * keys;
    at += 3 * keys;
    for (t = 0; t < 2; t++) {
        rows.label[t] = at;
        at += dgm_attention_padded(b->relations[t].count);
    }
    return rows;
}

static inline dgm_real dot(const dgm_real *a, const dgm_real *b, int64_t n)
{
    dgm_real sum = 0;
    int64_t i;

    for (i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* y += a x */
static inline void add_scaled(dgm_real *y, dgm_real a, const dgm_real *x, int64_t n)
{
    int64_t i;

    for (i = 0; i < n; i++)
        y[i] += a * x[i];
}

/* row[j] += of_row . table[label of j], by way of the products with every label. */
static inline void add_table(const struct dgm_attention_block *b, int t, const dgm_real *table,
                             int64_t dim, const dgm_real *of_row, int64_t i, int64_t seen,
                             dgm_real *row, dgm_real *products)
{
    struct attention_labels labels = attention_labels(b, &b->relations[t], i, seen);
    int64_t c;

    for (c = 0; c < b->relations[t].count; c++)
        products[c] = dot(of_row, table + c * dim, dim);
    attention_spread(row, products, &labels, seen);
}

/* sums[c] = sum of row[j] over the keys with label c. */
static inline void sum_labels(const struct dgm_attention_block *b, int t, int64_t i, int64_t seen,
                              const dgm_real *row, dgm_real *sums)
{
    struct attention_labels labels = attention_labels(b, &b->relations[t], i, seen);

    memset(sums, 0, (size_t)b->relations[t].count * sizeof *sums);
    attention_gather(sums, row, &labels, seen);
}

static inline void multiply(dgm_real *row, const dgm_real *by, int64_t n)
{
    int64_t j;

    for (j = 0; j < n; j++)
        row[j] *= by[j];
}

static inline void multiply_factors(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                                    dgm_real *row)
{
    int f;

    for (f = 0; f < 2; f++)
        if (attention_factor(b, f, i) != NULL)
            multiply(row, attention_factor(b, f, i), seen);
}

static inline void add_window(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                              dgm_real *e)
{
    dgm_real window = attention_window(b, i), shrink = -2 / (window * window), x;
    int64_t j;

    for (j = 0; j < seen; j++) {
        /* The logarithm of a Gaussian of standard deviation window / 2 (specification 3.7). */
        x = (dgm_real)j - b->center[i * b->ld_heads];
        e[j] += shrink * (x * x);
    }
}

/* E: the scores of query i, factors before masks so that 0 never meets -inf. */
static inline void score_row(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                             const struct rows *rows)
{
    const dgm_real *q = b->q + i * b->ldq;
    dgm_real *e = rows->weight;
    int64_t at = i * b->m, j;
    int t;

    for (j = 0; j < seen; j++)
        e[j] = dot(q, b->k + attention_key_row(b, j) * b->ldk, b->dim);
    for (t = 0; t < 2; t++)
        if (b->relations[t].count > 0 && b->relations[t].key != NULL)
            add_table(b, t, b->relations[t].key, b->dim, q, i, seen, e, rows->label[t]);
    for (j = 0; j < seen; j++)
        e[j] *= b->scale;
    multiply_factors(b, i, seen, e);
    for (j = 0; j < seen && b->addend != NULL; j++)
        e[j] += b->addend[at + j];
    if (b->center != NULL)
        add_window(b, i, seen, e);
    for (j = 0; j < seen && b->hidden != NULL; j++)
        if (b->hidden[at + j])
            e[j] = -(dgm_real)INFINITY;
}

/* Softmax in place; returns log sum exp, or +inf for a row without visible keys (zeros). */
static inline dgm_real soften_row(dgm_real *e, int64_t seen)
{
    dgm_real max = -(dgm_real)INFINITY, sum = 0, share;
    int64_t j;

    for (j = 0; j < seen; j++)
        if (e[j] > max)
            max = e[j];
    if (max == -(dgm_real)INFINITY) /* all are hidden: -inf - -inf would be NaN */
        max = 0;
    for (j = 0; j < seen; j++) {
        e[j] = dgm_real_exp(e[j] - max);
        sum += e[j];
    }
    if (sum == 0)
        return (dgm_real)INFINITY;
    share = 1 / sum;
    for (j = 0; j < seen; j++)
        e[j] *= share;
    return max + dgm_real_log(sum);
}

/* keep[j], j < seen rounded up to four: 0 for a dropped weight of query i, else the scale. */
static inline void keep_row(dgm_real *keep, const struct dgm_attention_block *b, int64_t i,
                            int64_t seen)
{
    uint32_t counter[4], words[4];
    int64_t j;
    int w;

    counter[1] = (uint32_t)b->places[2 * i + 1];
    counter[2] = (uint32_t)b->places[2 * i];
    counter[3] = b->mask.stream;
    for (j = 0; j < seen; j += 4) {
        counter[0] = (uint32_t)(j / 4);
        dgm_philox(words, counter, b->mask.key);
        for (w = 0; w < 4; w++)
            keep[j + w] = words[w] >= b->mask.threshold ? b->mask.scale : 0;
    }
}

/* A of a query that looks at key `forced` alone. */
static inline void force_row(dgm_real *a, int64_t seen, int64_t forced)
{
    memset(a, 0, (size_t)seen * sizeof *a);
    a[forced] = 1;
}

/* ---- forward -------------------------------------------------------------------------------- */

static void forward_row(const struct dgm_attention_block *b, int64_t i, const struct rows *rows)
{
    int64_t seen = attention_seen(b, i), forced = attention_forced(b, i, seen), j, c;
    dgm_real *z = b->z + i * b->ldz, lse;
    int t;

    score_row(b, i, seen, rows);
    lse = soften_row(rows->weight, seen);
    if (b->lse != NULL)
        b->lse[i * b->ld_heads] = lse;
    if (forced >= 0)
        force_row(rows->weight, seen, forced);
    if (b->mask.threshold > 0) {
        keep_row(rows->keep, b, i, seen);
        multiply(rows->weight, rows->keep, seen);
    }
    memset(z, 0, (size_t)b->dim_v * sizeof *z);
    for (j = 0; j < seen; j++)
        add_scaled(z, rows->weight[j], b->v + attention_key_row(b, j) * b->ldv, b->dim_v);
    for (t = 0; t < 2; t++) {
        const struct dgm_attention_relation *r = &b->relations[t];
        if (r->count == 0 || r->value == NULL)
            continue;
        sum_labels(b, t, i, seen, rows->weight, rows->label[t]);
        for (c = 0; c < r->count; c++)
            add_scaled(z, rows->label[t][c], r->value + c * b->dim_v, b->dim_v);
    }
}

static void attention_forward_c(const struct dgm_attention_block *b)
{
    struct rows rows = take_rows(b);
    int64_t i;

    for (i = 0; i < b->n; i++)
        forward_row(b, i, &rows);
}

/* ---- backward ------------------------------------------------------------------------------- */

/* Gradients of the center and the window of query i, from its row of dE. */
static void window_grads(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                         const dgm_real *de)
{
    dgm_real first = 0, second = 0, x;
    int64_t j;

    for (j = 0; j < seen; j++) {
        x = (dgm_real)j - b->center[i * b->ld_heads];
        first += de[j] * x;
        second += de[j] * (x * x);
    }
    attention_put_window(b, i, first, second);
}

/* A into rows->weight, as exp(E - lse), and dA into rows->grad. */
static void weight_grad_row(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                            const struct rows *rows)
{
    int64_t forced = attention_forced(b, i, seen), j;
    const dgm_real *dz = b->dz + i * b->lddz;
    dgm_real *a = rows->weight, *da = rows->grad;
    int t;

    score_row(b, i, seen, rows);
    for (j = 0; j < seen; j++) {
        /* lse = +inf, no visible key: all weights are 0. */
        a[j] = dgm_real_exp(a[j] - b->lse[i * b->ld_heads]);
        da[j] = dot(dz, b->v + attention_key_row(b, j) * b->ldv, b->dim_v);
    }
    for (t = 0; t < 2; t++)
        if (b->relations[t].count > 0 && b->relations[t].value != NULL)
            add_table(b, t, b->relations[t].value, b->dim_v, dz, i, seen, da, rows->label[t]);
    if (b->mask.threshold > 0) {
        keep_row(rows->keep, b, i, seen);
        multiply(da, rows->keep, seen);
    }
    if (forced >= 0)
        force_row(a, seen, forced);
}

/*
 * Leaves the dropped-out weights in rows->weight and scale factor dE in rows->grad:
 * dE_ij = A_ij (dA_ij - sum_j' A_ij' dA_ij'), which is 0 in a row that is one-hot.
 */
static void score_grad_row(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                           const struct rows *rows)
{
    dgm_real *a = rows->weight, *ds = rows->grad, mean = 0;
    int64_t j;

    weight_grad_row(b, i, seen, rows);
    for (j = 0; j < seen; j++)
        /* A without dropout, whose factors are in dA (chain rule). */
        mean += a[j] * ds[j];
    for (j = 0; j < seen; j++)
        ds[j] = a[j] * (ds[j] - mean);
    if (b->center != NULL)
        window_grads(b, i, seen, ds);
    for (j = 0; j < seen; j++)
        ds[j] *= b->scale;
    multiply_factors(b, i, seen, ds);
    if (b->mask.threshold > 0)
        multiply(a, rows->keep, seen);
}

/* What passes through the keys of relation t: a part of dq, and the table's gradient. */
static void key_table_grads(const struct dgm_attention_block *b, int t, int64_t i, int64_t seen,
                            const struct rows *rows)
{
    const struct dgm_attention_relation *r = &b->relations[t];
    dgm_real *sums = rows->label[t];
    int64_t c;

    sum_labels(b, t, i, seen, rows->grad, sums);
    for (c = 0; c < r->count; c++) {
        if (b->dq != NULL)
            add_scaled(b->dq + i * b->lddq, sums[c], r->key + c * b->dim, b->dim);
        if (r->dkey != NULL)
            add_scaled(r->dkey + c * b->dim, sums[c], b->q + i * b->ldq, b->dim);
    }
}

static void value_table_grads(const struct dgm_attention_block *b, int t, int64_t i, int64_t seen,
                              const struct rows *rows)
{
    const struct dgm_attention_relation *r = &b->relations[t];
    dgm_real *sums = rows->label[t];
    int64_t c;

    sum_labels(b, t, i, seen, rows->weight, sums);
    for (c = 0; c < r->count; c++)
        add_scaled(r->dvalue + c * b->dim_v, sums[c], b->dz + i * b->lddz, b->dim_v);
}

static void backward_row(const struct dgm_attention_block *b, int64_t i, const struct rows *rows)
{
    int64_t seen = attention_seen(b, i), j;
    int t;

    score_grad_row(b, i, seen, rows);
    for (j = 0; j < seen; j++) {
        int64_t row = attention_key_row(b, j);
        if (b->dq != NULL)
            add_scaled(b->dq + i * b->lddq, rows->grad[j], b->k + row * b->ldk, b->dim);
        if (b->dk != NULL)
            add_scaled(b->dk + row * b->lddk, rows->grad[j], b->q + i * b->ldq, b->dim);
        if (b->dv != NULL)
            add_scaled(b->dv + row * b->lddv, rows->weight[j], b->dz + i * b->lddz, b->dim_v);
    }
    for (t = 0; t < 2; t++) {
        const struct dgm_attention_relation *r = &b->relations[t];
        if (r->count > 0 && r->key != NULL)
            key_table_grads(b, t, i, seen, rows);
        if (r->count > 0 && r->value != NULL && r->dvalue != NULL)
            value_table_grads(b, t, i, seen, rows);
    }
}

static void attention_backward_c(const struct dgm_attention_block *b)
{
    struct rows rows = take_rows(b);
    size_t bytes = (size_t)b->dim * sizeof(dgm_real);
    int64_t i, j;

    for (i = 0; i < b->n; i++)
        if (b->dq != NULL && !b->accumulate_q)
            memset(b->dq + i * b->lddq, 0, bytes);
    for (j = 0; j < b->m; j++) {
        int64_t row = attention_key_row(b, j);
        if (b->dk != NULL && !b->accumulate_k)
            memset(b->dk + row * b->lddk, 0, bytes);
        if (b->dv != NULL && !b->accumulate_v)
            memset(b->dv + row * b->lddv, 0, (size_t)b->dim_v * sizeof(dgm_real));
    }
    for (i = 0; i < b->n; i++)
        backward_row(b, i, &rows);
}

const struct dgm_attention_kernels dgm_attention_c = { attention_forward_c, attention_backward_c };
