/*
 * attention_case.h: random attention problems for the tests, and the attention of the
 * specification written as naively as can be: in double, with n x m matrices and a vector for
 * every pair of query and key.
 */
#ifndef DGM_TEST_ATTENTION_CASE_H
#define DGM_TEST_ATTENTION_CASE_H

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "kernel/kernel.h"
#include "test.h"

enum {
    CASE_CAUSAL = 1,
    CASE_FACTOR = 2,
    CASE_ADDEND = 4,
    CASE_HIDDEN = 8,
    CASE_SHAW = 16,   /* relation 0 */
    CASE_LABELS = 32, /* relation 1 */
    CASE_DROP = 64,
    CASE_KEY_ROWS = 128,
    CASE_ADD_GRADS = 256, /* gradients are added to what is there */
    CASE_ALL = 511
};

enum { CASE_CLIP = 3, CASE_LABEL_COUNT = 6 };

/* Everything a kernel writes, one after another. */
enum case_part {
    CASE_Z, CASE_LSE, CASE_DQ, CASE_DK, CASE_DV, CASE_TABLES, /* four tables */
    CASE_PARTS = CASE_TABLES + 4
};

struct attention_case {
    struct dgm_arena arena;
    struct dgm_attention_block block;
    int64_t begin[CASE_PARTS + 1]; /* where the parts lie among the outputs */
    dgm_real *inputs[CASE_PARTS];  /* of CASE_DQ ..: what these are gradients of */
    dgm_real *start;               /* what the outputs hold before the kernel runs */
    double *naive;                 /* the outputs of naive_attention */
};

static inline dgm_real *case_reals(struct attention_case *c, struct dgm_random *random,
                                   int64_t count)
{
    dgm_real *x = dgm_arena_alloc(test_env(), &c->arena, (size_t)count, sizeof *x);
    int64_t i;

    for (i = 0; x != NULL && random != NULL && i < count; i++)
        x[i] = (dgm_real)(2 * dgm_random_unit(random) - 1);
    return x;
}

static inline unsigned char *case_bytes(struct attention_case *c, struct dgm_random *random,
                                        int64_t count, uint32_t below)
{
    unsigned char *x = dgm_arena_alloc(test_env(), &c->arena, (size_t)count, 1);
    int64_t i;

    for (i = 0; x != NULL && i < count; i++)
        x[i] = (unsigned char)dgm_random_below(random, below);
    return x;
}

static inline int32_t *case_key_rows(struct attention_case *c, int64_t m)
{
    int32_t *rows = dgm_arena_alloc(test_env(), &c->arena, (size_t)m, sizeof *rows);
    int64_t j;

    for (j = 0; rows != NULL && j < m; j++)
        rows[j] = (int32_t)(m - 1 - j); /* any order will do */
    return rows;
}

static inline void case_terms(struct attention_case *c, struct dgm_random *random, int flags)
{
    struct dgm_attention_block *b = &c->block;
    int64_t cells = b->n * b->m + 1, j;

    if (flags & CASE_FACTOR)
        b->factor = case_reals(c, random, cells);
    if (flags & CASE_ADDEND)
        b->addend = case_reals(c, random, cells);
    if (flags & CASE_HIDDEN) {
        unsigned char *hidden = case_bytes(c, random, cells, 3);
        for (j = 0; hidden != NULL && j < cells; j++)
            hidden[j] = hidden[j] == 0 || j < b->m; /* the first row sees nothing */
        b->hidden = hidden;
    }
    if (flags & CASE_SHAW) {
        b->relations[0].count = 2 * CASE_CLIP + 1;
        b->relations[0].clip = CASE_CLIP;
    }
    if (flags & CASE_LABELS) {
        b->relations[1].count = CASE_LABEL_COUNT;
        b->relations[1].labels = case_bytes(c, random, cells, CASE_LABEL_COUNT);
    }
}

