/*
 * test_attn_depth.c: relative depths: the worked example of specification 3.2 by way of the
 * variant, and its properties of section 6.
 */
#include "toy_layer.h"
#include "variant_case.h"

static const double toy_key[10] = { -.2, .4, -.1, .2, 0, 0, .1, -.2, .2, -.4 };
static const double toy_value[10] = { 0, -.6, 0, -.3, 0, 0, 0, .3, 0, .6 };

static void check_labels(const char *text, const int32_t *heads, int32_t words, int32_t rows,
                         const int *want)
{
    struct toy_layer toy;
    int32_t i;

    CHECK_STATUS(toy_open(&toy, text, rows, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, heads, words, 0), DGM_OK);
    for (i = 0; i < rows * rows; i++)
        CHECK_INT(toy.labels[i], want[i]);
    toy_close(&toy);
}

TEST(depth_labels_are_those_of_the_worked_example)
{
    static const int want[16] = { 2, 1, 0, 1, 3, 2, 1, 2, 4, 3, 2, 3, 3, 2, 1, 2 };
    static const int with_end[25] = { 2, 1, 0, 1, 0, 3, 2, 1, 2, 1, 4, 3, 2,
                                      3, 2, 3, 2, 1, 2, 1, 4, 3, 2, 3, 2 };

    check_labels("depth", toy_a_heads, 4, 4, want);
    check_labels("depth", toy_a_heads, 4, 5, with_end); /* the end has the root's depth */
}

/* "My father bought a red car .", the paper's sentence: depths 2 1 0 2 2 1 1. */
TEST(depth_labels_are_those_of_the_paper)
{
    static const int32_t heads[7] = { 1, 2, 2, 5, 5, 2, 2 };
    static const int depth[7] = { 2, 1, 0, 2, 2, 1, 1 };
    int want[49], i;

    for (i = 0; i < 49; i++)
        want[i] = depth[i % 7] - depth[i / 7] + 2;
    CHECK_INT(want[2], 0);
    check_labels("depth", heads, 7, 7, want);
}

TEST(depth_gives_the_printed_numbers)
{
    static const double z[8] = { .652659, .523130,  .459930, .589109,
                                 .693884, 1.252220, .605941, .634515 };
    static const double dkey[10] = { -.033286, 0,        .180119,  -.152283, -.247485,
                                     -.058246, -.228976, -.119099, .329627,  .329627 };
    static const double dvalue[10] = { .088896, -.088896, .898282, -.435484, 1.060040,
                                       .166997, .147875,  .717198, -.195093, .390186 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open_a(&toy, "depth", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "depth.key.weight", toy_key), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "depth.value.weight", toy_value), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 8);
    toy_near_grad(&toy, "depth.key.weight", dkey, 10);
    toy_near_grad(&toy, "depth.value.weight", dvalue, 10);
    toy_close(&toy);
}

TEST(depth_of_keys_or_values_alone_gives_the_printed_numbers)
{
    static const double key_only[8] = { .652659, .761071, .459930, .582713,
                                        .693884, .867945, .605941, .603151 };
    static const double value_only[8] = { .634635, .485480,  .540844, .703364,
                                          .714829, 1.299102, .571336, .579087 };
    static const double a[16] = { .295762, .392445, .088896, .222897, .312315, .177386,
                                  .290994, .219304, .390186, .294059, .109271, .206485,
                                  .241989, .369871, .137443, .250697 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open_a(&toy, "depth(use-v=0)", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "depth.key.weight", toy_key), DGM_OK);
    CHECK(toy_find(&toy, "depth.value.weight") < 0);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, key_only, 8);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
    CHECK_STATUS(toy_open_a(&toy, "depth(use-k=0)", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "depth.value.weight", toy_value), DGM_OK);
    CHECK(toy_find(&toy, "depth.key.weight") < 0);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, value_only, 8);
    toy_close(&toy);
}

TEST(depth_with_shaw_gives_the_printed_numbers)
{
    static const double shaw_key[6] = { .1, .2, 0, 0, -.3, .4 };
    static const double shaw_value[6] = { .5, 0, 0, 0, 0, -.5 };
    static const double z[8] = { .675350,  .290491,  .605726, .213666,
                                 1.053103, 1.241385, .989707, .619901 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open_a(&toy, "depth(l=2)+shaw(k=1)", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "shaw.key.weight", shaw_key), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "shaw.value.weight", shaw_value), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "depth.key.weight", toy_key), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "depth.value.weight", toy_value), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 8);
    toy_close(&toy);
}

/* ---- labels ---------------------------------------------------------------------------------- */

