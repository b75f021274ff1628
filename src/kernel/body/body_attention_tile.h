/*
 * body_attention_tile.h: a tile of queries: its memory, one row of its weights, as both passes need
 * it, and the products of its weights with keys, values and tables. Included by body_attention.h.
 */
#include <math.h>
#include <string.h>

#include "kernel/attention_row.h"
#include "kernel/body/body_attention_sums.h"
#include "kernel/body/body_philox.h"

/* ---- memory --------------------------------------------------------------------------------- */

/*
 * Scratch memory of a tile. Rows are padded to 16 reals, so that each begins a cache line:
 *
 *     weight, grad             (TILE, keys) each
 *     label_weight, label_grad (TILE, labels) each, for relation 0, then for relation 1
 *     keep                     (keys)
 *     products                 (labels of both + 16): attention_dots writes up to 3 elements more
 *     packed                   copies of k and v (keys, dim), and of q and dz (TILE, dim)
 *
 * dgm_attention_scratch counts the same. With 64 keys and heads of 64 columns, weight is 8 KiB and
 * the copies of keys and values are 32 KiB: a tile stays in the caches of one core.
 */
struct attention_tile {
    const struct dgm_attention_block *b;
    int64_t first, rows;         /* queries first .. first+rows-1 */
    int64_t seen;                /* keys that the last of them sees */
    int64_t ld;                  /* between rows of weight and grad */
    float *weight, *grad;        /* E, then A, then A dropped out; dA, then dS */
    const float *k, *v, *q, *dz; /* keys, values; queries and dz from `first` on */
    int64_t ldk, ldv, ldq, lddz;
    const int32_t *key_rows;              /* of k and v */
    float *packed;                        /* where copies of the four go */
    float *keep, *products;               /* one row */
    int64_t label_first[2], label_end[2]; /* labels that occur in the tile */
    int64_t label_ld[2];
    float *label_weight[2], *label_grad[2]; /* sums of the rows above per label */
};

static void attention_tile_layout(struct attention_tile *tile, const struct dgm_attention_block *b)
{
    float *at = b->scratch;
    int t;

    memset(tile, 0, sizeof *tile);
    tile->b = b;
    tile->ld = dgm_attention_padded(b->m);
    tile->weight = at;
    tile->grad = at + DGM_ATTENTION_TILE * tile->ld;
    at += DGM_ATTENTION_TILE * 2 * tile->ld;
    for (t = 0; t < 2; t++) {
        tile->label_ld[t] = dgm_attention_padded(b->relations[t].count);
        tile->label_weight[t] = at;
        tile->label_grad[t] = at + DGM_ATTENTION_TILE * tile->label_ld[t];
        at += DGM_ATTENTION_TILE * 2 * tile->label_ld[t];
    }
    tile->keep = at;
    tile->products = at + tile->ld;
    tile->packed = tile->products + tile->label_ld[0] + tile->label_ld[1] + 16;
}

/*
 * Copies rows so that they follow one another, and returns the copy. The columns to the right of
 * them belong to the next head, which is usually computed next: they are prefetched.
 */
static const float *attention_pack(float *to, const float *rows, int64_t ld, const int32_t *index,
                                   int64_t count, int64_t dim)
{
    int64_t ld_to = dgm_attention_padded(dim), i, c;

    for (i = 0; i < count; i++) {
        const float *row = attention_row(rows, ld, index, i);
        memcpy(to + i * ld_to, row, (size_t)dim * sizeof *to);
        for (c = 0; c < dim; c += 16)
            vec_prefetch(row + dim + c);
    }
    return to;
}

/* Prefetches rows that the end of the tile reads or writes, while its beginning computes. */
static void attention_ask(const float *rows, int64_t ld, const int32_t *index, int64_t count,
                          int64_t dim)
{
    int64_t i, c;

    for (i = 0; i < count; i++)
        for (c = 0; c < dim; c += 16)
            vec_prefetch(attention_row(rows, ld, index, i) + c);
}

/*
 * Keys and values are read once for every query. Rows of a wide matrix collide in the cache (ld
 * is often a power of two), so a few queries pay for a copy.
 */
static void attention_tile_keys(struct attention_tile *tile)
{
    const struct dgm_attention_block *b = tile->b;
    int64_t ld = dgm_attention_padded(b->dim), ld_v = dgm_attention_padded(b->dim_v);

    tile->k = b->k;
    tile->v = b->v;
    tile->ldk = b->ldk;
    tile->ldv = b->ldv;
    tile->key_rows = b->key_rows;
    if (b->n < 4)
        return;
    tile->k = attention_pack(tile->packed, b->k, b->ldk, b->key_rows, b->m, b->dim);
    tile->v =
        attention_pack(tile->packed + tile->ld * ld, b->v, b->ldv, b->key_rows, b->m, b->dim_v);
    tile->ldk = ld;
    tile->ldv = ld_v;
    tile->key_rows = NULL;
}

