/*
 * test_attn_dbsa.c: a head that is a biaffine parser: the worked examples of specification 3.3 by
 * way of the variant, and its properties of section 6.
 */
#include <stdio.h>

#include "toy_layer.h"
#include "variant_case.h"

static const double toy_u1[4] = { 1, .5, -.5, 1 }, toy_u[2] = { .3, -.6 };

static dgm_status open_parser(struct toy_layer *toy, const char *text, enum dgm_side side)
{
    DGM_TRY(toy_open_a(toy, text, side));
    DGM_TRY(toy_set(toy, "dbsa.bilinear.weight", toy_u1));
    return toy_find(toy, "dbsa.bias") < 0 ? DGM_OK : toy_set(toy, "dbsa.bias", toy_u);
}

TEST(dbsa_encoder_has_the_weights_and_the_loss_of_the_worked_example)
{
    static const double a[16] = { .250456, .530215, .037460, .181868, .284558, .172593,
                                  .314485, .228363, .450952, .273516, .086605, .188927,
                                  .151634, .599723, .048013, .200631 };
    struct toy_layer toy;

    CHECK_STATUS(open_parser(&toy, "dbsa(enc-layer=1)", DGM_SOURCE), DGM_OK);
    toy_near_weights(&toy, a, 16);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_INT(toy.losses.count, 1);
    CHECK_INT(toy.losses.items[0].supervised, 4);
    CHECK_NEAR(toy.parse_loss, 1.818493, TOY_PRINTED);
    toy_close(&toy);
}

/* Value loss of toy A and parse loss, in the decoder. */
TEST(dbsa_decoder_has_the_loss_and_gradients_of_the_worked_example)
{
    static const double a[16] = {
        1,       0,       0,       0, .622459, .377541, 0,       0,
        .555994, .337227, .106779, 0, .151634, .599723, .048013, .200631
    };
    static const double du1[4] = { 1.213108, .177229, .334210, .396018 };
    static const double du[2] = { 1.476305, .420340 };
    struct toy_layer toy;

    CHECK_STATUS(open_parser(&toy, "dbsa(dec-layer=1)", DGM_TARGET), DGM_OK);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_INT(toy.losses.items[0].supervised, 2);
    CHECK_NEAR(toy.parse_loss, 2.636643, TOY_PRINTED);
    toy_near_grad(&toy, "dbsa.bilinear.weight", du1, 4);
    toy_near_grad(&toy, "dbsa.bias", du, 2);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
}

/* The published bias is the same for all candidates of a row. */
TEST(dbsa_bias_on_the_query_does_nothing)
{
    static const double a[16] = { .370945, .370945, .064461, .193650, .317714, .091027,
                                  .407953, .183305, .552233, .158217, .123220, .166329,
                                  .238814, .446164, .087855, .227167 };
    static const double zeros[2] = { 0, 0 };
    struct toy_layer toy;

    CHECK_STATUS(open_parser(&toy, "dbsa(enc-layer=1,bias=query)", DGM_SOURCE), DGM_OK);
    toy_near_weights(&toy, a, 16);
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    toy_near_grad(&toy, "dbsa.bias", zeros, 2);
    toy_close(&toy);
    CHECK_STATUS(open_parser(&toy, "dbsa(enc-layer=1,bias=none)", DGM_SOURCE), DGM_OK);
    CHECK(toy_find(&toy, "dbsa.bias") < 0);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
    CHECK_STATUS(open_parser(&toy, "dbsa(enc-layer=1)", DGM_SOURCE), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "dbsa.bias", zeros), DGM_OK);
    toy_near_weights(&toy, a, 16);
    toy_close(&toy);
}

/* ---- supervision ----------------------------------------------------------------------------- */

static void check_targets(enum dgm_side side, const int32_t *word, int32_t pieces,
                          const int32_t *heads, int32_t words, const int32_t *want)
{
    struct toy_layer toy;
    int32_t i, supervised = 0;

    CHECK_STATUS(toy_open(&toy, "dbsa(enc-layer=1,dec-layer=1)", pieces + 1, 2, 2, side, 1),
                 DGM_OK);
    CHECK_STATUS(toy_plan_pieces(&toy, word, pieces, heads, words, 1), DGM_OK);
    for (i = 0; i <= pieces; i++) {
        CHECK_INT(toy.targets[i], want[i]);
        supervised += want[i] >= 0;
    }
    CHECK_INT(toy.constants[0][0].supervised, supervised);
    toy_close(&toy);
}