static inline void case_drop(struct attention_case *c, int flags)
{
    static const uint32_t key[2] = { 11, 22 };
    int32_t *places;
    int64_t i;

    if (!(flags & CASE_DROP))
        return;
    places = dgm_arena_alloc(test_env(), &c->arena, (size_t)c->block.n * 2 + 1, sizeof *places);
    for (i = 0; places != NULL && i < c->block.n; i++) {
        places[2 * i] = 77;
        places[2 * i + 1] = (int32_t)i;
    }
    c->block.places = places;
    c->block.mask = dgm_mask_make((dgm_real)0.25, 5, key);
}

/* Lets the block write to `out`, laid out as c->begin says. */
static inline void case_aim(struct attention_case *c, dgm_real *out)
{
    struct dgm_attention_block *b = &c->block;
    int t;

    b->z = out + c->begin[CASE_Z];
    b->lse = out + c->begin[CASE_LSE];
    b->dq = out + c->begin[CASE_DQ];
    b->dk = out + c->begin[CASE_DK];
    b->dv = out + c->begin[CASE_DV];
    for (t = 0; t < 2; t++) {
        b->relations[t].dkey = out + c->begin[CASE_TABLES + 2 * t];
        b->relations[t].dvalue = out + c->begin[CASE_TABLES + 2 * t + 1];
    }
}

static inline void case_operands(struct attention_case *c, struct dgm_random *random, int flags)
{
    struct dgm_attention_block *b = &c->block;
    int64_t size[CASE_PARTS];
    int p;

    size[CASE_Z] = b->n * b->ldz;
    size[CASE_LSE] = b->n;
    size[CASE_DQ] = b->n * b->ldq;
    size[CASE_DK] = b->m * b->ldk;
    size[CASE_DV] = b->m * b->ldv;
    for (p = CASE_TABLES; p < CASE_PARTS; p++)
        size[p] = b->relations[(p - CASE_TABLES) / 2].count * b->dim;
    c->begin[0] = 0;
    for (p = 0; p < CASE_PARTS; p++) {
        c->begin[p + 1] = c->begin[p] + size[p];
        c->inputs[p] = case_reals(c, random, size[p]);
    }
    b->q = c->inputs[CASE_DQ];
    b->k = c->inputs[CASE_DK];
    b->v = c->inputs[CASE_DV];
    b->dz = c->inputs[CASE_Z];
    for (p = 0; p < 2; p++) {
        b->relations[p].key = c->inputs[CASE_TABLES + 2 * p];
        b->relations[p].value = c->inputs[CASE_TABLES + 2 * p + 1];
    }
    b->accumulate_q = b->accumulate_k = b->accumulate_v = (flags & CASE_ADD_GRADS) != 0;
    c->start = case_reals(c, random, c->begin[CASE_PARTS]);
    c->naive = dgm_arena_alloc(test_env(), &c->arena, (size_t)c->begin[CASE_PARTS],
                               sizeof *c->naive);
}

static inline void case_clear(struct attention_case *c)
{
    dgm_arena_clear(test_env(), &c->arena);
}

/* Makes a problem of n queries and m keys of `dim` reals; 0 without memory. */
static inline int case_make(struct attention_case *c, uint64_t seed, int64_t n, int64_t m,
                            int64_t dim, int flags)
{
    struct dgm_attention_block *b = &c->block;
    struct dgm_random random;

    memset(c, 0, sizeof *c);
    dgm_random_init(&random, seed, 1, 2, 3);
    b->n = n;
    b->m = m;
    b->dim = dim;
    b->ldq = b->lddq = b->ldz = b->lddz = dim + 3;
    b->ldk = b->lddk = b->ldv = b->lddv = dim + 1;
    b->ld_lse = 1;
    b->scale = (dgm_real)(1 / sqrt((double)dim));
    b->causal = (flags & CASE_CAUSAL) != 0;
    case_terms(c, &random, flags);
    case_drop(c, flags);
    case_operands(c, &random, flags);
    if (flags & CASE_KEY_ROWS)
        b->key_rows = case_key_rows(c, m);
    b->scratch = case_reals(c, NULL, dgm_attention_scratch(m, dim, b->relations[0].count,
                                                           b->relations[1].count));
    if (test_env()->error.status == DGM_OK)
        return 1;
    case_clear(c);
    return 0;
}

