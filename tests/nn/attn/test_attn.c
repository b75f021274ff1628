/*
 * test_attn.c: variants of self-attention: the worked examples of specification 3.1 and 3.6, the
 * text of --syntax, and the properties of its section 6.
 */
#include <math.h>
#include <stdlib.h>

#include "nn/attn/syntax.h"
#include "tiny.h"

enum { TOY = 4, TOY_DIM = 2, MOST = 8, CELLS = 4096 };

static const struct dgm_attn_shape toy_shape = {
    .dim = TOY_DIM, .heads = 1, .head_dim = TOY_DIM, .depth = { 6, 6 }
};

/* Toy A of specification 1.4. */
static const double toy_q[TOY * TOY_DIM] = { 1, 0, 0, 1, 1, 1, .5, -.5 };
static const double toy_k[TOY * TOY_DIM] = { .5, 1, 1, 0, -1, .5, .2, .3 };
static const double toy_v[TOY * TOY_DIM] = { 1, 2, 0, 1, -1, 0, 2, -1 };
/* Heads that give the distances of 3.6's example: a chain. */
static const int32_t toy_heads[TOY] = { 0, 0, 1, 2 };

static struct dgm_device *open_one(void)
{
    struct dgm_device *device = NULL;

    return open_device(test_env(), &device, 1) == DGM_OK ? device : NULL;
}

/* ---- constants of one sentence --------------------------------------------------------------- */

/* What a plan yields for one encoder layer; absent terms are all 1, 0 or 0. */
struct planned {
    double factor[CELLS], addend[CELLS];
    unsigned char hidden[CELLS];
    int has_factor, has_addend, has_hidden;
};

/* Plans a packed side and copies the constants of `layer`. */
static dgm_status plan_side(const char *text, const struct dgm_packed *side, int training,
                            uint32_t update, int layer, struct planned *out)
{
    struct dgm_device *device = open_one();
    static dgm_attn_layer_constants constants[6];
    struct dgm_attn_plan plan;
    struct dgm_arena scratch = { NULL, NULL, 0 };
    struct dgm_syntax syntax;
    struct dgm_feed feed;
    int32_t squares[MOST + 1] = { 0 }, numbers[MOST], s, i;
    dgm_status status;

    if (device == NULL)
        return DGM_FAILURE;
    memset(out, 0, sizeof *out);
    memset(&plan, 0, sizeof plan);
    for (s = 0; s < side->count; s++) {
        int32_t n = dgm_packed_length(side, s);
        squares[s + 1] = squares[s] + n * n;
        numbers[s] = 100 + s;
    }
    dgm_feed_init(&feed, device);
    plan.feed = &feed;
    plan.scratch = &scratch;
    plan.packed = side;
    plan.numbers = numbers;
    plan.squares = squares;
    plan.training = training;
    plan.key[0] = TINY_SEED;
    plan.key[1] = update;
    status = dgm_syntax_init(test_env(), &syntax, text, &toy_shape);
    if (status == DGM_OK)
        status = dgm_syntax_plan(test_env(), &syntax, &plan, constants);
    if (status == DGM_OK) {
        const struct dgm_attn_constants *mine = &constants[layer - 1][0];
        const dgm_real *factor = mine->factor[0] ? dgm_feed_host(&feed, mine->factor[0]) : NULL;
        const dgm_real *addend = mine->addend ? dgm_feed_host(&feed, mine->addend) : NULL;
        out->has_factor = factor != NULL;
        out->has_addend = addend != NULL;
        out->has_hidden = mine->hidden != 0;
        for (i = 0; i < squares[side->count]; i++) {
            out->factor[i] = factor ? (double)factor[i] : 1;
            out->addend[i] = addend ? (double)addend[i] : 0;
        }
        if (mine->hidden != 0)
            memcpy(out->hidden, dgm_feed_host(&feed, mine->hidden), (size_t)squares[side->count]);
    }
    dgm_syntax_clear(test_env(), &syntax);
    dgm_feed_clear(test_env(), &feed);
    dgm_arena_clear(test_env(), &scratch);
    dgm_device_close(test_env(), device);
    return status;
}

/* The same for one sentence of whole words. */
static dgm_status plan_words(const char *text, const int32_t *heads, int32_t words, int training,
                             struct planned *out)
{
    struct dgm_packed side;
    int32_t ids[MOST + 1], word[MOST + 1], i;
    dgm_status status;

