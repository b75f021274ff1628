/*
 * fuzz_chart.c: any bytes as a table of comma-separated values with columns x, y, e and s. What is
 * accepted is drawn as bars and as lines, as text and as SVG.
 */
#include "api/context.h"
#include "memory.h"

static dgm_status forget(void *user, const char *text, size_t bytes)
{
    size_t *all = user;

    (void)text;
    *all += bytes;
    return DGM_OK;
}

static void draw(dgm_context *context, const char *type, const char *format, int is_plain)
{
    dgm_draw_chart_options options = { .struct_size = sizeof options };
    dgm_status status;
    size_t bytes = 0;

    options.type = type;
    options.format = format;
    options.x = "x";
    options.y = "y";
    options.error = is_plain ? NULL : "e";
    options.series = is_plain ? NULL : "s";
    status = dgm_draw_chart(context, "table.csv", &options, forget, &bytes);
    expect(status == DGM_OK || status == DGM_DATA || status == DGM_USAGE);
    expect((status == DGM_OK) == (bytes > 0));
    dgm_context_clear(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory memory;
    dgm_context *context = NULL;
    struct dgm_env env;
    int i;

    memory_begin(&memory, &env, data, size);
    expect(dgm_context_new(NULL, &context) == DGM_OK);
    context->env.vfs = &memory.vfs;
    for (i = 0; i < 8; i++)
        draw(context, i & 1 ? "lines" : "bars", i & 2 ? "svg" : "text", i >> 2);
    context->env.vfs = &dgm_vfs_system;
    dgm_context_free(context);
    return 0;
}
