/*
 * gru_plan.c: checks of plans of recurrent cells, and random plans.
 */
#include "graph/recurrent/gru_plan.h"

/*
 * Blocks follow each other: in the states from the roots on (`next`), and in the inputs of each
 * side from 0 on (`read`). With this every row is computed, and every input read, exactly once.
 * Parents that the lists name are on the device and cannot be looked at here.
 */
int dgm_gru_plan_is_sound(const struct dgm_gru_plan *plan)
{
    int64_t next = plan->roots, read[DGM_GRU_SIDES] = { 0 };

    if (plan->sides < 1 || plan->sides > DGM_GRU_SIDES || plan->roots < 0)
        return 0;
    for (int i = 0; i < plan->block_count; i++) {
        const struct dgm_gru_block *block = &plan->blocks[i];
        if (block->side < 0 || block->side >= plan->sides || block->count < 0 ||
            block->first != next || block->in_side != read[block->side] || block->parents < -1 ||
            (block->parents >= 0 && block->parents + block->count > block->first))
            return 0;
        next += block->count;
        read[block->side] += block->count;
    }
    for (int s = 0; s < plan->sides; s++)
        if (read[s] != plan->side[s].rows)
            return 0;
    return next == plan->roots + plan->rows;
}

int64_t dgm_gru_plan_most_in_block(const struct dgm_gru_plan *plan)
{
    int64_t most = 0;

    for (int i = 0; i < plan->block_count; i++)
        most = plan->blocks[i].count > most ? plan->blocks[i].count : most;
    return most;
}

int64_t dgm_gru_plan_most_in_side(const struct dgm_gru_plan *plan)
{
    int64_t most = 0;

    for (int s = 0; s < plan->sides; s++)
        most = plan->side[s].rows > most ? plan->side[s].rows : most;
    return most;
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { SAMPLE_BLOCKS = 6, SAMPLE_COUNT = 3, SAMPLE_ROWS = SAMPLE_BLOCKS * SAMPLE_COUNT };

/* Row i of a side: its parent and its sibling, any rows before the block. */
struct sample_lists {
    int32_t parent[DGM_GRU_SIDES][SAMPLE_ROWS + 1], sibling[DGM_GRU_SIDES][SAMPLE_ROWS + 1];
};

/* A block of a few rows. Half of the blocks whose parents may lie side by side have it so, because
 * such blocks take another way through op_gru.c; a third of the rows have no sibling but the
 * parent. */
static void sample_block(struct dgm_sample *sample, struct dgm_gru_plan *plan, int side,
                         struct dgm_gru_block *block, struct sample_lists *lists)
{
    const int32_t before = (int32_t)(plan->roots + plan->rows);

    block->side = side;
    block->first = before;
    block->count = (int32_t)dgm_sample_int(sample, 1, SAMPLE_COUNT);
    block->in_side = (int32_t)plan->side[block->side].rows;
    block->parents = -1;
    if (block->count <= before && dgm_sample_int(sample, 0, 1))
        block->parents = (int32_t)dgm_sample_int(sample, 0, before - block->count);
    for (int32_t i = 0; i < block->count; i++) {
        int32_t parent = (int32_t)dgm_sample_int(sample, 0, before - 1);
        if (block->parents >= 0)
            parent = block->parents + i;
        lists->parent[block->side][block->in_side + i] = parent;
        lists->sibling[block->side][block->in_side + i] =
            dgm_sample_int(sample, 0, 2) ? (int32_t)dgm_sample_int(sample, 0, before - 1) : parent;
    }
    plan->side[block->side].rows += block->count;
    plan->rows += block->count;
}

struct dgm_gru_plan dgm_gru_plan_sample(struct dgm_graph *g, struct dgm_sample *sample,
                                        int most_sides, int siblings)
{
    struct dgm_gru_block *blocks =
        dgm_arena_alloc(g->env, &g->arena, SAMPLE_BLOCKS, sizeof *blocks);
    struct dgm_gru_plan plan = { 0 };
    struct sample_lists lists = { 0 };

    if (blocks == NULL) {
        g->status = DGM_MEMORY;
        return plan;
    }
    plan.roots = dgm_sample_int(sample, 1, 3);
    plan.sides = (int)dgm_sample_int(sample, 1, most_sides);
    plan.block_count = (int)dgm_sample_int(sample, plan.sides, SAMPLE_BLOCKS);
    plan.blocks = blocks;
    for (int i = 0; i < plan.block_count; i++)
        sample_block(sample, &plan,
                     i < plan.sides ? i : (int)dgm_sample_int(sample, 0, plan.sides - 1),
                     &blocks[i], &lists);
    for (int s = 0; s < plan.sides; s++) {
        plan.side[s].parent = dgm_sample_data(g, sample, lists.parent[s], sizeof lists.parent[s]);
        if (siblings)
            plan.side[s].sibling =
                dgm_sample_data(g, sample, lists.sibling[s], sizeof lists.sibling[s]);
    }
    return plan;
}
