/*
 * body_attention.h: the attention core over the vector vocabulary, compiled once for every
 * instruction set. kernel/c/attention_c.c is the same in plain loops.
 *
 * A tile of queries at a time: its rows of weights lie in scratch memory, zero beyond the keys
 * that each query sees, then all rows are multiplied with values, keys or queries at once. The
 * backward pass computes E again and takes A = exp(E - lse).
 */
#include "kernel/body/body_attention_tile.h"

/* ---- forward -------------------------------------------------------------------------------- */

static void attention_put_lse(const struct attention_tile *tile, const float *max, float *sum)
{
    const struct dgm_attention_block *b = tile->b;
    int64_t r;

    for (r = 0; r < tile->rows; r += VEC_WIDTH)
        vec_store(sum + r, vec_log(vec_load(sum + r)));
    for (r = 0; r < tile->rows; r++)
        b->lse[(tile->first + r) * b->ld_heads] = sum[r] == -INFINITY ? INFINITY : max[r] + sum[r];
}

static void attention_weights(const struct attention_tile *tile)
{
    const struct dgm_attention_block *b = tile->b;
    float max[DGM_ATTENTION_TILE] = { 0 }, sum[DGM_ATTENTION_TILE] = { 0 };
    int64_t r;
    int t;

    for (r = 0; r < tile->rows; r++) {
        int64_t i = tile->first + r, seen = attention_seen(b, i);
        int64_t forced = attention_forced(b, i, seen);
        float *row = tile->weight + r * tile->ld;

        attention_score(tile, i, seen, row);
        sum[r] = attention_soften(row, seen, &max[r]);
        if (forced >= 0)
            attention_force(row, seen, forced);
        if (b->mask.threshold > 0) {
            attention_keep(b, i, seen, tile->keep);
            attention_multiply(row, tile->keep, seen);
        }
        if (b->causal)
            attention_clear_beyond(tile, row, seen);
        for (t = 0; t < 2; t++)
            if (b->relations[t].count > 0 && b->relations[t].value != NULL)
                attention_sum_labels(tile, t, r, seen, row, tile->label_weight[t]);
    }
    if (b->lse != NULL)
        attention_put_lse(tile, max, sum);
}

static void attention_forward(const struct dgm_attention_block *b)
{
    struct attention_tile tile;
    int64_t first;
    int t;

    attention_tile_layout(&tile, b);
    attention_tile_keys(&tile);
    for (first = 0; first < b->n; first += DGM_ATTENTION_TILE) {
        attention_tile_start(&tile, first);
        attention_ask(tile.q, tile.ldq, NULL, tile.rows, b->dim);
        attention_ask(b->z + first * b->ldz, b->ldz, NULL, tile.rows, b->dim_v);
        attention_weights(&tile);
        attention_mix_keys(&tile, b->z, b->ldz, tile.weight, tile.v, tile.ldv, b->dim_v, 0);
        for (t = 0; t < 2; t++)
            if (b->relations[t].count > 0 && b->relations[t].value != NULL)
                attention_mix_table(&tile, t, b->z, b->ldz, tile.label_weight[t],
                                    b->relations[t].value, b->dim_v);
    }
}

/* ---- backward ------------------------------------------------------------------------------- */

/*
 * A = exp(E - lse) in place; returns sum over j of A_j dA_j, the "mean" of dA that the gradient of
 * a softmax subtracts: dE = A (dA - mean). The forward pass has kept lse, so that neither the
 * largest score nor the sum is needed here.
 */
static float attention_recompute(float *a, float *da, int64_t seen, float lse)
{
    const vec shift = vec_set1(lse);
    vec sums = vec_zero();
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec x = attention_exp(vec_sub(vec_load(a + j), shift));
        vec d = attention_within(vec_load(da + j), j, seen, vec_zero());
        vec_store(a + j, x);
        vec_store(da + j, d);
        sums = vec_fma(x, d, sums);
    }
    return vec_sum(sums);
}

