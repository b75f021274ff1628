/*
 * truecaser.c: the public side of truecasing (text/case/truecase.h): counting words, applying,
 * undoing.
 */
#include "api/context.h"
#include "api/line_result.h"
#include "api/program.h"
#include "api/text/line_file.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "text/case/truecase.h"
#include "text/tokenize/language.h"
#include "text/unicode/form_counts.h"

struct dgm_truecaser {
    struct dgm_context *context;
    enum dgm_letters letters;
    struct dgm_truecase_model model;
    struct dgm_tally tally; /* what was counted for a new model */
    struct dgm_truecase_scratch scratch;
    struct dgm_line_result result;
};

static dgm_status fill(struct dgm_env *env, struct dgm_truecaser *truecaser,
                       const dgm_truecaser_options *options)
{
    if (options->language != NULL)
        DGM_TRY(dgm_language_check(env, "language", options->language));
    DGM_TRY(dgm_range_int(env, "dgm_truecaser_options.memory", options->memory, 0, INT64_MAX));
    truecaser->letters = dgm_letters_of(options->language);
    truecaser->tally.limit =
        (uint64_t)options->memory > SIZE_MAX ? SIZE_MAX : (size_t)options->memory;
    return options->model == NULL ? DGM_OK
                                  : dgm_truecase_model_load(env, &truecaser->model, options->model,
                                                            truecaser->letters);
}

dgm_status dgm_truecaser_new(dgm_context *context, const dgm_truecaser_options *options,
                             dgm_truecaser **truecaser)
{
    dgm_truecaser_options chosen;
    struct dgm_truecaser *made;
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_NEW(context, truecaser);
    env = &context->env;
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_truecaser_options"));
    DGM_TRY(dgm_new(env, &made, 1, sizeof *made));
    made->context = context;
    status = fill(env, made, &chosen);
    if (status == DGM_OK)
        *truecaser = made;
    else
        dgm_truecaser_free(made);
    return status;
}

void dgm_truecaser_free(dgm_truecaser *truecaser)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(truecaser))
        return;
    env = &truecaser->context->env;
    dgm_truecase_model_clear(env, &truecaser->model);
    dgm_tally_clear(env, &truecaser->tally);
    dgm_truecase_scratch_clear(env, &truecaser->scratch);
    dgm_line_result_clear(env, &truecaser->result);
    dgm_release(env, truecaser);
}

/* ---- learning -------------------------------------------------------------------------------- */

dgm_status dgm_truecaser_add(dgm_truecaser *truecaser, const char *line, size_t bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(truecaser);
    env = &truecaser->context->env;
    DGM_TRY(dgm_line_check(env, &line, bytes));
    return dgm_truecase_count(env, &truecaser->scratch, &truecaser->tally, line, bytes);
}

static dgm_status count_lines(struct dgm_env *env, struct dgm_truecaser *truecaser,
                              struct dgm_lines *lines)
{
    int more;

    for (;;) {
        DGM_TRY(dgm_lines_next(env, lines, &more));
        if (!more)
            return DGM_OK;
        dgm_lines_warn_cut(env, lines);
        DGM_TRY(dgm_truecase_count(env, &truecaser->scratch, &truecaser->tally, lines->line.data,
                                   lines->line.size));
    }
}

dgm_status dgm_truecaser_read(dgm_truecaser *truecaser, const char *path)
{
    struct dgm_lines lines;
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(truecaser);
    env = &truecaser->context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    DGM_TRY(dgm_lines_open(env, &lines, path));
    status = count_lines(env, truecaser, &lines);
    dgm_lines_close(env, &lines);
    return status;
}

dgm_status dgm_truecaser_write(dgm_truecaser *truecaser, dgm_write_fn write, void *user)
{
    struct dgm_buf text = { 0 };
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(truecaser);
    env = &truecaser->context->env;
    DGM_TRY(dgm_write_check(env, write));
    if (truecaser->tally.counts.count == 0)
        return dgm_fail(env, DGM_DATA,
                        "no word whose place says how it is written; expected sentences of two "
                        "words and more, not all in capitals");
    dgm_tally_warn(env, &truecaser->tally, "words");
    dgm_form_counts_warn(env, &truecaser->tally.counts, "words");
    status = dgm_truecase_model_print(env, &text, &truecaser->tally.counts, truecaser->letters);
    return dgm_report_made(env, write, user, &text, status);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static dgm_status check_model(struct dgm_env *env, const struct dgm_truecaser *truecaser)
{
    if (truecaser->model.forms.count > 0)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "this truecaser was made without a model; it can only learn and undo");
}

dgm_status dgm_truecaser_apply(dgm_truecaser *truecaser, const char *line, size_t bytes,
                               const char **out, size_t *out_bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(truecaser);
    env = &truecaser->context->env;
    DGM_TRY(dgm_line_result_begin(env, &truecaser->result, &line, bytes, out, out_bytes));
    DGM_TRY(check_model(env, truecaser));
    DGM_TRY(dgm_truecase_apply(env, &truecaser->scratch, &truecaser->model, &truecaser->result.out,
                               line, bytes));
    dgm_line_result_end(&truecaser->result, out, out_bytes);
    return DGM_OK;
}

dgm_status dgm_truecaser_undo(dgm_truecaser *truecaser, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(truecaser);
    env = &truecaser->context->env;
    DGM_TRY(dgm_line_result_begin(env, &truecaser->result, &line, bytes, out, out_bytes));
    DGM_TRY(dgm_truecase_undo(env, &truecaser->scratch, &truecaser->result.out, line, bytes,
                              truecaser->letters));
    dgm_line_result_end(&truecaser->result, out, out_bytes);
    return DGM_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

struct crew {
    const struct dgm_truecaser *truecaser;
    struct dgm_truecase_scratch *scratches; /* of each thread */
};

static dgm_status apply_by(struct dgm_env *env, void *tool, int worker, long number,
                           const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;

    (void)number;
    return dgm_truecase_apply(env, &crew->scratches[worker], &crew->truecaser->model, out, line,
                              bytes);
}

static dgm_status undo_by(struct dgm_env *env, void *tool, int worker, long number,
                          const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;

    (void)number;
    return dgm_truecase_undo(env, &crew->scratches[worker], out, line, bytes,
                             crew->truecaser->letters);
}

static dgm_status run_file(struct dgm_truecaser *truecaser, const char *path, dgm_line_fn *line,
                           dgm_write_fn write, void *user)
{
    struct dgm_env *env = &truecaser->context->env;
    const int threads = dgm_context_threads(truecaser->context);
    struct crew crew = { truecaser, NULL };
    dgm_status status;

    DGM_TRY(dgm_new(env, &crew.scratches, (size_t)threads, sizeof *crew.scratches));
    status = dgm_line_file(truecaser->context, path, line, &crew, write, user, NULL);
    for (int i = 0; i < threads; i++)
        dgm_truecase_scratch_clear(env, &crew.scratches[i]);
    dgm_release(env, crew.scratches);
    return status;
}

dgm_status dgm_truecaser_apply_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct dgm_truecaser *truecaser = tool;

    DGM_ENTER_HANDLE(truecaser);
    DGM_TRY(check_model(&truecaser->context->env, truecaser));
    return run_file(truecaser, path, apply_by, write, user);
}

dgm_status dgm_truecaser_undo_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct dgm_truecaser *truecaser = tool;

    DGM_ENTER_HANDLE(truecaser);
    return run_file(truecaser, path, undo_by, write, user);
}
