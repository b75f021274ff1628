/* test_truecaser.c: the public truecaser: learning, applying, undoing. */
#include "api_case.h"

TEST(api_truecaser_learns_and_goes_forth_and_back)
{
    static const char line[] = "So the man saw Berlin .", other[] = "The BERLIN man";
    dgm_truecaser_options options = { .struct_size = sizeof options, .language = "en" };
    struct dgm_buf out = { 0 };
    dgm_truecaser *truecaser;
    dgm_context *context;
    const char *text;
    char path[512];
    size_t bytes;

    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_truecaser_new(context, &options, &truecaser), DGM_OK);
    CHECK_FAILS(context, dgm_truecaser_write(truecaser, keep, &out), DGM_DATA);
    CHECK_FAILS(context, dgm_truecaser_apply(truecaser, line, 3, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_truecaser_add(truecaser, line, strlen(line)), DGM_OK);
    put_file(path, "text", "In the man\n");
    CHECK_STATUS(dgm_truecaser_read(truecaser, path), DGM_OK);
    CHECK_STATUS(dgm_truecaser_write(truecaser, keep, &out), DGM_OK);
    CHECK_STR(out.data, "man (2/2)\nthe (2/2)\nBerlin (1/1)\nsaw (1/1)\n");
    dgm_truecaser_free(truecaser);

    put_file(path, "model", out.data);
    options.model = path;
    CHECK_STATUS(dgm_truecaser_new(context, &options, &truecaser), DGM_OK);
    CHECK_STATUS(dgm_truecaser_apply(truecaser, other, strlen(other), &text, &bytes), DGM_OK);
    CHECK_STR(text, "the BERLIN man");
    CHECK_STATUS(dgm_truecaser_undo(truecaser, text, bytes, &text, &bytes), DGM_OK);
    CHECK_STR(text, other);
    dgm_truecaser_free(truecaser);

    options.language = "no language";
    CHECK_FAILS(context, dgm_truecaser_new(context, &options, &truecaser), DGM_USAGE);
    options.language = NULL;
    put_file(path, "model", "the 3\n");
    CHECK_FAILS(context, dgm_truecaser_new(context, &options, &truecaser), DGM_DATA);
    CHECK(truecaser == NULL);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
}
