/*
 * test_packed.c: sides of a corpus: which of their sentences have heads and relations.
 */
#include <string.h>

#include "base/mem.h"
#include "data/packed.h"
#include "data/text/pipeline.h"
#include "test.h"

TEST(packed_batch_knows_which_of_its_sentences_have_no_tree)
{
    static const int32_t ids[3] = { 4, 5, DGM_VOCAB_EOS }, words[3] = { 0, 1, -1 };
    static const int32_t heads[2] = { 1, 1 }, none[2] = { -1, -1 };
    struct dgm_packed side;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK(side.heads == NULL);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, heads, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_MEM(side.heads, none, sizeof none);
    CHECK_MEM(side.heads + 2, heads, sizeof heads);
    CHECK_MEM(side.heads + 4, none, sizeof none);
    dgm_packed_reset(&side); /* a batch that is used again must not keep old trees */
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_MEM(side.heads, none, sizeof none);
    dgm_packed_clear(test_env(), &side);
}

TEST(packed_side_takes_the_heads_of_all_its_sentences_at_once)
{
    static const int32_t ids[3] = { 4, 5, DGM_VOCAB_EOS }, words[3] = { 0, 1, -1 };
    static const int32_t heads[4] = { 1, 1, 0, 0 };
    struct dgm_packed side, copy;

    memset(&side, 0, sizeof side);
    memset(&copy, 0, sizeof copy);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_set_heads(test_env(), &side, heads), DGM_OK);
    CHECK_STATUS(dgm_packed_append(test_env(), &copy, &side, 1), DGM_OK);
    CHECK_MEM(copy.heads, heads + 2, 2 * sizeof heads[0]);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_MEM(side.heads, heads, sizeof heads);
    CHECK_INT(side.heads[4], -1);
    dgm_packed_clear(test_env(), &side);
    dgm_packed_clear(test_env(), &copy);
}

TEST(packed_side_keeps_the_tags_of_its_sentences)
{
    static const int32_t ids[3] = { 4, 5, DGM_VOCAB_EOS }, words[3] = { 0, 1, -1 };
    static const int32_t heads[2] = { 1, 1 }, relations[2] = { 3, 2 }, none[2] = { -1, -1 };
    static const int32_t all[6] = { 2, 3, 4, 5, 6, 7 };
    struct dgm_packed side, copy;

    memset(&side, 0, sizeof side);
    memset(&copy, 0, sizeof copy);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, heads, 2), DGM_OK);
    CHECK(side.features[DGM_FEATURE_DEPREL] == NULL);
    CHECK_STATUS(dgm_packed_add_feature(test_env(), &side, DGM_FEATURE_DEPREL, relations), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_MEM(side.features[DGM_FEATURE_DEPREL], none, sizeof none);
    CHECK_MEM(side.features[DGM_FEATURE_DEPREL] + 2, relations, sizeof relations);
    CHECK_MEM(side.features[DGM_FEATURE_DEPREL] + 4, none, sizeof none);
    for (int32_t s = 0; s < 3; s++)
        CHECK_STATUS(dgm_packed_append(test_env(), &copy, &side, s), DGM_OK);
    CHECK_MEM(copy.features[DGM_FEATURE_DEPREL], side.features[DGM_FEATURE_DEPREL],
              6 * sizeof relations[0]);
    dgm_packed_reset(&copy); /* a batch that is used again must not keep old relations */
    CHECK_STATUS(dgm_packed_add(test_env(), &copy, ids, words, 3, heads, 2), DGM_OK);
    CHECK_MEM(copy.features[DGM_FEATURE_DEPREL], none, sizeof none);
    CHECK_STATUS(dgm_packed_set_feature(test_env(), &side, DGM_FEATURE_DEPREL, all), DGM_OK);
    CHECK_MEM(side.features[DGM_FEATURE_DEPREL], all, sizeof all);
    CHECK_INT(side.heads[5], -1);
    dgm_packed_clear(test_env(), &side);
    dgm_packed_clear(test_env(), &copy);
}