    memset(&side, 0, sizeof side);
    for (i = 0; i < words; i++) {
        ids[i] = 4;
        word[i] = i;
    }
    ids[words] = TINY_EOS;
    word[words] = -1;
    status = dgm_packed_add(test_env(), &side, ids, word, words + 1, heads, words);
    if (status == DGM_OK)
        status = plan_side(text, &side, training, 1, 1, out);
    dgm_packed_clear(test_env(), &side);
    return status;
}

static double gauss(double distance)
{
    return exp(-distance * distance / 2) / sqrt(2 * 3.14159265358979323846);
}

TEST(attn_deps_san_weights_are_those_of_the_worked_example)
{
    static const double weight[5] = { .398942, .241971, .053991, .00443185, 1.3383e-4 };
    struct planned p;
    int i, j;

    CHECK_STATUS(plan_words("deps-san", toy_heads, TOY, 1, &p), DGM_OK);
    CHECK(p.has_factor && !p.has_addend && !p.has_hidden);
    for (i = 0; i <= TOY; i++)
        for (j = 0; j <= TOY; j++) {
            int distance = i == TOY || j == TOY ? 4 : abs(i - j); /* max + 1 at the end */
            CHECK_NEAR(p.factor[i * (TOY + 1) + j], weight[distance], 6e-7);
        }
}

TEST(attn_deps_san_end_of_sentence_is_at_zero_from_itself_on_request)
{
    struct planned p;

    CHECK_STATUS(plan_words("deps-san(eos_diag0=1)", toy_heads, TOY, 0, &p), DGM_OK);
    CHECK_NEAR(p.factor[24], gauss(0), 1e-7);
    CHECK_NEAR(p.factor[23], gauss(4), 1e-7);
}

TEST(attn_deps_san_keeps_distances_between_two_trees)
{
    static const int32_t heads[3] = { 0, 1, 1 }; /* two roots: 0 and 1, 2 below 1 */
    struct planned p;

    CHECK_STATUS(plan_words("deps-san", heads, 3, 0, &p), DGM_OK);
    CHECK_NEAR(p.factor[0 * 4 + 1], gauss(2), 1e-7);
    CHECK_NEAR(p.factor[0 * 4 + 2], gauss(3), 1e-7);
    CHECK_NEAR(p.factor[1 * 4 + 2], gauss(1), 1e-7);
    CHECK_NEAR(p.factor[0 * 4 + 3], gauss(4), 1e-7);
}

TEST(attn_deps_san_of_one_word_has_its_end_at_one)
{
    static const int32_t head[1] = { 0 };
    struct planned p;

    CHECK_STATUS(plan_words("deps-san", head, 1, 0, &p), DGM_OK);
    CHECK_NEAR(p.factor[0], gauss(0), 1e-7);
    CHECK_NEAR(p.factor[1], gauss(1), 1e-7);
    CHECK_NEAR(p.factor[3], gauss(1), 1e-7);
}

/* Specification 2: pieces w0={0,1}, w1={2}, w2={3,4}; w0 root, w1 -> w2, w2 -> w0. */
static dgm_status plan_pieces(const char *text, struct planned *out)
{
    static const int32_t ids[6] = { 4, 5, 6, 7, 8, TINY_EOS }, word[6] = { 0, 0, 1, 2, 2, -1 };
    static const int32_t heads[3] = { 0, 2, 0 };
    struct dgm_packed side;
    dgm_status status;

    memset(&side, 0, sizeof side);
    status = dgm_packed_add(test_env(), &side, ids, word, 6, heads, 3);
    if (status == DGM_OK)
        status = plan_side(text, &side, 0, 1, 1, out);
    dgm_packed_clear(test_env(), &side);
    return status;
}

static void check_distances(const char *text, const int distance[5][5], int end)
{
    struct planned p;
    int i, j;

    CHECK_STATUS(plan_pieces(text, &p), DGM_OK);
    for (i = 0; i < 6; i++)
        for (j = 0; j < 6; j++)
            CHECK_NEAR(p.factor[i * 6 + j], gauss(i < 5 && j < 5 ? distance[i][j] : end), 1e-7);
}