/* "Objects and methods of surveillance are explained". Row 0 of a decoder reads no word. */
TEST(dbsa_supervises_heads_that_a_decoder_has_seen)
{
    static const int32_t heads[7] = { 6, 2, 0, 2, 3, 6, 6 }, word[7] = { 0, 1, 2, 3, 4, 5, 6 };
    static const int32_t encoder[8] = { 6, 2, 0, 2, 3, 6, 6, -1 };
    static const int32_t decoder[8] = { -1, -1, -1, 1, 3, 4, -1, 7 };

    check_targets(DGM_SOURCE, word, 7, heads, 7, encoder);
    check_targets(DGM_TARGET, word, 7, heads, 7, decoder);
}

/* Specification 2: the head of a piece is the last of its head word, or the next piece. */
TEST(dbsa_supervises_pieces_as_a_chain)
{
    static const int32_t word[5] = { 0, 0, 1, 2, 2 }, heads[3] = { 0, 2, 0 };
    static const int32_t encoder[6] = { 1, 1, 4, 4, 1, -1 }, decoder[6] = { -1, -1, 2, -1, -1, 2 };

    check_targets(DGM_SOURCE, word, 5, heads, 3, encoder);
    check_targets(DGM_TARGET, word, 5, heads, 3, decoder);
}

TEST(dbsa_supervises_each_root_and_nothing_without_a_parse)
{
    static const int32_t word[3] = { 0, 1, 2 }, roots[3] = { 0, 1, 1 }, none[3] = { -1, -1, -1 };
    static const int32_t want[4] = { 0, 1, 1, -1 }, nothing[4] = { -1, -1, -1, -1 };

    check_targets(DGM_SOURCE, word, 3, roots, 3, want);
    check_targets(DGM_SOURCE, word, 3, none, 3, nothing);
}

/* ---- the loss -------------------------------------------------------------------------------- */

/* Queries 40 times the unit vector of the head, keys unit vectors. */
TEST(dbsa_loss_vanishes_with_large_logits_of_the_heads)
{
    double q[16] = { 0 }, unit[16] = { 0 };
    struct toy_layer toy;
    int i;

    for (i = 0; i < 4; i++) {
        q[4 * i + toy_a_heads[i]] = 40;
        unit[5 * i] = 1;
    }
    CHECK_STATUS(toy_open(&toy, "dbsa(enc-layer=1,bias=none)", 4, 4, 4, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "dbsa.bilinear.weight", unit), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, toy_a_heads, 4, 1), DGM_OK);
    toy.q = q;
    toy.k = toy.v = unit;
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_NEAR(toy.parse_loss, 0, 1e-12);
    toy_close(&toy);
}

/* Gradient of U from the parse loss alone. */
static void parse_grad(const char *text, double unit, dgm_real *grad)
{
    struct toy_layer toy;

    CHECK_STATUS(open_parser(&toy, text, DGM_SOURCE), DGM_OK);
    toy.r = NULL;
    toy.unit = unit;
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_NEAR(toy.parse_loss, 1.818493, TOY_PRINTED);
    CHECK_STATUS(dgm_params_read_grad(test_env(), &toy.params,
                                      toy_find(&toy, "dbsa.bilinear.weight"), grad),
                 DGM_OK);
    toy_close(&toy);
}

TEST(dbsa_loss_weighs_lambda_times_the_unit)
{
    dgm_real one[4], unit[4], lambda[4];
    int i;

    parse_grad("dbsa(enc-layer=1)", 1, one);
    parse_grad("dbsa(enc-layer=1)", 6, unit);
    parse_grad("dbsa(enc-layer=1,lambda-enc=0.5)", 1, lambda);
    for (i = 0; i < 4; i++) {
        CHECK(fabs((double)one[i]) > 1e-3);
        CHECK_NEAR(unit[i], 6 * (double)one[i], 1e-5);
        CHECK_NEAR(lambda[i], 0.5 * (double)one[i], 1e-6);
    }
}

