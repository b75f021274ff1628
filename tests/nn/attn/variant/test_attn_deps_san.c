/*
 * test_attn_deps_san.c: scores scaled by distance in the tree: those worked examples of
 * specification 3.6 that have an end of the sentence or filled cells, by way of the variant, and
 * properties of section 6 that test_attn.c does not have.
 */
#include "toy_layer.h"
#include "variant_case.h"

static const int32_t chain[4] = { 0, 0, 1, 2 };

static double gauss(double distance)
{
    return exp(-distance * distance / 2) / sqrt(2 * 3.14159265358979323846);
}

/* Toy A with the tree of 3.6, a chain, its end kept or not. */
static dgm_status open_chain(struct toy_layer *toy, const char *text, int with_end)
{
    static const double q[10] = { 1, 0, 0, 1, 1, 1, .5, -.5, .4, .4 };
    static const double k[10] = { .5, 1, 1, 0, -1, .5, .2, .3, .4, .4 };

    DGM_TRY(toy_open(toy, text, 4 + with_end, 2, 2, DGM_SOURCE, 1));
    toy->q = q;
    toy->k = toy->v = k;
    return toy_plan(toy, chain, 4, 1);
}

TEST(deps_san_weights_with_an_end_of_sentence_are_those_printed)
{
    static const double first[5] = { .217207, .223834, .181567, .188751, .188640 };
    static const double last[5] = { .200006, .200003, .199991, .199999, .200001 };
    dgm_real a[TOY_MOST * TOY_MOST];
    struct toy_layer toy;

    CHECK_STATUS(open_chain(&toy, "deps-san", 1), DGM_OK);
    toy_weights(&toy, a);
    toy_near(a, first, 5);
    toy_near(a + 20, last, 5);
    toy_close(&toy);
}

/* Cells (0,1) and (2,2) as random sparsening would fill them. */
TEST(deps_san_weights_with_filled_cells_are_those_printed)
{
    static const double first[2][4] = { { .279842, .243052, .233925, .243181 },
                                        { .279849, .243034, .233931, .243187 } };
    struct toy_layer toy;
    int t;

    for (t = 0; t < 2; t++) {
        CHECK_STATUS(open_chain(&toy, "deps-san", 0), DGM_OK);
        toy_factor(&toy, 0)[1] = toy_factor(&toy, 0)[10] = (dgm_real)gauss(t ? 6 : 4);
        toy_near_weights(&toy, first[t], 4);
        toy_close(&toy);
    }
}

/* Wink's mask leaves a word the words it is linked to. */
TEST(deps_san_wink_weights_are_those_printed)
{
    static const double zero[16] = { .265435, .273533, .230516, .230516, .277509, .233868,
                                     .254756, .233868, .241291, .286318, .209549, .262842,
                                     .258695, .258695, .227539, .255071 };
    static const double hidden[16] = { .492488, .507512, 0,       0,       .362221, .305257,
                                       .332522, 0,       0,       .377375, .276191, .346433,
                                       0,       0,       .471476, .528524 };
    struct toy_layer toy;

    CHECK_STATUS(open_chain(&toy, "deps-san(wink-k=1)", 0), DGM_OK);
    toy_near_weights(&toy, zero, 16);
    toy_close(&toy);
    CHECK_STATUS(open_chain(&toy, "deps-san(wink-k=1,wink-mode=neg_inf)", 0), DGM_OK);
    toy_near_weights(&toy, hidden, 16);
    toy_close(&toy);
}

/* With the constant a wide Gaussian flattens: all scores are divided by sqrt(2 pi) sigma. */
TEST(deps_san_of_large_sigma_is_uniform_with_its_constant)
{
    const double by = sqrt(2 * 3.14159265358979323846) * 1000;
    double even[16];
    struct toy_layer toy;
    int i;

    for (i = 0; i < 16; i++)
        even[i] = .25;
    CHECK_STATUS(open_chain(&toy, "deps-san(sigma=1000000)", 0), DGM_OK);
    toy_near_weights(&toy, even, 16);
    toy_close(&toy);
    CHECK_STATUS(open_chain(&toy, "deps-san(sigma=1000)", 0), DGM_OK);
    for (i = 0; i < 16; i++)
        CHECK_NEAR(toy.factor[i] * by, 1, 1e-5);
    toy_close(&toy);
}

/* Pieces of one word are at no distance from each other. */
TEST(deps_san_of_one_word_in_pieces_scales_by_the_weight_of_zero)
{
    static const int32_t word[4] = { 0, 0, 0, 0 }, head[1] = { 0 };
    struct toy_layer toy;
    int i;

    CHECK_STATUS(toy_open(&toy, "deps-san", 4, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan_pieces(&toy, word, 4, head, 1, 0), DGM_OK);
    for (i = 0; i < 16; i++)
        CHECK_NEAR(toy.factor[i], gauss(0), 1e-7);
    toy_close(&toy);
}

/* The tree of heads, and with its nodes renamed by `to`: weights move along. */
TEST(deps_san_weights_move_with_the_nodes_of_the_tree)
{
    static const int32_t heads[6] = { 2, 0, 2, 2, 3, 3 }, to[6] = { 4, 1, 0, 5, 2, 3 };
    int32_t moved[6];
    struct toy_layer a, b;
    int i, j;

    for (i = 0; i < 6; i++)
        moved[to[i]] = to[heads[i]];
    CHECK_STATUS(toy_open(&a, "deps-san", 6, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_open(&b, "deps-san", 6, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&a, heads, 6, 0), DGM_OK);
    CHECK_STATUS(toy_plan(&b, moved, 6, 0), DGM_OK);
    for (i = 0; i < 6; i++)
        for (j = 0; j < 6; j++)
            CHECK(a.factor[6 * i + j] == b.factor[6 * to[i] + to[j]]);
    /* Words 4 and 5 hang on 3 alike: exchanged, the tree is the same. */
    for (i = 0; i < 4; i++)
        CHECK(a.factor[6 * i + 4] == a.factor[6 * i + 5]);
    toy_close(&a);
    toy_close(&b);
}

/* Sparsening at 1 leaves one weight for every score. */
TEST(deps_san_sparsened_everywhere_scales_all_scores_alike)
{
    struct toy_layer toy;
    dgm_real a[TOY_MOST * TOY_MOST];
    double plain[4], sum = 0;
    int j;

    CHECK_STATUS(open_chain(&toy, "deps-san(rs-q=1,rs-fill=1)", 0), DGM_OK);
    toy_weights(&toy, a);
    for (j = 0; j < 4; j++) {
        double score = (toy.q[0] * toy.k[2 * j] + toy.q[1] * toy.k[2 * j + 1]) / sqrt(2);
        sum += plain[j] = exp(gauss(1) * score);
    }
    for (j = 0; j < 4; j++)
        CHECK_NEAR(a[j], plain[j] / sum, 1e-6);
    toy_close(&toy);
}
