/*
 * test_variant_masks.c: random masks of training: sparsened cells, dropped nodes, ignored parents.
 * Each has its expected share, is drawn again for every layer, update, sentence, representation or
 * head, and does not depend on the batch around it.
 */
#include <stdio.h>

#include "variant_case.h"

enum { MASK_WORDS = 11, MASK_N = MASK_WORDS + 1, MASK_SENTENCES = 3, MASK_HEADS = 4 };
enum { MASK_ALL = MASK_N * MASK_N };

/* A random decision per element, as each variant shows it in its constants. */
struct mask {
    const char *syntax;  /* up to the probability */
    int representations; /* that draw; the first does, too, where `first` */
    int first;
    int count; /* decisions of a sentence's representation */
};

static const struct mask masks[3] = {
    { "deps-san(layers=1-2,rs-fill=100,rs-q=", 1, 1, MASK_N *MASK_N },
    { "sgsa(layers=1-2,dmsr-layers=1-2,m=2,keep-self=0,node-drop=", 3, 0, MASK_N },
    { "pascal(heads=4 4,parent-ignoring=", 1, 1, MASK_N *MASK_HEADS },
};

/* Decisions of sentence `at`, of MASK_SENTENCES equal ones numbered from `number`. */
static void draw(const struct mask *mask, const char *q, int32_t sentences, int32_t number,
                 uint32_t update, int layer, int representation, int at, unsigned char *out)
{
    static const int32_t chain[MASK_WORDS] = { 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    static const struct dgm_attn_shape shape = {
        .dim = 8, .heads = MASK_HEADS, .head_dim = 2, .depth = { 2, 2 }
    };
    static dgm_attn_layer_constants constants[2];
    int32_t ids[MASK_N] = { 0 }, word[MASK_N], numbers[MASK_SENTENCES], squares[MASK_SENTENCES + 1];
    const struct dgm_attn_constants *mine;
    struct dgm_arena scratch = { NULL, NULL, 0 };
    struct dgm_device *device;
    struct dgm_attn_plan plan;
    struct dgm_syntax syntax;
    struct dgm_packed side;
    struct dgm_feed feed;
    char text[96];
    int i;

    memset(&side, 0, sizeof side);
    memset(&plan, 0, sizeof plan);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    dgm_feed_init(&feed, device);
    for (i = 0; i < MASK_N; i++)
        word[i] = i < MASK_WORDS ? i : -1;
    for (i = 0; i <= sentences; i++)
        squares[i] = i * MASK_N * MASK_N;
    for (i = 0; i < sentences; i++) {
        numbers[i] = number + i;
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, word, MASK_N, chain, MASK_WORDS),
                     DGM_OK);
    }
    snprintf(text, sizeof text, "%s%s)", mask->syntax, q);
    CHECK_STATUS(dgm_syntax_init(test_env(), &syntax, text, &shape), DGM_OK);
    plan.feed = &feed;
    plan.scratch = &scratch;
    plan.packed = &side;
    plan.numbers = numbers;
    plan.squares = squares;
    plan.training = 1;
    plan.key[0] = TINY_SEED;
    plan.key[1] = update;
    CHECK_STATUS(dgm_syntax_plan(test_env(), &syntax, &plan, constants), DGM_OK);
    mine = &constants[layer - 1][representation];
    for (i = 0; i < mask->count; i++)
        if (mask->count == MASK_N * MASK_HEADS)
            out[i] = ((unsigned char *)dgm_feed_host(&feed, mine->ignored))[at * mask->count + i];
        else if (mask->count == MASK_N) /* a dropped node is not linked to itself */
            out[i] =
                ((dgm_real *)dgm_feed_host(&feed,
                                           mine->factor[0]))[squares[at] + i * (MASK_N + 1)] == 1;
        else
            out[i] = ((dgm_real *)dgm_feed_host(&feed, mine->factor[0]))[squares[at] + i] == 0;
    dgm_syntax_clear(test_env(), &syntax);
    dgm_packed_clear(test_env(), &side);
    dgm_feed_clear(test_env(), &feed);
    dgm_arena_clear(test_env(), &scratch);
    dgm_device_close(test_env(), device);
}

