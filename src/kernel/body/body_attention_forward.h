/*
 * body_attention_forward.h: weights and weighted sums of a tile. Included by body_attention.h.
 */
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
