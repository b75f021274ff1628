/* test_inspect.c: the report on a model file. */
#include "api_case.h"

TEST(api_inspect_reports_what_a_model_holds)
{
    dgm_inspect_options options = { .struct_size = sizeof options, .verify = 1 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(path, "model", "dim = 2\nheads = 1\n\033[31m", 1.0, 3, 1);
    CHECK_STATUS(dgm_inspect(context, path, &options, keep, &out), DGM_OK);
    CHECK(strstr(out.data, "\nparameters: 11\nchecksums: good\n") != NULL);
    CHECK(strstr(out.data, "string  \n    dim = 2\n    heads = 1\n    \\u001b[31m\n") != NULL);
    CHECK(strstr(out.data, " f32   2 x 3\n") != NULL);
    dgm_buf_reset(&out);
    options.json = 1;
    CHECK_STATUS(dgm_inspect(context, path, &options, keep, &out), DGM_OK);
    CHECK(strstr(out.data, "\"value\": \"dim = 2\\nheads = 1\\n\\u001b[31m\"") != NULL);
    CHECK(strstr(out.data, "\"checksums\": \"good\"") != NULL);
    dgm_buf_clear(test_env(), &out);
    CHECK_FAILS(context, dgm_inspect(context, path, &options, refuse, NULL), DGM_FAILURE);
    dgm_context_free(context);
}
