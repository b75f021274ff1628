/*
 * test_run_lstm_node.c: an LSTM as a node of a graph: a warm step asks for no memory, operands of
 * other shapes are refused.
 */
#include <string.h>

#include "lstm_lab.h"
#include "test.h"

enum { MOST_ROWS = LSTM_MOST * 9 };

static dgm_status graph_step(struct lstm_rig *rig, struct dgm_graph *g,
                             const struct lstm_problem *p, const struct dgm_ref *refs)
{
    struct dgm_sequences sequences;
    struct dgm_node *gates, *weight, *y;
    dgm_slot places, targets;
    int32_t *classes;

    dgm_feed_reset(&rig->feed);
    DGM_TRY(dgm_sequences_stage(test_env(), &rig->feed, &rig->slots, p->offsets, p->count));
    DGM_TRY(dgm_feed_copy(test_env(), &rig->feed, &places, p->places,
                          2 * (size_t)p->rows * sizeof *p->places));
    DGM_TRY(dgm_feed_take(test_env(), &rig->feed, &targets, &classes,
                          (size_t)p->rows * sizeof *classes));
    DGM_TRY(dgm_feed_send(test_env(), &rig->feed));
    sequences = dgm_sequences_sent(&rig->feed, &rig->slots);
    dgm_graph_begin(g, 1, lstm_lab_key[0], lstm_lab_key[1]);
    gates = dgm_constant(g, refs[0], p->rows, 8 * p->dim);
    weight = dgm_leaf(g, refs[1], refs[2], 8 * p->dim, p->dim);
    y = dgm_lstm(g, gates, weight, &sequences, dgm_feed_ref(&rig->feed, places), p->rate,
                 LSTM_STREAM);
    dgm_cross_entropy(g, y, dgm_feed_ref(&rig->feed, targets), 0, DGM_SMOOTHING_OLD, 1);
    DGM_TRY(dgm_graph_run(g));
    return dgm_graph_backward(g);
}

TEST(lstm_allocates_nothing_in_warm_steps)
{
    struct dgm_arena arena = { 0 };
    struct lstm_problem problems[3];
    struct dgm_graph g;
    struct dgm_ref refs[3];
    struct lstm_rig rig;
    long before = 0;
    int64_t grown = 0;

    CHECK_STATUS(lstm_rig_open(&rig, 2), DGM_OK);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, rig.device), DGM_OK);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(lstm_lab_problem(&arena, &problems[i], 20 + 30 * i, 9 - 2 * i, 12, 0.3),
                     DGM_OK);
    CHECK_STATUS(lstm_rig_put(&rig, &refs[0], NULL, MOST_ROWS * 8 * 12), DGM_OK);
    CHECK_STATUS(lstm_rig_put(&rig, &refs[1], problems[0].weight, 8 * 12 * 12), DGM_OK);
    CHECK_STATUS(lstm_rig_put(&rig, &refs[2], problems[0].weight, 8 * 12 * 12), DGM_OK);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(graph_step(&rig, &g, &problems[i], refs), DGM_OK);
        if (round == 0) {
            before = test_allocations();
            grown = g.allocations;
        }
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK_INT(g.allocations, grown);
    dgm_graph_clear(&g);
    lstm_rig_close(&rig);
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_refuses_operands_of_other_shapes)
{
    struct dgm_sequences sequences;
    struct dgm_ref none = { NULL, 0 };
    struct dgm_graph g;
    struct lstm_rig rig;

    memset(&sequences, 0, sizeof sequences);
    sequences.rows = 3;
    CHECK_STATUS(lstm_rig_open(&rig, 1), DGM_OK);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, rig.device), DGM_OK);
    for (int i = 0; i < 3; i++) {
        struct dgm_node *gates, *weight;
        dgm_env_clear_error(test_env());
        dgm_graph_begin(&g, 1, 1, 1);
        gates = dgm_constant(&g, none, i == 0 ? 2 : 3, i == 1 ? 8 : 16);
        weight = dgm_constant(&g, none, 16, i == 2 ? 3 : 2);
        CHECK(dgm_lstm(&g, gates, weight, &sequences, none, 0, 0) == NULL);
        CHECK_STATUS(dgm_graph_run(&g), DGM_FAILURE);
    }
    CHECK(strstr(test_env()->error.message, "lstm: operands 3 x 16 and 16 x 3") != NULL);
    dgm_env_clear_error(test_env());
    dgm_graph_clear(&g);
    lstm_rig_close(&rig);
}
