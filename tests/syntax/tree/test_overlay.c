/*
 * test_overlay.c: a tree over words laid over tokens that cut the text elsewhere: worked cases, and
 * random cuts, of which all give a tree.
 */
#include "syntax/tree/overlay.h"

#include <string.h>

#include "base/philox.h"
#include "syntax/tree/random_tree.h"
#include "test.h"
#include "tree_check.h"

enum { MOST = 40 };

/* A text as words and as tokens, with blanks between. */
struct cuts {
    int32_t heads[MOST];
    struct dgm_stretch words[MOST], tokens[MOST];
    int32_t word_count, token_count;
    struct dgm_overlay overlay;
};

static int32_t cut(struct dgm_stretch *stretches, const char *text)
{
    int32_t count = 0, unit = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, " ");

        stretches[count].start = unit;
        unit += (int32_t)length;
        stretches[count++].end = unit;
        text += length + (text[length] != '\0');
    }
    return count;
}

/* heads: as CoNLL-U counts them. */
static void read_cuts(struct cuts *cuts, const char *words, const int32_t *heads,
                      const char *tokens)
{
    memset(cuts, 0, sizeof *cuts);
    cuts->word_count = cut(cuts->words, words);
    cuts->token_count = cut(cuts->tokens, tokens);
    for (int32_t w = 0; w < cuts->word_count; w++)
        cuts->heads[w] = heads[w] == 0 ? w : heads[w] - 1;
}

static dgm_status lay(struct cuts *cuts)
{
    const struct dgm_tree tree = { cuts->heads, cuts->word_count, 1 };

    return dgm_overlay_lay(test_env(), &cuts->overlay, &tree, cuts->words, cuts->tokens, NULL,
                           cuts->token_count);
}

/* Whether the tokens get these heads, as CoNLL-U counts, and so many words keep theirs. */
static int gives(struct cuts *cuts, const int32_t *heads, int32_t kept)
{
    int good = lay(cuts) == DGM_OK && cuts->overlay.kept == kept;

    for (int32_t t = 0; good && t < cuts->token_count; t++)
        good &= cuts->overlay.head[t] == (heads[t] == 0 ? t : heads[t] - 1);
    dgm_overlay_clear(test_env(), &cuts->overlay);
    return good;
}

static int lays(const char *words, const int32_t *heads, const char *tokens, const int32_t *want,
                int32_t kept)
{
    struct cuts cuts;

    read_cuts(&cuts, words, heads, tokens);
    return gives(&cuts, want, kept);
}

#define HEADS(...)    \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }

TEST(overlay_of_the_same_cuts_is_the_tree)
{
    CHECK(lays("we do n't know .", HEADS(4, 4, 4, 0, 4), "we do n't know .", HEADS(4, 4, 4, 0, 4),
               5));
    CHECK(lays("go", HEADS(0), "go", HEADS(0), 1));
}

TEST(overlay_of_clitics_that_moses_cuts_elsewhere)
{
    /* "don" has more of "do" than of "n't"; the rest of "n't" is "'t" alone. */
    CHECK(lays("we do n't know .", HEADS(4, 4, 4, 0, 4), "we don 't know .", HEADS(4, 4, 4, 0, 4),
               5));
    /* All of it in one token. */
    CHECK(lays("we do n't know .", HEADS(4, 4, 4, 0, 4), "we don't know .", HEADS(3, 3, 0, 3), 5));
    /* U.S. as one word, and as two. */
    CHECK(lays("the U.S. wins", HEADS(2, 3, 0), "the U.S . wins", HEADS(3, 3, 4, 0), 3));
    CHECK(lays("U.S . wins", HEADS(3, 1, 0), "U.S. wins", HEADS(2, 0), 3));
}

TEST(overlay_of_several_tokens_is_a_chain_to_the_last)
{
    /* The worked example of the specification's right_chain: {0,1} {2} {3,4}; 2 -> 3 -> 1. */
    CHECK(lays("ab c de", HEADS(0, 3, 1), "a b c d e", HEADS(2, 0, 5, 5, 2), 3));
    CHECK(lays("http://a.b/c is", HEADS(2, 0), "http : / / a.b / c is",
               HEADS(2, 3, 4, 5, 6, 7, 8, 0), 2));
}