/* Rows of dE sum to 0: where all keys agree in a column, that column of U gets no gradient. */
TEST(dbsa_rows_of_score_gradients_sum_to_zero)
{
    static const double q[12] = { 1, 0, .3, 0, 1, -.7, 1, 1, .2, .5, -.5, 1 };
    static const double k[12] = { .5, 1, 1, 1, 0, 1, -1, .5, 1, .2, .3, 1 };
    static const double u[9] = { 1, .5, .1, -.5, 1, .2, .3, -.4, .7 };
    static const double r[12] = { 1, -1, 0, .5, .5, 0, -.5, 1, 0, 1, .25, 0 };
    dgm_real grad[9];
    struct toy_layer toy;
    int i;

    CHECK_STATUS(toy_open(&toy, "dbsa(enc-layer=1,bias=none)", 4, 3, 3, DGM_SOURCE, 1), DGM_OK);
    CHECK_STATUS(toy_set(&toy, "dbsa.bilinear.weight", u), DGM_OK);
    CHECK_STATUS(toy_plan(&toy, toy_a_heads, 4, 1), DGM_OK);
    toy.q = q;
    toy.k = toy.v = k;
    toy.r = r;
    CHECK_STATUS(toy_run(&toy), DGM_OK);
    CHECK_STATUS(dgm_params_read_grad(test_env(), &toy.params,
                                      toy_find(&toy, "dbsa.bilinear.weight"), grad),
                 DGM_OK);
    for (i = 0; i < 3; i++) {
        CHECK_NEAR(grad[3 * i + 2], 0, 1e-6);
        CHECK(fabs((double)grad[3 * i]) > 1e-3);
    }
    toy_close(&toy);
}

/* ---- whole models ---------------------------------------------------------------------------- */

/* Gradients of one step on a batch with its trees, or without. */
static dgm_real *step_grads(const char *syntax, int with_trees, double *sum, int *losses)
{
    struct dgm_batch batch;
    struct tiny tiny;
    dgm_real *grads = NULL;

    if (variant_batch(&batch, 4) == DGM_OK &&
        (with_trees || variant_forget_trees(&batch) == DGM_OK) &&
        variant_open(&tiny, syntax, 0) == DGM_OK) {
        if (tiny_step(&tiny, &batch, 1, sum) == DGM_OK)
            grads = tiny_grads(&tiny);
        *losses = tiny.parse_losses.count;
        tiny_close(&tiny);
    }
    dgm_batch_clear(test_env(), &batch);
    return grads;
}

static void check_trees_in_training(const char *syntax, int learns)
{
    double sum[2] = { 0, 0 };
    int losses[2] = { 0, 0 };
    dgm_real *with = step_grads(syntax, 1, &sum[0], &losses[0]);
    dgm_real *without = step_grads(syntax, 0, &sum[1], &losses[1]);
    size_t some = 500 * sizeof *with;

    CHECK(with != NULL && without != NULL);
    CHECK_INT(losses[0], learns);
    CHECK_INT(losses[1], 0);
    CHECK((memcmp(with, without, some) == 0) == !learns);
    CHECK((sum[0] == sum[1]) == !learns);
    dgm_release(test_env(), with);
    dgm_release(test_env(), without);
}

TEST(dbsa_of_weight_zero_learns_nothing_from_trees)
{
    check_trees_in_training("dbsa(enc-layer=1,dec-layer=2,lambda-enc=0,lambda-dec=0)", 0);
    check_trees_in_training("dbsa(enc-layer=0,dec-layer=0)", 0);
    check_trees_in_training("dbsa(enc-layer=1,dec-layer=2,lambda-enc=0)", 1);
    check_trees_in_training("dbsa(enc-layer=1,dec-layer=2)", 2);
}

/* Arcs are for the loss alone: the translation is computed without them in training, too. */
TEST(dbsa_translates_the_same_whatever_the_trees)
{
    dgm_real with[256], without[256];
    struct dgm_batch batch;
    struct tiny tiny;
    size_t bytes;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, "dbsa(enc-layer=1,dec-layer=2)", 0), DGM_OK);
    bytes = (size_t)(2 * batch.target.offsets[VARIANT_PAIRS]) * sizeof *with;
    CHECK_STATUS(variant_losses(&tiny, &batch, 1, 1, with), DGM_OK);
    CHECK_STATUS(variant_forget_trees(&batch), DGM_OK);
    CHECK_STATUS(variant_losses(&tiny, &batch, 1, 1, without), DGM_OK);
    CHECK_MEM(with, without, bytes);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* Word 0 of target 1 has its head later, at word 2: at word 3 it is as unseen. */
TEST(dbsa_loss_does_not_tell_heads_that_are_not_there_yet)
{
    struct dgm_batch batch;
    struct tiny tiny;
    double before = 0, moved = 0, seen = 0;
    int32_t *heads;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, "dbsa(enc-layer=0,dec-layer=1)", 0), DGM_OK);
    heads = batch.target.heads + batch.target.word_offsets[1];
    CHECK_INT(heads[0], 2);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &before), DGM_OK);
    heads[0] = 3;
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &moved), DGM_OK);
    CHECK_MEM(&before, &moved, sizeof before);
    heads[3] = 1; /* word 3 had word 2 */
    heads[1] = 2;
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &seen), DGM_OK);
    CHECK(before != seen);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* U = s I without a bias. */
