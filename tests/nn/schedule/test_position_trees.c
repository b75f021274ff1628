/*
 * test_position_trees.c: trees over words carried to positions, and the orders in which they are
 * read.
 */
#include "nn/schedule/position_trees.h"

#include <string.h>

#include "wavefront_case.h"

enum { END = 0 };

static dgm_status add(struct dgm_packed *packed, const int32_t *words, int32_t n,
                      const int32_t *heads, int32_t word_count)
{
    int32_t ids[CASE_WORDS + 1];

    for (int32_t i = 0; i < n; i++)
        ids[i] = words[i] < 0 ? END : 7;
    return dgm_packed_add(test_env(), packed, ids, words, n, heads, word_count);
}

static void clear(struct dgm_packed *packed, struct dgm_position_trees *pieces)
{
    dgm_packed_clear(test_env(), packed);
    dgm_position_trees_clear(test_env(), pieces);
}

TEST(pieces_depend_on_the_first_piece_of_their_word)
{
    /* Two words of two pieces, a mark that is no word, the head "c" in one piece. */
    static const int32_t words[] = { 0, 0, -1, 1, 1, 2, -1 }, heads[] = { 1, 2, 2 };
    static const int32_t tree[] = { 3, 0, 2, 5, 3, 5 }, rows[] = { 0, 1, 2, 3, 4, 5, 7, 8 };
    /* A cut line: the head of word 0, word 2, has no position. */
    static const int32_t cut[] = { 0, 1, -1 }, cut_heads[] = { 2, 0, 2, 2 }, left[] = { 0, 0 };
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    CHECK_STATUS(add(&packed, words, 7, heads, 3), DGM_OK);
    CHECK_STATUS(add(&packed, cut, 3, cut_heads, 4), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, NULL, DGM_NO_PARSE_REJECT),
                 DGM_OK);
    CHECK_INT(pieces.count, 2);
    CHECK_INT(pieces.offsets[1], 6);
    CHECK_INT(pieces.offsets[2], 8);
    CHECK_MEM(pieces.heads, tree, sizeof tree);
    CHECK_MEM(pieces.heads + 6, left, sizeof left);
    CHECK_MEM(pieces.rows, rows, sizeof rows);
    clear(&packed, &pieces);
}

TEST(pieces_without_a_parse_are_a_chain_or_refused)
{
    static const int32_t words[] = { 0, 1, 1, -1 }, heads[] = { 1, 1 }, none[] = { -1 };
    static const int32_t chain[] = { 0, 0, 1 }, numbers[] = { 3, 5, 16 };
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    CHECK_STATUS(add(&packed, words, 4, heads, 2), DGM_OK);
    CHECK_STATUS(add(&packed, none, 1, NULL, 0), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, numbers,
                                         DGM_NO_PARSE_REJECT),
                 DGM_OK);
    CHECK_INT(pieces.offsets[2], 3);
    CHECK_STATUS(add(&packed, words, 4, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, numbers, DGM_NO_PARSE_CHAIN),
                 DGM_OK);
    CHECK_MEM(pieces.heads + 3, chain, sizeof chain);
    CHECK_STATUS(dgm_position_trees_order(test_env(), &pieces, NULL), DGM_OK);
    for (int32_t i = 0; i < 3; i++) {
        CHECK_INT(pieces.pre[3 + i], i);
        CHECK_INT(pieces.post[3 + i], 2 - i);
    }
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, numbers,
                                         DGM_NO_PARSE_REJECT),
                 DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "sentence 17 has no parse; expected one, or --no-parse star");
    dgm_env_clear_error(test_env());
    clear(&packed, &pieces);
}

/* Every word is a root, its other pieces depend on its first, as in trees; a mark is a root. */
TEST(pieces_without_a_parse_are_a_star)
{
    static const int32_t words[] = { 0, 1, 1, 1, -1, 2, 2, -1 };
    static const int32_t star[] = { 0, 1, 1, 1, 4, 5, 5 }, pre[] = { 0, 1, 2, 3, 4, 5, 6 };
    static const int32_t post[] = { 0, 2, 3, 1, 4, 6, 5 };
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    CHECK_STATUS(add(&packed, words, 8, NULL, 3), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, NULL, DGM_NO_PARSE_STAR),
                 DGM_OK);
    CHECK_MEM(pieces.heads, star, sizeof star);
    CHECK_STATUS(dgm_position_trees_order(test_env(), &pieces, NULL), DGM_OK);
    CHECK_MEM(pieces.pre, pre, sizeof pre);
    CHECK_MEM(pieces.post, post, sizeof post);
    clear(&packed, &pieces);
}

