/*
 * test_binary.c: binary trees from bracket trees and dependency trees, by hand and as properties of
 * random ones; and what the check refuses.
 */
#include <stdio.h>
#include <string.h>

#include "base/philox.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/tree/binary.h"
#include "treebank_file.h"
#include "tree_check.h"

enum { MOST_WORDS = 24, RANDOM_TREES = 300 };

static int32_t work[DGM_BINARY_WORK * (MOST_WORDS + 1)];

struct binary {
    int32_t left[MOST_WORDS], right[MOST_WORDS], leaves;
};

/* "(0 (1 2))", by recursion. */
static void show_node(char *text, const struct binary *tree, int32_t node)
{
    if (node < tree->leaves) {
        sprintf(text + strlen(text), "%d", (int)node);
        return;
    }
    strcat(text, "(");
    show_node(text, tree, tree->left[node - tree->leaves]);
    strcat(text, " ");
    show_node(text, tree, tree->right[node - tree->leaves]);
    strcat(text, ")");
}

static void shows(const struct binary *tree, const char *want)
{
    char text[400] = "";

    CHECK_STATUS(dgm_binary_check(test_env(), tree->left, tree->right, tree->leaves, work), DGM_OK);
    show_node(text, tree, 2 * tree->leaves - 2);
    CHECK_STR(text, want);
}

/* ---- phrase structure ---------------------------------------------------------------------- */

static void brackets_become(const char *text, const char *want)
{
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    struct binary got;
    char path[1200];
    int more;

    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(put_treebank(path, "t.mrg", text), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_open(test_env(), &reader, path, NULL), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_next(test_env(), &reader, &tree, &more), DGM_OK);
    got.leaves = tree.word_count;
    CHECK_STATUS(dgm_binary_from_brackets(test_env(), got.left, got.right, &tree), DGM_OK);
    shows(&got, want);
    dgm_bracket_reader_close(test_env(), &reader);
    dgm_bracket_clear(test_env(), &tree);
}

TEST(binary_trees_keep_binary_brackets_and_collapse_single_ones)
{
    brackets_become("(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks))))\n", "((0 1) 2)");
    brackets_become("(TOP (S (NP (NP (DT the))) (VP (V a) (NP (N b)))))\n", "(0 (1 2))");
    brackets_become("(TOP (X (Y (Z one))))\n", "0");
}

TEST(binary_trees_of_wide_brackets_branch_to_the_right)
{
    brackets_become("(S a b c d)\n", "(0 (1 (2 3)))");
    brackets_become("(S (A a b c) (B d) (C e f g))\n", "((0 (1 2)) (3 (4 (5 6))))");
    brackets_become("(S (NP (-NONE- *T*)) (VP (V go) (ADV on)) (. .))\n", "((0 1) 2)");
}

/* ---- dependencies -------------------------------------------------------------------------- */

static void heads_become(const int32_t *heads, int32_t count, const char *want)
{
    struct dgm_tree tree = { NULL, 0, 0 };
    struct binary got;

    got.leaves = count;
    CHECK_STATUS(dgm_tree_init(test_env(), &tree, heads, count), DGM_OK);
    dgm_binary_from_tree(got.left, got.right, &tree, work);
    shows(&got, want);
    dgm_tree_clear(test_env(), &tree);
}

TEST(binary_trees_of_heads_put_a_word_between_its_dependents)
{
    /* We live in different places on the earth */
    static const int32_t live[] = { 1, 1, 4, 4, 1, 7, 7, 4 };
    static const int32_t chain[] = { 0, 0, 1, 2 }, back[] = { 1, 2, 3, 3 };
    static const int32_t star[] = { 2, 2, 2, 2, 2 }, forest[] = { 0, 0, 2, 4, 4 };

    heads_become(live, 8, "(0 (1 (2 (3 (4 (5 (6 7)))))))");
    heads_become(chain, 4, "(0 (1 (2 3)))");
    heads_become(back, 4, "(((0 1) 2) 3)");
    heads_become(star, 5, "(0 (1 (2 (3 4))))");
    heads_become(forest, 5, "((0 1) (2 (3 4)))");
    heads_become(chain, 1, "0");
    heads_become(NULL, 3, "(0 (1 2))");
}