TEST(depth_labels_of_a_pair_and_its_reverse_sum_to_twice_the_clip)
{
    static const int32_t word[9] = { 0, 0, 1, 2, 2, 2, 3, 4, 5 }, heads[6] = { 3, 0, 5, 3, 2, 0 };
    static const char *const texts[4] = { "depth(l=1)", "depth(l=2)", "depth(l=0)",
                                          "depth(l=3,subword=right_chain)" };
    static const int clips[4] = { 1, 2, 0, 3 };
    struct toy_layer toy;
    int t, i, j, most;

    for (t = 0; t < 4; t++) {
        CHECK_STATUS(toy_open(&toy, texts[t], 10, 2, 2, DGM_SOURCE, 1), DGM_OK);
        CHECK_STATUS(toy_plan_pieces(&toy, word, 9, heads, 6, 1), DGM_OK);
        for (i = 0, most = 0; i < 10; i++)
            for (j = 0; j < 10; j++) {
                CHECK_INT(toy.labels[10 * i + j] + toy.labels[10 * j + i], 2 * clips[t]);
                most = toy.labels[10 * i + j] > most ? toy.labels[10 * i + j] : most;
            }
        CHECK_INT(most, 2 * clips[t]);
        toy_close(&toy);
    }
}

/* Specification 2: pieces {0,1} {2} {3,4}, whose words 1 and 2 hang on 2 and 0. */
TEST(depth_of_pieces_is_that_of_their_words_or_of_their_chain)
{
    static const int32_t word[5] = { 0, 0, 1, 2, 2 }, heads[3] = { 0, 2, 0 };
    static const int depth[2][6] = { { 0, 0, 2, 1, 1, 0 }, { 1, 0, 2, 2, 1, 0 } };
    struct toy_layer toy;
    int t, i;

    for (t = 0; t < 2; t++) {
        CHECK_STATUS(toy_open(&toy, t ? "depth(subword=right_chain)" : "depth", 6, 2, 2, DGM_SOURCE,
                              1),
                     DGM_OK);
        CHECK_STATUS(toy_plan_pieces(&toy, word, 5, heads, 3, 0), DGM_OK);
        for (i = 0; i < 36; i++)
            CHECK_INT(toy.labels[i], depth[t][i % 6] - depth[t][i / 6] + 2);
        toy_close(&toy);
    }
}

/* Readings A2: so between words; the end of the sentence has the root's depth. */
TEST(depth_of_a_chain_is_position)
{
    static const int32_t heads[6] = { 0, 0, 1, 2, 3, 4 };
    int want[36], i;

    for (i = 0; i < 36; i++) {
        int offset = i % 6 - i / 6;
        want[i] = (offset < -2 ? -2 : offset > 2 ? 2 : offset) + 2;
    }
    check_labels("depth", heads, 6, 6, want);
}

TEST(depth_of_roots_alone_and_without_a_parse_is_one_label)
{
    static const int32_t flat[3] = { 0, 1, 2 }, none[3] = { -1, -1, -1 };
    int want[16], i;

    for (i = 0; i < 16; i++)
        want[i] = 2;
    check_labels("depth", flat, 3, 4, want);
    check_labels("depth", none, 3, 4, want);
}

/* ---- whole models ---------------------------------------------------------------------------- */

static dgm_status clear_depth(struct tiny *tiny)
{
    return variant_set(tiny, "depth", 0);
}

static dgm_status clear_shaw(struct tiny *tiny)
{
    return variant_set(tiny, "shaw", 0);
}

TEST(depth_with_zero_tables_is_what_it_stands_beside)
{
    static const struct variant_side plain = { "", NULL }, zero = { "depth(l=1)", clear_depth };
    static const struct variant_side shaw = { "shaw(k=2)", NULL };
    static const struct variant_side shaw_alone = { "shaw(k=2)+depth(l=1)", clear_depth };
    static const struct variant_side depth = { "depth(l=1)", NULL };
    static const struct variant_side depth_alone = { "shaw(k=2)+depth(l=1)", clear_shaw };

    variant_check_same(&plain, &zero, 0, 1, 0);
    variant_check_same(&plain, &zero, 1, 1, 0);
    variant_check_same(&shaw, &shaw_alone, 0, 1, 1e-5);
    variant_check_same(&depth, &depth_alone, 0, 1, 1e-5);
}

/* l=0: every pair has one label, whose vector all keys share. */
TEST(depth_of_one_label_has_no_effect_on_weights)
{
    variant_check_alike("", "depth(l=0,use-v=0)", 1, 2e-5);
}
