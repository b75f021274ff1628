/*
 * test_attn_localness.c: predicted places and windows: the worked examples of specification 3.7 by
 * way of the variant, and its properties of section 6.
 */
#include "toy_layer.h"
#include "variant_case.h"

static const double toy_w_p[4] = { .5, -.2, .3, .8 }, toy_u_p[2] = { 1, -1 };
static const double toy_w_d[4] = { .2, .1, -.3, .6 }, toy_u_d[2] = { .7, .4 };
static const double centers[4] = { 2.170390, 1.188178, 1.501537, 2.565461 };

static dgm_status set_if(struct toy_layer *toy, const char *tail, const double *values)
{
    return toy_find(toy, tail) < 0 ? DGM_OK : toy_set(toy, tail, values);
}

static dgm_status open_local(struct toy_layer *toy, const char *text)
{
    DGM_TRY(toy_open_a(toy, text, DGM_SOURCE));
    DGM_TRY(toy_set(toy, "localness.hidden.weight", toy_w_p));
    DGM_TRY(toy_set(toy, "localness.center.weight", toy_u_p));
    DGM_TRY(set_if(toy, "localness.window_hidden.weight", toy_w_d));
    return set_if(toy, "localness.window.weight", toy_u_d);
}

/* Centers, weights and the gradient of U_p. */
static void check_printed(struct toy_layer *toy, const double *a, int count, const double *du_p)
{
    dgm_real rows[4];

    toy_near_weights(toy, a, count);
    CHECK_STATUS(toy_run(toy), DGM_OK);
    toy_near_grad(toy, "localness.center.weight", du_p, 2);
    CHECK_STATUS(toy_read(toy, toy->layer.terms.center, rows), DGM_OK);
    toy_near(rows, centers, 4);
}

TEST(localness_of_a_fixed_window_gives_the_printed_numbers)
{
    static const double a[4] = { .264596, .402853, .100602, .231949 };
    static const double du_p[2] = { .019337, -.039274 };
    struct toy_layer toy;

    CHECK_STATUS(open_local(&toy, "localness(type=fixed)"), DGM_OK);
    check_printed(&toy, a, 4, du_p);
    CHECK(toy.layer.terms.window == NULL);
    toy_close(&toy);
}

TEST(localness_of_a_window_per_layer_gives_the_printed_numbers)
{
    static const double a[4] = { .069161, .422931, .184533, .323375 };
    static const double z[2] = { .531378, .237878 }, du_p[2] = { .658052, -.633207 };
    dgm_real window[4];
    struct toy_layer toy;
    int i;

    CHECK_STATUS(open_local(&toy, "localness(type=layer)"), DGM_OK);
    check_printed(&toy, a, 4, du_p);
    toy_near(toy.z, z, 2);
    CHECK_STATUS(toy_read(&toy, toy.layer.terms.window, window), DGM_OK);
    for (i = 0; i < 4; i++)
        CHECK_NEAR(window[i], 2.141299, TOY_PRINTED);
    toy_close(&toy);
}

