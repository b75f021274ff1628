/* test_linearise.c: trees as lines of brackets, by hand and as properties of random ones. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/tree/linearise.h"
#include "treebank_file.h"

enum { MOST_WORDS = 30, RANDOM_TREES = 200 };

/* Balanced, single blanks, no token but "(label" and ")"; *opened counts the brackets. */
static int is_balanced(const char *line, int *opened)
{
    int depth = 0, length;

    *opened = 0;
    for (; *line != '\0'; line += length + (line[length] == ' ')) {
        length = (int)strcspn(line, " ");
        if (line[0] == '(' && length > 1 && strcspn(line + 1, "()") >= (size_t)length - 1) {
            depth++;
            ++*opened;
        } else if (length == 1 && line[0] == ')') {
            depth--;
        } else {
            return 0;
        }
        if (depth < 0 || (line[length] == ' ' && line[length + 1] == '\0'))
            return 0;
    }
    return depth == 0;
}

/* ---- phrase structure ------------------------------------------------------------------------ */

static void check_brackets(const char *text, const char *want)
{
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    char path[1200];
    int more, opened;

    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(put_treebank(path, "t.mrg", text), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_open(test_env(), &reader, path, NULL), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_next(test_env(), &reader, &tree, &more), DGM_OK);
    CHECK(tree.has_parse);
    CHECK_STATUS(dgm_linearise_brackets(test_env(), &out, &tree), DGM_OK);
    CHECK_STR(out.data, want);
    CHECK(is_balanced(out.data, &opened));
    dgm_buf_clear(test_env(), &out);
    dgm_bracket_reader_close(test_env(), &reader);
    dgm_bracket_clear(test_env(), &tree);
}

TEST(linearise_brackets_is_that_of_the_specification)
{
    check_brackets("(ROOT (S (NP (DT The) (NN monkey)) (VP (VBZ eats) (NP (DT a) (NN banana)))))\n",
                   "(ROOT (S (NP ) (VP (NP ) ) ) )");
}

TEST(linearise_brackets_drops_words_and_what_is_right_above_them)
{
    check_brackets("(S (X (Y (Z z))) . (NP the (N dog)))\n", "(ROOT (S (X (Y ) ) (NP ) ) )");
    check_brackets("( (NN dog) )\n", "(ROOT )");
    check_brackets("(S1 dog)\n", "(ROOT )");
    check_brackets("(TOP (-LRB- -LRB-) (NP (NN dog)) (-RRB- -RRB-))\n", "(ROOT (NP ) )");
    check_brackets("(S (NP (-NONE- *)) (VP (V go)))\n", "(ROOT (S (VP ) ) )");
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static void check_tree(const int32_t *heads, const char *const *labels, int32_t count,
                       const char *want)
{
    struct dgm_tree tree = { NULL, 0, 0 };
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_tree_init(test_env(), &tree, heads, count), DGM_OK);
    CHECK_STATUS(dgm_linearise_tree(test_env(), &out, &tree, labels), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
    dgm_tree_clear(test_env(), &tree);
}

TEST(linearise_tree_opens_a_word_before_all_its_dependents)
{
    static const int32_t heads[] = { 1, 2, 2, 4, 2, 2 }, forest[] = { 0, 0, 2, 2 };
    static const char *const labels[] = { "det", "nsubj", "root", "det", "obj", "punct" };
    static const char *const odd[] = { "a b", "(", "x)y", "nsubj:pass" };

    check_tree(heads, labels, 6, "(root (nsubj (det ) ) (obj (det ) ) (punct ) )");
    check_tree(forest, odd, 4, "(a_b (_ ) ) (x_y (nsubj:pass ) )");
    check_tree(forest, labels, 1, "(det )");
}

/* Reads the line back: the shape (parent of each bracket) must be that of the tree. */
static void check_shape(const struct dgm_tree *tree, const char *line)
{
    int32_t stack[MOST_WORDS], depth = 0, number;

    for (; *line != '\0'; line += strcspn(line, " "), line += *line == ' ') {
        if (line[0] == ')') {
            depth--;
            continue;
        }
        CHECK(sscanf(line, "(w%d", &number) == 1);
        CHECK_INT(tree->head[number], depth == 0 ? number : stack[depth - 1]);
        stack[depth++] = number;
    }
}

TEST(linearise_tree_of_any_shape_is_balanced_and_keeps_it)
{
    char names[MOST_WORDS][8];
    const char *labels[MOST_WORDS];
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct dgm_random random;
    int opened;

    dgm_random_init(&random, 5, 1, 0, 0);
    for (int i = 0; i < MOST_WORDS; i++) {
        snprintf(names[i], sizeof names[i], "w%d", i);
        labels[i] = names[i];
    }
    for (int t = 0; t < RANDOM_TREES; t++) {
        struct dgm_tree tree = { NULL, 0, 0 };
        int32_t count = 1 + (int32_t)dgm_random_below(&random, MOST_WORDS);
        int32_t heads[MOST_WORDS];
        uint32_t order[MOST_WORDS];

        for (int32_t i = 0; i < count; i++)
            order[i] = (uint32_t)i;
        dgm_random_shuffle(&random, order, (size_t)count);
        for (uint32_t i = 0; i < (uint32_t)count; i++)
            heads[order[i]] = (int32_t)(i == 0 || dgm_random_below(&random, 6) == 0
                                            ? order[i]
                                            : order[dgm_random_below(&random, i)]);
        CHECK_STATUS(dgm_tree_init(test_env(), &tree, heads, count), DGM_OK);
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_linearise_tree(test_env(), &out, &tree, labels), DGM_OK);
        CHECK(is_balanced(out.data, &opened));
        CHECK_INT(opened, count);
        check_shape(&tree, out.data);
        dgm_tree_clear(test_env(), &tree);
    }
    dgm_buf_clear(test_env(), &out);
}

TEST(linearise_tree_takes_a_chain_of_any_length)
{
    enum { CHAIN = 100000 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct dgm_tree tree = { NULL, 0, 0 };
    const char **labels = dgm_alloc(test_env(), CHAIN, sizeof *labels);

    CHECK_STATUS(dgm_tree_init(test_env(), &tree, NULL, CHAIN), DGM_OK);
    CHECK(labels != NULL);
    for (int32_t i = 0; i < CHAIN; i++) {
        tree.head[i] = i > 0 ? i - 1 : 0;
        labels[i] = "x";
    }
    CHECK_STATUS(dgm_linearise_tree(test_env(), &out, &tree, labels), DGM_OK);
    CHECK_INT(out.size, 5 * CHAIN - 1);
    dgm_release(test_env(), labels);
    dgm_tree_clear(test_env(), &tree);
    dgm_buf_clear(test_env(), &out);
}
