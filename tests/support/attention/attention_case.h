/*
 * attention_case.h: random attention problems for the tests; attention_naive.h solves them.
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
    CASE_FACTORS = 512,   /* a second factor, ignored in some rows */
    CASE_CENTER = 1024,   /* a window of one size */
    CASE_WINDOW = 2048,   /* with CASE_CENTER: a window of each row's own size */
    CASE_FORCED = 4096,
    CASE_NARROW = 8192, /* values have other widths than keys */
    CASE_ALL = 16383
};

enum { CASE_CLIP = 3, CASE_LABEL_COUNT = 6 };

/* Everything a kernel writes, one after another. */
enum case_part {
    CASE_Z,
    CASE_LSE,
    CASE_DQ,
    CASE_DK,
    CASE_DV,
    CASE_DCENTER,
    CASE_DWINDOW,
    CASE_TABLES, /* four tables */
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

/* Half of the queries that see a key look at one key alone. */
static inline int32_t *case_forced(struct attention_case *c, struct dgm_random *random)
{
    const struct dgm_attention_block *b = &c->block;
    int32_t *forced = dgm_arena_alloc(test_env(), &c->arena, (size_t)b->n + 1, sizeof *forced);
    int64_t i;

    for (i = 0; forced != NULL && i < b->n; i++) {
        int64_t seen = b->causal ? i + b->m - b->n + 1 : b->m;
        forced[i] = -1;
        if (seen > 0 && dgm_random_below(random, 2) == 0)
            forced[i] = (int32_t)dgm_random_below(random, (uint32_t)seen);
    }
    return forced;
}

/* Centers among the keys and a little beyond; windows of a quarter of the keys or more. */
static inline void case_window(struct attention_case *c, struct dgm_random *random, int flags)
{
    struct dgm_attention_block *b = &c->block;
    dgm_real *center = c->inputs[CASE_DCENTER], *window = c->inputs[CASE_DWINDOW];
    int64_t i;

    if (!(flags & CASE_CENTER))
        return;
    for (i = 0; center != NULL && window != NULL && i < b->n * b->ld_heads; i++) {
        center[i] = (dgm_real)((double)(b->m + 2) * dgm_random_unit(random) - 1);
        window[i] = (dgm_real)(1 + (double)b->m * (0.25 + dgm_random_unit(random)));
    }
    b->center = center;
    b->window = flags & CASE_WINDOW ? window : NULL;
    b->window_size = 10;
}

static inline void case_terms(struct attention_case *c, struct dgm_random *random, int flags)
{
    struct dgm_attention_block *b = &c->block;
    int64_t cells = b->n * b->m + 1, j;

    if (flags & CASE_FACTOR)
        b->factor[0] = case_reals(c, random, cells);
    if (flags & CASE_FACTORS) {
        b->factor[1] = case_reals(c, random, cells);
        b->ignored = case_bytes(c, random, b->n * b->ld_heads + 1, 2);
    }
    if (flags & CASE_FORCED)
        b->forced = case_forced(c, random);
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
    b->dcenter = b->center != NULL ? out + c->begin[CASE_DCENTER] : NULL;
    b->dwindow = b->window != NULL ? out + c->begin[CASE_DWINDOW] : NULL;
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
    size[CASE_LSE] = b->n * b->ld_heads;
    size[CASE_DCENTER] = flags & CASE_CENTER ? b->n * b->ld_heads : 0;
    size[CASE_DWINDOW] = flags & CASE_CENTER && flags & CASE_WINDOW ? b->n * b->ld_heads : 0;
    size[CASE_DQ] = b->n * b->ldq;
    size[CASE_DK] = b->m * b->ldk;
    size[CASE_DV] = b->m * b->ldv;
    for (p = CASE_TABLES; p < CASE_PARTS; p++)
        size[p] =
            b->relations[(p - CASE_TABLES) / 2].count * ((p - CASE_TABLES) % 2 ? b->dim_v : b->dim);
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
    b->accumulate_center = b->accumulate_window = (flags & CASE_ADD_GRADS) != 0;
    c->start = case_reals(c, random, c->begin[CASE_PARTS]);
    c->naive =
        dgm_arena_alloc(test_env(), &c->arena, (size_t)c->begin[CASE_PARTS], sizeof *c->naive);
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
    b->dim_v = flags & CASE_NARROW ? dim / 2 + 3 : dim;
    b->ldq = b->lddq = dim + 3;
    b->ldk = b->lddk = dim + 1;
    b->ldz = b->lddz = b->dim_v + 3;
    b->ldv = b->lddv = b->dim_v + 1;
    b->ld_heads = 2;
    b->scale = (dgm_real)(1 / sqrt((double)dim));
    b->causal = (flags & CASE_CAUSAL) != 0;
    case_terms(c, &random, flags);
    case_drop(c, flags);
    case_operands(c, &random, flags);
    case_window(c, &random, flags);
    if (flags & CASE_KEY_ROWS)
        b->key_rows = case_key_rows(c, m);
    b->scratch = case_reals(c, NULL,
                            dgm_attention_scratch(m, dim, b->dim_v, b->relations[0].count,
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

/* Reals between rows of a part, of which the first *used mean something; 0: all of them do. */
static inline int64_t case_stride(const struct attention_case *c, int p, int64_t *used)
{
    const struct dgm_attention_block *b = &c->block;

    *used = p == CASE_Z || p == CASE_DV ? b->dim_v : p == CASE_DQ || p == CASE_DK ? b->dim : 1;
    switch (p) {
    case CASE_Z: return b->ldz;
    case CASE_DQ: return b->lddq;
    case CASE_DK: return b->lddk;
    case CASE_DV: return b->lddv;
    case CASE_LSE:
    case CASE_DCENTER:
    case CASE_DWINDOW: return b->ld_heads;
    default: return 0;
    }
}

/* Columns of padding between rows belong to nobody: true for elements that mean something. */
static inline int case_is_used(const struct attention_case *c, int p, int64_t at)
{
    int64_t used, ld = case_stride(c, p, &used);

    return ld == 0 || at % ld < used;
}

#endif
