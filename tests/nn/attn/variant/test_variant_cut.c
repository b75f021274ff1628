/*
 * test_variant_cut.c: a line that is longer than the model reads keeps its first pieces, and the
 * tree of all its words: words without a piece make it a sentence without a parse.
 */
#include "nn/attn/sentence.h"
#include "variant_case.h"

enum { CUT_WORDS = 12, CUT_KEPT = 3 };

/* Every word depends on the next, the last is the root: no head of what is kept is the root. */
static void add_cut(struct dgm_packed *side, int32_t kept, int with_tree)
{
    int32_t ids[CUT_WORDS + 1], words[CUT_WORDS + 1], heads[CUT_WORDS], relations[CUT_WORDS], w;

    for (w = 0; w < CUT_WORDS; w++) {
        ids[w] = 3 + w % (TINY_VOCAB - 3);
        words[w] = w;
        heads[w] = with_tree ? (w + 1 < CUT_WORDS ? w + 1 : w) : -1;
        relations[w] = DGM_FEATURE_SPECIALS + w % 3;
    }
    ids[kept] = TINY_EOS;
    words[kept] = -1;
    CHECK_STATUS(dgm_packed_add(test_env(), side, ids, words, kept + 1, heads, CUT_WORDS), DGM_OK);
    CHECK_STATUS(dgm_packed_add_feature(test_env(), side, DGM_FEATURE_DEPREL, relations), DGM_OK);
}

/* A sentence that was cut beside one with a tree, since memory is shared. */
static void make_batch(struct dgm_batch *batch, int with_tree)
{
    struct dgm_packed side;
    int s;

    memset(batch, 0, sizeof *batch);
    memset(&side, 0, sizeof side);
    add_cut(&side, CUT_WORDS, 1);
    add_cut(&side, CUT_KEPT, with_tree);
    for (s = 0; s < 2; s++)
        CHECK_STATUS(dgm_batch_add(test_env(), batch, &side, &side, s, s), DGM_OK);
    dgm_packed_clear(test_env(), &side);
}

TEST(variants_read_a_sentence_that_was_cut_without_its_tree)
{
    dgm_real losses[2][2 * (CUT_WORDS + CUT_KEPT + 2)];
    struct variant_case one;
    struct dgm_batch batch;
    struct tiny tiny;
    int c, with_tree, training;

    for (c = 0; variant_case_at(c, &one); c++)
        for (training = 0; training < 2; training++) {
            for (with_tree = 0; with_tree < 2; with_tree++) {
                make_batch(&batch, with_tree);
                CHECK_STATUS(variant_open(&tiny, one.syntax, 0), DGM_OK);
                CHECK_STATUS(variant_losses(&tiny, &batch, training, 1, losses[with_tree]), DGM_OK);
                tiny_close(&tiny);
                dgm_batch_clear(test_env(), &batch);
            }
            CHECK_MEM(losses[0], losses[1], sizeof losses[0]);
        }
}

TEST(variants_learn_nothing_from_the_tree_of_a_sentence_that_was_cut)
{
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    add_cut(&side, CUT_KEPT, 1);
    CHECK_INT(dgm_attn_has_parse(&side, 0), 0);
    CHECK_INT(dgm_attn_supervised(&side, DGM_SOURCE), 0);
    CHECK_INT(dgm_attn_supervised(&side, DGM_TARGET), 0);
    dgm_packed_clear(test_env(), &side);
}

/* Every word still has a piece: where a word's other pieces are does not matter. */
TEST(variants_read_the_tree_of_a_sentence_whose_last_word_was_cut)
{
    static const int32_t ids[5] = { 3, 4, 5, 6, TINY_EOS }, words[5] = { 0, 1, 1, 2, -1 };
    static const int32_t heads[3] = { 1, 1, 1 };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 5, heads, 3), DGM_OK);
    CHECK_INT(dgm_attn_has_parse(&side, 0), 1);
    CHECK_INT(dgm_attn_supervised(&side, DGM_SOURCE), 4);
    dgm_packed_clear(test_env(), &side);
}

/* A side without trees has none to learn from. */
TEST(variants_have_nothing_to_learn_from_a_side_without_trees)
{
    static const int32_t ids[2] = { 3, TINY_EOS }, words[2] = { 0, -1 };
    struct dgm_packed side;
    int s;

    memset(&side, 0, sizeof side);
    for (s = 0; s < 2; s++)
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 2, NULL, 1), DGM_OK);
    CHECK_INT(dgm_attn_supervised(&side, DGM_SOURCE), 0);
    CHECK_INT(dgm_attn_supervised(&side, DGM_TARGET), 0);
    dgm_packed_clear(test_env(), &side);
}