TEST(attn_deps_san_pieces_inherit_the_distances_of_their_words)
{
    static const int distance[5][5] = { { 0, 0, 2, 1, 1 },
                                        { 0, 0, 2, 1, 1 },
                                        { 2, 2, 0, 1, 1 },
                                        { 1, 1, 1, 0, 0 },
                                        { 1, 1, 1, 0, 0 } };

    check_distances("deps-san", distance, 3);
}

TEST(attn_deps_san_pieces_form_chains_on_request)
{
    static const int distance[5][5] = { { 0, 1, 3, 3, 2 },
                                        { 1, 0, 2, 2, 1 },
                                        { 3, 2, 0, 2, 1 },
                                        { 3, 2, 2, 0, 1 },
                                        { 2, 1, 1, 1, 0 } };

    check_distances("deps-san(subword=right_chain)", distance, 4);
}

TEST(attn_deps_san_window_and_constant_are_options)
{
    struct planned p;
    int i;

    CHECK_STATUS(plan_words("deps-san(fn=uniform,sigma=1)", toy_heads, TOY, 0, &p), DGM_OK);
    for (i = 0; i < TOY; i++)
        CHECK_NEAR(p.factor[i], i < 2 ? 1 : 0, 0);
    CHECK_STATUS(plan_words("deps-san(norm_const=0,sigma=2)", toy_heads, TOY, 0, &p), DGM_OK);
    for (i = 0; i < TOY; i++)
        CHECK_NEAR(p.factor[i], exp(-i * i / 8.0), 1e-7);
    CHECK_STATUS(plan_words("deps-san(usage=add)", toy_heads, TOY, 0, &p), DGM_OK);
    CHECK(p.has_addend && !p.has_factor);
    for (i = 0; i < TOY; i++)
        CHECK_NEAR(p.addend[i], gauss(i), 1e-7);
}

/* ---- sparsening ------------------------------------------------------------------------------ */

TEST(attn_random_sparsening_at_one_fills_every_cell)
{
    struct planned p;
    int i;

    CHECK_STATUS(plan_words("deps-san(rs_q=1)", toy_heads, TOY, 1, &p), DGM_OK);
    for (i = 0; i < 25; i++)
        CHECK_NEAR(p.factor[i], gauss(4), 1e-9);
    CHECK_STATUS(plan_words("deps-san(rs_q=1,rs_fill=1)", toy_heads, TOY, 1, &p), DGM_OK);
    for (i = 0; i < 25; i++)
        CHECK_NEAR(p.factor[i], gauss(1), 1e-7);
}

TEST(attn_random_sparsening_at_zero_and_outside_training_changes_nothing)
{
    static struct planned plain, other;

    CHECK_STATUS(plan_words("deps-san", toy_heads, TOY, 1, &plain), DGM_OK);
    CHECK_STATUS(plan_words("deps-san(rs_q=0)", toy_heads, TOY, 1, &other), DGM_OK);
    CHECK_MEM(other.factor, plain.factor, sizeof plain.factor);
    CHECK_STATUS(plan_words("deps-san(rs_q=0.5,wink_k=1)", toy_heads, TOY, 0, &other), DGM_OK);
    CHECK_MEM(other.factor, plain.factor, sizeof plain.factor);
}

/* Cells that hold G(100) instead of their own weight. */
static int count_filled(const struct planned *p, int cells)
{
    int i, filled = 0;

    for (i = 0; i < cells; i++)
        filled += p->factor[i] == 0;
    return filled;
}

TEST(attn_random_sparsening_replaces_the_expected_share_of_cells)
{
    static struct planned p;
    const double q = 0.1;
    const int words = 7, cells = 64, rounds = 60;
    struct dgm_packed side;
    struct dgm_random random;
    double total = 0, expected = q * cells * rounds;
    int update;

    memset(&side, 0, sizeof side);
    dgm_random_init(&random, 1, 2, 3, 4);
    CHECK_STATUS(tiny_add_side(&side, &random, words, 1, TINY_TREE), DGM_OK);
    for (update = 1; update <= rounds; update++) {
        CHECK_STATUS(plan_side("deps-san(rs_q=0.1,rs_fill=100)", &side, 1, (uint32_t)update, 1, &p),
                     DGM_OK);
        total += count_filled(&p, cells);
    }
    CHECK_NEAR(total, expected, 4 * sqrt(expected * (1 - q)));
    dgm_packed_clear(test_env(), &side);
}

