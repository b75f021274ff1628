/*
 * wavefront_tree.c: binary trees by height on the way up; the lists of both ways.
 */
#include "nn/schedule/wavefront_tree.h"

#include <string.h>

#include "base/mem.h"
#include "nn/schedule/wavefront_tree_part.h"

void dgm_tree_wavefront_clear(struct dgm_env *env, struct dgm_tree_wavefront *w)
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

static dgm_status begin(struct dgm_env *env, struct dgm_tree_wavefront *w,
                        struct dgm_tree_work *lists, const struct dgm_tree_batch *batch)
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
static int32_t height_of(const struct dgm_tree_work *lists, const struct dgm_tree_batch *batch,
                         int32_t s, int32_t node)
{
    int32_t words = dgm_tree_words(batch, s);

    return node < words ? 0 : lists->height[batch->tree_offsets[s] + node - words];
}

/* counts[h - 1]: the nodes of height h. */
static void find_heights(struct dgm_tree_wavefront *w, struct dgm_tree_work *lists,
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
static void rank_nodes(const struct dgm_tree_wavefront *w, struct dgm_tree_work *lists)
{
    lists->next[0] = 0;
    for (int32_t h = 1; h < w->up_steps; h++)
        lists->next[h] = lists->next[h - 1] + w->counts[h - 1];
    for (int64_t m = 0; m < w->nodes; m++)
        lists->rank[m] = lists->next[lists->height[m] - 1]++;
}

static void find_children(struct dgm_tree_work *lists, const struct dgm_tree_batch *batch)
{
    for (int32_t s = 0; s < batch->count; s++)
        for (int32_t m = batch->tree_offsets[s]; m < batch->tree_offsets[s + 1]; m++) {
            lists->left[lists->rank[m]] = dgm_tree_state(lists, batch, s, batch->left[m]);
            lists->right[lists->rank[m]] = dgm_tree_state(lists, batch, s, batch->right[m]);
        }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Sentence s in the order of output; appends those of its rows that are attended to. */
static void list_sentence(struct dgm_tree_wavefront *w, struct dgm_tree_work *lists,
                          const struct dgm_tree_batch *batch, int32_t s,
                          const struct dgm_tree_choice *choice)
{
    int32_t words = dgm_tree_words(batch, s), last = 2 * words - 2, found = 0;
    int32_t *output = lists->output + batch->offsets[s] + batch->tree_offsets[s];

    for (int32_t node = 0; node <= last; node++) {
        int32_t level = 1 + height_of(lists, batch, s, node);

        output[node] = lists->row[dgm_tree_state(lists, batch, s, node)];
        if (level < choice->lowest || (choice->highest > 0 && level > choice->highest))
            continue;
        lists->attended[w->attended_count++] = output[node];
        found = 1;
    }
    if (words > 0 && !found)
        lists->attended[w->attended_count++] = output[last];
}

static dgm_status stage_results(struct dgm_env *env, struct dgm_feed *feed,
                                struct dgm_tree_wavefront *w, struct dgm_tree_work *lists,
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
                             struct dgm_tree_wavefront *w, const struct dgm_tree_work *lists,
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

static dgm_status stage_up(struct dgm_env *env, struct dgm_feed *feed, struct dgm_tree_wavefront *w,
                           const struct dgm_tree_work *lists)
{
    const size_t bytes = (size_t)w->nodes * sizeof(int32_t);

    DGM_TRY(dgm_feed_copy(env, feed, &w->left, lists->left, bytes));
    return dgm_feed_copy(env, feed, &w->right, lists->right, bytes);
}

dgm_status dgm_tree_wavefront_stage(struct dgm_env *env, struct dgm_feed *feed,
                                    struct dgm_tree_wavefront *w,
                                    const struct dgm_tree_batch *batch,
                                    const struct dgm_tree_choice *choice)
{
    struct dgm_tree_work lists;

    DGM_TRY(begin(env, w, &lists, batch));
    find_heights(w, &lists, batch);
    rank_nodes(w, &lists);
    find_children(&lists, batch);
    DGM_TRY(dgm_tree_go_down(env, w, &lists, batch, choice->root));
    DGM_TRY(stage_up(env, feed, w, &lists));
    DGM_TRY(stage_down(env, feed, w, &lists, choice->root));
    return stage_results(env, feed, w, &lists, batch, choice);
}