TEST(overlay_of_several_words_takes_the_one_nearest_to_the_root)
{
    /* T - shirt: the last is the root; of "well - known men" all hang together. */
    CHECK(lays("a T - shirt", HEADS(4, 4, 4, 0), "a T-shirt", HEADS(2, 0), 4));
    CHECK(lays("well - known men", HEADS(3, 3, 4, 0), "well-known men", HEADS(2, 0), 4));
    /* "b" hangs elsewhere than the rest of its token: its arc is lost, the tree is not. */
    CHECK(lays("a b c d", HEADS(4, 3, 4, 0), "ab c d", HEADS(3, 3, 0), 3));
    /* Words that hang on a word inside a token hang on the token. */
    CHECK(lays("x a b y", HEADS(2, 3, 4, 0), "x ab y", HEADS(2, 3, 0), 4));
}

TEST(overlay_of_words_that_share_a_token)
{
    /* "im" is "in" and "dem", "Haus" the root; as one token, and as two. */
    struct cuts cuts;

    read_cuts(&cuts, "im im Haus", HEADS(3, 3, 0), "im Haus");
    cuts.words[0].start = cuts.words[1].start = 0;
    cuts.words[0].end = cuts.words[1].end = 2;
    cuts.words[2].start = 2;
    cuts.words[2].end = 6;
    CHECK(gives(&cuts, HEADS(2, 0), 3));
    cuts.token_count = cut(cuts.tokens, "i m Haus");
    CHECK(gives(&cuts, HEADS(2, 3, 0), 3));
}

TEST(overlay_of_tokens_without_characters)
{
    /* The second token is a blank alone: it goes with what follows, or with what is before. */
    static const unsigned char joins[] = { 0, 1, 0 };
    struct cuts cuts;
    struct dgm_tree tree;

    read_cuts(&cuts, "a b", HEADS(2, 0), "a x b");
    tree.head = cuts.heads;
    tree.count = 2;
    tree.has_parse = 1;
    cuts.tokens[1].start = cuts.tokens[1].end = 1;
    cuts.tokens[2].start = 1;
    cuts.tokens[2].end = 2;
    CHECK_STATUS(dgm_overlay_lay(test_env(), &cuts.overlay, &tree, cuts.words, cuts.tokens, joins,
                                 3),
                 DGM_OK);
    CHECK_INT(cuts.overlay.head[0], 2);
    CHECK_INT(cuts.overlay.head[1], 2);
    CHECK_INT(cuts.overlay.head[2], 2);
    dgm_overlay_clear(test_env(), &cuts.overlay);
    CHECK(gives(&cuts, HEADS(2, 3, 0), 2));
    /* None has any: there is no tree. */
    memset(cuts.tokens, 0, sizeof cuts.tokens);
    CHECK_STATUS(lay(&cuts), DGM_OK);
    for (int32_t t = 0; t < 3; t++) {
        CHECK_INT(cuts.overlay.head[t], -1);
        CHECK_INT(cuts.overlay.word[t], -1);
    }
    CHECK_INT(cuts.overlay.kept, 0);
    dgm_overlay_clear(test_env(), &cuts.overlay);
}

TEST(overlay_passes_over_words_of_which_nothing_is_left)
{
    struct cuts cuts;

    /* a -> b -> c: nothing is left of b, so that its arcs are lost; then nothing of the root. */
    read_cuts(&cuts, "a b c", HEADS(2, 3, 0), "a c");
    cuts.words[1].start = cuts.words[1].end = 1;
    cuts.words[2].start = 1;
    cuts.words[2].end = 2;
    CHECK(gives(&cuts, HEADS(2, 0), 1));
    cuts.heads[0] = cuts.heads[2] = cuts.heads[1] = 1;
    CHECK(gives(&cuts, HEADS(0, 1), 0));
}

TEST(overlay_without_a_parse_knows_the_words_alone)
{
    struct cuts cuts;
    struct dgm_tree tree;

    read_cuts(&cuts, "a bc", HEADS(0, 1), "ab c");
    tree.head = cuts.heads;
    tree.count = 2;
    tree.has_parse = 0;
    CHECK_STATUS(dgm_overlay_lay(test_env(), &cuts.overlay, &tree, cuts.words, cuts.tokens, NULL,
                                 2),
                 DGM_OK);
    CHECK_INT(cuts.overlay.word[0], 0);
    CHECK_INT(cuts.overlay.word[1], 1);
    CHECK_INT(cuts.overlay.head[0], -1);
    CHECK_INT(cuts.overlay.head[1], -1);
    dgm_overlay_clear(test_env(), &cuts.overlay);
}

/* ---- random cuts ----------------------------------------------------------------------------- */

