/*
 * wavefront_tree.c: binary trees by height on the way up, by depth on the way down, and the lists
 * of both ways.
 *
 * On the way up, a node waits for its higher child, so that all nodes of one height make a step. On
 * the way down, a node waits for its parent alone: a step is the children of the nodes of the step
 * before, left ones first, since left and right children have weights of their own.
 */
#include "nn/schedule/wavefront_tree.h"

#include <string.h>

#include "base/mem.h"

/* Working memory. M internal nodes in all, by their places in the batch; T = leaves + M states. */
struct lists {
    int32_t *height;       /* (M) from 1 */
    int32_t *rank;         /* (M) place among the internal states */
    int32_t *left, *right; /* (M) states of children, by rank */
    int32_t *next;         /* (M + 1) */
    int32_t *up;           /* (T + sentences) the state of the way up of each row of H; -1: none */
    int32_t *row;          /* (T) and the other way round */
    int32_t *parent[2], *source[2]; /* (T) by side */
    int32_t *output, *attended;     /* (T) */
    int32_t *offsets;               /* (sentences + 1) */
};

static int32_t words_of(const struct dgm_tree_batch *batch, int32_t s)
{
    return batch->offsets[s + 1] - batch->offsets[s];
}

/* The state of the way up of node `node` of sentence s. */
static int32_t state_of(const struct lists *lists, const struct dgm_tree_batch *batch, int32_t s,
                        int32_t node)
{
    int32_t words = words_of(batch, s);

    if (node < words)
        return batch->offsets[s] + node;
    return batch->offsets[batch->count] + lists->rank[batch->tree_offsets[s] + node - words];
}

void dgm_wavefront_tree_clear(struct dgm_env *env, struct dgm_wavefront_tree *w)
{
    dgm_release(env, w->counts);
    dgm_release(env, w->blocks);
    dgm_release(env, w->work);
    memset(w, 0, sizeof *w);
}

static int32_t *take(int32_t **from, int64_t count)
{
    int32_t *part = *from;

    *from += count;
    return part;
}

static dgm_status begin(struct dgm_env *env, struct dgm_wavefront_tree *w, struct lists *lists,
                        const struct dgm_tree_batch *batch)
{
    const int64_t nodes = batch->tree_offsets[batch->count];
    const int64_t all = batch->offsets[batch->count] + nodes;
    int32_t *from;

    w->sentences = batch->count;
    w->leaves = batch->offsets[batch->count];
    w->nodes = nodes;
    w->up_steps = w->down_steps = 0;
    w->block_count = 0;
    DGM_TRY(dgm_reserve(env, &w->counts, &w->count_capacity, (size_t)nodes + 1, sizeof *w->counts));
    DGM_TRY(dgm_reserve(env, &w->work, &w->work_capacity,
                        (size_t)(5 * nodes + 8 * all + 2 * batch->count) + 2, sizeof *w->work));
    from = w->work;
    lists->height = take(&from, nodes);
    lists->rank = take(&from, nodes);
    lists->left = take(&from, nodes);
    lists->right = take(&from, nodes);
    lists->next = take(&from, nodes + 1);
    lists->up = take(&from, all + batch->count);
    lists->row = take(&from, all);
    for (int side = 0; side < 2; side++) {
        lists->parent[side] = take(&from, all);
        lists->source[side] = take(&from, all);
    }
    lists->output = take(&from, all);
    lists->attended = take(&from, all);
    lists->offsets = from;
    return DGM_OK;
}

/* ---- up -------------------------------------------------------------------------------------- */

/* The height of node `node` of sentence s, leaves 0. */
static int32_t height_of(const struct lists *lists, const struct dgm_tree_batch *batch, int32_t s,
                         int32_t node)
{
    int32_t words = words_of(batch, s);

    return node < words ? 0 : lists->height[batch->tree_offsets[s] + node - words];
}

