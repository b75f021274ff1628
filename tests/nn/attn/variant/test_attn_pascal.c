/*
 * test_attn_pascal.c: scores scaled around a word's head: the worked example of specification 3.5
 * by way of the variant, and its properties of section 6.
 */
#include "toy_layer.h"
#include "variant_case.h"

static double gauss(double distance)
{
    return exp(-distance * distance / 2) / sqrt(2 * 3.14159265358979323846);
}

TEST(pascal_gives_the_printed_numbers)
{
    static const double w[16] = { .241971, .398942, .241971, .053991, .053991, .241971,
                                  .398942, .241971, .053991, .241971, .398942, .241971,
                                  .053991, .241971, .398942, .241971 };
    static const double a[16] = { .255371, .310835, .197565, .236229, .244850, .235679,
                                  .271379, .248092, .251929, .282303, .206611, .259157,
                                  .255244, .280707, .208553, .255496 };
    static const double z[8] = { .530264, .585347, .469655, .477287,
                                 .563632, .527006, .557684, .535698 };
    static const double dq[8] = { -.066047, -.048992, .080617, -.027328,
                                  .007731,  -.010372, .091502, -.028002 };
    struct toy_layer toy;
    double loss = 0;
    int i;

    CHECK_STATUS(toy_open_a(&toy, "pascal", DGM_SOURCE), DGM_OK);
    for (i = 0; i < 16; i++)
        CHECK_NEAR(toy.factor[i], w[i], TOY_PRINTED);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 8);
    toy_near(toy.dq, dq, 8);
    for (i = 0; i < 8; i++)
        loss += toy_a_r[i] * (double)toy.z[i];
    CHECK_NEAR(loss, 1.355186, TOY_PRINTED);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
}

/* Specification 2: parents of the pieces 0 0 | 1 | 2 2 with heads [0,2,0]; the end has its own. */
TEST(pascal_parents_stand_between_pieces_or_at_the_first)
{
    static const int32_t word[5] = { 0, 0, 1, 2, 2 }, heads[3] = { 0, 2, 0 };
    static const double mean[6] = { .5, .5, 3.5, .5, .5, 5 }, first[6] = { 0, 0, 3, 0, 0, 5 };
    struct toy_layer toy;
    int t, i;

    for (t = 0; t < 2; t++) {
        CHECK_STATUS(toy_open(&toy, t ? "pascal(subword=first_piece)" : "pascal", 6, 2, 2,
                              DGM_SOURCE, 1),
                     DGM_OK);
        CHECK_STATUS(toy_plan_pieces(&toy, word, 5, heads, 3, 0), DGM_OK);
        for (i = 0; i < 36; i++)
            CHECK_NEAR(toy.factor[i], gauss(i % 6 - (t ? first : mean)[i / 6]), 1e-7);
        toy_close(&toy);
    }
}

TEST(pascal_rows_of_equal_heads_are_equal)
{
    static const int32_t heads[6] = { 3, 3, 5, 3, 5, 3 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open(&toy, "pascal", 7, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, heads, 6, 0), DGM_OK);
    CHECK_MEM(toy.factor, toy.factor + 7, 7 * sizeof *toy.factor);
    CHECK_MEM(toy.factor + 14, toy.factor + 28, 7 * sizeof *toy.factor);
    CHECK(memcmp(toy.factor, toy.factor + 14, 7 * sizeof *toy.factor) != 0);
    toy_close(&toy);
}

TEST(pascal_of_equal_weights_ignored_parents_or_no_heads_is_the_plain_model)
{
    variant_check_alike("", "pascal(fn=uniform,sigma=1000)", 1, 1e-5);
    variant_check_alike("", "pascal(heads=2 2,parent-ignoring=1)", 1, 1e-5);
    variant_check_alike("", "pascal(heads=1 2,parent-ignoring=1)", 1, 1e-5);
    variant_check_alike("", "pascal(heads=0 0)", 1, 0);
    variant_check_alike("", "pascal(heads=0 0 2)", 1, 0); /* beyond the depth */
    variant_check_alike("pascal(heads=2 1)", "pascal(heads=2 1,parent-ignoring=0)", 1, 0);
    variant_check_alike("pascal", "pascal(heads=2)", 1, 0);
}

/* What head 1 of layer 1 adds goes nowhere. */
static dgm_status mute_last_head(struct tiny *tiny)
{
    const char *name = "encoder.layers.0.self_attn.out_proj.weight";
    dgm_param_id id = dgm_params_find(&tiny->model.params, name);
    dgm_real values[64];
    int i;

    DGM_TRY(dgm_params_read(test_env(), &tiny->model.params, id, values));
    for (i = 0; i < 64; i++)
        values[i] = i % 8 < 4 ? values[i] : 0;
    return dgm_params_write(test_env(), &tiny->model.params, id, values);
}

TEST(pascal_scales_the_last_heads)
{
    static const struct variant_side plain = { "", mute_last_head };
    static const struct variant_side one = { "pascal(heads=1)", mute_last_head };
    static const struct variant_side ignoring = { "pascal(heads=1,parent-ignoring=0.5)",
                                                  mute_last_head };
    static const struct variant_side deps = { "deps-san(layers=1,heads=1)", mute_last_head };

    variant_check_same(&plain, &one, 0, 1, 1e-5);
    variant_check_same(&plain, &ignoring, 1, 1, 1e-5);
    variant_check_same(&plain, &deps, 0, 1, 1e-5);
}