TEST(packed_sentence_keeps_the_token_its_translation_begins_with)
{
    static const int32_t ids[2] = { 4, DGM_VOCAB_EOS }, words[2] = { 0, -1 };
    static const int32_t want[5] = { 0, 9, 0, 9, 0 };
    struct dgm_packed side = { 0 }, copy = { 0 };

    for (int s = 0; s < 3; s++) {
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 2, NULL, 1), DGM_OK);
        CHECK(!dgm_packed_has_first(&side, s));
        if (s == 1)
            CHECK_STATUS(dgm_packed_add_first(test_env(), &side, 9), DGM_OK);
    }
    CHECK(dgm_packed_has_first(&side, 1));
    CHECK_STATUS(dgm_packed_append_all(test_env(), &copy, &side), DGM_OK);
    for (int32_t s = 1; s < 3; s++)
        CHECK_STATUS(dgm_packed_append(test_env(), &copy, &side, s), DGM_OK);
    CHECK_MEM(copy.firsts, want, sizeof want);
    dgm_packed_reset(&copy);
    CHECK_STATUS(dgm_packed_append(test_env(), &copy, &side, 0), DGM_OK);
    CHECK(!dgm_packed_has_first(&copy, 0));
    dgm_packed_clear(test_env(), &side);
    dgm_packed_clear(test_env(), &copy);
}

TEST(packed_sentences_are_ordered_from_the_longest_on)
{
    static const int32_t lengths[5] = { 2, 4, 1, 4, 2 }, want[5] = { 1, 3, 0, 4, 2 };
    static const int32_t ids[4] = { 4, 5, 6, DGM_VOCAB_EOS }, words[4] = { 0, 1, 2, -1 };
    struct dgm_packed side;
    int32_t *order;

    memset(&side, 0, sizeof side);
    for (int s = 0; s < 5; s++)
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids + 4 - lengths[s], words + 4 - lengths[s],
                                    lengths[s], NULL, lengths[s] - 1),
                     DGM_OK);
    CHECK_STATUS(dgm_packed_order(test_env(), &side, &order), DGM_OK);
    CHECK_MEM(order, want, sizeof want);
    dgm_release(test_env(), order);
    dgm_packed_clear(test_env(), &side);
}

TEST(packed_side_takes_all_sentences_of_another)
{
    static const int32_t ids[3] = { 4, 5, DGM_VOCAB_EOS }, words[3] = { 0, 1, -1 };
    static const int32_t heads[2] = { 1, 1 }, none[2] = { -1, -1 };
    static const int32_t starts[5] = { 0, 3, 6, 9, 12 };
    struct dgm_packed with, without, all;

    memset(&with, 0, sizeof with);
    memset(&without, 0, sizeof without);
    memset(&all, 0, sizeof all);
    CHECK_STATUS(dgm_packed_add(test_env(), &with, ids, words, 3, heads, 2), DGM_OK);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(dgm_packed_add(test_env(), &without, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &without), DGM_OK);
    CHECK_INT(dgm_packed_columns(&all), 0);
    CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &with), DGM_OK);
    CHECK_INT(dgm_packed_columns(&all), DGM_PACKED_HEADS);
    dgm_packed_reset(&without);
    CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &without), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &without, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &without), DGM_OK);
    CHECK_INT(all.count, 4);
    CHECK_MEM(all.offsets, starts, sizeof starts);
    CHECK_MEM(all.heads, none, sizeof none);
    CHECK_MEM(all.heads + 4, heads, sizeof heads);
    CHECK_MEM(all.heads + 6, none, sizeof none);
    CHECK_MEM(all.ids + 9, ids, sizeof ids);
    CHECK_MEM(all.words + 6, words, sizeof words);
    dgm_packed_clear(test_env(), &with);
    dgm_packed_clear(test_env(), &without);
    dgm_packed_clear(test_env(), &all);
}

