/*
 * test_attn_shaw.c: relative positions: the worked example of specification 3.1 by way of the
 * variant, and its properties of section 6 (zero tables and shared vectors: test_attn.c).
 */
#include <stdio.h>

#include "toy_layer.h"
#include "variant_case.h"

static const double toy_key[6] = { .1, .2, 0, 0, -.3, .4 };
static const double toy_value[6] = { .5, 0, 0, 0, 0, -.5 };

TEST(shaw_has_the_weights_and_gradients_of_the_worked_example)
{
    static const double a[16] = { .324022, .373244, .090742, .211992, .340241, .145638,
                                  .275207, .238914, .429760, .301773, .084511, .183956,
                                  .217626, .369853, .152814, .259707 };
    static const double dkey[6] = { .300441, .717056, -.201980, -.053547, -.098461, -.663510 };
    static const double dvalue[6] = { .544648, 1.086727, .614293, -.101765, .841060, -.234961 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open_a(&toy, "shaw(k=1)", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "shaw.key.weight", toy_key), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "shaw.value.weight", toy_value), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near_grad(&toy, "shaw.key.weight", dkey, 6);
    toy_near_grad(&toy, "shaw.value.weight", dvalue, 6);
    toy_close(&toy); /* weights are read with wider values than the table's */
    CHECK_STATUS(toy_open_a(&toy, "shaw(k=1,use-v=0)", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "shaw.key.weight", toy_key), DGM_OK);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
}

/* One vector on all keys changes no weight, so that its gradient, the sum over labels, is 0. */
TEST(shaw_key_vectors_have_gradients_that_sum_to_zero)
{
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real grad[20];
    double loss, sum, size = 0;
    int c, r;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, "shaw(k=2)", 0), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &loss), DGM_OK);
    CHECK_STATUS(variant_grad(&tiny, "encoder.layers.0.self_attn.shaw.key.weight", grad), DGM_OK);
    for (c = 0; c < 4; c++) {
        for (r = 0, sum = 0; r < 5; r++) {
            sum += (double)grad[4 * r + c];
            size = fmax(size, fabs((double)grad[4 * r + c]));
        }
        CHECK_NEAR(sum, 0, 1e-5);
    }
    CHECK(size > 1e-2);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* Both tables hold the same numbers; the model with one adds up what the other two receive. */
TEST(shaw_shared_table_has_the_sum_of_both_gradients)
{
    static const char *const names[2] = { "encoder.layers.1.self_attn.shaw.key.weight",
                                          "encoder.layers.1.self_attn.shaw.value.weight" };
    struct dgm_batch batch;
    struct tiny two, one;
    dgm_real key[20], value[20], both[20];
    double loss;
    int i, side, layer;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(variant_open(&two, "shaw(k=2)", 1), DGM_OK);
    CHECK_STATUS(variant_open(&one, "shaw(k=2,share-kv=1)", 1), DGM_OK);
    for (side = 0; side < 2; side++)
        for (layer = 0; layer < 2; layer++) {
            char name[2][80];
            for (i = 0; i < 2; i++)
                snprintf(name[i], sizeof name[i], "%s.layers.%d.self_attn.shaw.%s.weight",
                         dgm_side_name((enum dgm_side)side), layer, i ? "value" : "key");
            CHECK_STATUS(dgm_params_read(test_env(), &two.model.params,
                                         dgm_params_find(&two.model.params, name[0]), key),
                         DGM_OK);
            CHECK_STATUS(dgm_params_write(test_env(), &two.model.params,
                                          dgm_params_find(&two.model.params, name[1]), key),
                         DGM_OK);
        }
    CHECK_STATUS(variant_copy(&one, &two), DGM_OK);
    CHECK_STATUS(tiny_step(&two, &batch, 1, &loss), DGM_OK);
    CHECK_STATUS(tiny_step(&one, &batch, 1, &loss), DGM_OK);
    CHECK_STATUS(variant_grad(&two, names[0], key), DGM_OK);
    CHECK_STATUS(variant_grad(&two, names[1], value), DGM_OK);
    CHECK_STATUS(variant_grad(&one, names[0], both), DGM_OK);
    for (i = 0; i < 20; i++)
        CHECK_NEAR(both[i], (double)key[i] + (double)value[i], 1e-4);
    CHECK(dgm_params_find(&one.model.params, names[1]) < 0);
    tiny_close(&two);
    tiny_close(&one);
    dgm_batch_clear(test_env(), &batch);
}

