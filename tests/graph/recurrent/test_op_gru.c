/*
 * test_op_gru.c: recurrent cells over schedules: the same bits block by block and row by row, a
 * chain as a tree, states that are multiples of the root's, and refusals.
 */
#include "gru_case.h"

enum { MOST_ROWS = 40 };

/* Every row a block of its own, in the same order. */
static int cut_blocks(const struct dgm_gru_plan *plan, struct dgm_gru_block *to)
{
    int count = 0;

    for (int i = 0; i < plan->block_count; i++)
        for (int32_t r = 0; r < plan->blocks[i].count; r++) {
            struct dgm_gru_block block = plan->blocks[i];
            block.first += r;
            block.in_side += r;
            block.count = 1;
            block.parents = block.parents < 0 ? -1 : block.parents + r;
            to[count++] = block;
        }
    return count;
}

/* Wide enough for sums of more than one block of a product. */
static struct dgm_node *run_random(struct graph_case *bench, int siblings, int is_cut,
                                   struct dgm_gru_block *cut)
{
    enum { DIM = 300 };
    struct dgm_node *x[DGM_GRU_SIDES], *w[DGM_GRU_SIDES], *u[DGM_GRU_SIDES], *y, *init;
    struct dgm_gru_plan plan =
        dgm_gru_plan_sample(&bench->g, &bench->sample, DGM_GRU_SIDES, siblings);

    init = dgm_sample_leaf(&bench->g, &bench->sample, plan.roots, DIM);
    for (int s = 0; s < plan.sides; s++) {
        x[s] = dgm_sample_leaf(&bench->g, &bench->sample, plan.side[s].rows, 3 * DIM);
        w[s] = dgm_sample_leaf(&bench->g, &bench->sample, 3 * DIM, DIM);
        u[s] = siblings ? dgm_sample_leaf(&bench->g, &bench->sample, 3 * DIM, DIM) : NULL;
    }
    if (is_cut) {
        plan.block_count = cut_blocks(&plan, cut);
        plan.blocks = cut;
    }
    y = dgm_keep(&bench->g, dgm_gru(&bench->g, init, x, w, u, &plan, 1));
    return dgm_graph_run(&bench->g) == DGM_OK ? y : NULL;
}

TEST(recur_has_the_same_bits_block_by_block_and_row_by_row)
{
    struct dgm_gru_block cut[MOST_ROWS];
    static dgm_real want[MOST_ROWS * 300], got[MOST_ROWS * 300];

    for (int seed = 0; seed < 8; seed++)
        for (int is_cut = 0; is_cut < 2; is_cut++) {
            struct graph_case bench;
            struct dgm_node *y;
            CHECK_STATUS(case_open(&bench, 1 + seed % 2), DGM_OK);
            dgm_random_init(&bench.sample.random, (uint64_t)seed, 3, 0, 0);
            y = run_random(&bench, seed % 4 < 2, is_cut, cut);
            CHECK(y != NULL && y->rows <= MOST_ROWS);
            CHECK_STATUS(dgm_graph_read(&bench.g, y, is_cut ? got : want), DGM_OK);
            if (is_cut)
                CHECK_MEM(got, want, (size_t)(y->rows * y->cols) * sizeof *got);
            case_close(&bench);
        }
}

/* ---- the tree of eight words ----------------------------------------------------------------- */