TEST(attn_random_sparsening_differs_between_layers_updates_and_sentences)
{
    static struct planned a, b, c;
    struct dgm_packed side;
    const char *text = "deps-san(rs_q=0.5,rs_fill=100,layers=1-2)";
    struct dgm_random random;
    int k;

    memset(&side, 0, sizeof side);
    for (k = 0; k < 2; k++) {
        dgm_random_init(&random, 1, 2, 3, 4);
        CHECK_STATUS(tiny_add_side(&side, &random, 6, 1, TINY_TREE), DGM_OK);
    }
    CHECK_STATUS(plan_side(text, &side, 1, 1, 1, &a), DGM_OK);
    CHECK_STATUS(plan_side(text, &side, 1, 1, 2, &b), DGM_OK);
    CHECK_STATUS(plan_side(text, &side, 1, 2, 1, &c), DGM_OK);
    CHECK(memcmp(a.factor, b.factor, 49 * sizeof *a.factor) != 0);
    CHECK(memcmp(a.factor, c.factor, 49 * sizeof *a.factor) != 0);
    CHECK(memcmp(a.factor, a.factor + 49, 49 * sizeof *a.factor) != 0);
    CHECK_STATUS(plan_side(text, &side, 1, 1, 1, &b), DGM_OK);
    CHECK_MEM(a.factor, b.factor, sizeof a.factor);
    dgm_packed_clear(test_env(), &side);
}

TEST(attn_wink_modes_suppress_what_the_worked_example_says)
{
    struct planned zero, hidden, fork;
    int i, j;

    CHECK_STATUS(plan_words("deps-san(wink_k=1)", toy_heads, TOY, 1, &zero), DGM_OK);
    CHECK_STATUS(plan_words("deps-san(wink_k=1,wink_mode=neg_inf)", toy_heads, TOY, 1, &hidden),
                 DGM_OK);
    CHECK_STATUS(plan_words("deps-san(wink_k=1,wink_mode=fork)", toy_heads, TOY, 1, &fork), DGM_OK);
    CHECK(!zero.has_hidden && hidden.has_hidden && !fork.has_hidden);
    for (i = 0; i <= TOY; i++)
        for (j = 0; j <= TOY; j++) {
            int at = i * (TOY + 1) + j, is_end = i == TOY || j == TOY;
            int distance = is_end ? 4 : abs(i - j);
            CHECK_NEAR(zero.factor[at], distance > 1 ? 0 : gauss(distance), 1e-7);
            CHECK_NEAR(hidden.factor[at], gauss(distance), 1e-7);
            CHECK_INT(hidden.hidden[at], !is_end && distance > 1);
            CHECK_NEAR(fork.factor[at], gauss(distance > 1 ? 4 : distance), 1e-7);
        }
}

TEST(attn_wink_below_one_leaves_a_word_itself_and_the_end)
{
    struct planned p;
    int i, j;

    CHECK_STATUS(plan_words("deps-san(wink_k=0.5,wink_mode=neg_inf)", toy_heads, TOY, 1, &p),
                 DGM_OK);
    for (i = 0; i < TOY; i++)
        for (j = 0; j <= TOY; j++)
            CHECK_INT(p.hidden[i * (TOY + 1) + j], i != j && j < TOY);
}

TEST(attn_wink_beyond_the_largest_distance_changes_nothing)
{
    static const char *const texts[3] = { "deps-san(wink_k=4,wink_mode=zero)",
                                          "deps-san(wink_k=4,wink_mode=neg_inf)",
                                          "deps-san(wink_k=4,wink_mode=fork)" };
    static struct planned plain, other;
    int t, i;

    CHECK_STATUS(plan_words("deps-san", toy_heads, TOY, 1, &plain), DGM_OK);
    for (t = 0; t < 3; t++) {
        CHECK_STATUS(plan_words(texts[t], toy_heads, TOY, 1, &other), DGM_OK);
        CHECK_MEM(other.factor, plain.factor, sizeof plain.factor);
        for (i = 0; i < 25; i++)
            CHECK_INT(other.hidden[i], 0);
    }
}

