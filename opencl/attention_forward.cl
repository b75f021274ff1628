/*
 * attention_forward.cl: z and lse. A group goes through the queries of a sentence and head, 32 at a
 * time; keys come in tiles. Rows of z hold the softmax over the keys so far; each further tile
 * scales them down to their share of the larger sum (Milakov and Gimelshein 2018; Dao et al. 2022).
 * So local memory holds one tile of weights, however long the sentence is.
 */
#include "attention_scores.clh"

/* For each query of the tile, over the keys so far; before the first key -INFINITY and 0. */
struct so_far {
    local real *most;  /* largest score */
    local real *sum;   /* of exp(E - most) */
    local real *share; /* 1 / sum */
    local real *old;   /* the factor of the old row of z */
};

INLINE real finite_most(real most)
{
    return most == -INFINITY ? 0 : most;
}

/* Raises `most` to this tile's scores; `old` becomes the old sum with respect to it. */
INLINE void raise_most(const struct so_far *so_far, local const real *scores,
                       const struct tile *tile)
{
    for (int i = LANE; i < tile->rows; i += LANES) {
        const real before = so_far->most[i];
        vreal most = (vreal)before;

        for (int j = 0; j < tile->columns; j += VEC)
            most = fmax(VLOAD(scores + i * TILE_LD + j), most);
        so_far->most[i] = vector_max(most);
        so_far->old[i] = so_far->sum[i] * exp(before - finite_most(so_far->most[i]));
    }
    SYNC;
}

INLINE void add_to_sums(const struct so_far *so_far, local const real *scores, const struct unit *u,
                        const struct tile *tile)
{
    for (int i = LANE; i < tile->rows; i += LANES) {
        vreal sums = (vreal)0;
        real sum;

        for (int j = 0; j < tile->columns; j += VEC)
            sums += VLOAD(scores + i * TILE_LD + j);
        sum = so_far->old[i] + vector_sum(sums);
        so_far->sum[i] = sum;
        so_far->share[i] = sum == 0 ? 0 : 1 / sum;
        so_far->old[i] =
            forced_key(u, tile->first + i) >= 0 ? 1 : so_far->old[i] * so_far->share[i];
    }
    SYNC;
}

/* Scores become weights, as a share of the keys so far. */
INLINE void soften(const struct so_far *so_far, local real *scores, const struct unit *u,
                   const struct tile *tile)
{
    raise_most(so_far, scores, tile);
    EACH_PLACE(t, tile->rows) {
        const int i = ROW_OF(t), j = COLUMN_OF(t);
        local real *const at = scores + i * TILE_LD + j;

        if (j < tile->columns)
            VSTORE(exp(VLOAD(at) - finite_most(so_far->most[i])), at);
    }
    SYNC;
    add_to_sums(so_far, scores, u, tile);
    EACH_PLACE(t, tile->rows) {
        const int i = ROW_OF(t), j = COLUMN_OF(t), one = forced_key(u, tile->first + i);
        local real *const at = scores + i * TILE_LD + j;
        vreal x;

        if (j >= tile->columns)
            continue;
        x = VLOAD(at) * so_far->share[i];
        if (one >= 0)
            x = tile->begin + j + VECTOR_PLACES == one ? (vreal)1 : (vreal)0;
        VSTORE(x, at);
    }
    SYNC;
}

/* z += sum over labels of (sum of the weights of keys with that label) times its value vector. */
INLINE void add_values(const struct sums *z, local const real *weights, const struct unit *u,
                       const struct tile *tile)
{
    const struct weights by_label = { tile->products, TILE_LD, 1 };

#pragma unroll 1
    for (int t = 0; t < 2; t++) {
        struct relation r;
        struct rows values = { 0, u->dim_v, 0 };
        int end, label;

        choose_relation(&r, u, t);
        values.p = r.value;
        label = first_label(u, &r, r.value, tile, &end);
        for (; label < end; label += TILE_COLUMNS) {
            sum_labels(weights, u, &r, tile, label);
            add_products(z, tile->first, tile->rows, &by_label, &values, label,
                         min(end - label, TILE_COLUMNS), u->dim_v);
            SYNC;
        }
    }
}

INLINE void forward_tile(const struct so_far *so_far, struct sums z, local real *scores,
                         const struct unit *u, const struct tile *tile)
{
    const struct weights weights = { scores, TILE_LD, 1 };

    multiply_related(scores, u, tile, &u->q, &u->k, u->relations[0].key, u->relations[1].key,
                     u->dim);
    add_terms(scores, u, tile);
    soften(so_far, scores, u, tile);
    drop_weights(scores, u, tile, 0);
    z.old = so_far->old;
    z.is_new = tile->begin == 0;
    add_products(&z, tile->first, tile->rows, &weights, &u->v, tile->begin, tile->columns,
                 u->dim_v);
    SYNC;
    z.old = 0;
    z.is_new = 0;
    add_values(&z, scores, u, tile);
}

kernel void attention_forward(OPERAND(real, z), OPERAND(real, lse), ATTENTION_INPUTS,
                              ATTENTION_NUMBERS, const int ldz)
{
    TILE_ROOM;
    local real most[TILE_ROWS], sum[TILE_ROWS], share[TILE_ROWS], old[TILE_ROWS];
    const struct so_far so_far = { most, sum, share, old };
    struct tile tile = { 0, 0, 0, 0, left, right, products };
    struct sums out = { 0, ldz, 0, 0, 0 };

    OPEN(real, z);
    OPEN(real, lse);
    ATTENTION_OPEN;
    struct unit u;
    const int step = (int)get_num_groups(1) * TILE_ROWS;

    make_unit(&u, &whole, get_group_id(0));
    out.p = z + u.query * ldz + u.head * u.dim_v;
    for (int first = (int)get_group_id(1) * TILE_ROWS; first < u.n; first += step) {
        int end;

        tile.first = first;
        tile.rows = min(u.n - first, TILE_ROWS);
        end = keys_seen(&u, first + tile.rows - 1);
        for (int i = LANE; i < tile.rows; i += LANES) {
            most[i] = -INFINITY;
            sum[i] = 0;
        }
        SYNC;
        for (int begin = 0; begin == 0 || begin < end; begin += TILE_COLUMNS) {
            tile.begin = begin;
            tile.columns = min(end - begin, TILE_COLUMNS);
            forward_tile(&so_far, out, scores, &u, &tile);
        }
        for (int i = LANE; lse && i < tile.rows; i += LANES)
            lse[(u.query + first + i) * heads + u.head] =
                sum[i] == 0 ? INFINITY : finite_most(most[i]) + log(sum[i]);
        SYNC;
    }
}
