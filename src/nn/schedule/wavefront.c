/*
 * wavefront.c: what all schedules share: memory, blocks, the plan that the device reads.
 */
#include "nn/schedule/wavefront.h"

#include <string.h>

#include "base/mem.h"

void dgm_wavefront_clear(struct dgm_env *env, struct dgm_wavefront *w)
{
    dgm_release(env, w->blocks);
    dgm_release(env, w->work);
    memset(w, 0, sizeof *w);
}

dgm_status dgm_wavefront_begin(struct dgm_env *env, struct dgm_wavefront *w, int64_t roots,
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

dgm_status dgm_wavefront_block(struct dgm_env *env, struct dgm_wavefront *w,
                               const struct dgm_gru_block *block)
{
    DGM_TRY(dgm_reserve(env, &w->blocks, &w->block_capacity, (size_t)w->block_count + 1,
                        sizeof *w->blocks));
    w->blocks[w->block_count++] = *block;
    return DGM_OK;
}

struct dgm_gru_plan dgm_wavefront_sent(const struct dgm_feed *feed, const struct dgm_wavefront *w)
{
    struct dgm_gru_plan plan;

    memset(&plan, 0, sizeof plan);
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
