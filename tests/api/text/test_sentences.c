/* test_sentences.c: the public splitter of text into sentences. */
#include "api_case.h"

TEST(api_sentences_cut_a_line)
{
    static const char line[] = " Dr. Smith left. He came.  Why?";
    dgm_context *context;
    dgm_sentences *sentences;
    const size_t *starts;
    size_t count;

    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_sentences_new(context, NULL, &sentences), DGM_OK);
    CHECK_STATUS(dgm_sentences_cut(sentences, line, strlen(line), &starts, &count), DGM_OK);
    CHECK_INT(count, 3);
    CHECK_INT(starts[0], 1);
    CHECK_INT(starts[1], 17);
    CHECK_INT(starts[2], 27);
    CHECK_STATUS(dgm_sentences_cut(sentences, NULL, 0, &starts, &count), DGM_OK);
    CHECK_INT(count, 0);
    CHECK_FAILS(context, dgm_sentences_cut(sentences, "a", 1, NULL, &count), DGM_USAGE);
    CHECK_FAILS(context, dgm_sentences_cut(sentences, "a\nb", 3, &starts, &count), DGM_USAGE);
    dgm_sentences_free(sentences);
    CHECK_FAILS(context, dgm_sentences_new(context, "xx", &sentences), DGM_USAGE);
    CHECK(sentences == NULL);
    dgm_context_free(context);
}
