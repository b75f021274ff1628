/*
 * test_attn_lisa.c: a head with a parser of its own: the worked example of specification 3.4 by
 * way of the variant, and its properties of section 6.
 */
#include "toy_layer.h"
#include "variant_case.h"

/* B of the key-bias example of 3.3: U1 above u. */
static const double toy_b[6] = { 1, .5, -.5, 1, .3, -.6 };

/* What a leaky ReLU makes Toy A's queries and keys of, side by side; projected by the identity. */
static dgm_status open_parser(struct toy_layer *toy, const char *text, double *x)
{
    static const double unit[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    int i;

    for (i = 0; i < 16; i++) {
        double y = i % 4 < 2 ? toy_a_q[i / 4 * 2 + i % 2] : toy_a_k[i / 4 * 2 + i % 2];
        x[i] = y < 0 ? 100 * y : y;
    }
    DGM_TRY(toy_open(toy, text, 4, 4, 2, DGM_SOURCE, 1));
    DGM_TRY(toy_set(toy, "lisa.proj.weight", unit));
    DGM_TRY(toy_set(toy, "lisa.bilinear.weight", toy_b));
    toy->x = x;
    toy->q = toy_a_q;
    toy->k = toy_a_k;
    toy->v = toy_a_v;
    toy->r = toy_a_r;
    return toy_plan(toy, toy_a_heads, 4, 1);
}

static const double printed[16] = { .250456, .530215, .037460, .181868, .284558, .172593,
                                    .314485, .228363, .450952, .273516, .086605, .188927,
                                    .151634, .599723, .048013, .200631 };

TEST(lisa_has_the_weights_and_the_loss_of_the_worked_example)
{
    struct toy_layer toy;
    double x[16];
    int i;

    CHECK_STATUS(open_parser(&toy, "lisa", x), DGM_OK);
    toy_near_weights(&toy, printed, 16);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_NEAR(4 * toy.parse_loss, 7.273973, 4e-6);
    for (i = 0; i < 8; i++) /* the replaced head's own queries and keys serve nothing */
        CHECK(toy.dq[i] == 0 && toy.dk_[i] == 0);
    toy_close(&toy);
}

/* Cross-entropy of columns of A as if they were logits over rows: the released code's loss. */
static double fork_loss(const dgm_real *a)
{
    double sum = 0;
    int i, j;

    for (j = 0; j < 4; j++) {
        double all = 0;
        for (i = 0; i < 4; i++)
            all += exp((double)a[4 * i + j]);
        sum += log(all) - (double)a[4 * toy_a_heads[j] + j];
    }
    return sum;
}

/* Why that loss is not used: dependents that find their heads do not bring it down. */
TEST(lisa_loss_of_the_released_code_has_a_floor)
{
    dgm_real a[TOY_MOST * TOY_MOST], best[16] = { 0 };
    struct toy_layer toy;
    double x[16];
    int j;

    CHECK_STATUS(open_parser(&toy, "lisa", x), DGM_OK);
    toy_weights(&toy, a);
    CHECK_NEAR(fork_loss(a), 5.739670, 4e-6);
    for (j = 0; j < 4; j++)
        best[4 * toy_a_heads[j] + j] = 1;
    CHECK_NEAR(fork_loss(best), 2.974674, TOY_PRINTED);
    toy_close(&toy);
}

/* Gold heads decide the mixture, the prediction decides the loss. */
TEST(lisa_with_gold_heads_copies_their_values)
{
    struct toy_layer toy;
    double x[16];
    int i;

    CHECK_STATUS(open_parser(&toy, "lisa(teacher-forcing=1)", x), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    for (i = 0; i < 8; i++)
        CHECK(toy.z[i] == (dgm_real)toy_a_v[2 * toy_a_heads[i / 2] + i % 2]);
    CHECK_NEAR(4 * toy.parse_loss, 7.273973, 4e-6);
    CHECK_STATUS(toy_plan(&toy, toy_a_heads, 4, 0), DGM_OK); /* only in training */
    toy_near_weights(&toy, printed, 16);
    toy_close(&toy);
    CHECK_STATUS(open_parser(&toy, "lisa(gold-at-test=1)", x), DGM_OK);
    toy_near_weights(&toy, printed, 16);
    CHECK_STATUS(toy_plan(&toy, toy_a_heads, 4, 0), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    for (i = 0; i < 8; i++)
        CHECK(toy.z[i] == (dgm_real)toy_a_v[2 * toy_a_heads[i / 2] + i % 2]);
    CHECK_INT(toy.losses.count, 0);
    toy_close(&toy);
}

/* Readings B14: a row without a gold head keeps its prediction. */
TEST(lisa_end_of_sentence_keeps_its_prediction_beside_gold_heads)
{
    static const double x[6] = { 1, .5, -.3, .2, .7, -1 }, w[4] = { 1, .2, -.4, 1 },
                        b[2] = { 1, 2 };
    static const int32_t heads[2] = { 1, 1 };
    dgm_real free_rows[TOY_MOST * TOY_MOST], forced[TOY_MOST * TOY_MOST];
    struct toy_layer toy;
    int t;

    for (t = 0; t < 2; t++) {
        CHECK_STATUS(toy_open(&toy, t ? "lisa(teacher-forcing=1,dim=1)" : "lisa(dim=1)", 3, 2, 2,
                              DGM_SOURCE, 1),
                     DGM_OK);
        CHECK_STATUS(toy_set(&toy, "lisa.proj.weight", w), DGM_OK);
        CHECK_STATUS(toy_set(&toy, "lisa.bilinear.weight", b), DGM_OK);
        CHECK_STATUS(toy_plan(&toy, heads, 2, 1), DGM_OK);
        CHECK_INT(toy.constants[0][0].supervised, 2);
        toy.q = toy.x = x;
        toy_weights(&toy, t ? forced : free_rows);
        toy_close(&toy);
    }
    CHECK(forced[1] == 1 && forced[4] == 1);
    CHECK_MEM(forced + 6, free_rows + 6, 3 * sizeof *forced);
    CHECK(forced[6] > 0 && forced[7] > 0 && forced[8] > 0); /* no copy */
}

TEST(lisa_heads_are_the_first_pieces_of_head_words)
{
    static const int32_t word[5] = { 0, 0, 1, 2, 2 }, heads[3] = { 0, 2, 0 };
    static const int32_t want[6] = { 0, 0, 3, 0, 0, -1 };
    struct toy_layer toy;

    CHECK_STATUS(toy_open(&toy, "lisa", 6, 2, 2, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_plan_pieces(&toy, word, 5, heads, 3, 1), DGM_OK);
    CHECK_MEM(toy.targets, want, sizeof want);
    toy_close(&toy);
}

/* Head 0 of 2: rows 0..3 of its query and key matrices; its values serve. */
TEST(lisa_replaced_head_has_no_gradient_in_queries_and_keys)
{
    static const char *const names[3] = { "encoder.layers.0.self_attn.q_proj.weight",
                                          "encoder.layers.0.self_attn.k_proj.weight",
                                          "encoder.layers.0.self_attn.v_proj.weight" };
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real grad[64];
    double loss;
    int n, i;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, "lisa", 0), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &loss), DGM_OK);
    for (n = 0; n < 3; n++) {
        CHECK_STATUS(variant_grad(&tiny, names[n], grad), DGM_OK);
        for (i = 0; i < 64; i++)
            CHECK((grad[i] == 0) == (n < 2 && i < 32));
    }
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}