/* Representations that draw: all but sgsa's first. */
static int first_drawn(const struct mask *mask)
{
    return mask->first ? 0 : 1;
}

TEST(masks_have_their_expected_share)
{
    static const char *const texts[2] = { "0.1", "0.4" };
    static const double values[2] = { .1, .4 };
    unsigned char drawn[MASK_ALL];
    int m, q, at, i, r;
    uint32_t update;

    for (m = 0; m < 3; m++)
        for (q = 0; q < 2; q++) {
            double total = 0, hits = 0;
            for (update = 1; update <= 25; update++)
                for (at = 0; at < MASK_SENTENCES; at++)
                    for (r = first_drawn(&masks[m]); r < masks[m].representations; r++) {
                        draw(&masks[m], texts[q], MASK_SENTENCES, 7, update, 1, r, at, drawn);
                        for (i = 0; i < masks[m].count; i++)
                            hits += drawn[i];
                        total += masks[m].count;
                    }
            CHECK_NEAR(hits, values[q] * total, 4 * sqrt(total * values[q] * (1 - values[q])));
        }
}

TEST(masks_at_zero_and_one_are_certain)
{
    unsigned char drawn[MASK_ALL];
    int m, i;

    for (m = 0; m < 3; m++) {
        int r = first_drawn(&masks[m]);
        draw(&masks[m], "1", 1, 7, 1, 1, r, 0, drawn);
        for (i = 0; i < masks[m].count; i++)
            CHECK_INT(drawn[i], 1);
    }
}

TEST(masks_differ_between_layers_updates_sentences_and_representations)
{
    unsigned char one[MASK_ALL], other[MASK_ALL];
    int m, r;

    for (m = 0; m < 3; m++) {
        size_t count = (size_t)masks[m].count;
        r = first_drawn(&masks[m]);
        draw(&masks[m], "0.5", 2, 7, 1, 1, r, 0, one);
        draw(&masks[m], "0.5", 2, 7, 1, 2, r, 0, other);
        CHECK(memcmp(one, other, count) != 0);
        draw(&masks[m], "0.5", 2, 7, 2, 1, r, 0, other);
        CHECK(memcmp(one, other, count) != 0);
        draw(&masks[m], "0.5", 2, 7, 1, 1, r, 1, other);
        CHECK(memcmp(one, other, count) != 0);
        if (masks[m].representations > 2) {
            draw(&masks[m], "0.5", 2, 7, 1, 1, 2, 0, other);
            CHECK(memcmp(one, other, count) != 0);
        }
        draw(&masks[m], "0.5", 2, 7, 1, 1, r, 0, other);
        CHECK_MEM(one, other, count);
    }
}

/* Rows of ignored parents are (row, head): no two heads go together. */
TEST(masks_of_ignored_parents_differ_between_heads)
{
    unsigned char drawn[MASK_ALL];
    int h, i, equal;

    draw(&masks[2], "0.5", 1, 7, 1, 1, 0, 0, drawn);
    for (h = 1; h < MASK_HEADS; h++) {
        for (i = 0, equal = 0; i < MASK_N; i++)
            equal += drawn[i * MASK_HEADS] == drawn[i * MASK_HEADS + h];
        CHECK(equal < MASK_N);
    }
}

/* Sentence 8 of the corpus is the second of three, and alone in another batch. */
TEST(masks_are_those_of_the_sentence_in_any_batch)
{
    unsigned char together[MASK_ALL], alone[MASK_ALL];
    int m, r;

    for (m = 0; m < 3; m++)
        for (r = first_drawn(&masks[m]); r < masks[m].representations; r++) {
            draw(&masks[m], "0.5", 3, 7, 1, 1, r, 1, together);
            draw(&masks[m], "0.5", 1, 8, 1, 1, r, 0, alone);
            CHECK_MEM(together, alone, (size_t)masks[m].count);
        }
}
