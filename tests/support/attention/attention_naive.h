/*
 * attention_naive.h: the attention of the specification written as naively as can be: in double,
 * with n x m matrices and a vector for every pair of query and key.
 */
#ifndef DGM_TEST_ATTENTION_NAIVE_H
#define DGM_TEST_ATTENTION_NAIVE_H

#include "attention_case.h"

static inline int64_t naive_label(const struct dgm_attention_block *b, int t, int64_t i, int64_t j)
{
    const struct dgm_attention_relation *r = &b->relations[t];
    int64_t offset = j - (i + b->m - b->n);

    if (r->labels != NULL)
        return r->labels[i * b->m + j];
    return (offset < -r->clip ? -r->clip : offset > r->clip ? r->clip : offset) + r->clip;
}

/* Component x of the key (part 0) or value (part 1) that query i meets at key j. */
static inline double naive_vector(const struct dgm_attention_block *b, int part, int64_t i,
                                  int64_t j, int64_t x)
{
    int64_t row = b->key_rows != NULL ? b->key_rows[j] : j;
    double sum = (double)(part ? b->v[row * b->ldv + x] : b->k[row * b->ldk + x]);
    int t;

    for (t = 0; t < 2; t++)
        if (b->relations[t].count > 0)
            sum +=
                (double)(part ? b->relations[t].value
                              : b->relations[t]
                                    .key)[naive_label(b, t, i, j) * (part ? b->dim_v : b->dim) + x];
    return sum;
}

/* E_ij before factor and masks. */
static inline double naive_score(const struct dgm_attention_block *b, int64_t i, int64_t j)
{
    double sum = 0;
    int64_t x;

    for (x = 0; x < b->dim; x++)
        sum += (double)b->q[i * b->ldq + x] * naive_vector(b, 0, i, j, x);
    return (double)b->scale * sum;
}

/* What E_ij is multiplied with. */
static inline double naive_factor(const struct dgm_attention_block *b, int64_t i, int64_t j)
{
    double factor = b->factor[0] != NULL ? (double)b->factor[0][i * b->m + j] : 1;

    if (b->factor[1] != NULL && !b->ignored[i * b->ld_heads])
        factor *= (double)b->factor[1][i * b->m + j];
    return factor;
}

static inline double naive_window(const struct dgm_attention_block *b, int64_t i)
{
    return (double)(b->window != NULL ? b->window[i * b->ld_heads] : b->window_size);
}

/* E of row i. */
static inline void naive_row(const struct dgm_attention_block *b, int64_t i, double *e)
{
    int64_t j;

    for (j = 0; j < b->m; j++) {
        int64_t at = i * b->m + j;
        e[j] = naive_score(b, i, j) * naive_factor(b, i, j);
        if (b->center != NULL)
            e[j] -=
                2 * pow(((double)j - (double)b->center[i * b->ld_heads]) / naive_window(b, i), 2);
        if (b->addend != NULL)
            e[j] += (double)b->addend[at];
        if ((b->causal && j > i + b->m - b->n) || (b->hidden != NULL && b->hidden[at]))
            e[j] = -HUGE_VAL;
    }
}

/* log sum exp of a row, +inf if all of it is -inf. */
static inline double naive_lse(const double *e, int64_t m)
{
    double max = -HUGE_VAL, sum = 0;
    int64_t j;

    for (j = 0; j < m; j++)
        max = e[j] > max ? e[j] : max;
    for (j = 0; j < m; j++)
        sum += max == -HUGE_VAL ? 0 : exp(e[j] - max);
    return sum == 0 ? HUGE_VAL : max + log(sum);
}

/* The scale of kept weight (i,j), or 0. */
static inline double naive_keep(const struct dgm_attention_block *b, int64_t i, int64_t j)
{
    uint32_t counter[4], words[4];

    if (b->mask.threshold == 0)
        return 1;
    counter[0] = (uint32_t)(j / 4);
    counter[1] = (uint32_t)b->places[2 * i + 1];
    counter[2] = (uint32_t)b->places[2 * i];
    counter[3] = b->mask.stream;
    dgm_philox(words, counter, b->mask.key);
    return words[j % 4] >= b->mask.threshold ? (double)b->mask.scale : 0;
}

/* Adds to the gradient of the vector of (i,j), and of all it is a sum of, s times x. */
static inline void naive_vector_grad(const struct attention_case *c, double *out, int part,
                                     int64_t i, int64_t j, double s, const dgm_real *x)
{
    const struct dgm_attention_block *b = &c->block;
    int64_t row = b->key_rows != NULL ? b->key_rows[j] : j, ld = part ? b->lddv : b->lddk, y;
    int64_t dim = part ? b->dim_v : b->dim;
    int t;

    for (y = 0; y < dim; y++) {
        out[c->begin[part ? CASE_DV : CASE_DK] + row * ld + y] += s * (double)x[y];
        for (t = 0; t < 2; t++)
            if (b->relations[t].count > 0)
                out[c->begin[CASE_TABLES + 2 * t + part] + naive_label(b, t, i, j) * dim + y] +=
                    s * (double)x[y];
    }
}