TEST(packed_weights_are_1_where_nobody_gave_any)
{
    static const int32_t ids[2] = { 4, DGM_VOCAB_EOS }, words[2] = { 0, -1 };
    static const float want[6] = { 1, 1, 0.5F, 1, 0.5F, 1 };
    struct dgm_packed side, all;

    memset(&side, 0, sizeof side);
    memset(&all, 0, sizeof all);
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 2, NULL, 1), DGM_OK);
        if (i == 1)
            CHECK(side.weights == NULL);
        if (i == 2)
            CHECK_STATUS(dgm_packed_add_weight(test_env(), &side, 0.5F), DGM_OK);
    }
    CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &side), DGM_OK);
    CHECK_STATUS(dgm_packed_append(test_env(), &all, &side, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_append(test_env(), &all, &side, 3), DGM_OK);
    CHECK_MEM(all.weights, want, sizeof want);
    dgm_packed_clear(test_env(), &side);
    dgm_packed_clear(test_env(), &all);
}

TEST(packed_links_stay_with_their_sentences)
{
    static const int32_t ids[2] = { 4, DGM_VOCAB_EOS }, words[2] = { 0, -1 };
    static const int32_t links[4] = { 3, 0, 5, 0 }, ends[7] = { 0, 0, 2, 2, 4, 4, 4 };
    struct dgm_packed side, all;

    memset(&side, 0, sizeof side);
    memset(&all, 0, sizeof all);
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 2, NULL, 1), DGM_OK);
        if (i == 0)
            CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &side), DGM_OK);
        if (i == 1)
            CHECK_STATUS(dgm_packed_add_links(test_env(), &side, links, 2), DGM_OK);
    }
    CHECK(all.links == NULL && dgm_packed_link_count(&all, 0) == 0);
    CHECK_STATUS(dgm_packed_append(test_env(), &all, &side, 1), DGM_OK);
    CHECK_STATUS(dgm_packed_append_all(test_env(), &all, &side), DGM_OK);
    CHECK_STATUS(dgm_packed_append(test_env(), &all, &side, 2), DGM_OK);
    CHECK_MEM(all.link_offsets, ends, sizeof ends);
    CHECK_MEM(all.links, links, sizeof links);
    CHECK_MEM(all.links + 4, links, sizeof links);
    dgm_packed_reset(&all);
    CHECK_STATUS(dgm_packed_append(test_env(), &all, &side, 1), DGM_OK);
    CHECK_MEM(all.link_offsets, ends + 1, 2 * sizeof *ends);
    dgm_packed_clear(test_env(), &side);
    dgm_packed_clear(test_env(), &all);
}

TEST(packed_room_is_used_as_it_is_and_makes_the_columns)
{
    static const int32_t ids[3] = { 4, 5, DGM_VOCAB_EOS }, words[3] = { 0, 1, -1 };
    const unsigned columns = DGM_PACKED_HEADS | DGM_PACKED_FEATURE | DGM_PACKED_BINARY;
    struct dgm_packed side;
    size_t capacity;

    memset(&side, 0, sizeof side);
    CHECK_STATUS(dgm_packed_make_room(test_env(), &side, 20, 60, 40, columns), DGM_OK);
    CHECK_INT(dgm_packed_columns(&side), columns);
    capacity = side.id_capacity;
    CHECK_INT(capacity, 60);
    for (int i = 0; i < 20; i++)
        CHECK_STATUS(dgm_packed_add(test_env(), &side, ids, words, 3, NULL, 2), DGM_OK);
    CHECK_INT(side.id_capacity, capacity);
    CHECK_INT(side.offset_capacity, 21);
    CHECK_INT(side.head_capacity, 41);
    CHECK_INT(side.heads[3], -1);
    CHECK_STATUS(dgm_packed_make_room(test_env(), &side, 2, (int64_t)INT32_MAX + 1, 4, 0),
                 DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_packed_clear(test_env(), &side);
}