static dgm_status make_ordinary(struct tiny *tiny)
{
    static const char *const sides[2] = { "encoder", "decoder" };
    dgm_real unit[16] = { 0 };
    char name[80];
    int i, side;

    for (i = 0; i < 4; i++)
        unit[5 * i] = (dgm_real)0.5;
    for (side = 0; side < 2; side++) {
        snprintf(name, sizeof name, "%s.layers.0.self_attn.dbsa.bilinear.weight", sides[side]);
        DGM_TRY(dgm_params_write(test_env(), &tiny->model.params,
                                 dgm_params_find(&tiny->model.params, name), unit));
    }
    return variant_set(tiny, "dbsa.bias", 0);
}

TEST(dbsa_of_scaled_identity_is_an_ordinary_head)
{
    static const struct variant_side plain = { "", NULL };
    static const struct variant_side parser = { "dbsa(enc-layer=1,dec-layer=1)", make_ordinary };
    static const struct variant_side other = { "dbsa(enc-layer=1,dec-layer=1,head=1)",
                                               make_ordinary };

    variant_check_same(&plain, &parser, 0, 1, 1e-5);
    variant_check_same(&plain, &other, 1, 0, 1e-5);
}

/* ---- the layer ------------------------------------------------------------------------------- */

/* The layer that parses on either side of a model of this depth; 0: none. */
static void check_layers(const char *syntax, int depth, int stored, int encoder, int decoder)
{
    const int want[2] = { encoder, decoder };
    struct dgm_model_config config = tiny_config();
    struct dgm_attn_parser which;
    struct dgm_net net;
    int side, layer;

    strcpy(config.syntax, syntax);
    config.enc_depth = config.dec_depth = depth;
    config.stored = stored;
    CHECK_STATUS(dgm_net_init(test_env(), &net, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS), DGM_OK);
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        if (!dgm_net_parser_head(&net, (enum dgm_side)side, &layer, &which))
            layer = 0;
        CHECK_INT(layer, want[side]);
    }
    dgm_net_clear(test_env(), &net);
}

TEST(dbsa_parses_at_two_thirds_of_the_depth_unless_a_layer_is_named)
{
    static const int layers[] = { 0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8 };
    int depth;

    for (depth = 1; depth <= 12; depth++)
        check_layers("dbsa", depth, 0, layers[depth], layers[depth]);
    check_layers("dbsa(enc_layer=1/2,dec_layer=1/64)", 4, 0, 2, 1);
    check_layers("dbsa(enc-layer=1/1)", 4, 0, 4, 3);
    check_layers("dbsa(enc-layer=0)", 4, 0, 0, 3);
    check_layers("dbsa(dec-layer=1)", 6, 0, 4, 1);
}

/* A file that names no layer is of the time when that was layer 4. */
TEST(dbsa_of_an_older_file_parses_in_layer_4)
{
    check_layers("dbsa", 4, 1, 4, 4);
    check_layers("dbsa", 6, 1, 4, 4);
    check_layers("dbsa", 3, 1, 0, 0);
    check_layers("dbsa(dec-layer=2)", 5, 1, 4, 2);
    check_layers("dbsa(enc-layer=2/3,dec-layer=2/3)", 4, 1, 3, 3);
}

static void check_text(const char *text, const char *want)
{
    struct dgm_buf out = { 0 };

    CHECK_STATUS(dgm_syntax_text_complete(test_env(), &out, text), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(dbsa_in_the_text_of_a_file_names_its_layers)
{
    check_text("dbsa", "dbsa(enc-layer=2/3,dec-layer=2/3)");
    check_text("dbsa()", "dbsa(enc-layer=2/3,dec-layer=2/3)");
    check_text("dbsa(head=1)", "dbsa(head=1,enc-layer=2/3,dec-layer=2/3)");
    check_text("dbsa(dec_layer=0)+shaw(k=2)", "dbsa(dec_layer=0,enc-layer=2/3)+shaw(k=2)");
    check_text("shaw+dbsa(enc-layer=1,dec-layer=2)", "shaw+dbsa(enc-layer=1,dec-layer=2)");
    check_text("none", "none");
    check_text("", "");
    check_text("dbsa(", "dbsa(");
    check_text("dbsa(head=1", "dbsa(head=1");
    check_text("(+)", "(+)");
}