TEST(attn_wink_serves_translation_on_request)
{
    struct planned p;

    CHECK_STATUS(plan_words("deps-san(wink_k=1,sparsen_at_test=1)", toy_heads, TOY, 0, &p), DGM_OK);
    CHECK_NEAR(p.factor[2], 0, 0);
}

TEST(attn_deps_san_does_not_look_at_neighbours_in_the_batch)
{
    static struct planned alone, together;
    struct dgm_packed side, one;
    struct dgm_random random;
    int32_t s, at = 0;

    memset(&side, 0, sizeof side);
    dgm_random_init(&random, 1, 7, 0, 0);
    for (s = 0; s < 4; s++)
        CHECK_STATUS(tiny_add_side(&side, &random, 2 + 2 * s, 2, TINY_TREE), DGM_OK);
    CHECK_STATUS(plan_side("deps-san", &side, 0, 1, 1, &together), DGM_OK);
    for (s = 0; s < 4; s++) {
        int32_t n = dgm_packed_length(&side, s);
        memset(&one, 0, sizeof one);
        CHECK_STATUS(dgm_packed_append(test_env(), &one, &side, s), DGM_OK);
        CHECK_STATUS(plan_side("deps-san", &one, 0, 1, 1, &alone), DGM_OK);
        CHECK_MEM(alone.factor, together.factor + at, (size_t)(n * n) * sizeof *alone.factor);
        dgm_packed_clear(test_env(), &one);
        at += n * n;
    }
    dgm_packed_clear(test_env(), &side);
}

TEST(attn_layers_and_parses_decide_who_gets_weights)
{
    static const int32_t none[3] = { -1, -1, -1 };
    struct planned p;
    int i;

    CHECK_STATUS(plan_words("deps-san(layers=2-3)", toy_heads, TOY, 1, &p), DGM_OK);
    CHECK(!p.has_factor);
    CHECK_STATUS(plan_words("deps-san(layers=0)", toy_heads, TOY, 1, &p), DGM_OK);
    CHECK(!p.has_factor);
    CHECK_STATUS(plan_words("deps-san(rs_q=1)", none, 3, 1, &p), DGM_OK);
    for (i = 0; i < 16; i++)
        CHECK_NEAR(p.factor[i], 1, 0);
}

TEST(attn_several_factors_of_a_layer_are_multiplied)
{
    struct planned p;

    CHECK_STATUS(plan_words("deps-san(layers=1)+shaw(k=3)", toy_heads, TOY, 0, &p), DGM_OK);
    CHECK(p.has_factor);
    CHECK_NEAR(p.factor[1], gauss(1), 1e-7);
}

/* ---- attention with the terms of a variant --------------------------------------------------- */

static struct dgm_node *host_constant(struct dgm_graph *g, struct dgm_buffer **buffer,
                                      const double *values, int64_t rows, int64_t cols)
{
    dgm_real copy[64];
    struct dgm_ref ref = { NULL, 0 };
    int64_t i;

    for (i = 0; i < rows * cols; i++)
        copy[i] = (dgm_real)values[i];
    if (dgm_device_alloc(g->env, g->device, buffer, (size_t)i * sizeof *copy) != DGM_OK)
        return NULL;
    ref.buffer = *buffer;
    if (dgm_device_write(g->env, g->device, ref, copy, (size_t)i * sizeof *copy) != DGM_OK)
        return NULL;
    return dgm_constant(g, ref, rows, cols);
}