TEST(localness_of_a_window_per_query_gives_the_printed_numbers)
{
    static const double a[16] = { .097706, .430183, .164513, .307598, .317271, .287419,
                                  .310713, .084598, .305050, .404064, .140034, .150851,
                                  .024280, .251799, .264471, .459450 };
    static const double z[8] = { .548390, .317996, .175754, .837363,
                                 .466718, .863314, .678708, -.159091 };
    static const double du_p[2] = { .561439, -.615711 };
    static const double windows[4] = { 2.433043, 2.127280, 2.512441, 2.137279 };
    dgm_real window[4];
    struct toy_layer toy;

    CHECK_STATUS(open_local(&toy, "localness"), DGM_OK);
    check_printed(&toy, a, 16, du_p);
    toy_near(toy.z, z, 8);
    CHECK_STATUS(toy_read(&toy, toy.layer.terms.window, window), DGM_OK);
    toy_near(window, windows, 4);
    toy_close(&toy);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Ten equal words: scores are 0, so that log A is the bias up to a constant of the row; the center,
 * predicted from nothing, is I/2 = 5. */
TEST(localness_bias_is_half_a_unit_at_half_the_window)
{
    static const int32_t heads[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    static const double zeros[20] = { 0 };
    dgm_real a[TOY_MOST * TOY_MOST];
    struct toy_layer toy;
    int i, j;

    CHECK_STATUS(toy_open(&toy, "localness(type=fixed)", 10, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, heads, 10, 0), DGM_OK);
    toy.q = zeros;
    toy_weights(&toy, a);
    for (i = 0; i < 10; i++) {
        CHECK_NEAR(log((double)a[10 * i] / (double)a[10 * i + 5]), -.5, 1e-5);
        for (j = 0; j < 10; j++)
            CHECK_NEAR(log((double)a[10 * i + j] / (double)a[10 * i + 5]), -.02 * (j - 5) * (j - 5),
                       1e-5);
    }
    toy_close(&toy);
}

/* Without U_p, or W_p, the center is I/2; without U_d the window is, and is the same for all. */
TEST(localness_of_zero_networks_is_in_the_middle)
{
    static const double zeros[4] = { 0 };
    static const char *const muted[3] = { "localness.center.weight", "localness.hidden.weight",
                                          "localness.window.weight" };
    dgm_real center[4], window[4];
    struct toy_layer toy;
    int t, i;

    for (t = 0; t < 3; t++) {
        CHECK_STATUS(open_local(&toy, "localness"), DGM_OK);
        CHECK_STATUS(toy_set(&toy, muted[t], zeros), DGM_OK);
        CHECK_STATUS(toy_run(&toy), DGM_OK);
        CHECK_STATUS(toy_read(&toy, toy.layer.terms.center, center), DGM_OK);
        CHECK_STATUS(toy_read(&toy, toy.layer.terms.window, window), DGM_OK);
        for (i = 0; i < 4; i++) {
            CHECK_NEAR(center[i], t < 2 ? 2 : centers[i], TOY_PRINTED);
            if (t > 0)
                CHECK_NEAR(window[i], 2, TOY_PRINTED);
            CHECK(center[i] > 0 && center[i] < 4);
        }
        toy_close(&toy);
    }
}

TEST(localness_of_queries_without_a_window_network_is_that_of_a_fixed_window)
{
    static const double zeros[2] = { 0 };
    dgm_real a[TOY_MOST * TOY_MOST], b[TOY_MOST * TOY_MOST];
    struct toy_layer toy;
    int i;

    CHECK_STATUS(open_local(&toy, "localness"), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "localness.window.weight", zeros), DGM_OK);
    toy_weights(&toy, a);
    toy_close(&toy);
    CHECK_STATUS(open_local(&toy, "localness(type=fixed,window=2)"), DGM_OK);
    toy_weights(&toy, b);
    toy_close(&toy);
    for (i = 0; i < 16; i++)
        CHECK_NEAR(a[i], b[i], 1e-6);
}

/* Scaled queries predict what queries times sqrt(2) predict unscaled. */
TEST(localness_predicts_from_scaled_queries_on_request)
{
    dgm_real center[4];
    double q[8];
    struct toy_layer toy;
    int i;

    for (i = 0; i < 8; i++)
        q[i] = toy_a_q[i] * sqrt(2);
    CHECK_STATUS(open_local(&toy, "localness(scaled-q=1)"), DGM_OK);
    toy.q = q;
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_STATUS(toy_read(&toy, toy.layer.terms.center, center), DGM_OK);
    toy_near(center, centers, 4);
    toy_close(&toy);
}

TEST(localness_of_an_endless_window_is_the_plain_model)
{
    variant_check_alike("", "localness(type=fixed,window=1000000)", 1, 1e-5);
    variant_check_alike("", "localness(layers=0)", 1, 0);
    variant_check_alike("", "localness(layers=3)", 1, 0); /* beyond the depth */
}
