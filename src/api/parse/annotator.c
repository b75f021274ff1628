/* annotator.c: the public side of parsing: making an annotator, its lines and its files. */
#include "api/parse/annotator.h"

#include "api/program.h"
#include "base/mem.h"
#include "decode/annotate/annotate.h"

dgm_status dgm_annotator_new(dgm_context *context, const dgm_annotator_options *options,
                             dgm_annotator **annotator)
{
    dgm_annotator_options chosen;
    struct dgm_annotator *made;
    dgm_status status;

    DGM_ENTER_NEW(context, annotator);
    DGM_TRY(
        dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_annotator_options"));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    made->window.env = made->window.writer.env = &context->env;
    status = dgm_annotator_open(made, &chosen);
    if (status == DGM_OK)
        *annotator = made;
    else
        dgm_annotator_free(made);
    return status;
}

void dgm_annotator_free(dgm_annotator *annotator)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(annotator))
        return;
    env = &annotator->context->env;
    dgm_sentence_window_clear(&annotator->window);
    dgm_buf_clear(env, &annotator->shown);
    dgm_device_close(env, annotator->device);
    dgm_release(env, annotator);
}

void dgm_annotator_take(dgm_annotator *annotator, long first, long step)
{
    annotator->window.first = first;
    annotator->window.step = step;
}

/* ---- lines ---------------------------------------------------------------------------------- */

struct buf_sink {
    struct dgm_env *env;
    struct dgm_buf *buf;
};

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    struct buf_sink *sink = user;

    return dgm_buf_add(sink->env, sink->buf, text, bytes);
}

/* What becomes of the trees of a line; *out is it. */
static dgm_status show(struct dgm_annotator *annotator, const struct dgm_buf **out)
{
    struct dgm_sentence_window *window = &annotator->window;
    struct dgm_env *env = &annotator->context->env;
    struct buf_sink sink = { env, &annotator->shown };

    *out = &window->writer.out;
    if (window->output.form == DGM_TREE_CONLLU)
        return dgm_buf_add(env, &window->writer.out, "", 0);
    *out = &annotator->shown;
    dgm_buf_reset(&annotator->shown);
    dgm_tree_output_begin(&window->output, keep, &sink);
    DGM_TRY(dgm_tree_output_add(env, &window->output, &window->writer.out));
    DGM_TRY(dgm_tree_output_end(env, &window->output));
    return dgm_buf_add(env, &annotator->shown, "", 0);
}

dgm_status dgm_annotator_line(dgm_annotator *annotator, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
    const struct dgm_buf *shown;
    struct dgm_env *env;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    DGM_TRY(dgm_line_check(env, &line, bytes));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    DGM_TRY(dgm_argument_check(env, out_bytes, "out_bytes"));
    if (annotator->window.writer.input == DGM_SENTENCE_CONLLU)
        return dgm_fail(env, DGM_USAGE, "CoNLL-U input comes in files; expected raw or tokens");
    if (annotator->window.source != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "translations come in files, as their sources do; expected "
                        "dgm_annotator_file");
    dgm_sentence_window_begin(&annotator->window);
    dgm_sentence_window_reset_text(&annotator->window);
    DGM_TRY(dgm_annotate_add(&annotator->window, line, bytes));
    DGM_TRY(dgm_annotate_run(&annotator->window));
    DGM_TRY(show(annotator, &shown));
    *out = shown->data;
    *out_bytes = shown->size;
    return DGM_OK;
}

/* ---- files ---------------------------------------------------------------------------------- */

dgm_status dgm_annotator_file(dgm_annotator *annotator, const char *path, dgm_write_fn write,
                              void *user)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    DGM_TRY(dgm_write_check(env, write));
    return dgm_annotate_file(&annotator->window, path, write, user);
}

dgm_status dgm_annotator_share(dgm_annotator *annotator, struct dgm_ranks *ranks, const char *path,
                               dgm_write_fn write, void *user)
{
    DGM_ENTER_HANDLE(annotator);
    return dgm_annotate_share(&annotator->window, ranks, path, write, user);
}