/* A unit that carries its head twice may double at every step: chains end before floats do. */
TEST(pieces_of_a_long_line_without_a_parse_are_several_chains)
{
    enum { WORDS = 200 };
    int32_t ids[WORDS + 1], words[WORDS + 1];
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    for (int32_t i = 0; i <= WORDS; i++) {
        ids[i] = i < WORDS ? 7 : END;
        words[i] = i < WORDS ? i : -1;
    }
    CHECK_STATUS(dgm_packed_add(test_env(), &packed, ids, words, WORDS + 1, NULL, WORDS), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, NULL, DGM_NO_PARSE_CHAIN),
                 DGM_OK);
    for (int32_t i = 1; i < WORDS; i++)
        CHECK_INT(pieces.heads[i], i % DGM_CHAIN_MOST == 0 ? 0 : i - 1);
    dgm_position_trees_clear(test_env(), &pieces);
    dgm_packed_clear(test_env(), &packed);
}

/* E7: We live in different places on the earth. */
TEST(pieces_orders_of_the_printed_sentence)
{
    static const int32_t words[] = { 0, 1, 2, 3, 4, 5, 6, 7, -1 };
    static const int32_t heads[] = { 1, 1, 4, 4, 1, 7, 7, 4 };
    static const int32_t pre[] = { 1, 0, 4, 2, 3, 7, 5, 6 }, post[] = { 0, 2, 3, 5, 6, 7, 4, 1 };
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    CHECK_STATUS(add(&packed, words, 9, heads, 8), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, NULL, DGM_NO_PARSE_CHAIN),
                 DGM_OK);
    CHECK_STATUS(dgm_position_trees_order(test_env(), &pieces, NULL), DGM_OK);
    CHECK_MEM(pieces.pre, pre, sizeof pre);
    CHECK_MEM(pieces.post, post, sizeof post);
    clear(&packed, &pieces);
}

/* Appends the subtree of `head`, roots for -1, as the definitions say. */
static void read_out(const int32_t *heads, int32_t n, int32_t head, int heads_first, int32_t *order,
                     int32_t *count)
{
    if (head >= 0 && heads_first)
        order[(*count)++] = head;
    for (int32_t i = 0; i < n; i++)
        if ((heads[i] == i ? -1 : heads[i]) == head)
            read_out(heads, n, i, heads_first, order, count);
    if (head >= 0 && !heads_first)
        order[(*count)++] = head;
}

TEST(pieces_orders_of_random_trees_are_those_of_the_definition)
{
    struct dgm_random random;
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    dgm_random_init(&random, 76, 0, 0, 0);
    for (int round = 0; round < 100; round++) {
        int32_t words[CASE_WORDS + 1], heads[CASE_WORDS], order[CASE_WORDS], count = 0;
        const int32_t n = 1 + (int32_t)dgm_random_below(&random, CASE_WORDS);

        case_tree(&random, heads, n);
        for (int32_t i = 0; i <= n; i++)
            words[i] = i < n ? i : -1;
        dgm_packed_reset(&packed);
        CHECK_STATUS(add(&packed, words, n + 1, heads, n), DGM_OK);
        CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, NULL,
                                             DGM_NO_PARSE_CHAIN),
                     DGM_OK);
        CHECK_MEM(pieces.heads, heads, (size_t)n * sizeof *heads);
        CHECK_STATUS(dgm_position_trees_order(test_env(), &pieces, NULL), DGM_OK);
        read_out(heads, n, -1, 1, order, &count);
        CHECK_INT(count, n);
        CHECK_MEM(pieces.pre, order, (size_t)n * sizeof *order);
        count = 0;
        read_out(heads, n, -1, 0, order, &count);
        CHECK_MEM(pieces.post, order, (size_t)n * sizeof *order);
    }
    clear(&packed, &pieces);
}

TEST(pieces_refuse_what_is_no_tree)
{
    static const int32_t words[] = { 0, 1, 2, -1 }, numbers[] = { 4 };
    static const int32_t cycle[] = { 1, 0, 2 }, outside[] = { 0, 3, 0 }, below[] = { 0, -1, 0 };
    struct dgm_position_trees pieces;
    struct dgm_packed packed;

    memset(&pieces, 0, sizeof pieces);
    memset(&packed, 0, sizeof packed);
    CHECK_STATUS(add(&packed, words, 4, cycle, 3), DGM_OK);
    CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, numbers, DGM_NO_PARSE_CHAIN),
                 DGM_OK);
    CHECK_STATUS(dgm_position_trees_order(test_env(), &pieces, numbers), DGM_DATA);
    CHECK_STR(test_env()->error.message, "sentence 5: a cycle of heads; expected a tree [E_CYCLE]");
    dgm_env_clear_error(test_env());
    for (int k = 0; k < 2; k++) {
        dgm_packed_reset(&packed);
        CHECK_STATUS(add(&packed, words, 4, k ? below : outside, 3), DGM_OK);
        CHECK_STATUS(dgm_position_trees_read(test_env(), &pieces, &packed, numbers,
                                             DGM_NO_PARSE_CHAIN),
                     DGM_DATA);
        CHECK(strstr(test_env()->error.message, "sentence 5: word 1 has the head") != NULL);
        dgm_env_clear_error(test_env());
    }
    clear(&packed, &pieces);
}
