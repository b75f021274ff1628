/*
 * test_attn_sgsa.c: scores of linked words counted twice, and several graphs fused: the worked
 * examples of specification 3.9 by way of the variant, and its properties of section 6.
 */
#include "toy_layer.h"
#include "variant_case.h"

static void check_links(const struct toy_layer *toy, const int *linked)
{
    int i;

    for (i = 0; i < toy->n * toy->n; i++)
        CHECK_NEAR(toy->factor[i], 1 + linked[i], 0);
}

TEST(sgsa_gives_the_printed_numbers)
{
    static const int linked[16] = { 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1 };
    static const double a[16] = { .260471, .528265, .063325, .147940, .490977, .119365,
                                  .242086, .147572, .303304, .431941, .051778, .212977,
                                  .236711, .402288, .097803, .263198 };
    static const double z[8] = { .493025, .901266, .544036, .953748,
                                 .677479, .825573, .665303, .612512 };
    static const double dq[8] = { -.453277, -.124270, .641127, .299952,
                                  .271350,  -.006932, .216208, .092347 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open_a(&toy, "sgsa(m=0)", DGM_SOURCE), DGM_OK);
    check_links(&toy, linked);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 8);
    toy_near(toy.dq, dq, 8);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
}

/* Node 1 dropped: its row and column count once. */
TEST(sgsa_with_a_dropped_node_gives_the_printed_numbers)
{
    static const double a[16] = { .355734, .355734, .086485, .202047, .356526, .175792,
                                  .250349, .217333, .388336, .272685, .066294, .272685,
                                  .236711, .402288, .097803, .263198 };
    static const double z[8] = { .673343, .865156, .540844, .671511,
                                 .867411, .776672, .665303, .612512 };
    struct toy_layer toy;
    int i;

    CHECK_STATUS(toy_open_a(&toy, "sgsa(m=0)", DGM_SOURCE), DGM_OK);
    for (i = 0; i < 4; i++)
        toy_factor(&toy, 0)[4 + i] = toy_factor(&toy, 0)[4 * i + 1] = 1;
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 8);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
}

TEST(sgsa_with_masks_gives_the_printed_numbers)
{
    static const double first[4] = { .330238, .669762, 0, 0 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open_a(&toy, "sgsa(m=0,gamma=hard)", DGM_SOURCE), DGM_OK);
    toy_near_weights(&toy, first, 4);
    toy_close(&toy);
}