/* Gradients of the center and the window of query i, from dE = A (dA - mean). */
static void attention_window_grad(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                                  const float *a, const float *da, float mean)
{
    const vec center = vec_set1(b->center[i * b->ld_heads]), middle = vec_set1(mean);
    vec first = vec_zero(), second = vec_zero();
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec x = attention_from_center(j, center);
        vec d = vec_mul(vec_load(a + j), vec_sub(vec_load(da + j), middle));
        d = vec_mul(attention_within(d, j, seen, vec_zero()), x);
        first = vec_add(first, d);
        second = vec_fma(d, x, second);
    }
    attention_put_window(b, i, vec_sum(first), vec_sum(second));
}

/* dS = scale factors A (dA - mean), over dA. */
static void attention_score_grad(const struct dgm_attention_block *b, int64_t i, int64_t seen,
                                 const float *a, float *da, float mean)
{
    const struct attention_factors factors = attention_factors(b, i);
    const vec middle = vec_set1(mean), scale = vec_set1(b->scale);
    int64_t j;

    for (j = 0; j < seen; j += VEC_WIDTH) {
        vec d = vec_mul(vec_load(a + j), vec_sub(vec_load(da + j), middle));
        d = vec_mul(d, scale);
        if (factors.first != NULL)
            d = vec_mul(d, attention_load(factors.first + j, seen - j));
        vec_store(da + j, attention_within(d, j, seen, vec_zero()));
    }
    if (factors.second != NULL)
        attention_multiply_factor(da, factors.second, seen);
}

/*
 * A and dA of query i; returns sum over j of A_j dA_j. In a row that is forced to one key, the sum
 * is dA at that key, and dE becomes 0: no gradient passes through the choice.
 */
static float attention_weight_grads(const struct attention_tile *tile, int64_t i, int64_t seen,
                                    float *a, float *da)
{
    const struct dgm_attention_block *b = tile->b;
    const float *dz = tile->dz + (i - tile->first) * tile->lddz;
    int64_t forced = attention_forced(b, i, seen);
    float mean;
    int t;

    attention_score(tile, i, seen, a);
    attention_dots(da, dz, tile->v, tile->ldv, tile->key_rows, seen, b->dim_v);
    for (t = 0; t < 2; t++)
        if (b->relations[t].count > 0 && b->relations[t].value != NULL)
            attention_add_table(tile, t, b->relations[t].value, b->dim_v, dz, i, seen, da);
    if (b->mask.threshold > 0) {
        attention_keep(b, i, seen, tile->keep);
        attention_multiply(da, tile->keep, seen);
    }
    mean = attention_recompute(a, da, seen, b->lse[i * b->ld_heads]);
    if (forced < 0)
        return mean;
    attention_force(a, seen, forced);
    return da[forced];
}

static void attention_row_grads(const struct attention_tile *tile, int64_t r)
{
    const struct dgm_attention_block *b = tile->b;
    int64_t i = tile->first + r, seen = attention_seen(b, i);
    float *a = tile->weight + r * tile->ld, *da = tile->grad + r * tile->ld;
    float mean = attention_weight_grads(tile, i, seen, a, da);
    int t;

    if (b->center != NULL)
        attention_window_grad(b, i, seen, a, da, mean);
    attention_score_grad(b, i, seen, a, da, mean);
    if (b->mask.threshold > 0)
        attention_multiply(a, tile->keep, seen);
    attention_clear_beyond(tile, a, seen);
    attention_clear_beyond(tile, da, seen);
    for (t = 0; t < 2; t++) {
        const struct dgm_attention_relation *relation = &b->relations[t];
        if (relation->count > 0 && relation->key != NULL)
            attention_sum_labels(tile, t, r, seen, da, tile->label_grad[t]);
        if (relation->count > 0 && relation->value != NULL)
            attention_sum_labels(tile, t, r, seen, a, tile->label_weight[t]);
    }
}

/*
 * out rows of keys (+)= columns of the tile's weights times rows of queries or of dz. The first
 * tile writes (unless the caller accumulates), each further tile adds, since every tile of queries
 * gives something to a key.
 */
