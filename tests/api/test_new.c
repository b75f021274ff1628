/*
 * test_new.c: what is made through the interface: a call that fails sets the handle to NULL,
 * however it fails, so that it can be freed; calls without what they need are refused.
 */
#include "api_case.h"

/* A handle that nothing lies behind. */
static char nothing;
#define STALE(type) ((type *)(void *)&nothing)

/* Each function that makes something, in a context that is NULL or has an error. */
static void check_all(dgm_context *context, dgm_status expected)
{
    dgm_tokenizer *tokenizer = STALE(dgm_tokenizer);
    dgm_words *words = STALE(dgm_words);
    dgm_segmenter *segmenter = STALE(dgm_segmenter);
    dgm_truecaser *truecaser = STALE(dgm_truecaser);
    dgm_cleaner *cleaner = STALE(dgm_cleaner);
    dgm_splitter *splitter = STALE(dgm_splitter);
    dgm_langid *langid = STALE(dgm_langid);
    dgm_scorer *scorer = STALE(dgm_scorer);
    dgm_model *model = STALE(dgm_model), *in_memory = STALE(dgm_model);
    dgm_translator *translator = STALE(dgm_translator);
    dgm_rescorer *rescorer = STALE(dgm_rescorer);
    dgm_annotator *annotator = STALE(dgm_annotator);

    CHECK_STATUS(dgm_tokenizer_new(context, NULL, &tokenizer), expected);
    CHECK_STATUS(dgm_words_new(context, &words), expected);
    CHECK_STATUS(dgm_segmenter_new(context, NULL, &segmenter), expected);
    CHECK_STATUS(dgm_truecaser_new(context, NULL, &truecaser), expected);
    CHECK_STATUS(dgm_cleaner_new(context, NULL, &cleaner), expected);
    CHECK_STATUS(dgm_splitter_new(context, NULL, &splitter), expected);
    CHECK_STATUS(dgm_langid_new(context, NULL, &langid), expected);
    CHECK_STATUS(dgm_scorer_new(context, NULL, &scorer), expected);
    CHECK_STATUS(dgm_model_open(context, "m", NULL, &model), expected);
    CHECK_STATUS(dgm_model_from_memory(context, "m", 1, "m", NULL, &in_memory), expected);
    CHECK_STATUS(dgm_translator_new(context, NULL, &translator), expected);
    CHECK_STATUS(dgm_rescorer_new(context, NULL, &rescorer), expected);
    CHECK_STATUS(dgm_annotator_new(context, NULL, &annotator), expected);
    CHECK(tokenizer == NULL && words == NULL && segmenter == NULL && cleaner == NULL);
    CHECK(truecaser == NULL);
    CHECK(splitter == NULL && scorer == NULL && model == NULL && in_memory == NULL);
    CHECK(translator == NULL && rescorer == NULL && annotator == NULL && langid == NULL);
}

TEST(api_new_that_fails_leaves_nothing_to_free)
{
    dgm_context *context = NULL;
    dgm_model *model = NULL;

    check_all(NULL, DGM_USAGE);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_model_open(context, "/nonexistent", NULL, &model), DGM_MODEL);
    check_all(context, DGM_MODEL); /* the error stays until it is cleared */
    dgm_context_free(context);
}

TEST(api_calls_without_a_function_to_write_are_refused)
{
    dgm_context *context = NULL;

    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_import(context, "folder", NULL, NULL, NULL, NULL), DGM_USAGE);
    CHECK(strstr(dgm_context_error(context)->message, "write is NULL") != NULL);
    dgm_context_free(context);
}

TEST(api_repetitions_of_too_many_references_are_refused)
{
    const char *references[1] = { "x" };
    dgm_repetitions found;
    dgm_context *context = NULL;

    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_count_repetitions(context, "x", references, (size_t)-1, &found), DGM_USAGE);
    dgm_context_free(context);
}