/* Specification 2: words linked 0-2 and 1-2 in pieces; the end is linked to itself. */
TEST(sgsa_links_every_piece_of_linked_words)
{
    static const int32_t word[5] = { 0, 0, 1, 2, 2 }, heads[3] = { 0, 2, 0 };
    static const int linked[36] = { 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0,
                                    1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open(&toy, "sgsa(m=0)", 6, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan_pieces(&toy, word, 5, heads, 3, 0), DGM_OK);
    check_links(&toy, linked);
    toy_close(&toy);
}

TEST(sgsa_does_not_link_roots)
{
    static const int32_t roots[3] = { 0, 1, 1 };
    static const int linked[9] = { 1, 0, 0, 0, 1, 1, 0, 1, 1 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open(&toy, "sgsa(m=0)", 3, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, roots, 3, 0), DGM_OK);
    check_links(&toy, linked);
    toy_close(&toy);
}

/* Two linked words: all scores are doubled, which is not the plain attention. */
TEST(sgsa_of_a_full_graph_doubles_every_score)
{
    static const int32_t heads[2] = { 1, 1 };
    static const int linked[4] = { 1, 1, 1, 1 };
    const double score[2] = { .5 / sqrt(2), 1 / sqrt(2) };
    dgm_real a[TOY_MOST * TOY_MOST];
    struct toy_layer toy;

    CHECK_STATUS(toy_open(&toy, "sgsa(m=0)", 2, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, heads, 2, 0), DGM_OK);
    check_links(&toy, linked);
    toy.q = toy_a_q;
    toy.k = toy.v = toy_a_k;
    toy_weights(&toy, a);
    CHECK_NEAR(a[1], 1 / (1 + exp(2 * (score[0] - score[1]))), 1e-6);
    toy_close(&toy);
}

/* ---- dropping -------------------------------------------------------------------------------- */

static const int32_t bush[6] = { 2, 2, 2, 2, 3, 3 };

/* Dropped or not, links go both ways; the first representation drops nothing. */
TEST(sgsa_links_are_symmetric_before_and_after_dropping)
{
    struct toy_layer toy;
    int r, i, lost = 0;

    CHECK_STATUS(toy_open(&toy, "sgsa(m=3,node-drop=0.4)", 7, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, bush, 6, 1), DGM_OK);
    CHECK_INT(toy.constants[0][0].extra, 3);
    for (r = 0; r < 4; r++)
        for (i = 0; i < 49; i++) {
            const dgm_real *factor = toy_factor(&toy, r);
            CHECK(factor[i] == factor[i % 7 * 7 + i / 7]);
            CHECK(factor[i] == 1 || (factor[i] == 2 && toy.factor[i] == 2));
            lost += factor[i] != (dgm_real)toy.factor[i];
            CHECK(r > 0 || lost == 0);
        }
    CHECK(lost > 0);
    toy_close(&toy);
}

TEST(sgsa_of_dropped_nodes_alone_is_plain_but_for_kept_selves)
{
    struct toy_layer toy;
    int keep, i;

    for (keep = 0; keep < 2; keep++) {
        CHECK_STATUS(toy_open(&toy,
                              keep ? "sgsa(m=1,node-drop=1,keep-self=1)" : "sgsa(m=1,node-drop=1)",
                              7, 2, 2, DGM_SOURCE, 1),
                     DGM_OK);
        CHECK_STATUS(toy_plan(&toy, bush, 6, 1), DGM_OK);
        for (i = 0; i < 49; i++)
            CHECK(toy_factor(&toy, 1)[i] == 1 + (keep && i % 8 == 0));
        toy_close(&toy);
    }
}

TEST(sgsa_needs_one_representation_without_dropping)
{
    static const char *const texts[2] = { "sgsa(m=3,node-drop=0.4)", "sgsa(m=3,node-drop=0)" };
    struct toy_layer toy;
    int t;

    for (t = 0; t < 2; t++) {
        CHECK_STATUS(toy_open(&toy, texts[t], 7, 2, 2, DGM_SOURCE, 1), DGM_OK);
        CHECK_STATUS(toy_plan(&toy, bush, 6, t), DGM_OK);
        CHECK_INT(toy.constants[0][0].extra, 0);
        toy_close(&toy);
    }
}

/* ---- fusion ---------------------------------------------------------------------------------- */

static dgm_status write_named(struct toy_layer *toy, const char *name, const double *values,
                              int count)
{
    dgm_real copy[16];
    int i;

    for (i = 0; i < count; i++)
        copy[i] = (dgm_real)values[i];
    return dgm_params_write(test_env(), &toy->params, dgm_params_find(&toy->params, name), copy);
}

static dgm_status set_highway(struct toy_layer *toy)
{
    static const double w_h[16] = { .2, .1, 0, 0, 0, .3, .1, 0, .1, 0, .4, 0, 0, 0, .2, .5 };
    static const double w_t[16] = { .1, 0, 0, .2, 0, -.3, 0, 0, .2, 0, .1, 0, 0, .1, 0, -.2 };
    static const double w_o[8] = { .5, 0, .5, 0, 0, .5, 0, .5 };

    DGM_TRY(write_named(toy, "encoder.layers.0.sgsa.transform.weight", w_h, 16));
    DGM_TRY(write_named(toy, "encoder.layers.0.sgsa.gate.weight", w_t, 16));
    return write_named(toy, "encoder.layers.0.sgsa.output.weight", w_o, 8);
}

/* c = [o_0; o_1] = [1, 2; -1, .5] through the highway of the variant, and back. */
TEST(sgsa_highway_gives_the_printed_numbers)
{
    static const double o[2][2] = { { 1, 2 }, { -1, .5 } }, g[2] = { 1, -1 };
    static const double out[2] = { .097539, .866122 };
    static const double dc[4] = { .297579, -.394354, .179764, -.394828 };
    const struct dgm_attn_variant *fusion;
    struct dgm_node *parts[2], *y;
    dgm_real got[2];
    struct toy_layer toy;
    int r;

    CHECK_STATUS(toy_open(&toy, "sgsa(m=1)", 1, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(set_highway(&toy), DGM_OK);
    fusion = dgm_syntax_fusion(&toy.syntax, toy.place);
    CHECK(fusion != NULL);
    dgm_graph_begin(&toy.g, 1, 1, 1);
    toy.layer.g = &toy.g;
    toy.layer.params = &toy.params;
    toy.layer.place = toy.place;
    for (r = 0; r < 2; r++)
        parts[r] = toy_leaf(&toy, o[r], 2);
    y = dgm_keep(&toy.g, fusion->kind->fusion->fuse(fusion->state, &toy.layer, parts, 2));
    toy_give(&toy.g, y, g);
    CHECK_STATUS(dgm_graph_run(&toy.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&toy.g, y, got), DGM_OK);
    toy_near(got, out, 2);
    CHECK_STATUS(dgm_graph_backward(&toy.g), DGM_OK);
    for (r = 0; r < 2; r++) {
        CHECK_STATUS(dgm_device_read(test_env(), toy.device, got, parts[r]->grad, sizeof got),
                     DGM_OK);
        toy_near(got, dc + 2 * r, 2);
    }
    toy_close(&toy);
}

/* ---- whole models ---------------------------------------------------------------------------- */

/* W (8, 24) of three identities, each times `first` or, behind the first, `rest`. */
static dgm_status set_identities(struct tiny *tiny, const char *name, double first, double rest)
{
    dgm_real values[8 * 24] = { 0 };
    int i, r;

    for (i = 0; i < 8; i++)
        for (r = 0; r < 3; r++)
            values[24 * i + 8 * r + i] = (dgm_real)(r == 0 ? first : rest);
    return dgm_params_write(test_env(), &tiny->model.params,
                            dgm_params_find(&tiny->model.params, name), values);
}

static dgm_status make_mean(struct tiny *tiny)
{
    DGM_TRY(variant_set(tiny, "sgsa.linear.bias", 0));
    return set_identities(tiny, "encoder.layers.0.sgsa.linear.weight", 1 / 3.0, 1 / 3.0);
}

/* Carries c on and picks o_0 from it. */
static dgm_status make_carry(struct tiny *tiny)
{
    DGM_TRY(variant_set(tiny, "sgsa.gate.weight", 0));
    DGM_TRY(variant_set(tiny, "sgsa.gate.bias", -1e4));
    DGM_TRY(variant_set(tiny, "sgsa.output.bias", 0));
    return set_identities(tiny, "encoder.layers.0.sgsa.output.weight", 1, 0);
}

TEST(sgsa_fusions_agree_where_they_are_the_same)
{
    static const struct variant_side mean = { "sgsa(m=2,node-drop=0.4,fusion=average)", NULL };
    static const struct variant_side linear = { "sgsa(m=2,node-drop=0.4,fusion=linear)",
                                                make_mean };
    static const struct variant_side first = { "sgsa(m=0)", NULL };
    static const struct variant_side carry = { "sgsa(m=2,node-drop=0.4)", make_carry };
    int training;

    for (training = 0; training < 2; training++) {
        variant_check_same(&mean, &linear, 0, training, 1e-5);
        variant_check_same(&first, &carry, 1, training, 1e-5);
    }
    variant_check_alike("sgsa(m=0)", "sgsa(m=2,node-drop=0,fusion=average)", 1, 0);
    variant_check_alike("sgsa(m=0)", "sgsa(m=2,node-drop=0.4,fusion=average)", 0, 0);
    variant_check_alike("", "sgsa(layers=0)", 1, 0);
}

/* Normal-before with equal representations is the norm of the one. */
TEST(sgsa_normed_before_an_average_of_equals_is_normed_after)
{
    variant_check_alike("sgsa(m=0)", "sgsa(m=2,node-drop=0,fusion=average,nb=1)", 1, 0);
}

/* A further representation has dropout of its own: without dropped nodes the parts differ by it. */
TEST(sgsa_representations_drop_attention_independently)
{
    struct dgm_model_config config = variant_config("sgsa(m=1,node-drop=1e-9,fusion=average)", 0);
    dgm_real losses[2][256];
    struct dgm_batch batch;
    struct tiny tiny;
    int t;

    config.attention_dropout = 0.4;
    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    for (t = 0; t < 2; t++) {
        if (t)
            strcpy(config.syntax, "sgsa(m=0)");
        CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
        CHECK_STATUS(variant_losses(&tiny, &batch, 1, 2, losses[t]), DGM_OK);
        tiny_close(&tiny);
    }
    CHECK(variant_distance(losses[0], losses[1], 2 * batch.target.offsets[VARIANT_PAIRS]) > 1e-4);
    dgm_batch_clear(test_env(), &batch);
}
