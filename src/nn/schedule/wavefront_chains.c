/*
 * wavefront_chains.c: the schedule of recurrent layers over sequences: the words as they stand,
 * backwards, or as a tree is read.
 */
#include "base/mem.h"
#include "nn/schedule/wavefront.h"

/* Sentences by falling length, and how many are longer than each step. */
struct ranks {
    int32_t *order;  /* (count) */
    int32_t *active; /* (steps + 1) */
    int32_t *next;   /* (steps + 1) */
};

static void rank(struct dgm_wavefront *w, struct ranks *ranks, const int32_t *offsets,
                 int32_t count)
{
    for (int32_t t = 0; t <= w->steps; t++)
        ranks->active[t] = ranks->next[t] = 0;
    for (int32_t s = 0; s < count; s++)
        if (offsets[s + 1] > offsets[s])
            ranks->active[offsets[s + 1] - offsets[s] - 1]++;
    for (int32_t t = w->steps - 1; t >= 0; t--)
        ranks->active[t] += ranks->active[t + 1];
    for (int32_t t = 0; t <= w->steps; t++)
        ranks->next[t] = ranks->active[t];
    for (int32_t s = 0; s < count; s++)
        ranks->order[ranks->next[offsets[s + 1] - offsets[s]]++] = s;
}

static dgm_status take_slots(struct dgm_env *env, struct dgm_feed *feed, struct dgm_wavefront *w)
{
    const size_t bytes = (size_t)w->positions * sizeof(int32_t);
    void *data;

    for (int side = 0; side < w->sides; side++) {
        w->side[side].rows = w->positions;
        DGM_TRY(dgm_feed_take(env, feed, &w->side[side].parent, &data, bytes));
        DGM_TRY(dgm_feed_take(env, feed, &w->side[side].source, &data, bytes));
        DGM_TRY(dgm_feed_take(env, feed, &w->where[side], &data, bytes));
    }
    return DGM_OK;
}

/* The position within its sentence of n that a chain reads at step t. */
static int32_t position_at(const struct dgm_chain *chain, int32_t first, int32_t n, int32_t t)
{
    const int32_t k = chain->backward ? n - 1 - t : t;

    return chain->order ? chain->order[first + k] : k;
}

/* Step t of one side: rows block->first .. of H, in_side .. of the side. */
static dgm_status write_block(struct dgm_env *env, struct dgm_feed *feed,
                              const struct dgm_wavefront *w, const struct ranks *ranks,
                              const int32_t *offsets, const struct dgm_chain *chain,
                              const struct dgm_gru_block *block, int32_t t)
{
    int32_t *parent = dgm_feed_host(feed, w->side[block->side].parent);
    int32_t *source = dgm_feed_host(feed, w->side[block->side].source);
    int32_t *where = dgm_feed_host(feed, w->where[block->side]);

    for (int32_t r = 0; r < block->count; r++) {
        const int32_t first = offsets[ranks->order[r]], n = offsets[ranks->order[r] + 1] - first;
        const int32_t position = position_at(chain, first, n, t);

        if (position < 0 || position >= n || where[first + position] != 0)
            return dgm_fail(env, DGM_DATA,
                            "sentence %ld of the batch: an order names position "
                            "%ld at step %ld; expected each of 0..%ld once",
                            (long)ranks->order[r] + 1, (long)position, (long)t, (long)n - 1);
        parent[block->in_side + r] = block->parents + r;
        source[block->in_side + r] = first + position;
        where[first + position] = block->first + r; /* no root, hence not 0 */
    }
    return DGM_OK;
}

dgm_status dgm_wavefront_chains(struct dgm_env *env, struct dgm_feed *feed, struct dgm_wavefront *w,
                                const int32_t *offsets, int32_t count,
                                const struct dgm_chain *chains, int sides)
{
    int32_t steps = 0, in_side = 0, row = count, before = 0;
    struct ranks ranks;

    for (int32_t s = 0; s < count; s++)
        if (offsets[s + 1] - offsets[s] > steps)
            steps = offsets[s + 1] - offsets[s];
    DGM_TRY(dgm_wavefront_begin(env, w, count, offsets[count], sides,
                                (size_t)count + 2 * (size_t)steps + 2));
    w->steps = steps;
    w->rows = sides * w->positions;
    ranks.order = w->work;
    ranks.active = w->work + count;
    ranks.next = ranks.active + steps + 1;
    rank(w, &ranks, offsets, count);
    DGM_TRY(take_slots(env, feed, w));
    for (int32_t t = 0; t < steps; t++) {
        const int32_t active = ranks.active[t];

        for (int side = 0; side < sides; side++) {
            struct dgm_gru_block block = { side, row + side * active, active, in_side, 0 };

            block.parents = t == 0 ? 0 : before + side * ranks.active[t - 1];
            DGM_TRY(dgm_wavefront_block(env, w, &block));
            DGM_TRY(write_block(env, feed, w, &ranks, offsets, chains + side, &block, t));
        }
        before = row;
        row += sides * active;
        in_side += active;
    }
    return DGM_OK;
}
