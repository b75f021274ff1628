/*
 * attention_c.c: the attention core in plain loops over dgm_real: the reference for every vector
 * kernel, and the only one when dgm_real is double.
 *
 * One query at a time. E, A, dA and dS are rows of n x m matrices that never exist; P holds the
 * products of the query with a relation's table, B the sums of weights per label (Shaw et al.
 * 2018, specification 3.1): the vectors of a relation are never copied out per pair.
 */
#include "kernel/c/attention_c_row.h"

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
