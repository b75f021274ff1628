/* test_segmenter.c: the public segmenter. */
#include "api_case.h"

TEST(api_segmenter_cuts_and_joins)
{
    static const char *const glossaries[] = { "abab" };
    dgm_segmenter_options options;
    dgm_context *context;
    char codes[512], missing[512];
    dgm_segmenter *segmenter;
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(codes, "codes", "#version: 0.2\na b\n");
    path_to(missing, "missing");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.codes = codes;
    options.glossaries = glossaries;
    options.glossary_count = 1;
    options.separator = "##";
    CHECK_STATUS(dgm_segmenter_new(context, &options, &segmenter), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(segmenter, "abx abab", 8, &text, &bytes), DGM_OK);
    CHECK_STR(text, "ab## x abab");
    CHECK_STATUS(dgm_segmenter_undo(segmenter, text, bytes, &text, &bytes), DGM_OK);
    CHECK_STR(text, "abx abab");
    dgm_segmenter_free(segmenter);
    options.codes = NULL;
    CHECK_STATUS(dgm_segmenter_new(context, &options, &segmenter), DGM_OK);
    CHECK_FAILS(context, dgm_segmenter_apply(segmenter, "a", 1, &text, &bytes), DGM_USAGE);
    dgm_segmenter_free(segmenter);
    options.codes = missing;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_DATA);
    CHECK(segmenter == NULL);
    options.codes = codes;
    options.glossary_count = (size_t)-1;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    options.glossary_count = 1;
    options.glossaries = NULL;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    options.glossary_count = 0;
    options.separator = "a b";
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    options.separator = NULL;
    options.dropout = 1.5;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    dgm_context_free(context);
}

TEST(api_dropout_names_its_numbers_by_seed_and_line)
{
    dgm_segmenter_options options;
    dgm_context *context;
    dgm_segmenter *a, *b;
    char codes[512], first[256];
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(codes, "codes", "#version: 0.2\na b\nab ab\nabab c\n");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.codes = codes;
    options.dropout = 0.5;
    options.seed = 7;
    CHECK_STATUS(dgm_segmenter_new(context, &options, &a), DGM_OK);
    CHECK_STATUS(dgm_segmenter_new(context, &options, &b), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(a, "x", 1, &text, &bytes), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(b, "ababcabab ababc", 15, &text, &bytes), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(a, "ababc abab abc", 14, &text, &bytes), DGM_OK);
    CHECK(bytes < sizeof first);
    memcpy(first, text, bytes + 1);
    CHECK_STATUS(dgm_segmenter_apply(b, "ababc abab abc", 14, &text, &bytes), DGM_OK);
    CHECK_STR(text, first);
    dgm_segmenter_free(a);
    dgm_segmenter_free(b);
    dgm_context_free(context);
}
