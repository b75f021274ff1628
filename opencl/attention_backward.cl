/*
 * attention_backward.cl: all gradients of attention. A group goes through the queries of a
 * sentence and head, 32 at a time, and for these through tiles of keys; weights are exp(E - lse).
 * Where the keys do not fit into one tile, a first pass finds the mean of dA that dS needs.
 *
 * Gradients of tables: a group sums those of all its units in memory of its own, and add_parts
 * adds up the groups' in their order.
 */
#include "attention_grads.clh"

/* Bits of `accumulate`. */
enum { TO_Q = 1, TO_K = 2, TO_V = 4, TO_CENTER = 8, TO_WINDOW = 16, TO_PARSER_Q = 32,
       TO_PARSER_K = 64 };

/* Clears the first rows of y, unless they are added to or not wanted. */
INLINE void clear_rows(const struct sums *y, int rows, int dim, int accumulate)
{
    const struct rows target = { y->p, y->ld, y->index };
    const int vectors = (dim + VEC - 1) / VEC, end = y->p && !accumulate ? rows * vectors : 0;

    for (int t = LANE; t < end; t += LANES) {
        const int c = t % vectors * VEC;

        store_part((vreal)0, y->p + row_start(&target, t / vectors) + c, dim - c);
    }
}

/* Where the gradients of all units go. */
struct targets {
    struct sums dq, dk, dv, parser_q, parser_k;
    struct rows dz;
    global const real *lse;
    global real *center, *window;
    int accumulate;
};

INLINE void move_sums(struct sums *y, const struct sums *from, long row, int column)
{
    y->p = from->p ? from->p + row * from->ld + column : 0;
    y->ld = from->ld;
    y->index = 0;
    y->old = 0;
    y->is_new = 0;
}

/* Finds the gradients of a unit, but for those of tables; clears what is not added to. */
INLINE void open_grads(struct grads *grads, const struct targets *to, const struct unit *u,
                       const struct attention *a)
{
    const long at = u->query * u->heads + u->head;

    move_rows(&grads->dz, &to->dz, u->query, u->head * u->dim_v);
    move_sums(&grads->dq, &to->dq, u->query, u->head * a->dim);
    move_sums(&grads->dk, &to->dk, u->key, u->head * a->dim);
    move_sums(&grads->dv, &to->dv, u->key, u->head * u->dim_v);
    grads->dk.index = grads->dv.index = u->k.index;
    grads->lse = to->lse + at;
    grads->dcenter = to->center ? to->center + at : 0;
    grads->dwindow = to->window ? to->window + at : 0;
    clear_rows(&grads->dq, u->n, a->dim, to->accumulate & TO_Q);
    clear_rows(&grads->dk, u->m, a->dim, to->accumulate & TO_K);
    clear_rows(&grads->dv, u->m, u->dim_v, to->accumulate & TO_V);
    SYNC;
    if (u->is_parser) {
        move_sums(&grads->dq, &to->parser_q, u->query, 0);
        move_sums(&grads->dk, &to->parser_k, u->key, 0);
        grads->dk.index = u->k.index;
    }
    clear_rows(&grads->dq, u->is_parser ? u->n : 0, u->dim, to->accumulate & TO_PARSER_Q);
    clear_rows(&grads->dk, u->is_parser ? u->m : 0, u->dim, to->accumulate & TO_PARSER_K);
    SYNC;
}

/* Of the sums over dE (j - center): 4/window^2, and of those over its square 4/window^3. */
INLINE void put_windows(const struct grads *grads, const struct row_sums *sums,
                        const struct unit *u, const struct tile *tile, int accumulate)
{
    for (int i = LANE; i < tile->rows; i += LANES) {
        const long at = (long)(tile->first + i) * u->heads;
        const real window = u->center ? window_of(u, tile->first + i) : 1;
        const real share = 4 / (window * window);

        if (grads->dcenter)
            grads->dcenter[at] = share * sums->first[i] +
                                 (accumulate & TO_CENTER ? grads->dcenter[at] : 0);
        if (grads->dwindow)
            grads->dwindow[at] = share * sums->second[i] / window +
                                 (accumulate & TO_WINDOW ? grads->dwindow[at] : 0);
    }
    SYNC;
}

