/* test_average.c: the mean of models. */
#include "api_case.h"

TEST(api_average_is_the_mean_with_the_last_metadata)
{
    struct dgm_env *env = test_env();
    char a[512], b[512], c[512], out[512];
    const char *paths[3];
    dgm_context *context;
    struct dgm_gguf file;
    dgm_real values[6];
    int32_t whole[2];
    int64_t number = 0;
    int i;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(a, "a", "dim = 2", 1.0, 3, 100);
    put_model(b, "b", "dim = 2", 2.0, 3, 200);
    put_model(c, "c", "dim = 2", 6.0, 3, 300);
    path_to(out, "out");
    paths[0] = a;
    paths[1] = b;
    paths[2] = c;
    CHECK_STATUS(dgm_average(context, paths, 3, out), DGM_OK);
    memset(&file, 0, sizeof file);
    CHECK_STATUS(dgm_gguf_load(env, &file, out), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, NULL), DGM_OK);
    CHECK_STATUS(dgm_gguf_read_reals(env, &file, dgm_gguf_find_tensor(&file, "m"), values, 6),
                 DGM_OK);
    for (i = 0; i < 6; i++)
        CHECK_NEAR(values[i], 3.0 + i, 0.0);
    CHECK_STATUS(dgm_gguf_read_reals(env, &file, dgm_gguf_find_tensor(&file, "v"), values, 3),
                 DGM_OK);
    CHECK_NEAR(values[2], 1.5, 0.0);
    CHECK_INT(dgm_gguf_find_tensor(&file, "v")->type, DGM_GGUF_F16);
    CHECK_STATUS(gguf_read_ints(env, &file, dgm_gguf_find_tensor(&file, "whole"), whole, 2),
                 DGM_OK);
    CHECK_INT(whole[1], 5);
    CHECK(dgm_gguf_find_tensor(&file, "state.m") == NULL);
    CHECK(dgm_gguf_find_key(&file, "dragoman.state.update") == NULL);
    CHECK(dgm_gguf_int(&file, "general.number", &number));
    CHECK_INT(number, 300);
    dgm_gguf_clear(env, &file);
    dgm_context_free(context);
}

TEST(api_average_refuses_models_that_differ)
{
    char a[512], b[512], c[512], out[512];
    const char *paths[2];
    dgm_context *context;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(a, "a", "dim = 2", 1.0, 3, 1);
    put_model(b, "b", "dim = 3", 1.0, 3, 1);
    put_model(c, "c", "dim = 2", 1.0, 2, 1);
    path_to(out, "out");
    paths[0] = a;
    paths[1] = b;
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_MODEL);
    paths[1] = c;
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_MODEL);
    paths[1] = NULL;
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_USAGE);
    paths[1] = a;
    dgm_context_stop(context);
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_INTERRUPTED);
    CHECK(!dgm_file_exists(test_env(), out));
    dgm_context_free(context);
}

/* Neither an input nor a text is written over; another model is, and one call may write what
 * another has read. */
TEST(api_average_destroys_nothing)
{
    char a[512], b[512], text[512];
    const char *paths[2];
    dgm_context *context;
    FILE *file;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(a, "a", "dim = 2", 1.0, 3, 1);
    put_model(b, "b", "dim = 2", 3.0, 3, 1);
    path_to(text, "text");
    file = fopen(text, "wb");
    CHECK(file != NULL && fputs("text", file) >= 0 && fclose(file) == 0);
    paths[0] = a;
    paths[1] = b;
    CHECK_FAILS(context, dgm_average(context, paths, 2, b), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, paths, 2, text), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, paths, 2, "-"), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, paths, 2, test_dir()), DGM_USAGE);
    CHECK_STATUS(dgm_average(context, paths, 1, b), DGM_OK);
    CHECK_STATUS(dgm_average(context, paths + 1, 1, a), DGM_OK);
    dgm_context_free(context);
}