/* The same for the queries of a tile and their gradients, which the backward pass reads often. */
static void attention_tile_queries(struct attention_tile *tile)
{
    const struct dgm_attention_block *b = tile->b;
    int64_t ld = dgm_attention_padded(b->dim), ld_v = dgm_attention_padded(b->dim_v);
    float *to = tile->packed + tile->ld * (ld + ld_v);

    tile->q = attention_pack(to, b->q + tile->first * b->ldq, b->ldq, NULL, tile->rows, b->dim);
    to += DGM_ATTENTION_TILE * ld;
    tile->dz =
        attention_pack(to, b->dz + tile->first * b->lddz, b->lddz, NULL, tile->rows, b->dim_v);
    tile->ldq = ld;
    tile->lddz = ld_v;
}

static void attention_tile_start(struct attention_tile *tile, int64_t first)
{
    const struct dgm_attention_block *b = tile->b;
    int64_t rest = b->n - first;
    int t;

    tile->first = first;
    tile->rows = rest < DGM_ATTENTION_TILE ? rest : DGM_ATTENTION_TILE;
    tile->seen = attention_seen(b, first + tile->rows - 1);
    tile->q = b->q + first * b->ldq;
    tile->ldq = b->ldq;
    for (t = 0; t < 2; t++)
        attention_label_range(b, &b->relations[t], first, tile->rows, tile->seen,
                              &tile->label_first[t], &tile->label_end[t]);
}

/* out rows (+)= tile rows of weights times rows of keys or values, `dim` columns of them. */
static void attention_mix_keys(const struct attention_tile *tile, float *out, int64_t ld_out,
                               const float *w, const float *source, int64_t ld, int64_t dim,
                               int accumulate)
{
    const struct dgm_attention_block *b = tile->b;
    struct attention_mix mix = { 0 };

    mix.out = out + tile->first * ld_out;
    mix.ld_out = ld_out;
    mix.w = w;
    mix.step_a = tile->ld;
    mix.step_b = 1;
    mix.source = source;
    mix.ld_source = ld;
    mix.source_index = tile->key_rows;
    mix.outputs = tile->rows;
    mix.sources = tile->seen;
    mix.dim = dim;
    mix.accumulate = accumulate;
    mix.band = b->causal ? ATTENTION_BELOW : ATTENTION_ALL;
    mix.edge = tile->first + b->m - b->n + 1;
    attention_mix(&mix);
}

/* out rows += sums per label times rows of relation t's table. */
static void attention_mix_table(const struct attention_tile *tile, int t, float *out,
                                int64_t ld_out, const float *sums, const float *table, int64_t dim)
{
    struct attention_mix mix = { 0 };

    mix.out = out + tile->first * ld_out;
    mix.ld_out = ld_out;
    mix.w = sums + tile->label_first[t];
    mix.step_a = tile->label_ld[t];
    mix.step_b = 1;
    mix.dim = mix.ld_source = dim;
    mix.source = table + tile->label_first[t] * dim;
    mix.outputs = tile->rows;
    mix.sources = tile->label_end[t] - tile->label_first[t];
    mix.accumulate = 1;
    attention_mix(&mix);
}

/* ---- one row: scores, softmax, dropout ------------------------------------------------------ */

/*
 * Rows are handled in whole vectors. What the last vector has beyond `seen` must not take part in
 * sums: scores become -inf there, weights and gradients 0. It lies within the padding of the row.
 */

/* Lanes j .. of a row of `seen` elements; the rest becomes `beyond`. */
static inline vec attention_within(vec x, int64_t j, int64_t seen, vec beyond)
{
    vec lanes = vec_from_int(ivec_iota());

    if (j + VEC_WIDTH <= seen)
        return x;
    return vec_select(vec_gt(vec_set1((float)(seen - j)), lanes), x, beyond);
}

/* to[j] += from[j], j < count */
static void attention_add_run(float *to, const float *from, int64_t count)
{
    int64_t j;

    for (j = 0; j < count; j += VEC_WIDTH) {
        vec x = vec_add(attention_load(to + j, count - j), attention_load(from + j, count - j));
        attention_store(to + j, x, count - j);
    }
}

/* row[j] += x, j < count */
static void attention_raise_run(float *row, float x, int64_t count)
{
    const vec more = vec_set1(x);
    int64_t j;

    for (j = 0; j < count; j += VEC_WIDTH)
        attention_store(row + j, vec_add(attention_load(row + j, count - j), more), count - j);
}

static float attention_sum_run(const float *row, int64_t count)
{
    vec sums = vec_zero();
    int64_t j;

    for (j = 0; j < count; j += VEC_WIDTH)
        sums = vec_add(sums, attention_load(row + j, count - j));
    return vec_sum(sums);
}