/* A copy of the start values for one kernel to write on; NULL without memory. */
static inline dgm_real *case_output(struct attention_case *c)
{
    int64_t count = c->begin[CASE_PARTS];
    dgm_real *out = case_reals(c, NULL, count);

    if (out != NULL) {
        memcpy(out, c->start, (size_t)count * sizeof *out);
        case_aim(c, out);
    }
    return out;
}

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
            sum += (double)(part ? b->relations[t].value : b->relations[t].key)
                [naive_label(b, t, i, j) * b->dim + x];
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

/* E of row i. */
static inline void naive_row(const struct dgm_attention_block *b, int64_t i, double *e)
{
    int64_t j;

    for (j = 0; j < b->m; j++) {
        int64_t at = i * b->m + j;
        e[j] = naive_score(b, i, j);
        if (b->factor != NULL)
            e[j] *= (double)b->factor[at];
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
    int t;

    for (y = 0; y < b->dim; y++) {
        out[c->begin[part ? CASE_DV : CASE_DK] + row * ld + y] += s * (double)x[y];
        for (t = 0; t < 2; t++)
            if (b->relations[t].count > 0)
                out[c->begin[CASE_TABLES + 2 * t + part] + naive_label(b, t, i, j) * b->dim + y] +=
                    s * (double)x[y];
    }
}

/* Row i forward: E becomes the weights A. Returns the loss sum(dz z) of this row. */
static inline double naive_forward_row(const struct attention_case *c, int64_t i, double *e)
{
    const struct dgm_attention_block *b = &c->block;
    double *z = c->naive + c->begin[CASE_Z] + i * b->ldz, lse, loss = 0;
    int64_t j, x;

    naive_row(b, i, e);
    lse = naive_lse(e, b->m);
    c->naive[c->begin[CASE_LSE] + i] = lse;
    for (j = 0; j < b->m; j++)
        e[j] = lse == HUGE_VAL ? 0 : exp(e[j] - lse);
    for (x = 0; x < b->dim; x++) {
        z[x] = 0;
        for (j = 0; j < b->m; j++)
            z[x] += e[j] * naive_keep(b, i, j) * naive_vector(b, 1, i, j, x);
        loss += z[x] * (double)b->dz[i * b->lddz + x];
    }
    return loss;
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
        for (x = 0; x < b->dim; x++)
            da[j] += (double)dz[x] * naive_vector(b, 1, i, j, x);
        da[j] *= naive_keep(b, i, j);
        mean += a[j] * da[j];
    }
    for (j = 0; j < b->m; j++) {
        double ds = a[j] * (da[j] - mean) * (double)b->scale;
        if (b->factor != NULL)
            ds *= (double)b->factor[i * b->m + j];
        for (x = 0; x < b->dim; x++)
            c->naive[c->begin[CASE_DQ] + i * b->lddq + x] += ds * naive_vector(b, 0, i, j, x);
        naive_vector_grad(c, c->naive, 0, i, j, ds, q);
        naive_vector_grad(c, c->naive, 1, i, j, a[j] * naive_keep(b, i, j), dz);
    }
}

static inline int case_overwritten(const struct attention_case *c, int p)
{
    return (p == CASE_DQ && !c->block.accumulate_q) || (p == CASE_DK && !c->block.accumulate_k)
        || (p == CASE_DV && !c->block.accumulate_v);
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

/* Columns of padding between rows belong to nobody: true for elements that mean something. */
static inline int case_is_used(const struct attention_case *c, int p, int64_t at)
{
    const struct dgm_attention_block *b = &c->block;
    int64_t ld = p == CASE_Z ? b->ldz : p == CASE_DQ ? b->lddq : p == CASE_DK ? b->lddk
               : p == CASE_DV ? b->lddv : 0;

    return ld == 0 || at % ld < b->dim;
}

#endif
