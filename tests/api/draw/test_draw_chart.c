/* test_draw_chart.c: charts of tables through the public interface. */
#include "api_case.h"

#define TABLE "system,BLEU,sd\nplain,33.1,0.3\nrelative,33.9,0.2\nnone,-,\n"

static dgm_draw_chart_options chart_of(const char *type, const char *format)
{
    dgm_draw_chart_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.type = type;
    options.format = format;
    options.x = "system";
    options.y = "BLEU";
    options.error = "sd";
    return options;
}

static void draws(const char *type, const char *format, const char *part)
{
    dgm_draw_chart_options options = chart_of(type, format);
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];

    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(path, "table.csv", TABLE);
    options.title = "a < b";
    CHECK_STATUS(dgm_draw_chart(context, path, &options, keep, &out), DGM_OK);
    CHECK(strstr(out.data, part) != NULL);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
}

TEST(draw_chart_bars_and_lines_as_text_and_as_svg)
{
    draws(NULL, NULL, "plain");
    draws("bars", "svg", "<title>a &lt; b</title>");
    draws("lines", "text", "o");
    draws("lines", "svg", "relative 33.9 ±0.2");
}

TEST(draw_chart_refuses_what_is_missing_or_wrong)
{
    dgm_draw_chart_options options = chart_of(NULL, "svg");
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];

    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(path, "table.csv", TABLE);
    CHECK_FAILS(context, dgm_draw_chart(context, NULL, &options, keep, &out), DGM_USAGE);
    CHECK_FAILS(context, dgm_draw_chart(context, path, &options, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_draw_chart(context, path, NULL, keep, &out), DGM_USAGE);
    CHECK_FAILS(context, dgm_draw_chart(context, path, &options, refuse, NULL), DGM_FAILURE);
    options.from = "33.2";
    CHECK_FAILS(context, dgm_draw_chart(context, path, &options, keep, &out), DGM_DATA);
    options.from = "much";
    CHECK_FAILS(context, dgm_draw_chart(context, path, &options, keep, &out), DGM_USAGE);
    options.from = NULL;
    options.type = "pie";
    CHECK_FAILS(context, dgm_draw_chart(context, path, &options, keep, &out), DGM_USAGE);
    options.type = NULL;
    options.series = "System";
    CHECK_FAILS(context, dgm_draw_chart(context, path, &options, keep, &out), DGM_USAGE);
    CHECK_INT(out.size, 0);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
}