/*
 * attention_spread and attention_gather where labels are distances (Shaw et al. 2018): the keys of
 * a row fall into three runs. Those far to the left share the first label, those far to the right
 * the last; between them the labels rise by one from key to key. So vectors serve each run, where
 * labels from a table would need a gather for every key.
 */
static void attention_spread_runs(float *row, const float *of_label,
                                  const struct attention_labels *labels, int64_t seen)
{
    const int64_t left = labels->left, middle = labels->middle;

    attention_raise_run(row, of_label[0], left);
    attention_add_run(row + left, of_label + left + labels->shift, middle - left);
    attention_raise_run(row + middle, of_label[labels->last], seen - middle);
}

static void attention_gather_runs(float *of_label, const float *row,
                                  const struct attention_labels *labels, int64_t seen)
{
    const int64_t left = labels->left, middle = labels->middle;

    if (left > 0)
        of_label[0] += attention_sum_run(row, left);
    attention_add_run(of_label + left + labels->shift, row + left, middle - left);
    if (middle < seen)
        of_label[labels->last] += attention_sum_run(row + middle, seen - middle);
}

/* Whether every key has a label of its own, and that of key 0 is the first. */
static inline int attention_is_one_run(const struct attention_labels *labels, int64_t seen)
{
    return labels->bytes == NULL && labels->left == 0 && labels->middle == seen;
}

/*
 * row[j] += x . table[label of j]. One product for each label that occurs, then each key gets that
 * of its label: a relation has few labels (2 clip + 1), and a sentence has many keys.
 */
static void attention_add_table(const struct attention_tile *tile, int t, const float *table,
                                int64_t dim, const float *x, int64_t i, int64_t seen, float *row)
{
    const struct dgm_attention_block *b = tile->b;
    struct attention_labels labels = attention_labels(b, &b->relations[t], i, seen);
    int64_t first, end;

    if (seen == 0)
        return;
    if (attention_is_one_run(&labels, seen)) {
        attention_add_dots(row, x, table + labels.shift * dim, seen, dim);
        return;
    }
    attention_label_range(b, &b->relations[t], i, 1, seen, &first, &end);
    attention_dots(tile->products + first, x, table + first * dim, dim, NULL, end - first, dim);
    if (labels.bytes != NULL)
        attention_spread(row, tile->products, &labels, seen);
    else
        attention_spread_runs(row, tile->products, &labels, seen);
}

/* Sums of row r of weights or gradients over the keys of each label, into row r of `sums`. */
static void attention_sum_labels(const struct attention_tile *tile, int t, int64_t r, int64_t seen,
                                 const float *row, float *sums)
{
    const struct dgm_attention_block *b = tile->b;
    struct attention_labels labels = attention_labels(b, &b->relations[t], tile->first + r, seen);
    int64_t first = tile->label_first[t];

    sums += r * tile->label_ld[t];
    memset(sums + first, 0, (size_t)(tile->label_end[t] - first) * sizeof *sums);
    if (labels.bytes != NULL)
        attention_gather(sums, row, &labels, seen);
    else
        attention_gather_runs(sums, row, &labels, seen);
}

static void attention_hide(const struct dgm_attention_block *b, int64_t i, int64_t seen, float *e)
{
    const unsigned char *hidden = b->hidden + i * b->m;
    int64_t j;

    for (j = 0; j < seen; j++)
        e[j] = hidden[j] ? -INFINITY : e[j];
}

/* row[j] *= by[j], j < seen. `by` is the caller's matrix: nothing may be read beyond `seen`. */
static void attention_multiply_factor(float *row, const float *by, int64_t seen)
{
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH)
        vec_store(row + j, vec_mul(vec_load(row + j), attention_load(by + j, seen - j)));
}

/* j .. j + VEC_WIDTH - 1 less the center */
static inline vec attention_from_center(int64_t j, vec center)
{
    return vec_sub(vec_add(vec_set1((float)j), vec_from_int(ivec_iota())), center);
}

static void attention_add_window(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                                 float *e)
{
    const float window = attention_window(b, i);
    const vec center = vec_set1(b->center[i * b->ld_heads]);
    const vec shrink = vec_set1(-2 / (window * window));
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec x = attention_from_center(j, center);
        vec_store(e + j, vec_fma(shrink, vec_mul(x, x), vec_load(e + j)));
    }
}

/* Both factors of query i, the first of them absent only if the second is. */
struct attention_factors {
    const float *first, *second;
};

static inline struct attention_factors attention_factors(const struct dgm_attention_block *b,
                                                         int64_t i)
{
    struct attention_factors factors;

    factors.first = attention_factor(b, 0, i);
    factors.second = attention_factor(b, 1, i);
    if (factors.first == NULL) {
        factors.first = factors.second;
        factors.second = NULL;
    }
    return factors;
}

