/*
 * test_spec_gru.c: the worked examples E1 (lexicalised dependencies), E2 (the same over a
 * bidirectional GRU) and the encoder of E6 (a bidirectional GRU alone) of the specification of
 * recurrent models, with schedules made by hand.
 */
#include "gru_case.h"

/* The parameters of the static dependency cell: of left dependents, then of right ones. */
struct cells {
    struct dgm_node *parent[2], *sibling[2], *word[2], *bias[2];
};

static struct cells fill_cells(struct filler *filler)
{
    static const int64_t cols[4] = { 2, 2, 2, 1 };
    struct cells cells;

    for (int s = 0; s < 2; s++) {
        struct dgm_node *out[4];
        fill_gates(filler, 2, cols, 4, out);
        cells.parent[s] = out[0];
        cells.sibling[s] = out[1];
        cells.word[s] = out[2];
        cells.bias[s] = out[3];
    }
    return cells;
}

static struct dgm_node *run_cells(struct graph_case *bench, const struct cells *cells,
                                  struct dgm_node *x, struct dgm_node *init)
{
    const struct dgm_gru_plan plan = tree_plan(bench);
    struct dgm_node *in[2];

    for (int s = 0; s < 2; s++)
        in[s] = dgm_linear(&bench->g, tree_input(bench, x, s), cells->word[s], cells->bias[s]);
    return tree_output(bench,
                       dgm_gru(&bench->g, init, in, cells->parent, cells->sibling, &plan, 1));
}

TEST(spec_recur_e1_lexicalised_dependencies)
{
    static const double h[16] = {
        -0.0210379431, 0.2301202375, -0.1670807316, 0.2364770127, -0.0801877097, 0.1899414911,
        -0.2004836032, 0.2594081281, -0.3475735035, 0.2899941376, -0.4278365150, 0.3602167995,
        -0.4410856155, 0.3459748539, -0.6016754296, 0.3917390978,
    };
    static const double h0[2] = { -0.1016477299, 0.2686655500 };
    struct graph_case bench;
    struct filler filler = { &bench, 0 };
    struct dgm_node *x, *w, *init, *v;
    struct cells cells;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    x = fill_leaf(&filler, 8, 2);
    w = fill_leaf(&filler, 2, 2);
    init = tree_init(&bench, x, w, fill_leaf(&filler, 1, 2));
    cells = fill_cells(&filler);
    v = run_cells(&bench, &cells, x, init);
    run_example(&bench, v, -0.189396856049);
    check_node(&bench, init->value, h0, 2);
    check_node(&bench, v->value, h, 16);
    check_grad(&bench, x, 0, 2, 0.1472850619, 0.3189451942);
    check_grad(&bench, x, 2, 2, 0.6065994031, 0.6246717139);
    check_grad(&bench, x, 14, 2, 0.4628464605, 0.2794039061);
    check_grad(&bench, w, 0, 4, -0.2756358030, 0.3943061220);
    check_grad(&bench, cells.parent[0], 0, 4, 0.0306893540, 0.4309591530);
    check_grad(&bench, cells.sibling[0], 4, 4, -0.0066305258, 0.0034256535);
    check_grad(&bench, cells.word[0], 8, 4, 0.4558114202, 0.0895330565);
    check_grad(&bench, cells.bias[0], 4, 2, 2.4666744048, 3.0440046572);
    check_grad(&bench, cells.parent[1], 0, 4, 0.0972699967, 0.1495923380);
    check_grad(&bench, cells.sibling[1], 0, 4, 0.0972699967, 0.1495923380);
    check_grad(&bench, cells.parent[1], 8, 4, 0.3840389815, 1.1642550282);
    check_grad(&bench, cells.word[1], 4, 4, -0.0431841022, 0.0015229718);
    check_grad(&bench, cells.bias[1], 0, 2, 0.9579727542, 1.4804839867);
    case_close(&bench);
}

/* ---- the bidirectional GRU ------------------------------------------------------------------- */

enum { INPUT, RECURRENT, BIAS, GRU };

static void fill_gru(struct filler *filler, struct dgm_node **gru)
{
    static const int64_t cols[3] = { 2, 2, 1 };

    fill_gates(filler, 2, cols, 3, gru);
}

/* One sentence of n words; row 0 of the states is zeros, then forward and backward by turns. */
static struct dgm_node *run_birnn(struct graph_case *bench, struct dgm_node *e,
                                  struct dgm_node *gru[2][GRU], struct dgm_gru_block *blocks)
{
    const int32_t n = (int32_t)e->rows;
    struct dgm_node *in[2], *weights[2], *none[2] = { NULL, NULL }, *y, *parts[2];
    struct dgm_gru_plan plan;

