/*
 * test_annotation.c: a parsed sentence as lines of values: the example of the specification's
 * section 2, and what a sentence of one word, or of two trees, gives.
 */
#include <string.h>

#include "base/mem.h"
#include "data/tree/annotation.h"
#include "test.h"

static const char *const tags[] = { "A", "B", "C" }, *const labels[] = { "root", "x:y", "z" };
static const char *const pieces[] = { "a@@", "b", "c", "d@@", "e" };

/* The lines of all kinds of one tree and one cutting, each with its newline. */
static void check_lines(const int32_t *heads, const int32_t *counts, int32_t words, int chain,
                        const char *const want[DGM_ANNOTATION_COUNT])
{
    struct dgm_annotated sentence;
    struct dgm_env *env = test_env();

    memset(&sentence, 0, sizeof sentence);
    CHECK_STATUS(dgm_tree_init(env, &sentence.tree, heads, words), DGM_OK);
    CHECK_STATUS(dgm_align_init(env, &sentence.align, counts, words), DGM_OK);
    sentence.tags = tags;
    sentence.labels = labels;
    sentence.pieces = pieces;
    sentence.chain = chain;
    for (int kind = 0; kind < DGM_ANNOTATION_COUNT; kind++) {
        struct dgm_buf line = { NULL, 0, 0, 0 };

        CHECK_STATUS(dgm_buf_add_text(env, &line, ">"), DGM_OK);
        CHECK_STATUS(dgm_annotation_add(env, &line, (enum dgm_annotation_kind)kind, &sentence),
                     DGM_OK);
        CHECK_STR(line.data + 1, want[kind]);
        dgm_buf_clear(env, &line);
    }
    dgm_align_clear(env, &sentence.align);
    dgm_tree_clear(env, &sentence.tree);
}

static const int32_t example_heads[] = { 0, 2, 0 }, example_counts[] = { 2, 1, 2 };

TEST(annotation_of_the_example_in_the_specification)
{
    /* The third: rows 2 to 5 of the matrix, left of the diagonal. */
    static const char *const want[DGM_ANNOTATION_COUNT] = {
        "1 1 4 4 1", "0 0 2 1 1", "0 2 2 1 1 1 1 1 1 0", "0.5 0.5 3.5 0.5 0.5",
        "0 0 3 0 0", "A A B C C", "root root x:y z z",   "a@@ b c d@@ e",
    };

    check_lines(example_heads, example_counts, 3, 0, want);
}

TEST(annotation_of_the_example_as_a_tree_of_pieces)
{
    static const char *const want[DGM_ANNOTATION_COUNT] = {
        "1 1 4 4 1", "1 0 2 2 1", "1 3 2 3 2 2 2 1 1 1", "0.5 0.5 3.5 0.5 0.5",
        "0 0 3 0 0", "A A B C C", "root root x:y z z",   "a@@ b c d@@ e",
    };

    check_lines(example_heads, example_counts, 3, 1, want);
}

TEST(annotation_of_one_piece_has_no_distance)
{
    static const int32_t heads[] = { 0 }, counts[] = { 1 };
    static const char *const want[DGM_ANNOTATION_COUNT] = { "0", "0", "",     "0",
                                                            "0", "A", "root", "a@@" };

    check_lines(heads, counts, 1, 0, want);
    check_lines(heads, counts, 1, 1, want);
}

/* The trees hang below a root that is no word: their roots are two apart. */
TEST(annotation_of_two_trees_goes_through_the_virtual_root)
{
    static const int32_t heads[] = { 0, 1, 1 }, counts[] = { 1, 1, 1 };
    static const char *const want[DGM_ANNOTATION_COUNT] = { "0 1 1",      "0 0 1",  "2 3 1",
                                                            "0 1 1",      "0 1 1",  "A B C",
                                                            "root x:y z", "a@@ b c" };

    check_lines(heads, counts, 3, 0, want);
    check_lines(heads, counts, 3, 1, want);
}

TEST(annotation_kinds_have_names)
{
    CHECK_INT(dgm_annotation_find("heads"), DGM_ANNOTATION_HEADS);
    CHECK_INT(dgm_annotation_find("distances"), DGM_ANNOTATION_DISTANCES);
    CHECK_INT(dgm_annotation_find("pieces"), DGM_ANNOTATION_PIECES);
    CHECK_INT(dgm_annotation_find("conllu"), DGM_ANNOTATION_COUNT);
    CHECK_INT(dgm_annotation_find(""), DGM_ANNOTATION_COUNT);
}
