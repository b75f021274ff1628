/*
 * wavefront_tree_sent.c: the schedules of binary trees as operations read them.
 */
#include <string.h>

#include "nn/schedule/wavefront_tree.h"

struct dgm_tree_cell_plan dgm_tree_wavefront_up(const struct dgm_feed *feed,
                                                const struct dgm_tree_wavefront *w)
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

struct dgm_gru_plan dgm_tree_wavefront_down(const struct dgm_feed *feed,
                                            const struct dgm_tree_wavefront *w)
{
    struct dgm_gru_plan plan;

    memset(&plan, 0, sizeof plan);
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

struct dgm_tree_lists dgm_tree_wavefront_lists(const struct dgm_feed *feed,
                                               const struct dgm_tree_wavefront *w)
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