    memset(&plan, 0, sizeof plan);
    plan.roots = 1;
    plan.rows = 2 * n;
    plan.sides = 2;
    plan.block_count = 2 * n;
    plan.blocks = blocks;
    for (int32_t s = 0; s < 2; s++) {
        int32_t words[8], parents[8];
        for (int32_t t = 0; t < n; t++) {
            const struct dgm_gru_block block = { s, 1 + 2 * t + s, 1, t,
                                                 t == 0 ? 0 : 2 * t - 1 + s };
            blocks[2 * t + s] = block;
            words[t] = s == 0 ? t : n - 1 - t;
            parents[t] = block.parents;
        }
        plan.side[s].rows = n;
        plan.side[s].parent = case_ints(bench, parents, n);
        in[s] = dgm_linear(&bench->g, dgm_gather(&bench->g, e, case_ints(bench, words, n), n),
                           gru[s][INPUT], gru[s][BIAS]);
        weights[s] = gru[s][RECURRENT];
    }
    y = dgm_gru(&bench->g, NULL, in, weights, none, &plan, 1);
    for (int32_t s = 0; s < 2; s++) {
        int32_t where[8];
        for (int32_t i = 0; i < n; i++)
            where[i] = 1 + s + 2 * (s == 0 ? i : n - 1 - i);
        parts[s] = dgm_gather(&bench->g, y, case_ints(bench, where, n), n);
    }
    return dgm_keep(&bench->g, dgm_concat(&bench->g, parts, 2, 1));
}

TEST(spec_recur_e2_dependencies_over_a_bidirectional_gru)
{
    static const double a1[4] = { -0.0856197284, 0.1598060335, -0.2933897243, 0.1763302370 };
    static const double x1[2] = { 0.1846158005, -0.0903466343 };
    static const double h0[2] = { 0.1521116981, 0.3745915015 };
    static const double h2[2] = { 0.0683804688, 0.3824305213 };
    static const double h6[2] = { 0.2330658737, 0.1035988413 };
    static const double h8[2] = { -0.0667093564, 0.3913068305 };
    struct dgm_gru_block blocks[16];
    struct graph_case bench;
    struct filler filler = { &bench, 0 };
    struct dgm_node *e, *a, *x, *w_x, *b_x, *w, *init, *v, *gru[2][GRU];
    struct cells cells;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    e = fill_leaf(&filler, 8, 2);
    fill_gru(&filler, gru[0]);
    fill_gru(&filler, gru[1]);
    w_x = fill_leaf(&filler, 2, 4);
    b_x = fill_leaf(&filler, 1, 2);
    w = fill_leaf(&filler, 2, 4);
    a = run_birnn(&bench, e, gru, blocks);
    init = tree_init(&bench, a, w, fill_leaf(&filler, 1, 2));
    x = dgm_keep(&bench.g, dgm_activate(&bench.g, dgm_linear(&bench.g, a, w_x, b_x), DGM_TANH));
    cells = fill_cells(&filler);
    v = run_cells(&bench, &cells, x, init);
    run_example(&bench, v, 1.319252659333);
    check_node(&bench, a->value, a1, 4);
    check_node(&bench, x->value, x1, 2);
    check_node(&bench, init->value, h0, 2);
    check_node(&bench, dgm_ref_at(v->value, 2 * sizeof(dgm_real)), h2, 2);
    check_node(&bench, dgm_ref_at(v->value, 10 * sizeof(dgm_real)), h6, 2);
    check_node(&bench, dgm_ref_at(v->value, 14 * sizeof(dgm_real)), h8, 2);
    check_grad(&bench, e, 0, 2, -0.0504755898, 0.0023128176);
    check_grad(&bench, e, 14, 2, 0.0860922377, 0.0043881474);
    check_grad(&bench, gru[0][INPUT], 0, 4, 0.0132857721, 0.0002995316);
    check_grad(&bench, gru[1][RECURRENT], 8, 4, 0.0370691546, 0.0118983491);
    check_grad(&bench, w_x, 0, 8, -0.4919045589, 0.6083927318);
    check_grad(&bench, w, 0, 8, -0.6430372569, 0.7445270197);
    case_close(&bench);
}

TEST(spec_recur_e6_bidirectional_gru)
{
    static const double a1[4] = { 0.0422436759, -0.1510446268, 0.0638063038, -0.3052594893 };
    static const double a3[4] = { 0.0777039764, -0.3074293248, 0.0507947920, -0.1742911142 };
    static const int32_t ids[3] = { 3, 4, 0 };
    struct dgm_gru_block blocks[16];
    struct graph_case bench;
    struct filler filler = { &bench, 0 };
    struct dgm_node *e, *a, *gru[2][GRU];

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    e = fill_leaf(&filler, 5, 2);
    fill_leaf(&filler, 5, 2); /* the target's */
    fill_gru(&filler, gru[0]);
    fill_gru(&filler, gru[1]);
    e = dgm_gather(&bench.g, e, case_ints(&bench, ids, 3), 3);
    a = run_birnn(&bench, e, gru, blocks);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    check_node(&bench, a->value, a1, 4);
    check_node(&bench, dgm_ref_at(a->value, 8 * sizeof(dgm_real)), a3, 4);
    case_close(&bench);
}
