/* test_align.c: the six maps from words to pieces. */
#include "base/philox.h"
#include "syntax/tree/align.h"

#include "test.h"
#include "tree_check.h"

#include <stdio.h>
#include <string.h>

/* The worked example of the specification: pieces {0,1} {2} {3,4}; w1 -> w2 -> w0. */
static const int32_t example_heads[] = { 0, 2, 0 };
static const int32_t example_counts[] = { 2, 1, 2 };

struct example {
    struct dgm_tree tree;
    struct dgm_align align;
};

static dgm_status make_example(struct example *example)
{
    memset(example, 0, sizeof *example);
    DGM_TRY(dgm_tree_init(test_env(), &example->tree, example_heads, 3));
    return dgm_align_init(test_env(), &example->align, example_counts, 3);
}

static void clear_example(struct example *example)
{
    dgm_align_clear(test_env(), &example->align);
    dgm_tree_clear(test_env(), &example->tree);
}

TEST(align_right_chain_gives_the_worked_example)
{
    static const int32_t want_head[] = { 1, 1, 4, 4, 1 };
    static const int32_t want_depth[] = { 1, 0, 2, 2, 1 };
    static const int32_t want[] = { 0, 1, 3, 3, 2, 1, 0, 2, 2, 1, 3, 2, 0,
                                    2, 1, 3, 2, 2, 0, 1, 2, 1, 1, 1, 0 };
    struct dgm_env *env = test_env();
    struct example example;
    struct dgm_tree pieces = { NULL, 0, 0 };
    int32_t head[5], depth[5], distance[25];

    CHECK_STATUS(make_example(&example), DGM_OK);
    dgm_align_right_chain(head, &example.align, &example.tree);
    CHECK_MEM(head, want_head, sizeof head);
    CHECK_STATUS(dgm_tree_init(env, &pieces, head, 5), DGM_OK);
    dgm_tree_depths(depth, &pieces);
    CHECK_MEM(depth, want_depth, sizeof depth);
    CHECK_STATUS(dgm_tree_distances(env, distance, &pieces), DGM_OK);
    CHECK_MEM(distance, want, sizeof want);
    dgm_tree_clear(env, &pieces);
    clear_example(&example);
}

TEST(align_positions_give_the_worked_example)
{
    static const float want_mean[] = { .5f, .5f, 3.5f, .5f, .5f };
    static const int32_t want_first[] = { 0, 0, 3, 0, 0 };
    struct example example;
    float mean[5];
    int32_t first[5];

    CHECK_STATUS(make_example(&example), DGM_OK);
    dgm_align_mean_pos(mean, &example.align, &example.tree);
    CHECK_MEM(mean, want_mean, sizeof mean);
    dgm_align_first_piece(first, &example.align, &example.tree);
    CHECK_MEM(first, want_first, sizeof first);
    clear_example(&example);
}

TEST(align_inherited_values_give_the_worked_example)
{
    static const int32_t want_depth[] = { 0, 0, 2, 1, 1 };
    static const int32_t want[] = { 0, 0, 2, 1, 1, 0, 0, 2, 1, 1, 2, 2, 0,
                                    1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0 };
    static const int32_t tags[] = { 7, 9, 4 };
    static const int32_t want_tags[] = { 7, 7, 9, 4, 4 };
    struct example example;
    int32_t words[9], depth[5], out[5], matrix[25];

    CHECK_STATUS(make_example(&example), DGM_OK);
    dgm_tree_depths(words, &example.tree);
    dgm_align_copy(depth, &example.align, words);
    CHECK_MEM(depth, want_depth, sizeof depth);
    CHECK_STATUS(dgm_tree_distances(test_env(), words, &example.tree), DGM_OK);
    dgm_align_expand(matrix, &example.align, words);
    CHECK_MEM(matrix, want, sizeof want);
    dgm_align_copy(out, &example.align, tags);
    CHECK_MEM(out, want_tags, sizeof out);
    clear_example(&example);
}

