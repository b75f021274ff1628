/* test_tokenizer.c: the public tokenizer. */
#include "api_case.h"

TEST(api_tokenizer_goes_forth_and_back)
{
    static const char line[] = "\"It's 5 & 6,\" he said.";
    dgm_tokenizer_options options = { .struct_size = sizeof options, .language = "en" };
    dgm_context *context;
    dgm_tokenizer *tokenizer;
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_tokenizer_new(context, &options, &tokenizer), DGM_OK);
    CHECK_STATUS(dgm_tokenizer_apply(tokenizer, line, strlen(line), &text, &bytes), DGM_OK);
    CHECK_STR(text, "&quot; It &apos;s 5 &amp; 6 , &quot; he said .");
    CHECK_INT(bytes, strlen(text));
    CHECK_STATUS(dgm_tokenizer_undo(tokenizer, text, bytes, &text, &bytes), DGM_OK);
    CHECK_STR(text, line);
    dgm_tokenizer_free(tokenizer);
    options.language = "a language code that is far too long";
    CHECK_FAILS(context, dgm_tokenizer_new(context, &options, &tokenizer), DGM_USAGE);
    CHECK(tokenizer == NULL);
    dgm_context_free(context);
}
