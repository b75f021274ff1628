/*
 * attention_c_row.h: one row of attention weights in plain loops: scores with all their terms,
 * softmax, dropout. Included by attention_c.c alone.
 */
#ifndef DGM_KERNEL_C_ATTENTION_C_ROW_H
#define DGM_KERNEL_C_ATTENTION_C_ROW_H

#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "kernel/attention_row.h"
#include "kernel/simd/real_math.h"

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
    if (max == -(dgm_real)INFINITY)
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

#endif