static void attention_mix_queries(const struct attention_tile *tile, float *out, int64_t ld_out,
                                  const float *w, const float *source, int64_t ld, int64_t dim,
                                  int accumulate)
{
    const struct dgm_attention_block *b = tile->b;
    struct attention_mix mix = { 0 };

    mix.out = out;
    mix.ld_out = ld_out;
    mix.out_index = b->key_rows;
    mix.w = w;
    mix.step_a = 1;
    mix.step_b = tile->ld;
    mix.source = source;
    mix.ld_source = ld;
    mix.outputs = b->m;
    mix.sources = tile->rows;
    mix.dim = dim;
    mix.accumulate = accumulate || tile->first > 0;
    mix.band = b->causal ? ATTENTION_ABOVE : ATTENTION_ALL;
    mix.edge = tile->first + b->m - b->n + 1;
    attention_mix(&mix);
}

/* Rows of a table's gradient += columns of the tile's sums times rows of queries or of dz. */
static void attention_mix_labels(const struct attention_tile *tile, int t, float *out,
                                 const float *sums, const float *source, int64_t ld, int64_t dim)
{
    struct attention_mix mix = { 0 };

    mix.dim = mix.ld_out = dim;
    mix.out = out + tile->label_first[t] * dim;
    mix.w = sums + tile->label_first[t];
    mix.step_a = 1;
    mix.step_b = tile->label_ld[t];
    mix.source = source;
    mix.ld_source = ld;
    mix.outputs = tile->label_end[t] - tile->label_first[t];
    mix.sources = tile->rows;
    mix.accumulate = 1;
    attention_mix(&mix);
}

static void attention_relation_grads(const struct attention_tile *tile, int t)
{
    const struct dgm_attention_block *b = tile->b;
    const struct dgm_attention_relation *r = &b->relations[t];

    if (r->key != NULL && b->dq != NULL)
        attention_mix_table(tile, t, b->dq, b->lddq, tile->label_grad[t], r->key, b->dim);
    if (r->key != NULL && r->dkey != NULL)
        attention_mix_labels(tile, t, r->dkey, tile->label_grad[t], tile->q, tile->ldq, b->dim);
    if (r->value != NULL && r->dvalue != NULL)
        attention_mix_labels(tile, t, r->dvalue, tile->label_weight[t], tile->dz, tile->lddz,
                             b->dim_v);
}

static void attention_ask_grads(const struct attention_tile *tile)
{
    const struct dgm_attention_block *b = tile->b;

    if (b->dq != NULL)
        attention_ask(b->dq + tile->first * b->lddq, b->lddq, NULL, tile->rows, b->dim);
    if (b->dk != NULL)
        attention_ask(b->dk, b->lddk, b->key_rows, b->m, b->dim);
    if (b->dv != NULL)
        attention_ask(b->dv, b->lddv, b->key_rows, b->m, b->dim_v);
}

static void attention_backward(const struct dgm_attention_block *b)
{
    struct attention_tile tile;
    int64_t first = 0, r;
    int t;

    attention_tile_layout(&tile, b);
    attention_tile_keys(&tile);
    do { /* once even without queries: it writes zeros, the gradients of keys nobody looks at */
        attention_tile_start(&tile, first);
        attention_tile_queries(&tile);
        attention_ask_grads(&tile);
        for (r = 0; r < tile.rows; r++)
            attention_row_grads(&tile, r);
        if (b->dq != NULL)
            attention_mix_keys(&tile, b->dq, b->lddq, tile.grad, tile.k, tile.ldk, b->dim,
                               b->accumulate_q);
        if (b->dk != NULL)
            attention_mix_queries(&tile, b->dk, b->lddk, tile.grad, tile.q, tile.ldq, b->dim,
                                  b->accumulate_k);
        if (b->dv != NULL)
            attention_mix_queries(&tile, b->dv, b->lddv, tile.weight, tile.dz, tile.lddz, b->dim_v,
                                  b->accumulate_v);
        for (t = 0; t < 2; t++)
            if (b->relations[t].count > 0)
                attention_relation_grads(&tile, t);
        first += DGM_ATTENTION_TILE;
    } while (first < b->n);
}

static const struct dgm_attention_kernels attention_kernels = { attention_forward,
                                                                attention_backward };