/* u = 1: h_i is m_i times h_0, where m_i = m_parent + m_sibling. */
TEST(recur_with_open_update_gates_sums_what_it_carries)
{
    static const double m[8] = { 4, 2, 12, 8, 4, 24, 16, 8 };
    static const double h0[2] = { 0.25, -0.5 };
    struct graph_case bench;
    struct filler filler = { &bench, 0 };
    struct dgm_node *x[2], *w[2], *u[2], *y;
    struct dgm_gru_plan plan;
    dgm_real got[16];

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    plan = tree_plan(&bench);
    for (int s = 0; s < 2; s++) {
        double wide_open[5 * 6] = { 0 };
        for (int i = 0; i < 5; i++)
            wide_open[6 * i] = wide_open[6 * i + 1] = 80;
        x[s] = case_leaf(&bench, wide_open, tree_rows[s], 6);
        w[s] = fill_leaf(&filler, 6, 2);
        u[s] = fill_leaf(&filler, 6, 2);
    }
    y = tree_output(&bench, dgm_gru(&bench.g, case_leaf(&bench, h0, 1, 2), x, w, u, &plan, 1));
    dgm_keep(&bench.g, y);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, y, got), DGM_OK);
    for (int i = 0; i < 16; i++)
        CHECK_NEAR(got[i], m[i / 2] * h0[i % 2], 0);
    case_close(&bench);
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* A chain of five words: parents and siblings are the word before, or one state with W + U. */
static void run_chain(struct graph_case *bench, int is_tree, dgm_real got[12])
{
    static const struct dgm_gru_block blocks[5] = { { 0, 1, 1, 0, 0 },
                                                    { 0, 2, 1, 1, 1 },
                                                    { 0, 3, 1, 2, 2 },
                                                    { 0, 4, 1, 3, 3 },
                                                    { 0, 5, 1, 4, 4 } };
    static const int32_t before[5] = { 0, 1, 2, 3, 4 };
    struct filler filler = { bench, 0 };
    struct dgm_node *x, *w, *u = NULL, *y, *init;
    struct dgm_gru_plan plan;
    double both[2][12];

    memset(&plan, 0, sizeof plan);
    plan.roots = 1;
    plan.rows = plan.side[0].rows = 5;
    plan.sides = 1;
    plan.block_count = 5;
    plan.blocks = blocks;
    plan.side[0].parent = case_ints(bench, before, 5);
    init = fill_leaf(&filler, 1, 2);
    x = fill_leaf(&filler, 5, 6);
    for (int i = 0; i < 24; i++)
        both[i / 12][i % 12] = fill_next(&filler);
    for (int i = 0; i < 12 && !is_tree; i++)
        both[0][i] += both[1][i];
    w = case_leaf(bench, both[0], 6, 2);
    if (is_tree) {
        u = case_leaf(bench, both[1], 6, 2);
        plan.side[0].sibling = plan.side[0].parent;
    }
    y = dgm_keep(&bench->g, dgm_gru(&bench->g, init, &x, &w, &u, &plan, is_tree ? 1 : 2));
    CHECK_STATUS(dgm_graph_run(&bench->g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench->g, y, got), DGM_OK);
}

TEST(recur_over_a_chain_is_a_gru_with_both_weights_and_twice_the_carry)
{
    struct graph_case bench;
    dgm_real got[2][12];

    for (int is_tree = 0; is_tree < 2; is_tree++) {
        CHECK_STATUS(case_open(&bench, 1), DGM_OK);
        run_chain(&bench, is_tree, got[is_tree]);
        case_close(&bench);
    }
    for (int i = 0; i < 12; i++)
        check_close((double)got[0][i], (double)got[1][i]);
    CHECK(got[0][2] != got[0][4]);
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST(recur_refuses_plans_that_read_what_comes_later)
{
    struct graph_case bench;
    struct filler filler = { &bench, 0 };
    struct dgm_gru_block blocks[2] = { { 0, 1, 1, 0, 0 }, { 0, 2, 2, 1, 1 } };
    struct dgm_gru_plan plan;
    struct dgm_node *x, *w;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    memset(&plan, 0, sizeof plan);
    plan.roots = plan.sides = 1;
    plan.rows = plan.side[0].rows = 3;
    plan.block_count = 2;
    plan.blocks = blocks;
    x = fill_leaf(&filler, 3, 6);
    w = fill_leaf(&filler, 6, 2);
    CHECK(!dgm_gru_plan_is_sound(&plan));
    CHECK(dgm_gru(&bench.g, NULL, &x, &w, NULL, &plan, 1) == NULL);
    CHECK_STATUS(bench.g.status, DGM_FAILURE);
    dgm_env_clear_error(test_env());
    blocks[1].parents = 0;
    CHECK(dgm_gru_plan_is_sound(&plan));
    blocks[1].parents = -1;
    CHECK(dgm_gru_plan_is_sound(&plan));
    blocks[1].in_side = 0;
    CHECK(!dgm_gru_plan_is_sound(&plan));
    case_close(&bench);
}
