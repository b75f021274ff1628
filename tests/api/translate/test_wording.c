/* test_wording.c: hypotheses without words go; where none is left, the source stands for them. */
#include "api/translate/wording.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

enum { WORD = DGM_VOCAB_SPECIALS, EMPTY };

/* A vocabulary of a word, and of a piece that goes on and says nothing. */
static void open_wording(struct dgm_wording *wording, struct dgm_pipeline *pipeline)
{
    static const char codes[] = "#version: 0.2\nh i</w>\n", words[] = "hi 9\n@@ 8\n";

    memset(pipeline, 0, sizeof *pipeline);
    memset(wording, 0, sizeof *wording);
    pipeline->joint = 1;
    CHECK_STATUS(dgm_pipeline_set_codes(test_env(), pipeline, codes, sizeof codes - 1, "codes"),
                 DGM_OK);
    CHECK_STATUS(dgm_vocab_parse(test_env(), &pipeline->vocab[0], words, sizeof words - 1, "words"),
                 DGM_OK);
    wording->pipeline = pipeline;
}

static void add_item(struct dgm_result *result, int32_t token)
{
    struct dgm_hypothesis *item;

    if (result->items == NULL)
        CHECK_STATUS(dgm_new(test_env(), &result->items, 4, sizeof *result->items), DGM_OK);
    item = &result->items[result->count++];
    item->length = 2;
    item->logp = item->score = -result->count;
    CHECK_STATUS(dgm_new(test_env(), &item->tokens, 2, sizeof *item->tokens), DGM_OK);
    item->tokens[0] = token;
    item->tokens[1] = DGM_VOCAB_EOS;
}

TEST(hypotheses_without_words_go)
{
    struct dgm_result result = { .is_done = 1 };
    struct dgm_pipeline pipeline;
    struct dgm_wording wording;

    open_wording(&wording, &pipeline);
    add_item(&result, EMPTY);
    add_item(&result, WORD);
    add_item(&result, EMPTY);
    add_item(&result, WORD);
    CHECK_STATUS(dgm_wording_keep(test_env(), &wording, &result, 3), DGM_OK);
    CHECK_INT(result.count, 2);
    CHECK_NEAR(result.items[0].score, -2, 0);
    CHECK_NEAR(result.items[1].score, -4, 0);
    CHECK(!dgm_wording_is_copy(&result.items[0]));
    CHECK_STATUS(dgm_wording_keep(test_env(), &wording, &result, 1), DGM_OK);
    CHECK_INT(result.count, 1);
    CHECK_STATUS(dgm_wording_write(test_env(), &wording, &result.items[0], NULL), DGM_OK);
    CHECK_STR(wording.text.data, "hi");
    dgm_result_clear(test_env(), &result);
    dgm_wording_clear(test_env(), &wording);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(the_source_stands_for_a_translation_without_words)
{
    struct dgm_result results[2] = { { .is_done = 1 }, { .is_done = 1 } };
    struct dgm_pipeline pipeline;
    struct dgm_wording wording;

    open_wording(&wording, &pipeline);
    add_item(&results[0], EMPTY); /* the other has no hypothesis at all */
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(dgm_wording_keep(test_env(), &wording, &results[i], 5), DGM_OK);
        CHECK_INT(results[i].count, 1);
        CHECK(dgm_wording_is_copy(&results[i].items[0]));
        CHECK(results[i].items[0].score == -HUGE_VAL && results[i].items[0].logp == -HUGE_VAL);
        CHECK_STATUS(dgm_wording_copy(test_env(), &wording, "a  b\xFF", 5), DGM_OK);
        CHECK_STR(wording.text.data, "a  b\xEF\xBF\xBD");
        dgm_result_clear(test_env(), &results[i]);
    }
    wording.keep_tokens = 1;
    CHECK_STATUS(dgm_wording_copy(test_env(), &wording, "a  b\xFF", 5), DGM_OK);
    CHECK_STR(wording.text.data, "a b\xEF\xBF\xBD");
    dgm_wording_clear(test_env(), &wording);
    dgm_pipeline_clear(test_env(), &pipeline);
}