/* The encoder's output of six words and the end, with tables of clip k <= 9: the rows in the middle
 * of those of clip 9. */
static void encode_clipped(int k, dgm_real *out)
{
    static const char *const tables[2] = { "key", "value" };
    static const int32_t ids[7] = { 3, 4, 5, 6, 7, 8, TINY_EOS },
                         words[7] = { 0, 1, 2, 3, 4, 5, -1 };
    dgm_real wide[19 * 4];
    struct dgm_random random;
    struct dgm_packed side;
    struct dgm_batch batch;
    struct tiny tiny, plain;
    char text[32], name[80];
    int t, layer, i;

    memset(&batch, 0, sizeof batch);
    snprintf(text, sizeof text, "shaw(k=%d,sides=enc)", k);
    CHECK_STATUS(variant_open(&tiny, text, 0), DGM_OK);
    CHECK_STATUS(variant_open(&plain, "", 0), DGM_OK);
    CHECK_STATUS(variant_copy(&tiny, &plain), DGM_OK);
    tiny_close(&plain);
    dgm_random_init(&random, 3, 3, 3, 3);
    for (layer = 0; layer < 2; layer++)
        for (t = 0; t < 2; t++) {
            for (i = 0; i < 19 * 4; i++)
                wide[i] = (dgm_real)dgm_random_normal(&random);
            snprintf(name, sizeof name, "encoder.layers.%d.self_attn.shaw.%s.weight", layer,
                     tables[t]);
            CHECK_STATUS(dgm_params_write(test_env(), &tiny.model.params,
                                          dgm_params_find(&tiny.model.params, name),
                                          wide + (9 - k) * 4),
                         DGM_OK);
        }
    memset(&side, 0, sizeof side);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 7, NULL, 6), DGM_OK);
    CHECK_STATUS(dgm_batch_add(test_env(), &batch, &side, NULL, 0, 1), DGM_OK);
    dgm_packed_clear(test_env(), &side);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, out, NULL), DGM_OK);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(shaw_tells_every_offset_apart_with_a_clip_of_the_length)
{
    dgm_real wide[7 * 8], enough[7 * 8], less[7 * 8];

    encode_clipped(9, wide);
    encode_clipped(6, enough);
    encode_clipped(5, less);
    CHECK_MEM(enough, wide, 7 * 8 * sizeof *wide);
    CHECK(memcmp(less, wide, 7 * 8 * sizeof *wide) != 0);
}

/* Without positions and with zero tables the words' order does not matter. */
TEST(shaw_with_zero_tables_and_no_positions_permutes_its_output)
{
    static const int32_t order[2][7] = { { 3, 4, 5, 6, 7, 8, TINY_EOS },
                                         { 6, 8, 3, 7, 5, 4, TINY_EOS } };
    static const int32_t words[7] = { 0, 1, 2, 3, 4, 5, -1 };
    struct dgm_model_config config = variant_config("shaw(k=2)", 0);
    dgm_real out[2][7 * 8];
    struct dgm_batch batch;
    struct tiny tiny;
    double most = 0;
    int tables, i, j, b;

    config.positions = DGM_POSITIONS_NONE;
    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    for (tables = 1; tables >= 0; tables--) {
        if (!tables)
            CHECK_STATUS(variant_set(&tiny, "shaw", 0), DGM_OK);
        for (b = 0; b < 2; b++) {
            struct dgm_packed side;
            memset(&side, 0, sizeof side);
            memset(&batch, 0, sizeof batch);
            CHECK_STATUS(dgm_packed_add(test_env(), &side, order[b], words, 7, NULL, 6), DGM_OK);
            CHECK_STATUS(dgm_batch_add(test_env(), &batch, &side, NULL, 0, 1), DGM_OK);
            CHECK_STATUS(tiny_outputs(&tiny, &batch, out[b], NULL), DGM_OK);
            dgm_batch_clear(test_env(), &batch);
            dgm_packed_clear(test_env(), &side);
        }
        for (i = 0, most = 0; i < 7; i++)
            for (j = 0; j < 7; j++)
                if (order[0][i] == order[1][j])
                    most = fmax(most, variant_distance(out[0] + 8 * i, out[1] + 8 * j, 8));
        CHECK(tables ? most > 1e-2 : most < 1e-5);
    }
    tiny_close(&tiny);
}
