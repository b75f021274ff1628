/*
 * wavefront.c: schedules of recurrent encoders over sequences and over dependency trees.
 *
 * A block is what one device task computes: rows of one step and one side, hence with the same
 * weights, none of which reads another. Blocks are cut there and nowhere else, because a product
 * over many rows is faster than many products, and because the rows of a step follow each other in
 * H, so that a block is a range and needs no list of its own rows.
 */
#include "nn/schedule/wavefront.h"

#include <string.h>

#include "base/mem.h"
#include "nn/schedule/sequences.h"
#include "syntax/tree/tree.h"

void dgm_wavefront_clear(struct dgm_env *env, struct dgm_wavefront *w)
{
    dgm_release(env, w->blocks);
    dgm_release(env, w->work);
    memset(w, 0, sizeof *w);
}

/* Starts a schedule, with `count` integers of working memory, not cleared. */
static dgm_status begin(struct dgm_env *env, struct dgm_wavefront *w, int64_t roots,
                        int64_t positions, int sides, size_t count)
{
    w->roots = roots;
    w->rows = w->positions = positions;
    w->sides = sides;
    w->steps = 0;
    w->block_count = 0;
    memset(w->side, 0, sizeof w->side);
    memset(w->where, 0, sizeof w->where);
    return dgm_reserve(env, &w->work, &w->work_capacity, count, sizeof *w->work);
}