/* E of query i: -inf from `seen` to the end of the last vector. */
static void attention_score(const struct attention_tile *tile, int64_t i, int64_t seen, float *e)
{
    const struct dgm_attention_block *b = tile->b;
    const float *q = tile->q + (i - tile->first) * tile->ldq;
    const struct attention_factors factors = attention_factors(b, i);
    const float *addend = b->addend != NULL ? b->addend + i * b->m : NULL;
    const vec scale = vec_set1(b->scale), beyond = vec_set1(-INFINITY);
    int64_t j;
    int t;

    attention_dots(e, q, tile->k, tile->ldk, tile->key_rows, seen, b->dim);
    for (t = 0; t < 2; t++)
        if (b->relations[t].count > 0 && b->relations[t].key != NULL)
            attention_add_table(tile, t, b->relations[t].key, b->dim, q, i, seen, e);
    if (factors.second != NULL)
        attention_multiply_factor(e, factors.second, seen);
    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec x = vec_mul(scale, vec_load(e + j));
        if (factors.first != NULL)
            x = vec_mul(x, attention_load(factors.first + j, seen - j));
        if (addend != NULL)
            x = vec_add(x, attention_load(addend + j, seen - j));
        vec_store(e + j, attention_within(x, j, seen, beyond));
    }
    if (b->center != NULL)
        attention_add_window(b, i, seen, e);
    if (b->hidden != NULL)
        attention_hide(b, i, seen, e);
}

/* `seen` up to the end of the last vector. */
static inline int64_t attention_whole(int64_t seen)
{
    return (seen + VEC_WIDTH - 1) / VEC_WIDTH * VEC_WIDTH;
}

static void attention_clear_beyond(const struct attention_tile *tile, float *row, int64_t seen)
{
    int64_t done = attention_whole(seen);

    memset(row + done, 0, (size_t)(tile->ld - done) * sizeof *row);
}

/* A of a query that looks at key `forced` alone. */
static void attention_force(float *a, int64_t seen, int64_t forced)
{
    memset(a, 0, (size_t)attention_whole(seen) * sizeof *a);
    a[forced] = 1;
}

/*
 * exp(x), but 0 where that is smaller than any normal number: processors take more than a hundred
 * cycles for such a result, and every row that ends within a vector has -inf there.
 */
static inline vec attention_exp(vec x)
{
    const vec least = vec_set1(-87.0f);
    vec y = vec_exp(vec_max(least, x)); /* in this order NaN stays */

    return vec_select(vec_gt(least, x), vec_zero(), y);
}

/*
 * Softmax in place. Returns the sum of exp(E - *max); 0 for a row without visible keys, whose
 * weights become zeros. There *max is 0, since -inf - -inf would be NaN.
 */
static float attention_soften(float *e, int64_t seen, float *max)
{
    vec top = vec_set1(-INFINITY), sums = vec_zero(), share;
    float sum;
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH)
        top = vec_max(vec_load(e + j), top);
    *max = vec_max_lanes(top);
    if (*max == -INFINITY)
        *max = 0;
    top = vec_set1(*max);
    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec x = attention_exp(vec_sub(vec_load(e + j), top));
        vec_store(e + j, x);
        sums = vec_add(sums, x);
    }
    sum = vec_sum(sums);
    share = vec_set1(sum == 0 ? 0 : 1 / sum);
    for (j = 0; j < seen; j += VEC_WIDTH)
        vec_store(e + j, vec_mul(share, vec_load(e + j)));
    return sum;
}

/*
 * keep[j], j < seen: 0 for a dropped weight of query i, else the scale. Philox counts (key / 4,
 * position, sentence, stream): the batch around a sentence does not change its dropout, and the
 * backward pass draws the same words again instead of keeping them.
 */
static void attention_keep(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                           float *keep)
{
    uint32_t words[PHILOX_SPAN], rest[3];
    int64_t j, l;

    rest[0] = (uint32_t)b->places[2 * i + 1];
    rest[1] = (uint32_t)b->places[2 * i];
    rest[2] = b->mask.stream;
    for (j = 0; j < seen; j += PHILOX_SPAN) {
        philox_span(words, (uint32_t)(j / 4), rest, b->mask.key);
        for (l = 0; l < PHILOX_SPAN && j + l < seen; l += VEC_WIDTH)
            vec_store(keep + j + l, philox_drop(vec_set1(1.0f), words + l, &b->mask));
    }
}

static void attention_multiply(float *row, const float *by, int64_t seen)
{
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec x = vec_mul(vec_load(row + j), vec_load(by + j));
        vec_store(row + j, attention_within(x, j, seen, vec_zero()));
    }
}