/* At most MOST pieces of `units`; empty ones too, where that is asked for. */
static int32_t draw_cuts(struct dgm_random *random, struct dgm_stretch *stretches, int32_t units,
                         int with_empty)
{
    int32_t count = 0, at = 0;

    while (count < MOST && (at < units || count == 0)) {
        int32_t length = (int32_t)dgm_random_below(random, 4) + !with_empty;

        stretches[count].start = at;
        at = count + 1 == MOST || at + length > units ? units : at + length;
        stretches[count++].end = at;
    }
    return count;
}

static void draw(struct dgm_random *random, struct cuts *cuts, int with_empty)
{
    int32_t units = (int32_t)dgm_random_below(random, 30) + 1;

    memset(cuts, 0, sizeof *cuts);
    cuts->word_count = draw_cuts(random, cuts->words, units, with_empty);
    cuts->token_count = draw_cuts(random, cuts->tokens, units, with_empty);
    dgm_tree_random(cuts->heads, random, cuts->word_count);
}

static int is_above(const int32_t *heads, int32_t above, int32_t below)
{
    while (below != above && heads[below] != below)
        below = heads[below];
    return below == above;
}

TEST(overlay_of_random_cuts_is_a_tree)
{
    struct dgm_random random;
    struct cuts cuts;

    dgm_random_init(&random, 5, 21, 0, 0);
    for (int round = 0; round < 3000; round++) {
        struct dgm_tree tree;

        draw(&random, &cuts, round % 2);
        for (int32_t w = 1; w < cuts.word_count && round % 3 == 0; w++)
            if (dgm_random_below(&random, 4) == 0) /* words of one token */
                cuts.words[w] = cuts.words[w - 1];
        CHECK_STATUS(lay(&cuts), DGM_OK);
        tree.head = cuts.overlay.head;
        tree.count = cuts.token_count;
        tree.has_parse = 1;
        if (tree.head[0] >= 0) {
            CHECK_STATUS(tree_validate(test_env(), &tree), DGM_OK);
            CHECK_INT(dgm_tree_root_count(&tree), 1);
        }
        CHECK(cuts.overlay.kept >= 0 && cuts.overlay.kept <= cuts.word_count);
        dgm_overlay_clear(test_env(), &cuts.overlay);
    }
}

TEST(overlay_of_identical_random_cuts_is_the_tree)
{
    struct dgm_random random;
    struct cuts cuts;

    dgm_random_init(&random, 6, 21, 0, 0);
    for (int round = 0; round < 500; round++) {
        draw(&random, &cuts, 0);
        memcpy(cuts.tokens, cuts.words, sizeof cuts.words);
        cuts.token_count = cuts.word_count;
        CHECK_STATUS(lay(&cuts), DGM_OK);
        CHECK_MEM(cuts.overlay.head, cuts.heads, (size_t)cuts.word_count * sizeof *cuts.heads);
        CHECK_INT(cuts.overlay.kept, cuts.word_count);
        dgm_overlay_clear(test_env(), &cuts.overlay);
    }
}

/* Tokens that are parts of words: above a token is what is above its word, and the tokens of one
 * word are a chain. */
TEST(overlay_of_finer_cuts_keeps_ancestors)
{
    struct dgm_random random;
    struct cuts cuts;

    dgm_random_init(&random, 7, 21, 0, 0);
    for (int round = 0; round < 500; round++) {
        draw(&random, &cuts, 0);
        cuts.token_count = 0;
        for (int32_t w = 0; w < cuts.word_count && cuts.token_count < MOST; w++) {
            int32_t at = cuts.words[w].start;

            while (at < cuts.words[w].end && cuts.token_count < MOST) {
                struct dgm_stretch *token = &cuts.tokens[cuts.token_count++];

                token->start = at;
                at += cuts.token_count == MOST || dgm_random_below(&random, 2)
                          ? cuts.words[w].end - at
                          : 1;
                token->end = at;
            }
        }
        CHECK_STATUS(lay(&cuts), DGM_OK);
        if (cuts.tokens[cuts.token_count - 1].end == cuts.words[cuts.word_count - 1].end)
            CHECK_INT(cuts.overlay.kept, cuts.word_count);
        for (int32_t a = 0; a < cuts.token_count; a++)
            for (int32_t b = 0; b < cuts.token_count; b++) {
                const int32_t above = cuts.overlay.word[a], below = cuts.overlay.word[b];

                if (above != below && cuts.overlay.stands[above] == a)
                    CHECK_INT(is_above(cuts.overlay.head, a, b),
                              is_above(cuts.heads, above, below));
                if (above == below && a < b)
                    CHECK(is_above(cuts.overlay.head, b, a));
            }
        dgm_overlay_clear(test_env(), &cuts.overlay);
    }
}