TEST(binary_trees_lift_words_that_their_heads_do_not_reach)
{
    /* 2 hangs below 0 across 1, which is the root: it becomes a dependent of 1. */
    static const int32_t across[] = { 1, 1, 0 };
    /* 3 and 4 hang below 0 across 1, a root: they become roots, too. */
    static const int32_t roots[] = { 0, 1, 1, 0, 3 };
    /* 3 below 0 across 1 and 2; 0 below 1: up one step only. */
    static const int32_t deep[] = { 1, 4, 1, 0, 4 };

    heads_become(across, 3, "(0 (1 2))");
    heads_become(roots, 5, "(0 ((1 2) (3 4)))");
    heads_become(deep, 5, "((0 (1 (2 3))) 4)");
}

static void random_heads(struct dgm_random *random, int32_t *head, int32_t count)
{
    uint32_t order[MOST_WORDS];

    for (int32_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    dgm_random_shuffle(random, order, (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        int is_root = i == 0 || dgm_random_below(random, 6) == 0;
        head[order[i]] =
            (int32_t)(is_root ? order[i] : order[dgm_random_below(random, (uint32_t)i)]);
    }
}

/* Whether `word` stands below `head`, or is it. */
static int is_below(const int32_t *heads, int32_t word, int32_t head)
{
    while (word != head && heads[word] != word)
        word = heads[word];
    return word == head;
}

/* The projective tree that is meant, slowly: deepest heads first, dependents beyond a gap go up. */
static void lift_slowly(int32_t *heads, int32_t count, const int32_t *order)
{
    for (int32_t k = count - 1; k >= 0; k--) {
        int32_t head = order[k], first = head, end = head + 1;

        while (first > 0 && is_below(heads, first - 1, head))
            first--;
        while (end < count && is_below(heads, end, head))
            end++;
        for (int32_t i = 0; i < count; i++)
            if (i != head && heads[i] == head && (i < first || i >= end))
                heads[i] = heads[head] == head ? i : heads[head];
    }
}

/* Every projective constituent of a word is one of the binary tree. */
static void check_spans(const struct binary *binary, const int32_t *heads)
{
    int32_t first[2 * MOST_WORDS], end[2 * MOST_WORDS], n = binary->leaves;

    for (int32_t i = 0; i < n; i++) {
        first[i] = i;
        end[i] = i + 1;
    }
    for (int32_t j = 0; j + 1 < n; j++) {
        first[n + j] = first[binary->left[j]];
        end[n + j] = end[binary->right[j]];
    }
    for (int32_t w = 0; w < n; w++) {
        int32_t low = w, high = w + 1, found = 0;

        while (low > 0 && is_below(heads, low - 1, w))
            low--;
        while (high < n && is_below(heads, high, w))
            high++;
        for (int32_t i = 0; i < 2 * n - 1; i++)
            found += first[i] == low && end[i] == high;
        CHECK_INT(found, 1);
    }
}

TEST(binary_trees_of_random_heads_hold_the_constituents_of_the_lifted_tree)
{
    struct dgm_random random;

    dgm_random_init(&random, 5, 6, 0, 0);
    for (int round = 0; round < RANDOM_TREES; round++) {
        int32_t heads[MOST_WORDS], depth[MOST_WORDS], order[MOST_WORDS];
        struct dgm_tree tree = { NULL, 0, 0 };
        struct binary got;
        int is_projective;

        got.leaves = 1 + (int32_t)dgm_random_below(&random, MOST_WORDS);
        random_heads(&random, heads, got.leaves);
        CHECK_STATUS(dgm_tree_init(test_env(), &tree, heads, got.leaves), DGM_OK);
        dgm_binary_from_tree(got.left, got.right, &tree, work);
        CHECK_STATUS(dgm_binary_check(test_env(), got.left, got.right, got.leaves, work), DGM_OK);
        dgm_tree_depths(depth, &tree);
        CHECK_STATUS(dgm_tree_order(test_env(), order, depth, &tree), DGM_OK);
        lift_slowly(tree.head, tree.count, order);
        CHECK_STATUS(tree_validate(test_env(), &tree), DGM_OK);
        CHECK_STATUS(tree_is_projective(test_env(), &is_projective, &tree), DGM_OK);
        CHECK(is_projective);
        check_spans(&got, tree.head);
        dgm_tree_clear(test_env(), &tree);
    }
}

/* ---- levels, depths, pieces ---------------------------------------------------------------- */

/* A random tree by random reductions of a random sequence of shifts. */
static void random_binary(struct dgm_random *random, struct binary *tree)
{
    int32_t stack[MOST_WORDS], height = 0, shifted = 0, count = 0;

    tree->leaves = 1 + (int32_t)dgm_random_below(random, MOST_WORDS);
    while (shifted < tree->leaves || height > 1) {
        if (height < 2 || (shifted < tree->leaves && dgm_random_below(random, 2) == 0)) {
            stack[height++] = shifted++;
            continue;
        }
        tree->right[count] = stack[--height];
        tree->left[count] = stack[height - 1];
        stack[height - 1] = tree->leaves + count++;
    }
}

TEST(binary_trees_of_any_shape_are_accepted)
{
    struct dgm_random random;

    dgm_random_init(&random, 5, 7, 0, 0);
    for (int round = 0; round < RANDOM_TREES; round++) {
        struct binary tree;

        random_binary(&random, &tree);
        CHECK_STATUS(dgm_binary_check(test_env(), tree.left, tree.right, tree.leaves, work),
                     DGM_OK);
    }
}

static void pieces_become(const struct binary *words, const int32_t *first, const char *want)
{
    struct binary got;

    got.leaves = first[words->leaves];
    dgm_binary_expand(got.left, got.right, words->left, words->right, words->leaves, first, work);
    shows(&got, want);
}

TEST(binary_trees_of_words_become_trees_of_pieces)
{
    static const struct binary four = { { 1, 0, 5 }, { 2, 4, 3 }, 4 }; /* (0 (1 2)) 3 */
    static const struct binary one = { { 0 }, { 0 }, 1 };
    static const int32_t single[] = { 0, 1, 2, 3, 4 }, some[] = { 0, 2, 5, 6, 8 };
    static const int32_t three[] = { 0, 3 };

    pieces_become(&four, single, "((0 (1 2)) 3)");
    pieces_become(&four, some, "(((0 1) ((2 (3 4)) 5)) (6 7))");
    pieces_become(&one, three, "(0 (1 2))");
    pieces_become(&one, single, "0");
}

/* ---- bad trees ----------------------------------------------------------------------------- */

static void refuses(int32_t leaves, int32_t l0, int32_t r0, int32_t l1, int32_t r1, int32_t l2,
                    int32_t r2)
{
    struct binary tree = { { l0, l1, l2 }, { r0, r1, r2 }, leaves };

    CHECK_STATUS(dgm_binary_check(test_env(), tree.left, tree.right, leaves, work), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "[E_TREE]") != NULL);
    dgm_env_clear_error(test_env());
}

TEST(binary_trees_that_are_none_are_refused)
{
    struct binary tree = { { 0, 2, 4 }, { 1, 3, 5 }, 4 };

    CHECK_STATUS(dgm_binary_check(test_env(), tree.left, tree.right, 4, work), DGM_OK);
    refuses(4, 2, 3, 0, 1, 5, 4); /* not in post-order */
    refuses(4, 0, 0, 1, 2, 4, 5); /* one child twice */
    refuses(4, 0, 1, 4, 2, 4, 3); /* two parents */
    refuses(4, 0, 1, 6, 2, 5, 3); /* a parent before its child */
    refuses(4, 0, 1, 5, 2, 4, 3); /* its own child */
    refuses(4, 0, 2, 1, 4, 5, 3); /* not neighbours */
    refuses(4, 1, 0, 4, 2, 5, 3); /* the wrong way round */
    refuses(4, -1, 1, 4, 2, 5, 3);
    refuses(4, 0, 2147483647, 4, 2, 5, 3);
    refuses(2, 0, -2147483647, 0, 0, 0, 0);
}