/* z of Toy A with Shaw tables a (3,2) for keys and b (3,2) for values, k=1. */
static dgm_status shaw_toy(const double *a, const double *b, dgm_real *z)
{
    static const int32_t offsets[2] = { 0, TOY }, zero[1] = { 0 }, count[1] = { TOY };
    struct dgm_device *device = open_one();
    struct dgm_buffer *buffers[3] = { NULL, NULL, NULL };
    struct dgm_attn_layer layer;
    struct dgm_attention_terms *terms = &layer.terms;
    struct dgm_params params;
    struct dgm_syntax syntax;
    struct dgm_graph g;
    struct dgm_feed feed;
    struct dgm_node *out;
    dgm_slot slots[3];
    dgm_real table[6];
    dgm_status status;
    int i, t;

    if (device == NULL)
        return DGM_FAILURE;
    memset(&params, 0, sizeof params);
    memset(&layer, 0, sizeof layer);
    layer.place.layer = 1;
    DGM_TRY(dgm_syntax_init(test_env(), &syntax, "shaw(k=1)", &toy_shape));
    DGM_TRY(dgm_syntax_declare(test_env(), &syntax, &params, layer.place));
    DGM_TRY(dgm_params_allocate(test_env(), &params, device, 0));
    for (t = 0; t < 2; t++) {
        for (i = 0; i < 6; i++)
            table[i] = (dgm_real)(t == 0 ? a : b)[i];
        DGM_TRY(dgm_params_write(test_env(), &params, t, table));
    }
    dgm_feed_init(&feed, device);
    DGM_TRY(dgm_feed_copy(test_env(), &feed, &slots[0], offsets, sizeof offsets));
    DGM_TRY(dgm_feed_copy(test_env(), &feed, &slots[1], zero, sizeof zero));
    DGM_TRY(dgm_feed_copy(test_env(), &feed, &slots[2], count, sizeof count));
    DGM_TRY(dgm_feed_send(test_env(), &feed));
    DGM_TRY(dgm_graph_init(test_env(), &g, device));
    dgm_graph_begin(&g, 0, 1, 1);
    terms->q_offsets = dgm_feed_ref(&feed, slots[0]);
    terms->k_starts = dgm_feed_ref(&feed, slots[1]);
    terms->k_counts = dgm_feed_ref(&feed, slots[2]);
    terms->core.sentences = terms->core.heads = terms->core.factor_heads[0] = 1;
    terms->core.head_dim = TOY_DIM;
    terms->core.scale = (dgm_real)sqrt(0.5);
    layer.g = &g;
    layer.params = &params;
    layer.feed = &feed;
    layer.shape = &toy_shape;
    DGM_TRY(dgm_syntax_terms(&syntax, &layer));
    layer.q.node = host_constant(&g, &buffers[0], toy_q, TOY, TOY_DIM);
    layer.k.node = host_constant(&g, &buffers[1], toy_k, TOY, TOY_DIM);
    layer.v.node = host_constant(&g, &buffers[2], toy_v, TOY, TOY_DIM);
    out = dgm_keep(&g, dgm_attention_node(&g, layer.q, layer.k, layer.v, terms));
    status = dgm_graph_run(&g);
    if (status == DGM_OK)
        status = dgm_graph_read(&g, out, z);
    for (i = 0; i < 3; i++)
        dgm_device_release(test_env(), device, buffers[i]);
    dgm_graph_clear(&g);
    dgm_feed_clear(test_env(), &feed);
    dgm_params_clear(test_env(), &params);
    dgm_syntax_clear(test_env(), &syntax);
    dgm_device_close(test_env(), device);
    return status;
}

TEST(attn_shaw_tables_act_as_in_the_worked_example)
{
    static const double a[6] = { .1, .2, 0, 0, -.3, .4 }, b[6] = { .5, 0, 0, 0, 0, -.5 };
    static const double want[8] = { .657264,  .471308, .712982, .330147,
                                    1.078928, .885358, .954372, .545398 };
    dgm_real z[8];
    int i;

    CHECK_STATUS(shaw_toy(a, b, z), DGM_OK);
    for (i = 0; i < 8; i++)
        CHECK_NEAR(z[i], want[i], 1e-6);
}

TEST(attn_shaw_keys_may_share_a_vector_and_values_add_it_to_every_sum)
{
    static const double a[6] = { .1, .2, 0, 0, -.3, .4 }, b[6] = { .5, 0, 0, 0, 0, -.5 };
    static const double a_moved[6] = { 1.1, -.8, 1, -1, .7, -.6 }; /* (1,-1) on every row */
    static const double b_moved[6] = { 2.5, 3, 2, 3, 2, 2.5 };     /* (2,3) on every row */
    dgm_real z[8], keys[8], values[8];
    int i;

    CHECK_STATUS(shaw_toy(a, b, z), DGM_OK);
    CHECK_STATUS(shaw_toy(a_moved, b, keys), DGM_OK);
    CHECK_STATUS(shaw_toy(a, b_moved, values), DGM_OK);
    for (i = 0; i < 8; i++) {
        CHECK_NEAR(keys[i], z[i], 1e-6);
        CHECK_NEAR((double)values[i] - (double)z[i], i % 2 ? 3 : 2, 1e-6);
    }
}

/* ---- whole encoders -------------------------------------------------------------------------- */

