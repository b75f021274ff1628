/*
 * test_constituents.c: the binary trees that the constituency encoder reads: from constituents or
 * heads, over subwords, of lines that were cut, and of sentences without a tree.
 */
#include <stdio.h>
#include <string.h>

#include "nn/schedule/constituents.h"
#include "syntax/tree/binary.h"
#include "test.h"

enum { MOST = 16 };

/* Appends a sentence of `words` words whose pieces are of the words of[] (n), and its end. */
static dgm_status add(struct dgm_packed *side, const int32_t *of, int32_t n, int32_t words,
                      const int32_t *heads)
{
    int32_t ids[MOST], pieces[MOST];

    for (int32_t i = 0; i < n; i++) {
        ids[i] = 10 + i;
        pieces[i] = of[i];
    }
    ids[n] = 0;
    pieces[n] = -1;
    return dgm_packed_add(test_env(), side, ids, pieces, n + 1, heads, words);
}

static dgm_status add_words(struct dgm_packed *side, int32_t words, const int32_t *heads)
{
    static const int32_t own[MOST] = { 0, 1, 2, 3, 4, 5, 6, 7 };

    return add(side, own, words, words, heads);
}

/* "(0 (1 2))" of sentence s, by recursion. */
static void show_node(char *text, const struct dgm_tree_batch *trees, int32_t s, int32_t node)
{
    int32_t leaves = trees->offsets[s + 1] - trees->offsets[s];
    int32_t at = trees->tree_offsets[s] + node - leaves;

    if (node < leaves) {
        sprintf(text + strlen(text), "%d", (int)node);
        return;
    }
    strcat(text, "(");
    show_node(text, trees, s, trees->left[at]);
    strcat(text, " ");
    show_node(text, trees, s, trees->right[at]);
    strcat(text, ")");
}

static void shows(const struct dgm_constituents *constituents, int32_t s, const char *want)
{
    struct dgm_tree_batch trees = dgm_constituents_batch(constituents);
    int32_t leaves = trees.offsets[s + 1] - trees.offsets[s];
    int32_t work[DGM_BINARY_WORK * 64];
    char text[200] = "";

    CHECK(leaves < 64);
    CHECK_INT(trees.tree_offsets[s + 1] - trees.tree_offsets[s], leaves > 0 ? leaves - 1 : 0);
    if (leaves > 0) {
        CHECK_STATUS(dgm_binary_check(test_env(), trees.left + trees.tree_offsets[s],
                                      trees.right + trees.tree_offsets[s], leaves, work),
                     DGM_OK);
        show_node(text, &trees, s, 2 * leaves - 2);
    }
    CHECK_STR(text, want);
}

/* Reads the side, expects these trees in its sentences (count), and clears both. */
static void become(struct dgm_packed *side, const char *const *want)
{
    struct dgm_constituents constituents;

    memset(&constituents, 0, sizeof constituents);
    CHECK_STATUS(dgm_constituents_read(test_env(), &constituents, side, NULL, DGM_NO_PARSE_CHAIN),
                 DGM_OK);
    CHECK_INT(constituents.count, side->count);
    for (int32_t s = 0; s < side->count; s++)
        shows(&constituents, s, want[s]);
    dgm_constituents_clear(test_env(), &constituents);
    dgm_packed_clear(test_env(), side);
}

/* Reads it with --no-parse reject; clears it. text: a part of the message; NULL: all is well. */
static void rejects(struct dgm_packed *side, const char *text)
{
    static const int32_t numbers[4] = { 40, 41, 42, 43 };
    struct dgm_constituents constituents;

    memset(&constituents, 0, sizeof constituents);
    CHECK_STATUS(dgm_constituents_read(test_env(), &constituents, side, numbers,
                                       DGM_NO_PARSE_REJECT),
                 text == NULL ? DGM_OK : DGM_DATA);
    if (text != NULL)
        CHECK(strstr(test_env()->error.message, text) != NULL);
    dgm_env_clear_error(test_env());
    dgm_constituents_clear(test_env(), &constituents);
    dgm_packed_clear(test_env(), side);
}

