/* test_draw_training.c: curves of trainings through the public interface. */
#include "api_case.h"

#define LOG                                                                                   \
    "{\"epoch\": 1, \"update\": 100, \"labels\": 9, \"loss\": 5, \"lr\": 1, \"wps\": 3}\n"    \
    "{\"epoch\": 1, \"update\": 100, \"metric\": \"bleu\", \"value\": 20.5}\n"                \
    "{\"epoch\": 2, \"update\": 200, \"labels\": 18, \"loss\": nan, \"lr\": 1, \"wps\": 3}\n" \
    "{\"epoch\": 2, \"update\": 200, \"metric\": \"bleu\", \"value\": 22}\n"

static void draws(const char *format, const char *x, const char *part)
{
    dgm_draw_training_options options = { .struct_size = sizeof options };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char one[512], other[512];
    const char *runs[2];

    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(one, "one.jsonl", LOG);
    put_file(other, "other.jsonl", LOG);
    runs[0] = one;
    runs[1] = other;
    options.format = format;
    options.x = x;
    options.smooth = 3;
    CHECK_STATUS(dgm_draw_training(context, runs, 2, &options, keep, &out), DGM_OK);
    CHECK(strstr(out.data, part) != NULL);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
}

TEST(draw_training_runs_as_text_and_as_svg)
{
    draws(NULL, NULL, "over updates");
    draws("svg", "epochs", "best one 22 at 2, other 22 at 2");
    draws("svg", "words", "last 22 at 18");
    draws("text", "seconds", "over seconds");
}

TEST(draw_training_refuses_what_is_missing_or_wrong)
{
    dgm_draw_training_options options = { .struct_size = sizeof options };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    const char *runs[2];
    char path[512];

    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(path, "one.jsonl", LOG);
    runs[0] = runs[1] = path;
    CHECK_FAILS(context, dgm_draw_training(context, NULL, 1, &options, keep, &out), DGM_USAGE);
    CHECK_FAILS(context, dgm_draw_training(context, runs, 0, &options, keep, &out), DGM_USAGE);
    CHECK_FAILS(context, dgm_draw_training(context, runs, 2, &options, keep, &out), DGM_USAGE);
    CHECK_FAILS(context, dgm_draw_training(context, runs, 1, &options, refuse, NULL), DGM_FAILURE);
    options.metrics = "bleu,loss,blue";
    CHECK_FAILS(context, dgm_draw_training(context, runs, 1, &options, keep, &out), DGM_USAGE);
    options.metrics = NULL;
    options.smooth = -1;
    CHECK_FAILS(context, dgm_draw_training(context, runs, 1, &options, keep, &out), DGM_USAGE);
    runs[1] = NULL;
    options.smooth = 0;
    CHECK_FAILS(context, dgm_draw_training(context, runs, 2, &options, keep, &out), DGM_USAGE);
    CHECK_INT(out.size, 0);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
}
