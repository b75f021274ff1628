/*
 * tree_cell_plan.c: the size of plans of trees, and random binary trees.
 */
#include "graph/recurrent/tree_cell_plan.h"

int64_t dgm_tree_cell_plan_most(const struct dgm_tree_cell_plan *plan)
{
    int64_t most = 0;

    for (int s = 0; s < plan->steps; s++)
        most = plan->counts[s] > most ? plan->counts[s] : most;
    return most;
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { MOST_LEAVES = 9, MOST_STEPS = 4 };

/* On the host, in the graph's arena. */
struct lists {
    int32_t counts[MOST_STEPS];
    int32_t left[MOST_LEAVES], right[MOST_LEAVES];
    int32_t ready[2 * MOST_LEAVES]; /* states without a parent */
};

/* Takes a random state out of the first *count that are ready. */
static int32_t take(struct dgm_sample *sample, int32_t *ready, int32_t *count)
{
    int32_t i = (int32_t)dgm_sample_int(sample, 0, *count - 1), state = ready[i];

    ready[i] = ready[--*count];
    return state;
}

/* Composes some of the states that are ready; the new ones are not, until this step is over. */
static int32_t sample_step(struct dgm_sample *sample, struct lists *lists,
                           const struct dgm_tree_cell_plan *plan, int32_t *ready)
{
    const int32_t leaves = (int32_t)plan->leaves, first = (int32_t)plan->nodes;
    const int32_t count = (int32_t)dgm_sample_int(sample, 1, *ready / 2);

    for (int32_t m = first; m < first + count; m++) {
        lists->left[m] = take(sample, lists->ready, ready);
        lists->right[m] = take(sample, lists->ready, ready);
    }
    for (int32_t m = first; m < first + count; m++)
        lists->ready[(*ready)++] = leaves + m;
    return count;
}

struct dgm_tree_cell_plan dgm_tree_cell_plan_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    static const struct dgm_tree_cell_plan none;
    struct dgm_tree_cell_plan plan = none;
    struct lists *lists = dgm_arena_alloc(g->env, &g->arena, 1, sizeof *lists);
    int32_t ready, most_steps = (int32_t)dgm_sample_int(sample, 0, MOST_STEPS);

    if (lists == NULL) {
        g->status = DGM_MEMORY;
        return plan;
    }
    plan.leaves = ready = (int32_t)dgm_sample_int(sample, 1, MOST_LEAVES);
    for (int32_t i = 0; i < ready; i++)
        lists->ready[i] = i;
    while (plan.steps < most_steps && ready > 1) {
        lists->counts[plan.steps] = sample_step(sample, lists, &plan, &ready);
        plan.nodes += lists->counts[plan.steps++];
    }
    plan.counts = lists->counts;
    plan.left = dgm_sample_data(g, sample, lists->left, sizeof lists->left);
    plan.right = dgm_sample_data(g, sample, lists->right, sizeof lists->right);
    return plan;
}