/* ((0 1) 2), and heads that make (0 (1 2)). */
static const int32_t left_of[2] = { 0, 3 }, right_of[2] = { 1, 2 };
static const int32_t heads_of[3] = { 0, 0, 1 };

TEST(constituents_are_preferred_to_heads)
{
    static const char *const want[] = { "(0 (1 2))", "((0 1) 2)", "(0 (1 2))" };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(add_words(&side, 3, heads_of), DGM_OK);
    CHECK_STATUS(add_words(&side, 3, heads_of), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    CHECK_STATUS(add_words(&side, 3, heads_of), DGM_OK);
    become(&side, want);
}

TEST(constituents_of_a_word_in_pieces_stay_together)
{
    static const int32_t of[6] = { 0, 0, 1, 2, 2, 2 };
    static const char *const want[] = { "(((0 1) 2) (3 (4 5)))", "((0 1) (2 (3 (4 5))))" };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(add(&side, of, 6, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    CHECK_STATUS(add(&side, of, 6, 3, heads_of), DGM_OK);
    become(&side, want);
}

TEST(constituents_of_short_sentences)
{
    static const int32_t root = 0, pieces[3] = { 0, 0, 0 };
    static const char *const want[] = { "0", "", "(0 (1 2))", "((0 1) 2)", "0" };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(add_words(&side, 1, &root), DGM_OK);
    CHECK_STATUS(add_words(&side, 0, NULL), DGM_OK);
    CHECK_STATUS(add(&side, pieces, 3, 1, &root), DGM_OK);
    CHECK_STATUS(add_words(&side, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    CHECK_STATUS(add_words(&side, 1, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    become(&side, want);
}

TEST(constituents_of_a_cut_line_are_a_chain)
{
    static const int32_t of[3] = { 0, 1, 1 };
    static const char *const want[] = { "(0 (1 2))", "((0 1) 2)" };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(add(&side, of, 3, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    CHECK_STATUS(add_words(&side, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    become(&side, want);
    memset(&side, 0, sizeof side);
    CHECK_STATUS(add(&side, of, 3, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    rejects(&side, "sentence 41 has no tree");
}

TEST(constituents_of_a_sentence_without_a_parse_are_a_chain_or_refused)
{
    static const int32_t none[3] = { -1, -1, -1 };
    static const char *const want[] = { "((0 1) 2)", "(0 (1 2))", "(0 (1 2))" };
    struct dgm_packed side, copy;

    memset(&side, 0, sizeof side);
    memset(&copy, 0, sizeof copy);
    CHECK_STATUS(add_words(&side, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left_of, right_of), DGM_OK);
    CHECK_STATUS(add_words(&side, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, none, none), DGM_OK);
    CHECK_STATUS(add_words(&side, 3, none), DGM_OK);
    CHECK_INT(dgm_packed_without_trees(&side, NULL), 2);
    for (int32_t s = 0; s < 2; s++)
        CHECK_STATUS(dgm_packed_append(test_env(), &copy, &side, s), DGM_OK);
    become(&side, want);
    rejects(&copy, "sentence 42 has no tree");
    CHECK_STATUS(add_words(&copy, 3, heads_of), DGM_OK);
    rejects(&copy, NULL);
}

TEST(constituents_that_are_no_tree_are_refused)
{
    static const int32_t left[2] = { 0, 0 }, right[2] = { 1, 2 }, circle[3] = { 1, 0, 1 };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(add_words(&side, 3, NULL), DGM_OK);
    CHECK_STATUS(dgm_packed_add_binary(test_env(), &side, left, right), DGM_OK);
    rejects(&side, "E_TREE");
    CHECK_STATUS(add_words(&side, 3, circle), DGM_OK);
    rejects(&side, "cycle 1 -> 2 -> 1");
}
