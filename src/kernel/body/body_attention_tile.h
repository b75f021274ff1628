/*
 * body_attention_tile.h: a tile of queries, its memory, and the products of its weights with keys,
 * values and tables. Included by body_attention.h.
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
 * them belong to the next head, which is usually next in turn: they are asked for now.
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

/* Asks for rows that will be read or written at the end, while there is time. */
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
