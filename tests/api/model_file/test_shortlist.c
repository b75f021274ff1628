/* test_shortlist.c: what dgm_shortlist_make refuses. */
#include "api_case.h"

static void check_refused(dgm_context *context, const dgm_shortlist_options *options,
                          const char *out, const char *words)
{
    CHECK_STATUS(dgm_shortlist_make(context, options, out), DGM_USAGE);
    CHECK(strstr(dgm_context_error(context)->message, words) != NULL);
    dgm_context_clear(context);
}

TEST(api_shortlist_refuses_options_that_do_not_fit)
{
    dgm_shortlist_options options = DGM_OPTIONS(dgm_shortlist_options);
    char model[512], text[512], out[512];
    dgm_context *context;

    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(model, "model", "dim = 2", 1.0, 3, 100);
    put_file(text, "text", "a b\n");
    path_to(out, "out");
    check_refused(context, &options, out, "model");
    check_refused(context, NULL, out, "model");
    options.model = model;
    check_refused(context, &options, NULL, "out");
    check_refused(context, &options, out, "neither a corpus nor a lexical table");
    options.source = text;
    check_refused(context, &options, out, "one side of a corpus");
    options.table = text;
    check_refused(context, &options, out, "a corpus and a lexical table");
    options.source = NULL;
    check_refused(context, &options, text, "same file");
    options.pairs = 7;
    check_refused(context, &options, out, "dgm_shortlist_options.pairs with a lexical table");
    options.pairs = 0;
    options.tag = "<de>";
    check_refused(context, &options, out, "dgm_shortlist_options.tag with a lexical table");
    options.tag = NULL;
    options.first = -2;
    check_refused(context, &options, out, "dgm_shortlist_options.first");
    options.first = 0;
    options.threshold = 1.5;
    check_refused(context, &options, out, "dgm_shortlist_options.threshold");
    options.threshold = 0;
    options.best = -1;
    check_refused(context, &options, out, "dgm_shortlist_options.best");
    options.best = 0;
    options.struct_size = 3;
    check_refused(context, &options, out, "dgm_shortlist_options");
    CHECK_STATUS(dgm_shortlist_make(NULL, &options, out), DGM_USAGE);
    dgm_context_free(context);
}