INLINE void backward_rows(local real *a, local real *d, const struct unit *u,
                          const struct grads *grads, const struct row_sums *sums, struct tile *tile)
{
    const int end = keys_seen(u, tile->first + tile->rows - 1);
    const int tiles = (end + TILE_COLUMNS - 1) / TILE_COLUMNS;

    for (int i = LANE; i < tile->rows; i += LANES)
        sums->mean[i] = sums->first[i] = sums->second[i] = 0;
    SYNC;
    /* Steps 0 .. tiles - 1 are for the mean, tiles .. for the rest; both in one if tiles is 1. */
    for (int step = 0; step < (tiles > 1 ? 2 * tiles : tiles); step++) {
        const int is_last = step >= tiles || tiles == 1;
        struct tile part; /* nothing, or the tile */

        tile->begin = step % tiles * TILE_COLUMNS;
        tile->columns = min(end - tile->begin, TILE_COLUMNS);
        make_pair(a, d, u, grads, tile);
        add_to_mean(sums, a, d, u, tile, step < tiles ? tile->rows : 0);
        part = *tile;
        part.rows = is_last ? tile->rows : 0;
        part.columns = is_last ? tile->columns : 0;
        add_grads(a, d, u, grads, sums, &part);
    }
}

/* A table's sums in the group's part of memory; absent if at < 0. */
INLINE void open_table(struct sums *sums, global real *part, int at, int dim)
{
    sums->p = at >= 0 ? part + at : 0;
    sums->ld = dim;
    sums->index = 0;
    sums->old = 0;
    sums->is_new = 0;
}

#define LD_SUMS(p, ld) { p, ld, 0, 0, 0 }

kernel void attention_backward(OPERAND(real, dq), OPERAND(real, dk), OPERAND(real, dv),
                               OPERAND(real, dcenter), OPERAND(real, dwindow),
                               OPERAND(real, dparser_q), OPERAND(real, dparser_k),
                               OPERAND(const real, dz), OPERAND(const real, lse),
                               OPERAND(real, parts), ATTENTION_INPUTS, ATTENTION_NUMBERS,
                               const int lddq, const int lddk, const int lddv, const int lddz,
                               const int ld_dparser_q, const int ld_dparser_k, const int accumulate,
                               const int part_size, const int key_at0, const int key_at1,
                               const int value_at0, const int value_at1)
{
    TILE_ROOM;
    local real grad[TILE_SIZE], mean[TILE_ROWS], row_first[TILE_ROWS], row_second[TILE_ROWS];
    const struct row_sums sums = { mean, row_first, row_second };
    struct tile tile = { 0, 0, 0, 0, left, right, products };

    OPEN(real, dq); OPEN(real, dk); OPEN(real, dv);
    OPEN(real, dcenter); OPEN(real, dwindow);
    OPEN(real, dparser_q); OPEN(real, dparser_k);
    OPEN(const real, dz); OPEN(const real, lse); OPEN(real, parts);
    ATTENTION_OPEN;
    const struct targets targets = {
        LD_SUMS(dq, lddq), LD_SUMS(dk, lddk), LD_SUMS(dv, lddv),
        LD_SUMS(dparser_q, ld_dparser_q), LD_SUMS(dparser_k, ld_dparser_k), { dz, lddz, 0 },
        lse, dcenter, dwindow, accumulate
    };
    global real *const part = parts + (long)get_group_id(0) * part_size;

    for (int i = LANE; i < part_size; i += LANES)
        part[i] = 0;
    SYNC;
    for (int number = get_group_id(0); number < sentences * heads; number += get_num_groups(0)) {
        struct unit u;
        struct grads grads;

        make_unit(&u, &whole, number);
        open_grads(&grads, &targets, &u, &whole);
        open_table(&grads.key_table[0], part, key_at0, head_dim);
        open_table(&grads.key_table[1], part, key_at1, head_dim);
        open_table(&grads.value_table[0], part, value_at0, value_dim);
        open_table(&grads.value_table[1], part, value_at1, value_dim);
        for (tile.first = 0; tile.first < u.n; tile.first += TILE_ROWS) {
            tile.rows = min(u.n - tile.first, TILE_ROWS);
            backward_rows(scores, grad, &u, &grads, &sums, &tile);
            put_windows(&grads, &sums, &u, &tile, accumulate);
        }
    }
}

/* y[i] += sum over g < count of parts[g stride + i], i < size. */
kernel void add_parts(OPERAND(real, y), OPERAND(const real, parts), const int size,
                      const int stride, const int count)
{
    OPEN(real, y);
    OPEN(const real, parts);
    const int i = (int)get_global_id(0);
    real sum = 0;

    if (i >= size)
        return;
    for (int g = 0; g < count; g++)
        sum += parts[(long)g * stride + i];
    y[i] += sum;
}