/* counts[h - 1]: the nodes of height h. */
static void find_heights(struct dgm_wavefront_tree *w, struct lists *lists,
                         const struct dgm_tree_batch *batch)
{
    memset(w->counts, 0, ((size_t)w->nodes + 1) * sizeof *w->counts);
    for (int32_t s = 0; s < batch->count; s++)
        for (int32_t m = batch->tree_offsets[s]; m < batch->tree_offsets[s + 1]; m++) {
            int32_t a = height_of(lists, batch, s, batch->left[m]);
            int32_t b = height_of(lists, batch, s, batch->right[m]);

            lists->height[m] = 1 + (a > b ? a : b);
            w->counts[lists->height[m] - 1]++;
            if (lists->height[m] > w->up_steps)
                w->up_steps = lists->height[m];
        }
}

/* A counting sort by height. */
static void rank_nodes(const struct dgm_wavefront_tree *w, struct lists *lists)
{
    lists->next[0] = 0;
    for (int32_t h = 1; h < w->up_steps; h++)
        lists->next[h] = lists->next[h - 1] + w->counts[h - 1];
    for (int64_t m = 0; m < w->nodes; m++)
        lists->rank[m] = lists->next[lists->height[m] - 1]++;
}

/* Children as states of the way up: a leaf's place in the batch, or leaves + rank. A rank is higher
 * than those of all lower nodes, so that children come first. */
static void find_children(struct lists *lists, const struct dgm_tree_batch *batch)
{
    for (int32_t s = 0; s < batch->count; s++)
        for (int32_t m = batch->tree_offsets[s]; m < batch->tree_offsets[s + 1]; m++) {
            lists->left[lists->rank[m]] = state_of(lists, batch, s, batch->left[m]);
            lists->right[lists->rank[m]] = state_of(lists, batch, s, batch->right[m]);
        }
}

/* ---- down ------------------------------------------------------------------------------------ */

/* Whether the numbers from `first` on rise by one: then their rows need not be gathered. */
static int is_range(const int32_t *numbers, int32_t first, int32_t end)
{
    while (first + 1 < end && numbers[first + 1] == numbers[first] + 1)
        first++;
    return first + 1 >= end;
}

/* Appends one side's rows from in_side on as a block of rows that begins at `first`. */
static dgm_status end_block(struct dgm_env *env, struct dgm_wavefront_tree *w,
                            const struct lists *lists, int side, int64_t in_side, int64_t first)
{
    const int32_t *parent = lists->parent[side];
    const int32_t begin = (int32_t)in_side, end = (int32_t)w->side_rows[side];
    struct dgm_gru_block *block;

    if (begin == end)
        return DGM_OK;
    DGM_TRY(
        dgm_grow(env, &w->blocks, &w->block_capacity, (size_t)w->block_count, sizeof *w->blocks));
    block = &w->blocks[w->block_count++];
    block->side = side;
    block->first = (int32_t)first;
    block->count = end - begin;
    block->in_side = begin;
    block->parents = is_range(parent, begin, end) ? parent[begin] : -1;
    return DGM_OK;
}

/* Row `row` of H is the state `up`, computed by `side` from row `parent`. */
static void add_row(struct dgm_wavefront_tree *w, struct lists *lists, int side, int64_t row,
                    int64_t parent, int32_t up)
{
    const int64_t at = w->side_rows[side]++;

    lists->parent[side][at] = (int32_t)parent;
    lists->source[side][at] = up;
    lists->up[row] = up;
}

/*
 * The roots of H. DGM_ROOT_COPY: row r is the r-th tree's root itself. DGM_ROOT_LEFT: row r is
 * zeros and no node's state (-1), and the tree's root is row roots + r, its left child. Returns
 * where the next rows begin. The root of a binary tree over n words is its last node, 2n - 2.
 */
static int64_t add_roots(struct dgm_wavefront_tree *w, struct lists *lists,
                         const struct dgm_tree_batch *batch, enum dgm_tree_root kind)
{
    w->roots = w->side_rows[0] = w->side_rows[1] = 0;
    for (int32_t s = 0; s < batch->count; s++) {
        const int32_t root = 2 * words_of(batch, s) - 2;

        if (root >= 0)
            lists->up[w->roots++] = state_of(lists, batch, s, root);
    }
    if (kind == DGM_ROOT_COPY)
        return w->roots;
    for (int64_t r = 0; r < w->roots; r++) {
        add_row(w, lists, 0, w->roots + r, r, lists->up[r]);
        lists->up[r] = -1;
    }
    return 2 * w->roots;
}