/* Sets every Shaw table of a model to zero. */
static dgm_status clear_tables(struct tiny *tiny)
{
    static const dgm_real zeros[CELLS];
    struct dgm_params *params = &tiny->model.params;
    size_t p;

    for (p = 0; p < params->count; p++)
        if (strstr(params->items[p].name, "shaw") != NULL)
            DGM_TRY(dgm_params_write(test_env(), params, (dgm_param_id)p, zeros));
    return DGM_OK;
}

/* Copies every parameter that both models have. */
static dgm_status copy_common(struct tiny *to, const struct tiny *from)
{
    const struct dgm_params *params = &from->model.params;
    dgm_real values[CELLS];
    size_t p;

    for (p = 0; p < params->count; p++) {
        dgm_param_id id = dgm_params_find(&to->model.params, params->items[p].name);
        if (id < 0)
            continue;
        DGM_TRY(dgm_params_read(test_env(), params, (dgm_param_id)p, values));
        DGM_TRY(dgm_params_write(test_env(), &to->model.params, id, values));
    }
    return DGM_OK;
}

/* Largest difference of the scores of two syntaxes with the same common parameters. */
static void compare_models(const char *one, const char *other, int training, double tolerance)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny tiny[2];
    double loss[2];
    int k;

    CHECK_STATUS(tiny_batch(&batch, 6), DGM_OK);
    for (k = 0; k < 2; k++) {
        strcpy(config.syntax, k == 0 ? one : other);
        CHECK_STATUS(tiny_open(&tiny[k], &config, 1), DGM_OK);
        CHECK_STATUS(clear_tables(&tiny[k]), DGM_OK);
    }
    CHECK_STATUS(copy_common(&tiny[1], &tiny[0]), DGM_OK);
    for (k = 0; k < 2; k++) {
        CHECK_STATUS(tiny_build(&tiny[k], &batch, training, 1), DGM_OK);
        CHECK_STATUS(tiny_run(&tiny[k], &loss[k]), DGM_OK);
        tiny_close(&tiny[k]);
    }
    dgm_batch_clear(test_env(), &batch);
    if (tolerance == 0)
        CHECK_MEM(&loss[1], &loss[0], sizeof loss[0]);
    CHECK_NEAR(loss[1], loss[0], tolerance);
}

TEST(attn_shaw_with_zero_tables_is_the_plain_model)
{
    compare_models("", "shaw(k=2)", 1, 0);
}

TEST(attn_deps_san_in_no_layer_is_the_plain_model)
{
    compare_models("", "deps-san(layers=0)", 1, 0);
}

TEST(attn_deps_san_of_infinite_width_is_the_plain_model)
{
    compare_models("", "deps-san(sigma=1000000,norm_const=0,layers=1-2)", 1, 1e-5);
}

TEST(attn_deps_san_differs_from_the_plain_model)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny plain, deps;
    double a = 0, b = 0;

    CHECK_STATUS(tiny_batch(&batch, 6), DGM_OK);
    CHECK_STATUS(tiny_open(&plain, &config, 1), DGM_OK);
    strcpy(config.syntax, "deps-san(layers=1-2)");
    CHECK_STATUS(tiny_open(&deps, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_build(&plain, &batch, 0, 1), DGM_OK);
    CHECK_STATUS(tiny_run(&plain, &a), DGM_OK);
    CHECK_STATUS(tiny_build(&deps, &batch, 0, 1), DGM_OK);
    CHECK_STATUS(tiny_run(&deps, &b), DGM_OK);
    CHECK(fabs(a - b) > 1e-3);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&plain);
    tiny_close(&deps);
}

TEST(attn_sparsening_at_zero_is_deps_san_in_training)
{
    compare_models("deps-san(layers=1-2)", "deps-san(layers=1-2,rs_q=0)", 1, 0);
}

TEST(attn_sparsening_leaves_translation_alone)
{
    compare_models("deps-san(layers=1-2)", "deps-san(layers=1-2,rs_q=0.5,wink_k=1)", 0, 0);
}

TEST(attn_wink_of_six_is_deps_san_to_rounding)
{
    compare_models("deps-san(layers=1-2)", "deps-san(layers=1-2,wink_k=6)", 1, 1e-5);
}

