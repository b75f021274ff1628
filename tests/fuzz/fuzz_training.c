/*
 * fuzz_training.c: any bytes as the log of a training. What is accepted is drawn, over every axis,
 * as text and as SVG.
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

static void draw(dgm_context *context, const char *x, const char *format, const char *metrics)
{
    static const char *const runs[] = { "metrics.jsonl" };
    dgm_draw_training_options options = { .struct_size = sizeof options };
    dgm_status status;
    size_t bytes = 0;

    options.x = x;
    options.format = format;
    options.metrics = metrics;
    options.smooth = 3;
    status = dgm_draw_training(context, runs, 1, &options, forget, &bytes);
    expect(status == DGM_OK || status == DGM_DATA || status == DGM_USAGE);
    expect((status == DGM_OK) == (bytes > 0));
    dgm_context_clear(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const axes[] = { "updates", "epochs", "words", "seconds" };
    struct memory memory;
    dgm_context *context = NULL;
    struct dgm_env env;
    int i;

    memory_begin(&memory, &env, data, size);
    expect(dgm_context_new(NULL, &context) == DGM_OK);
    context->env.vfs = &memory.vfs;
    for (i = 0; i < 8; i++)
        draw(context, axes[i / 2], i & 1 ? "svg" : "text", i == 7 ? "loss,x" : NULL);
    context->env.vfs = &dgm_vfs_system;
    dgm_context_free(context);
    return 0;
}
