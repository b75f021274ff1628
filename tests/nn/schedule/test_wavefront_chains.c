/*
 * test_wavefront_chains.c: schedules of sequences: every position once per chain, its predecessor
 * above it, parents side by side.
 */
#include "wavefront_case.h"

enum { SIDES = 4 };

static const int32_t *list(const struct case_rig *rig, dgm_slot slot)
{
    return dgm_feed_host(&rig->feed, slot);
}

/* Position t of a chain, as defined. */
static int32_t position_at(const struct dgm_chain *chain, int32_t first, int32_t n, int32_t t)
{
    const int32_t k = chain->backward ? n - 1 - t : t;

    return chain->order != NULL ? chain->order[first + k] : k;
}

/* The row of H that a row follows from, as its block says it; it must be what the list says. */
static int32_t parent_row(const struct case_rig *rig, int32_t row)
{
    for (int b = 0; b < rig->w.block_count; b++) {
        const struct dgm_gru_block *block = &rig->w.blocks[b];
        const int32_t k = row - block->first;

        if (k < 0 || k >= block->count || block->parents < 0 ||
            list(rig, rig->w.side[block->side].parent)[block->in_side + k] != block->parents + k)
            continue;
        return block->parents + k;
    }
    return -1;
}

static void check_chain(const struct case_rig *rig, const struct case_batch *batch,
                        const struct dgm_chain *chain, int side)
{
    const int32_t *where = list(rig, rig->w.where[side]);
    int rooted[CASE_SENTENCES] = { 0 };

    for (int32_t s = 0; s < batch->count; s++) {
        const int32_t first = batch->offsets[s], n = batch->offsets[s + 1] - first;

        for (int32_t t = 0; t < n; t++) {
            const int32_t row = where[first + position_at(chain, first, n, t)];
            const int32_t parent = parent_row(rig, row);

            CHECK(row >= rig->w.roots && row < rig->w.roots + rig->w.rows);
            if (t > 0)
                CHECK_INT(parent, where[first + position_at(chain, first, n, t - 1)]);
            else
                CHECK(parent >= 0 && parent < rig->w.roots && rooted[parent]++ == 0);
        }
    }
    for (int b = 0; b < rig->w.block_count; b++)
        if (rig->w.blocks[b].side == side)
            for (int32_t k = 0; k < rig->w.blocks[b].count; k++)
                CHECK_INT(where[list(rig, rig->w.side[side].source)[rig->w.blocks[b].in_side + k]],
                          rig->w.blocks[b].first + k);
}

static void fill_orders(struct dgm_random *random, const struct case_batch *batch, int32_t *order)
{
    for (int32_t s = 0; s < batch->count; s++) {
        const int32_t first = batch->offsets[s], n = batch->offsets[s + 1] - first;

        for (int32_t i = 0; i < n; i++)
            order[first + i] = i;
        dgm_random_shuffle(random, (uint32_t *)(order + first), (size_t)n);
    }
}

TEST(wavefront_chains_follow_their_orders)
{
    int32_t orders[2][CASE_ROWS];
    const struct dgm_chain chains[SIDES] = {
        { NULL, 0 }, { NULL, 1 }, { orders[0], 0 }, { orders[1], 1 }
    };
    struct dgm_random random;
    struct case_batch batch;
    struct case_rig rig;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    dgm_random_init(&random, 75, 0, 0, 0);
    for (int round = 0; round < 60; round++) {
        const int sides = 1 + round % SIDES;
        int32_t row, longest = 0;

        case_fill(&random, &batch);
        fill_orders(&random, &batch, orders[0]);
        fill_orders(&random, &batch, orders[1]);
        dgm_feed_reset(&rig.feed);
        CHECK_STATUS(dgm_wavefront_chains(test_env(), &rig.feed, &rig.w, batch.offsets, batch.count,
                                          chains, sides),
                     DGM_OK);
        for (int32_t s = 0; s < batch.count; s++)
            if (batch.offsets[s + 1] - batch.offsets[s] > longest)
                longest = batch.offsets[s + 1] - batch.offsets[s];
        CHECK_INT(rig.w.steps, longest);
        CHECK_INT(rig.w.block_count, longest * sides);
        CHECK_INT(rig.w.rows, sides * batch.offsets[batch.count]);
        row = (int32_t)rig.w.roots;
        for (int b = 0; b < rig.w.block_count; b++) {
            CHECK_INT(rig.w.blocks[b].side, b % sides);
            CHECK_INT(rig.w.blocks[b].first, row);
            row += rig.w.blocks[b].count;
        }
        CHECK_INT(row, rig.w.roots + rig.w.rows);
        for (int side = 0; side < sides; side++)
            check_chain(&rig, &batch, chains + side, side);
    }
    case_close(&rig);
}

TEST(wavefront_chains_refuse_orders_that_miss_a_position)
{
    static const int32_t offsets[] = { 0, 1, 4 };
    static const int32_t orders[][4] = { { 0, 1, 1, 0 }, { 0, 0, 3, 1 }, { 0, -1, 0, 1 } };
    struct case_rig rig;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        const struct dgm_chain chain = { orders[k], 0 };

        dgm_feed_reset(&rig.feed);
        CHECK_STATUS(dgm_wavefront_chains(test_env(), &rig.feed, &rig.w, offsets, 2, &chain, 1),
                     DGM_DATA);
        CHECK(strstr(test_env()->error.message, "sentence 2 of the batch") != NULL);
        dgm_env_clear_error(test_env());
    }
    case_close(&rig);
}

TEST(wavefront_plan_says_what_was_staged)
{
    static const int32_t offsets[] = { 0, 2, 5 }, heads[] = { 1, 1, 0, 0, 0 };
    const struct dgm_chain chain = { NULL, 0 };
    struct dgm_gru_plan plan;
    struct case_rig rig;
    int32_t parent[3];

    CHECK_STATUS(case_open(&rig), DGM_OK);
    CHECK_STATUS(dgm_wavefront_dependency(test_env(), &rig.feed, &rig.w, offsets, 2, heads),
                 DGM_OK);
    CHECK_STATUS(dgm_feed_send(test_env(), &rig.feed), DGM_OK);
    plan = dgm_wavefront_sent(&rig.feed, &rig.w);
    CHECK_INT(plan.roots, 2);
    CHECK_INT(plan.rows, 5);
    CHECK_INT(plan.sides, 2);
    CHECK_INT(plan.side[DGM_LEFT_DEPENDENTS].rows, 1);
    CHECK_INT(plan.side[DGM_RIGHT_DEPENDENTS].rows, 4);
    CHECK(plan.side[1].sibling.buffer != NULL);
    CHECK(plan.blocks == rig.w.blocks);
    CHECK_STATUS(dgm_device_read(test_env(), rig.device, parent, plan.side[1].parent,
                                 sizeof parent),
                 DGM_OK);
    CHECK_INT(parent[0], 0); /* the roots, then what follows from the second one */
    CHECK_INT(parent[1], 1);
    CHECK_INT(parent[2], 3);
    dgm_feed_reset(&rig.feed);
    CHECK_STATUS(dgm_wavefront_chains(test_env(), &rig.feed, &rig.w, offsets, 2, &chain, 1),
                 DGM_OK);
    CHECK_STATUS(dgm_feed_send(test_env(), &rig.feed), DGM_OK);
    plan = dgm_wavefront_sent(&rig.feed, &rig.w);
    CHECK_INT(plan.sides, 1);
    CHECK_INT(plan.side[0].rows, 5);
    CHECK(plan.side[0].sibling.buffer == NULL);
    case_close(&rig);
}