/* Appends a block. */
static dgm_status add_block(struct dgm_env *env, struct dgm_wavefront *w,
                            const struct dgm_gru_block *block)
{
    DGM_TRY(dgm_reserve(env, &w->blocks, &w->block_capacity, (size_t)w->block_count + 1,
                        sizeof *w->blocks));
    w->blocks[w->block_count++] = *block;
    return DGM_OK;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/*
 * The words of a sentence as they stand, backwards, or as a tree is read. Sentences go by falling
 * length: those that are still there at step t are then the first ones of step t - 1, and the
 * parents of a block lie side by side, so that nothing has to be gathered.
 */

static dgm_status take_chain_slots(struct dgm_env *env, struct dgm_feed *feed,
                                   struct dgm_wavefront *w)
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

/* Step t of one side: rows block->first .. of H, in_side .. of the side. `where` begins with
 * zeros, so that a position that is named twice shows. */
static dgm_status write_block(struct dgm_env *env, struct dgm_feed *feed,
                              const struct dgm_wavefront *w, const int32_t *order,
                              const int32_t *offsets, const struct dgm_chain *chain,
                              const struct dgm_gru_block *block, int32_t t)
{
    int32_t *parent = dgm_feed_host(feed, w->side[block->side].parent);
    int32_t *source = dgm_feed_host(feed, w->side[block->side].source);
    int32_t *where = dgm_feed_host(feed, w->where[block->side]);

    for (int32_t r = 0; r < block->count; r++) {
        const int32_t first = offsets[order[r]], n = offsets[order[r] + 1] - first;
        const int32_t position = position_at(chain, first, n, t);

        if (position < 0 || position >= n || where[first + position] != 0)
            return dgm_fail(env, DGM_DATA,
                            "sentence %ld of the batch: an order names position "
                            "%ld at step %ld; expected each of 0..%ld once",
                            (long)order[r] + 1, (long)position, (long)t, (long)n - 1);
        parent[block->in_side + r] = block->parents + r;
        source[block->in_side + r] = first + position;
        where[first + position] = block->first + r; /* no root, hence not 0 */
    }
    return DGM_OK;
}

/*
 * H: the roots, then step by step a block of `active` rows for every side. The parents of a block
 * are the first `active` rows of the same side's block one step before, or the roots.
 */
dgm_status dgm_wavefront_chains(struct dgm_env *env, struct dgm_feed *feed, struct dgm_wavefront *w,
                                const int32_t *offsets, int32_t count,
                                const struct dgm_chain *chains, int sides)
{
    const int32_t steps = dgm_sequences_longest(offsets, count);
    int32_t in_side = 0, row = count, before = 0, *order, *active;

    DGM_TRY(begin(env, w, count, offsets[count], sides, (size_t)count + 2 * (size_t)steps + 2));
    w->steps = steps;
    w->rows = sides * w->positions;
    order = w->work;
    active = w->work + count;
    dgm_sequences_rank(offsets, count, steps, order, active);
    DGM_TRY(take_chain_slots(env, feed, w));
    for (int32_t t = 0; t < steps; t++) {
        for (int side = 0; side < sides; side++) {
            const struct dgm_gru_block block = {
                .side = side,
                .first = row + side * active[t],
                .count = active[t],
                .in_side = in_side,
                .parents = t == 0 ? 0 : before + side * active[t - 1],
            };

            DGM_TRY(add_block(env, w, &block));
            DGM_TRY(write_block(env, feed, w, order, offsets, chains + side, &block, t));
        }
        before = row;
        row += sides * active[t];
        in_side += active[t];
    }
    return DGM_OK;
}

/* ---- dependencies ---------------------------------------------------------------------------- */

/*
 * The lexicalised dependency encoder. The sibling of a word is never computed before their head, so
 * that only siblings decide: their pointers form a tree below the roots, and the step of a word is
 * its depth in it. The number of steps is the longest path of pointers; no schedule has fewer.
 */

/* What is known of every packed position; a root row s is -1 - s. */
struct links {
    int32_t *head, *sibling, *step; /* (N) */
    int32_t *key;                   /* (N) 4 (step - 1) + 2 side + (the sibling is not the head) */
    int32_t *last;                  /* (longest + 1) the latest of each chain; [0]: of the roots */
    int32_t *order;                 /* (N) positions as they are computed */
    int32_t *start;                 /* (4 longest + 1) */
};

static struct links share_out(int32_t *work, int64_t n, int64_t longest)
{
    struct links links;

    links.head = work;
    links.sibling = work + n;
    links.step = work + 2 * n;
    links.key = work + 3 * n;
    links.order = work + 4 * n;
    links.last = work + 5 * n;
    links.start = links.last + longest + 1;
    return links;
}

static dgm_status find_heads(struct dgm_env *env, struct links *links, const int32_t *heads,
                             int32_t first, int32_t n, int32_t s)
{
    for (int32_t i = 0; i < n; i++) {
        const int32_t head = heads[first + i];

        if (head < 0 || head >= n)
            return dgm_fail(env, DGM_DATA,
                            "sentence %ld of the batch: word %ld has the head %ld; "
                            "expected 0..%ld counted from 0, its own index for a root [E_HEAD]",
                            (long)s + 1, (long)i, (long)head, (long)n - 1);
        links->head[first + i] = head == i ? -1 - s : first + head;
        links->step[first + i] = 0;
    }
    return DGM_OK;
}

/* The nearer neighbour on the chain, or the head: chains grow outwards from the head. */
static void find_siblings(struct links *links, int32_t first, int32_t n, int32_t s)
{
    int32_t *last = links->last;

    for (int side = DGM_LEFT_DEPENDENTS; side <= DGM_RIGHT_DEPENDENTS; side++) {
        last[0] = -1 - s;
        for (int32_t i = 0; i < n; i++)
            last[i + 1] = first + i;
        for (int32_t k = 0; k < n; k++) {
            const int32_t at = first + (side == DGM_LEFT_DEPENDENTS ? n - 1 - k : k);
            const int32_t head = links->head[at], chain = head < 0 ? 0 : head - first + 1;

            if ((head > at) != (side == DGM_LEFT_DEPENDENTS))
                continue;
            links->sibling[at] = last[chain];
            last[chain] = at;
        }
    }
}

static dgm_status refuse_cycle(struct dgm_env *env, const struct links *links, const int32_t *heads,
                               int32_t n, int32_t word, int32_t s)
{
    struct dgm_tree tree;
    char path[200];

    tree.head = links->last;
    memcpy(tree.head, heads, (size_t)n * sizeof *heads);
    tree.count = n;
    tree.has_parse = 1;
    for (int32_t i = 0; i < n; i++)
        word = heads[word];
    dgm_tree_describe_cycle(path, sizeof path, &tree, word);
    return dgm_fail(env, DGM_DATA, "sentence %ld of the batch: cycle %s; expected a tree [E_CYCLE]",
                    (long)s + 1, path);
}

/* Depths below the roots. Every pointer is followed twice at most. */
static dgm_status find_steps(struct dgm_env *env, struct links *links, const int32_t *heads,
                             int32_t first, int32_t n, int32_t s)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t at = first + i, hops = 0, known;

        for (; at >= 0 && links->step[at] == 0; at = links->sibling[at])
            if (++hops > n)
                return refuse_cycle(env, links, heads + first, n, i, s);
        known = at < 0 ? 0 : links->step[at];
        for (at = first + i; hops > 0; at = links->sibling[at])
            links->step[at] = known + hops--;
    }
    return DGM_OK;
}

static dgm_status link_all(struct dgm_env *env, struct links *links, const int32_t *offsets,
                           int32_t count, const int32_t *heads)
{
    for (int32_t s = 0; s < count; s++) {
        const int32_t first = offsets[s], n = offsets[s + 1] - first;

        DGM_TRY(find_heads(env, links, heads, first, n, s));
        find_siblings(links, first, n, s);
        DGM_TRY(find_steps(env, links, heads, first, n, s));
    }
    return DGM_OK;
}