TEST(align_expanded_graph_gives_the_worked_example)
{
    static const int32_t want[] = { 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1,
                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    struct example example;
    int32_t words[9], matrix[25];

    CHECK_STATUS(make_example(&example), DGM_OK);
    dgm_tree_adjacency(words, &example.tree);
    dgm_align_expand(matrix, &example.align, words);
    CHECK_MEM(matrix, want, sizeof want);
    clear_example(&example);
}

TEST(align_one_piece_per_word_is_the_word_level)
{
    static const int32_t heads[] = { 1, 1, 4, 2, 1, 5, 5 };
    static const int32_t ones[] = { 1, 1, 1, 1, 1, 1, 1 };
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };
    struct dgm_align align;
    int32_t head[7], distance[49], expanded[49];
    float mean[7];
    int i;

    CHECK_STATUS(dgm_tree_init(env, &tree, heads, 7), DGM_OK);
    CHECK_STATUS(dgm_align_init(env, &align, ones, 7), DGM_OK);
    dgm_align_right_chain(head, &align, &tree);
    CHECK_MEM(head, heads, sizeof head);
    dgm_align_first_piece(head, &align, &tree);
    CHECK_MEM(head, heads, sizeof head);
    dgm_align_mean_pos(mean, &align, &tree);
    for (i = 0; i < 7; i++)
        CHECK_NEAR(mean[i], heads[i], 0);
    CHECK_STATUS(dgm_tree_distances(env, distance, &tree), DGM_OK);
    dgm_align_expand(expanded, &align, distance);
    CHECK_MEM(expanded, distance, sizeof distance);
    dgm_align_clear(env, &align);
    dgm_tree_clear(env, &tree);
}

/* One root per root of the word tree, and no cycle. */
static void check_chain(struct dgm_random *random)
{
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 }, pieces = { NULL, 0, 0 };
    struct dgm_align align;
    int32_t head[12], counts[12], piece_head[60];
    int32_t n = 1 + (int32_t)dgm_random_below(random, 12);
    int32_t i;

    for (i = 0; i < n; i++) {
        head[i] = dgm_random_below(random, 4) == 0 || i == 0
                      ? i
                      : (int32_t)dgm_random_below(random, (uint32_t)i);
        counts[i] = 1 + (int32_t)dgm_random_below(random, 5);
    }
    CHECK_STATUS(dgm_tree_init(env, &tree, head, n), DGM_OK);
    CHECK_STATUS(dgm_align_init(env, &align, counts, n), DGM_OK);
    dgm_align_right_chain(piece_head, &align, &tree);
    CHECK_STATUS(dgm_tree_init(env, &pieces, piece_head, align.pieces), DGM_OK);
    CHECK_STATUS(tree_validate(env, &pieces), DGM_OK);
    CHECK_INT(dgm_tree_root_count(&pieces), dgm_tree_root_count(&tree));
    dgm_align_clear(env, &align);
    dgm_tree_clear(env, &pieces);
    dgm_tree_clear(env, &tree);
}

TEST(align_right_chain_keeps_roots_and_makes_no_cycles)
{
    struct dgm_random random;
    int round;

    dgm_random_init(&random, 11, 1, 0, 0);
    for (round = 0; round < 50; round++)
        check_chain(&random);
}

TEST(align_without_a_parse_has_no_heads)
{
    static const int32_t counts[] = { 2, 1 };
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };
    struct dgm_align align;
    int32_t head[3];
    float mean[3];

    CHECK_STATUS(dgm_tree_init(env, &tree, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_align_init(env, &align, counts, 2), DGM_OK);
    dgm_align_right_chain(head, &align, &tree);
    CHECK_INT(head[0], -1);
    CHECK_INT(head[2], -1);
    dgm_align_first_piece(head, &align, &tree);
    CHECK_INT(head[1], -1);
    dgm_align_mean_pos(mean, &align, &tree);
    CHECK_NEAR(mean[2], -1, 0);
    dgm_align_clear(env, &align);
    dgm_tree_clear(env, &tree);
}

TEST(align_refuses_words_without_pieces)
{
    static const int32_t counts[] = { 2, 0 };
    struct dgm_align align;

    CHECK_STATUS(dgm_align_init(test_env(), &align, counts, 2), DGM_DATA);
    CHECK_STR(test_env()->error.message, "word 2 has 0 pieces; expected at least 1 [E_ALIGN]");
}
