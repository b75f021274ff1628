/*
 * test_attn_context.c: queries and keys mixed with a context: the worked examples of specification
 * 3.8 by way of the variant, and its properties of section 6.
 */
#include "toy_layer.h"
#include "variant_case.h"

static const double toy_x[6] = { 1, 0, 0, 2, -1, 1 }, toy_below[6] = { .5, .5, 1, -1, 0, 1 };

static dgm_status set_gates(struct toy_layer *toy)
{
    static const double query[2] = { .2, -.1 }, key[2] = { .3, .1 };
    static const double query_context[2] = { .5, .5 }, key_context[2] = { -.4, .2 };

    DGM_TRY(toy_set(toy, "context.query_gate.weight", query));
    DGM_TRY(toy_set(toy, "context.key_gate.weight", key));
    DGM_TRY(toy_set(toy, "context.query_context_gate.weight", query_context));
    return toy_set(toy, "context.key_context_gate.weight", key_context);
}

/* The example's single head of three words; x serves as q, k and v. Readings B29: L is Toy A's. */
static dgm_status open_context(struct toy_layer *toy, const char *text, int layer)
{
    static const double u_q[4] = { .6, -.2, .1, .4 }, u_k[4] = { .3, .3, -.5, .2 };
    static const double wide_q[8] = { .6, -.2, .1, .3, .1, .4, -.2, .2 };
    static const double wide_k[8] = { .3, .3, .2, -.1, -.5, .2, .4, .1 };
    int wide = layer == 2 && strstr(text, "deep_global") != NULL;

    DGM_TRY(toy_open(toy, text, 3, 2, 2, DGM_SOURCE, layer));
    DGM_TRY(set_gates(toy));
    DGM_TRY(toy_set(toy, "context.query.weight", wide ? wide_q : u_q));
    DGM_TRY(toy_set(toy, "context.key.weight", wide ? wide_k : u_k));
    toy->q = toy_x;
    toy->r = toy_a_r;
    toy->below = layer == 2 ? toy_below : NULL;
    return DGM_OK;
}

TEST(context_of_the_sentence_gives_the_printed_numbers)
{
    static const double a[9] = { .342350, .360802, .296848, .197216, .461556,
                                 .341227, .195283, .388343, .416374 };
    static const double z[6] = { .045503, 1.018451, -.144011, 1.264340, -.221090, 1.193059 };
    static const double dx[6] = { .600338, -.253929, .307897, .378295, .133061, .290262 };
    static const double fork[2] = { .027505, 1.041666 };
    struct toy_layer toy;

    CHECK_STATUS(open_context(&toy, "context(type=global)", 1), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 6);
    toy_near(toy.dq, dx, 6);
    toy_near_weights(&toy, a, 9);
    toy_close(&toy);
    CHECK_STATUS(open_context(&toy, "context(type=global,scale-first=1)", 1), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, fork, 2);
    toy_close(&toy);
}

TEST(context_of_lower_layers_gives_the_printed_numbers)
{
    static const double a[3] = { .385963, .330893, .283144 };
    static const double z[6] = { .102820, .944930, -.037481, 1.072939, -.259820, 1.169860 };
    static const double dx[6] = { .753907, -.233632, .226116, .291529, -.020187, .377634 };
    static const double dbelow[6] = { .203255, -.086009, -.032355, -.005723, -.059046, .009761 };
    struct toy_layer toy;

    CHECK_STATUS(open_context(&toy, "context(type=deep)", 2), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 6);
    toy_near(toy.dq, dx, 6);
    toy_near(toy.dbelow, dbelow, 6);
    toy_near_weights(&toy, a, 3);
    toy_close(&toy);
}

TEST(context_of_all_means_gives_the_printed_numbers)
{
    static const double a[3] = { .389692, .357041, .253268 };
    static const double z[6] = { .136424, .967349, -.056155, 1.202700, -.112624, 1.147801 };
    static const double dx[6] = { .667232, -.212377, .297137, .369294, .020555, .301801 };
    static const double dbelow[6] = { .026833, -.020290, .026833, -.020290, .026833, -.020290 };
    struct toy_layer toy;

    CHECK_STATUS(open_context(&toy, "context(type=deep_global)", 2), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near(toy.z, z, 6);
    toy_near(toy.dq, dx, 6);
    toy_near(toy.dbelow, dbelow, 6);
    toy_near_weights(&toy, a, 3);
    toy_close(&toy);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Gates that let the whole of the sentence's mean through leave nothing to tell words apart by. */
TEST(context_gates_open_wide_make_attention_uniform)
{
    static const double open[1] = { 60 };
    double even[9];
    struct toy_layer toy;
    int i;

    for (i = 0; i < 9; i++)
        even[i] = 1 / 3.0;
    CHECK_STATUS(open_context(&toy, "context(type=global)", 1), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "context.query_gate.bias", open), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "context.key_gate.bias", open), DGM_OK);
    toy_near_weights(&toy, even, 9);
    toy_close(&toy);
}

static dgm_status close_gates(struct tiny *tiny)
{
    return variant_set(tiny, "gate.bias", -1e4);
}

TEST(context_gates_shut_are_the_plain_model)
{
    static const struct variant_side plain = { "", NULL };
    static const struct variant_side sides[4] = {
        { "context(type=global)", close_gates },
        { "context(type=deep)", close_gates },
        { "context(type=deep_global)", close_gates },
        { "context(type=deep_global,scale-first=1,chunk=fork)", close_gates },
    };
    int t;

    for (t = 0; t < 4; t++) {
        variant_check_same(&plain, &sides[t], 0, 1, 1e-5);
        variant_check_same(&plain, &sides[t], 1, 1, 1e-5);
    }
}

TEST(context_of_layer_one_is_plain_or_global)
{
    variant_check_alike("", "context(type=deep,layers=1)", 1, 0);
    variant_check_alike("context(type=global,layers=1)", "context(type=deep_global,layers=1)", 1,
                        0);
    variant_check_alike("", "context(layers=0)", 1, 0);
    variant_check_alike("context(type=deep,layers=2)", "context(type=deep,layers=2,chunk=fork)", 1,
                        0); /* of one part, its own share is one run */
}

/* Three layers: the parts of a deep context are cut into runs, or each by head. */
TEST(context_chunks_of_several_layers_differ)
{
    struct dgm_model_config config;
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real losses[2][256];
    int t;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    for (t = 0; t < 2; t++) {
        config = variant_config(t ? "context(type=deep,chunk=fork)" : "context(type=deep)", 0);
        config.enc_depth = 3;
        CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
        CHECK_STATUS(variant_losses(&tiny, &batch, 0, 1, losses[t]), DGM_OK);
        tiny_close(&tiny);
    }
    CHECK(variant_distance(losses[0], losses[1], 2 * batch.target.offsets[VARIANT_PAIRS]) > 1e-4);
    dgm_batch_clear(test_env(), &batch);
}