/* A counting sort by (step, side, kind), then as packed. */
static void sort_positions(struct dgm_wavefront *w, struct links *links, int32_t keys)
{
    for (int32_t k = 0; k <= keys; k++)
        links->start[k] = 0;
    for (int64_t i = 0; i < w->positions; i++) {
        const int side = links->head[i] > i ? DGM_LEFT_DEPENDENTS : DGM_RIGHT_DEPENDENTS;

        links->key[i] = 4 * (links->step[i] - 1) + 2 * side + (links->sibling[i] != links->head[i]);
        links->start[links->key[i] + 1]++;
        w->side[side].rows++;
        if (links->step[i] > w->steps)
            w->steps = links->step[i];
    }
    for (int32_t k = 0; k < keys; k++)
        links->start[k + 1] += links->start[k];
    for (int64_t i = 0; i < w->positions; i++)
        links->order[links->start[links->key[i]]++] = (int32_t)i;
}

static dgm_status take_dependency_slots(struct dgm_env *env, struct dgm_feed *feed,
                                        struct dgm_wavefront *w)
{
    void *data;

    for (int side = 0; side < w->sides; side++) {
        const size_t bytes = (size_t)w->side[side].rows * sizeof(int32_t);

        DGM_TRY(dgm_feed_take(env, feed, &w->side[side].parent, &data, bytes));
        DGM_TRY(dgm_feed_take(env, feed, &w->side[side].sibling, &data, bytes));
        DGM_TRY(dgm_feed_take(env, feed, &w->side[side].source, &data, bytes));
    }
    return dgm_feed_take(env, feed, &w->where[0], &data, (size_t)w->positions * sizeof(int32_t));
}

static int32_t row_of(const int32_t *where, int32_t at)
{
    return at < 0 ? -1 - at : where[at];
}

/* Writes the lists, and a block for every run of rows of one step and side. */
static dgm_status write_lists(struct dgm_env *env, struct dgm_feed *feed, struct dgm_wavefront *w,
                              const struct links *links)
{
    int32_t *where = dgm_feed_host(feed, w->where[0]), next[2] = { 0, 0 }, group = -1;

    for (int32_t r = 0; r < w->positions; r++) {
        const int32_t at = links->order[r], side = (links->key[at] >> 1) & 1;
        const struct dgm_wavefront_side *lists = &w->side[side];
        const struct dgm_gru_block block = {
            .side = side, .first = (int32_t)w->roots + r, .in_side = next[side], .parents = -1
        };

        where[at] = (int32_t)w->roots + r;
        ((int32_t *)dgm_feed_host(feed, lists->source))[next[side]] = at;
        ((int32_t *)dgm_feed_host(feed, lists->parent))[next[side]] =
            row_of(where, links->head[at]);
        ((int32_t *)dgm_feed_host(feed, lists->sibling))[next[side]++] =
            row_of(where, links->sibling[at]);
        if (links->key[at] >> 1 != group)
            DGM_TRY(add_block(env, w, &block));
        group = links->key[at] >> 1;
        w->blocks[w->block_count - 1].count++;
    }
    return DGM_OK;
}

dgm_status dgm_wavefront_dependency(struct dgm_env *env, struct dgm_feed *feed,
                                    struct dgm_wavefront *w, const int32_t *offsets, int32_t count,
                                    const int32_t *heads)
{
    const int64_t n = offsets[count];
    const int32_t longest = dgm_sequences_longest(offsets, count);
    struct links links;

    DGM_TRY(begin(env, w, count, n, 2, 5 * (size_t)n + 5 * (size_t)longest + 2));
    links = share_out(w->work, n, longest);
    DGM_TRY(link_all(env, &links, offsets, count, heads));
    sort_positions(w, &links, 4 * longest);
    DGM_TRY(take_dependency_slots(env, feed, w));
    return write_lists(env, feed, w, &links);
}

struct dgm_gru_plan dgm_wavefront_sent(const struct dgm_feed *feed, const struct dgm_wavefront *w)
{
    struct dgm_gru_plan plan = { 0 };

    plan.roots = w->roots;
    plan.rows = w->rows;
    plan.sides = w->sides;
    plan.block_count = w->block_count;
    plan.blocks = w->blocks;
    for (int k = 0; k < w->sides; k++) {
        plan.side[k].rows = w->side[k].rows;
        plan.side[k].parent = dgm_feed_ref(feed, w->side[k].parent);
        plan.side[k].sibling = dgm_feed_ref(feed, w->side[k].sibling);
    }
    return plan;
}
