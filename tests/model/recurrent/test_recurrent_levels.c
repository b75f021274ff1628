/*
 * test_recurrent_levels.c: the levels of constituents that a decoder attends to (specification,
 * recurrent models, 2.5).
 */
#include "recurrent_tree.h"

static int level_of(const struct binary *tree, int32_t node)
{
    int l, r;

    if (node < tree->words)
        return 1;
    l = level_of(tree, tree->left[node - tree->words]);
    r = level_of(tree, tree->right[node - tree->words]);
    return 1 + (l > r ? l : r);
}

/* Nodes of levels lowest .. highest are attended to, in their order; all where none is. */
static void check_levels(const char *level, int lowest, int highest)
{
    struct recurrent_output out;
    struct binary tree;
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    char options[100];

    snprintf(options, sizeof options, "encoder = constituency\nattend-level = %s\n", level);
    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    dgm_random_init(&random, 23, 83, 0, 0);
    for (int32_t words = 1; words <= WORDS; words++) {
        int64_t row = 0;
        draw_binary(&random, &tree, words);
        CHECK_STATUS(binary_sentence(&batch, &tree), DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
        for (int32_t v = 0; v < 2 * words - 1; v++) {
            int at = level_of(&tree, v);
            if (words > 1 && (at < lowest || at > highest))
                continue;
            CHECK(row < out.attended_rows);
            CHECK_MEM(out.attended + D * row++, out.encoded + D * v, D * sizeof *out.encoded);
        }
        CHECK_INT(out.attended_rows, row);
        recurrent_forget(&out);
        dgm_batch_clear(test_env(), &batch);
    }
    tiny_close(&tiny);
}

TEST(recurrent_constituents_of_some_levels_are_attended_to)
{
    check_levels("all", 1, WORDS);
    check_levels("1", 1, 1);
    check_levels("2", 1, 2);
    check_levels("3", 1, 3);
    check_levels(">1", 2, WORDS);
}

TEST(recurrent_constituents_up_to_the_highest_level_are_all)
{
    struct recurrent_output out[2];
    struct dgm_batch batch;

    CHECK_STATUS(recurrent_batch(&batch, 9), DGM_OK);
    for (int i = 0; i < 2; i++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, i ? "encoder = constituency\nattend-level = 60\n"
                                             : "encoder = constituency\n"),
                     DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out[i]), DGM_OK);
        tiny_close(&tiny);
    }
    CHECK_MEM(out[1].scores, out[0].scores,
              (size_t)batch.target.offsets[batch.target.count] * TINY_VOCAB * sizeof(dgm_real));
    recurrent_forget(&out[0]);
    recurrent_forget(&out[1]);
    dgm_batch_clear(test_env(), &batch);
}