/* The children on one side of the rows begin .. end-1, as rows from `next` on. */
static int64_t add_children(struct dgm_wavefront_tree *w, struct lists *lists, int side,
                            int64_t begin, int64_t end, int64_t next)
{
    const int32_t *children = side == 0 ? lists->left : lists->right;

    for (int64_t row = begin; row < end; row++)
        if (lists->up[row] >= w->leaves)
            add_row(w, lists, side, next++, row, children[lists->up[row] - w->leaves]);
    return next;
}

/*
 * Fills in the blocks of w, and of the lists up, row, parent and source. Rows begin .. end-1 are
 * one step. Its children are the next step: a block of left children, then one of right children,
 * each with the weights of its side. At the end `row` is `up` inverted, so that results find a
 * node's row.
 */
static dgm_status go_down(struct dgm_env *env, struct dgm_wavefront_tree *w, struct lists *lists,
                          const struct dgm_tree_batch *batch, enum dgm_tree_root kind)
{
    int64_t next = add_roots(w, lists, batch, kind), begin = 0, end;

    DGM_TRY(end_block(env, w, lists, 0, 0, w->roots));
    for (end = next; begin < end; begin = end, end = next) {
        for (int side = 0; side < 2; side++) {
            const int64_t first = next, in_side = w->side_rows[side];
            next = add_children(w, lists, side, begin, end, next);
            DGM_TRY(end_block(env, w, lists, side, in_side, first));
        }
        w->down_steps += next > end;
    }
    w->down_steps += kind == DGM_ROOT_LEFT && w->roots > 0;
    for (int64_t row = 0; row < next; row++)
        if (lists->up[row] >= 0)
            lists->row[lists->up[row]] = (int32_t)row;
    return DGM_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Sentence s in the order of output; appends those of its rows that are attended to. A tree that
 * has no node of the levels asked for is attended to at its root: no softmax is over nothing. */
static void list_sentence(struct dgm_wavefront_tree *w, struct lists *lists,
                          const struct dgm_tree_batch *batch, int32_t s,
                          const struct dgm_tree_choice *choice)
{
    int32_t words = words_of(batch, s), last = 2 * words - 2, found = 0;
    int32_t *output = lists->output + batch->offsets[s] + batch->tree_offsets[s];

    for (int32_t node = 0; node <= last; node++) {
        int32_t level = 1 + height_of(lists, batch, s, node);

        output[node] = lists->row[state_of(lists, batch, s, node)];
        if (level < choice->lowest || (choice->highest > 0 && level > choice->highest))
            continue;
        lists->attended[w->attended_count++] = output[node];
        found = 1;
    }
    if (words > 0 && !found)
        lists->attended[w->attended_count++] = output[last];
}

static dgm_status stage_results(struct dgm_env *env, struct dgm_feed *feed,
                                struct dgm_wavefront_tree *w, struct lists *lists,
                                const struct dgm_tree_batch *batch,
                                const struct dgm_tree_choice *choice)
{
    const size_t number = sizeof(int32_t), ends = ((size_t)batch->count + 1) * number;

    w->attended_count = 0;
    lists->offsets[0] = 0;
    for (int32_t s = 0; s < batch->count; s++) {
        list_sentence(w, lists, batch, s, choice);
        lists->offsets[s + 1] = (int32_t)w->attended_count;
    }
    DGM_TRY(dgm_feed_copy(env, feed, &w->output, lists->output,
                          (size_t)(w->leaves + w->nodes) * number));
    DGM_TRY(dgm_feed_copy(env, feed, &w->attended, lists->attended,
                          (size_t)w->attended_count * number));
    DGM_TRY(dgm_feed_copy(env, feed, &w->attended_offsets, lists->offsets, ends));
    for (int32_t s = 0; s <= batch->count; s++)
        lists->offsets[s] = batch->offsets[s] + batch->tree_offsets[s];
    return dgm_feed_copy(env, feed, &w->output_offsets, lists->offsets, ends);
}

/* Of H's roots, the states that they copy; where they are zeros, those are what side 0 reads. */
static dgm_status stage_down(struct dgm_env *env, struct dgm_feed *feed,
                             struct dgm_wavefront_tree *w, const struct lists *lists,
                             enum dgm_tree_root kind)
{
    for (int side = 0; side < 2; side++) {
        const size_t bytes = (size_t)w->side_rows[side] * sizeof(int32_t);
        DGM_TRY(dgm_feed_copy(env, feed, &w->parent[side], lists->parent[side], bytes));
        DGM_TRY(dgm_feed_copy(env, feed, &w->source[side], lists->source[side], bytes));
    }
    return dgm_feed_copy(env, feed, &w->root_rows,
                         kind == DGM_ROOT_COPY ? lists->up : lists->source[0],
                         (size_t)w->roots * sizeof(int32_t));
}

static dgm_status stage_up(struct dgm_env *env, struct dgm_feed *feed, struct dgm_wavefront_tree *w,
                           const struct lists *lists)
{
    const size_t bytes = (size_t)w->nodes * sizeof(int32_t);

    DGM_TRY(dgm_feed_copy(env, feed, &w->left, lists->left, bytes));
    return dgm_feed_copy(env, feed, &w->right, lists->right, bytes);
}

dgm_status dgm_wavefront_tree_stage(struct dgm_env *env, struct dgm_feed *feed,
                                    struct dgm_wavefront_tree *w,
                                    const struct dgm_tree_batch *batch,
                                    const struct dgm_tree_choice *choice)
{
    struct lists lists;

    DGM_TRY(begin(env, w, &lists, batch));
    find_heights(w, &lists, batch);
    rank_nodes(w, &lists);
    find_children(&lists, batch);
    DGM_TRY(go_down(env, w, &lists, batch, choice->root));
    DGM_TRY(stage_up(env, feed, w, &lists));
    DGM_TRY(stage_down(env, feed, w, &lists, choice->root));
    return stage_results(env, feed, w, &lists, batch, choice);
}

/* ---- the schedules, as operations read them ------------------------------------------------ */

struct dgm_tree_cell_plan dgm_wavefront_tree_up(const struct dgm_feed *feed,
                                                const struct dgm_wavefront_tree *w)
{
    struct dgm_tree_cell_plan plan;

    plan.leaves = w->leaves;
    plan.nodes = w->nodes;
    plan.steps = w->up_steps;
    plan.counts = w->counts;
    plan.left = dgm_feed_ref(feed, w->left);
    plan.right = dgm_feed_ref(feed, w->right);
    return plan;
}

struct dgm_gru_plan dgm_wavefront_tree_down(const struct dgm_feed *feed,
                                            const struct dgm_wavefront_tree *w)
{
    struct dgm_gru_plan plan = { 0 };

    plan.roots = w->roots;
    plan.rows = w->side_rows[0] + w->side_rows[1];
    plan.sides = 2;
    plan.block_count = w->block_count;
    plan.blocks = w->blocks;
    for (int side = 0; side < 2; side++) {
        plan.side[side].rows = w->side_rows[side];
        plan.side[side].parent = dgm_feed_ref(feed, w->parent[side]);
    }
    return plan;
}

struct dgm_tree_lists dgm_wavefront_tree_lists(const struct dgm_feed *feed,
                                               const struct dgm_wavefront_tree *w)
{
    struct dgm_tree_lists lists;

    for (int side = 0; side < 2; side++) {
        lists.source[side] = dgm_feed_ref(feed, w->source[side]);
        lists.side_rows[side] = w->side_rows[side];
    }
    lists.roots = dgm_feed_ref(feed, w->root_rows);
    lists.root_count = w->roots;
    lists.output = dgm_feed_ref(feed, w->output);
    lists.output_offsets = dgm_feed_ref(feed, w->output_offsets);
    lists.all = w->leaves + w->nodes;
    lists.attended = dgm_feed_ref(feed, w->attended);
    lists.attended_offsets = dgm_feed_ref(feed, w->attended_offsets);
    lists.attended_count = w->attended_count;
    return lists;
}