static inline int naive_is_forced(const struct dgm_attention_block *b, int64_t i)
{
    return b->forced != NULL && b->forced[i] >= 0;
}

/* Row i forward: E becomes the weights A. Returns the loss sum(dz z) of this row. */
static inline double naive_forward_row(const struct attention_case *c, int64_t i, double *e)
{
    const struct dgm_attention_block *b = &c->block;
    double *z = c->naive + c->begin[CASE_Z] + i * b->ldz, lse, loss = 0;
    int64_t j, x;

    naive_row(b, i, e);
    lse = naive_lse(e, b->m);
    c->naive[c->begin[CASE_LSE] + i * b->ld_heads] = lse;
    for (j = 0; j < b->m; j++)
        e[j] = lse == HUGE_VAL ? 0 : exp(e[j] - lse);
    for (j = 0; j < b->m && naive_is_forced(b, i); j++)
        e[j] = j == b->forced[i];
    for (x = 0; x < b->dim_v; x++) {
        z[x] = 0;
        for (j = 0; j < b->m; j++)
            z[x] += e[j] * naive_keep(b, i, j) * naive_vector(b, 1, i, j, x);
        loss += z[x] * (double)b->dz[i * b->lddz + x];
    }
    return loss;
}

/* Adds what dE_ij passes on to the center and the window of its row. */
static inline void naive_window_grad(const struct attention_case *c, int64_t i, int64_t j,
                                     double de)
{
    const struct dgm_attention_block *b = &c->block;
    int64_t at = i * b->ld_heads;
    double window = naive_window(b, i), off;

    if (b->center == NULL)
        return;
    off = (double)j - (double)b->center[at];
    c->naive[c->begin[CASE_DCENTER] + at] += de * 4 * off / pow(window, 2);
    if (b->window != NULL)
        c->naive[c->begin[CASE_DWINDOW] + at] += de * 4 * off * off / pow(window, 3);
}

static inline void naive_backward_row(const struct attention_case *c, int64_t i, const double *a,
                                      double *da)
{
    const struct dgm_attention_block *b = &c->block;
    const dgm_real *dz = b->dz + i * b->lddz, *q = b->q + i * b->ldq;
    double mean = 0;
    int64_t j, x;

    for (j = 0; j < b->m; j++) {
        da[j] = 0;
        for (x = 0; x < b->dim_v; x++)
            da[j] += (double)dz[x] * naive_vector(b, 1, i, j, x);
        da[j] *= naive_keep(b, i, j);
        mean += a[j] * da[j];
    }
    for (j = 0; j < b->m; j++) {
        double de = naive_is_forced(b, i) ? 0 : a[j] * (da[j] - mean);
        double ds = de * (double)b->scale * naive_factor(b, i, j);
        naive_window_grad(c, i, j, de);
        for (x = 0; x < b->dim; x++)
            c->naive[c->begin[CASE_DQ] + i * b->lddq + x] += ds * naive_vector(b, 0, i, j, x);
        naive_vector_grad(c, c->naive, 0, i, j, ds, q);
        naive_vector_grad(c, c->naive, 1, i, j, a[j] * naive_keep(b, i, j), dz);
    }
}

static inline int case_overwritten(const struct attention_case *c, int p)
{
    return (p == CASE_DQ && !c->block.accumulate_q) || (p == CASE_DK && !c->block.accumulate_k) ||
           (p == CASE_DV && !c->block.accumulate_v) ||
           (p == CASE_DCENTER && !c->block.accumulate_center) ||
           (p == CASE_DWINDOW && !c->block.accumulate_window);
}

/* Fills c->naive; returns the loss sum(dz z). `rows` has room for 2 m doubles. */
static inline double naive_attention(struct attention_case *c, double *rows)
{
    const struct dgm_attention_block *b = &c->block;
    double loss = 0;
    int64_t i;
    int p;

    for (p = 0; p < CASE_PARTS; p++)
        for (i = c->begin[p]; i < c->begin[p + 1]; i++)
            c->naive[i] = case_overwritten(c, p) ? 0 : (double)c->start[i];
    for (i = 0; i < b->n; i++) {
        loss += naive_forward_row(c, i, rows);
        naive_backward_row(c, i, rows, rows + b->m);
    }
    return loss;
}

#endif