TEST(attn_sentences_without_a_parse_go_the_plain_way)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct dgm_random random;
    struct tiny plain, deps;
    dgm_real a[CELLS], b[CELLS];
    size_t bytes;

    memset(&batch, 0, sizeof batch);
    dgm_random_init(&random, 1, 2, 3, 4);
    CHECK_STATUS(tiny_add(&batch, &random, 4, TINY_NO_PARSE), DGM_OK);
    CHECK_STATUS(tiny_add(&batch, &random, 6, TINY_NO_PARSE), DGM_OK);
    CHECK_STATUS(tiny_open(&plain, &config, 1), DGM_OK);
    strcpy(config.syntax, "deps-san(layers=1-2)");
    CHECK_STATUS(tiny_open(&deps, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_outputs(&plain, &batch, a, NULL), DGM_OK);
    CHECK_STATUS(tiny_outputs(&deps, &batch, b, NULL), DGM_OK);
    bytes = (size_t)(batch.source.offsets[2] * config.dim) * sizeof *a;
    CHECK_MEM(b, a, bytes);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&plain);
    tiny_close(&deps);
}

/* ---- the text of --syntax -------------------------------------------------------------------- */

static void check_refused(const char *text, const char *part)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_net model;

    strcpy(config.syntax, text);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_net_init(test_env(), &model, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS),
                 DGM_USAGE);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
}

TEST(attn_syntax_says_what_is_wrong_with_it)
{
    check_refused("deps-sam", "unknown variant \"deps-sam\"; did you mean deps-san");
    check_refused("quaternion", "unknown variant \"quaternion\"; see dragoman help syntax");
    check_refused("shaw(kk=2)", "kk");
    check_refused("shaw(k=2", "not closed");
    check_refused("shaw(k=2)x", "shaw");
    check_refused("shaw(k)", "expected option=value");
    check_refused("shaw(k=two)", "k");
    check_refused("shaw(k=-1)", "k");
    check_refused("shaw(zz=1)", "unknown setting \"zz\" (--syntax shaw)");
    check_refused("shaw+", "unknown variant");
    check_refused("+shaw", "unknown variant");
    check_refused("shaw(use_v=0,share_kv=1)", "share_kv=1 needs");
    check_refused("deps-san(layers=3-1)", "layers \"3-1\"");
    check_refused("deps-san(rs_fill=far)", "rs_fill=far");
    check_refused("shaw(layers=65)", "layers");
    check_refused("shaw(k=2)+shaw(k=3)", "twice");
    check_refused("deps-san+deps-san(layers=4)", "twice");
}

TEST(attn_syntax_accepts_pluses_inside_parentheses_and_both_spellings)
{
    struct dgm_syntax syntax;

    CHECK_STATUS(dgm_syntax_init(test_env(), &syntax,
                                 "shaw(sides=enc+dec,share_kv=1)+deps-san(rs-fill=max+1)",
                                 &toy_shape),
                 DGM_OK);
    CHECK_INT(syntax.count, 2);
    CHECK((dgm_syntax_needs(&syntax) & DGM_NEEDS_TREES));
    dgm_syntax_clear(test_env(), &syntax);
    CHECK_STATUS(dgm_syntax_init(test_env(), &syntax, "none", &toy_shape), DGM_OK);
    CHECK_INT(syntax.count, 0);
    CHECK(!(dgm_syntax_needs(&syntax) & DGM_NEEDS_TREES));
    dgm_syntax_clear(test_env(), &syntax);
}

TEST(attn_layer_sets_are_numbers_and_ranges)
{
    uint64_t mask;

    CHECK_STATUS(dgm_layers_parse(test_env(), "1-3", &mask), DGM_OK);
    CHECK_INT(mask, 7);
    CHECK_STATUS(dgm_layers_parse(test_env(), "1 3 5-6", &mask), DGM_OK);
    CHECK_INT(mask, 1 + 4 + 16 + 32);
    CHECK_STATUS(dgm_layers_parse(test_env(), "0", &mask), DGM_OK);
    CHECK_INT(mask, 0);
    CHECK_STATUS(dgm_layers_parse(test_env(), "", &mask), DGM_OK);
    CHECK_INT(mask, 0);
    CHECK_STATUS(dgm_layers_parse(test_env(), "1,2", &mask), DGM_USAGE);
    dgm_env_clear_error(test_env());
}
