/*
 * test_text_block.c: blocks of training text come back as they were, and damaged ones are refused.
 */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "base/philox.h"
#include "data/cache/text_block.h"
#include "text_case.h"
#include "test.h"

static const struct dgm_text_limits limits = { { TEXT_CASE_IDS, TEXT_CASE_IDS }, { 9, 9, 9, 9 } };
static const struct dgm_text_place place = { "text.cache", 64 };

static dgm_status unpack(struct dgm_corpus *to, const void *bytes, size_t count)
{
    return dgm_text_block_unpack(test_env(), to, bytes, count, &limits, &place);
}

/* Pairs from..to-1 of a corpus, there and back. */
static void check_there_and_back(const struct dgm_corpus *corpus, struct dgm_corpus *back,
                                 int32_t from, int32_t to)
{
    struct dgm_buf bytes = { 0 };

    CHECK_STATUS(dgm_text_block_pack(test_env(), &bytes, corpus, from, to), DGM_OK);
    CHECK_STATUS(unpack(back, bytes.data, bytes.size), DGM_OK);
    CHECK_INT(back->source.count, to - from);
    for (int32_t p = from; p < to; p++) {
        text_case_check_same(&back->source, p - from, &corpus->source, p);
        text_case_check_same(&back->target, p - from, &corpus->target, p);
        CHECK_INT(back->line_of[p - from], corpus->line_of[p]);
    }
    dgm_buf_clear(test_env(), &bytes);
}

TEST(text_block_comes_back_as_it_was)
{
    struct dgm_corpus corpus, back;

    memset(&back, 0, sizeof back);
    for (int trees = 0; trees <= 15; trees++) {
        CHECK_STATUS(text_case_make(&corpus, 100, trees), DGM_OK);
        check_there_and_back(&corpus, &back, 0, 100);
        check_there_and_back(&corpus, &back, 17, 18);
        check_there_and_back(&corpus, &back, 50, 100);
        dgm_corpus_clear(test_env(), &corpus);
    }
    dgm_corpus_clear(test_env(), &back);
}

TEST(text_block_of_text_without_trees_has_no_columns_for_them)
{
    struct dgm_corpus corpus, back;

    CHECK_STATUS(text_case_make(&corpus, 10, 0), DGM_OK);
    memset(&back, 0, sizeof back);
    check_there_and_back(&corpus, &back, 0, 10);
    CHECK_INT(dgm_packed_columns(&back.source), 0);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_corpus_clear(test_env(), &back);
}

/* Whatever a bit becomes, reading ends, and what is read stays within its limits. */
/* Each link is between words of its pair. */
static void check_links(const struct dgm_corpus *back)
{
    const int32_t *source = back->source.word_offsets, *target = back->target.word_offsets;

    for (int32_t p = 0; back->target.links != NULL && p < back->target.count; p++)
        for (int32_t l = back->target.link_offsets[p]; l < back->target.link_offsets[p + 1]; l++) {
            CHECK(back->target.links[2 * l] >= 0 &&
                  back->target.links[2 * l] < source[p + 1] - source[p]);
            CHECK(back->target.links[2 * l + 1] >= 0 &&
                  back->target.links[2 * l + 1] < target[p + 1] - target[p]);
        }
}

TEST(text_block_with_a_wrong_bit_is_refused_or_within_its_limits)
{
    struct dgm_corpus corpus, back;
    struct dgm_buf bytes = { 0 };
    size_t bit, refused = 0;

    CHECK_STATUS(text_case_make(&corpus, 6, 15), DGM_OK);
    CHECK_STATUS(dgm_text_block_pack(test_env(), &bytes, &corpus, 0, 6), DGM_OK);
    memset(&back, 0, sizeof back);
    for (bit = 0; bit < 8 * bytes.size; bit++) {
        dgm_status status;

        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        status = unpack(&back, bytes.data, bytes.size);
        CHECK(status == DGM_OK || status == DGM_DATA);
        refused += status == DGM_DATA;
        for (int32_t i = 0; status == DGM_OK && i < back.source.offsets[back.source.count]; i++)
            CHECK(back.source.ids[i] >= 0 && back.source.ids[i] < TEXT_CASE_IDS);
        for (int32_t p = 0; status == DGM_OK && p < back.target.count; p++)
            CHECK(back.target.weights[p] > 0 && back.target.weights[p] <= FLT_MAX);
        if (status == DGM_OK)
            check_links(&back);
        dgm_env_clear_error(test_env());
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    CHECK(refused > 8 * 16);
    dgm_buf_clear(test_env(), &bytes);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_corpus_clear(test_env(), &back);
}

TEST(text_block_that_ends_early_or_goes_on_is_refused)
{
    struct dgm_corpus corpus, back;
    struct dgm_buf bytes = { 0 };
    size_t count;

    CHECK_STATUS(text_case_make(&corpus, 6, 15), DGM_OK);
    CHECK_STATUS(dgm_text_block_pack(test_env(), &bytes, &corpus, 0, 6), DGM_OK);
    memset(&back, 0, sizeof back);
    for (count = 0; count < bytes.size; count++) {
        CHECK_STATUS(unpack(&back, bytes.data, count), DGM_DATA);
        dgm_env_clear_error(test_env());
    }
    CHECK_STATUS(dgm_buf_add_char(test_env(), &bytes, 'x'), DGM_OK);
    CHECK_STATUS(unpack(&back, bytes.data, bytes.size), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "goes on behind its last column") != NULL);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &bytes);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_corpus_clear(test_env(), &back);
}

TEST(text_block_ends_with_the_pair_that_fills_it)
{
    struct dgm_corpus corpus;
    int64_t sum = 0;
    int32_t p, end;

    CHECK_STATUS(text_case_make(&corpus, 100, 0), DGM_OK);
    end = dgm_text_block_end(&corpus, 10, 2000);
    for (p = 10; p < end - 1; p++)
        sum += dgm_text_block_pair_bytes(&corpus, p);
    CHECK(sum < 2000);
    CHECK(sum + dgm_text_block_pair_bytes(&corpus, p) >= 2000);
    CHECK_INT(dgm_text_block_end(&corpus, 99, 1), 100);
    CHECK_INT(dgm_text_block_end(&corpus, 0, INT64_MAX), 100);
    dgm_corpus_clear(test_env(), &corpus);
}
