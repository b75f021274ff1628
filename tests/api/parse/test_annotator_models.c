/* test_annotator_models.c: one model or several parsers: what the options of an annotator say. */
#include "api_case.h"

static void check_refused(dgm_context *context, const dgm_annotator_options *from,
                          dgm_status status, const char *text)
{
    dgm_annotator_options options = *from;
    dgm_annotator *annotator = NULL;

    options.struct_size = sizeof options;
    CHECK_STATUS(dgm_annotator_new(context, &options, &annotator), status);
    CHECK(annotator == NULL);
    if (strstr(dgm_context_error(context)->message, text) == NULL)
        CHECK_STR(dgm_context_error(context)->message, text);
    dgm_context_clear(context);
}

TEST(annotator_takes_one_model_or_several)
{
    static const char *const none[2] = { "no such file", NULL };
    const char *many[17];
    dgm_annotator_options options;
    dgm_context *context;

    memset(&options, 0, sizeof options);
    CHECK_STATUS(new_context(&context), DGM_OK);
    check_refused(context, &options, DGM_USAGE, "model is NULL");
    options.model = "no such file";
    check_refused(context, &options, DGM_MODEL, "No such file");
    options.models = none;
    options.model_count = 1;
    check_refused(context, &options, DGM_USAGE, "model and models; expected one of them");
    options.model = NULL;
    check_refused(context, &options, DGM_MODEL, "No such file");
    options.model_count = 2;
    check_refused(context, &options, DGM_USAGE, "dgm_annotator_options.models: number 1 of 2");
    options.models = NULL;
    check_refused(context, &options, DGM_USAGE, "dgm_annotator_options.models: number 0 of 2");
    for (int i = 0; i < 17; i++)
        many[i] = "no such file";
    options.models = many;
    options.model_count = 17;
    check_refused(context, &options, DGM_USAGE, "17 models; expected 1..16");
    options.model_count = 2;
    options.from_attention = 1;
    check_refused(context, &options, DGM_USAGE, "the attention of 2 models");
    dgm_context_free(context);
}
