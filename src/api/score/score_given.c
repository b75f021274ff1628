/* score_given.c: scorers of scores that another program has computed, and sentences for such. */
#include <math.h>
#include <string.h>

#include "api/program.h"
#include "api/score/scorer.h"
#include "base/lines/parallel_lines.h"
#include "base/mem.h"
#include "text/score/given.h"
#include "text/score/score_lines.h"

/* ---- reading ------------------------------------------------------------------------------- */

/* The name stands in signatures and in JSON as it is. */
static dgm_status check_name(struct dgm_env *env, const char *name)
{
    char quoted[DGM_QUOTE_SIZE];
    size_t length = strlen(name), i = 0;
    while (i < length && name[i] > ' ' && name[i] < 0x7f && strchr("\"\\|=", name[i]) == NULL)
        i++;
    if (i == length && length > 0 && length < DGM_GIVEN_NAME)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, name, length);
    return dgm_fail(env, DGM_USAGE,
                    "--read-scores: expected the name of a metric, 1 to %d letters, digits and "
                    "signs of ASCII without blanks, quotes, |, = and backslashes, got \"%s\"",
                    DGM_GIVEN_NAME - 1, quoted);
}

dgm_status dgm_scorer_open_given(dgm_context *context, const char *name, int keep,
                                 const char *paired_p, dgm_scorer **scorer)
{
    struct dgm_scorer *made;
    dgm_status status;
    DGM_ENTER_NEW(context, scorer);
    DGM_TRY(check_name(&context->env, name));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    made->keep = keep;
    made->sacrebleu = strcmp(paired_p, "sacrebleu") == 0;
    DGM_TRY_OUT(dgm_settings_init(&context->env, &made->settings, dgm_metric_tables));
    DGM_TRY_OUT(dgm_given_open(&context->env, &made->measure, name));
    *scorer = made;
    return DGM_OK;
out:
    dgm_scorer_free(made);
    return status;
}

static dgm_status take_line(struct dgm_env *env, dgm_scorer *scorer, struct dgm_score_lines *scores,
                            const struct dgm_lines *lines, double *largest)
{
    struct dgm_metric_count count;
    double score;
    int is_one;
    DGM_TRY(dgm_score_lines_read(env, scores, lines->number, lines->line.data, lines->line.size,
                                 &score, &is_one));
    if (!is_one)
        return DGM_OK;
    *largest = fmax(*largest, fabs(score));
    dgm_given_count(&count, score);
    if (!dgm_given_fits(*largest, scorer->sentences + 1))
        return dgm_fail_at(env, DGM_DATA, scores->path, lines->number, 0,
                           "more scores than their sum has room for; expected fewer, or smaller "
                           "ones");
    return dgm_scorer_take(scorer, &count, 0);
}

dgm_status dgm_scorer_add_scores(dgm_scorer *scorer, const char *path)
{
    struct dgm_score_lines scores = { .path = dgm_lines_name(path) };
    struct dgm_lines lines = { 0 };
    const long before = scorer->sentences;
    struct dgm_env *env;
    double largest = 0;
    dgm_status status;
    int more;
    DGM_ENTER_HANDLE(scorer);
    env = &scorer->context->env;
    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        DGM_TRY_OUT(take_line(env, scorer, &scores, &lines, &largest));
    }
    status = scorer->sentences > before ? DGM_OK
                                        : dgm_fail_at(env, DGM_DATA, scores.path, 0, 0,
                                                      "no score; expected one for each sentence");
out:
    dgm_lines_close(env, &lines);
    dgm_score_lines_clear(env, &scores);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A JSON object of one line each: names of members, and the files that hold what they say. */
static dgm_status add_object(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_parallel_lines *lines, const char *const *names)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct dgm_buf *line = &lines->files[i].line;
        DGM_TRY(dgm_buf_add_format(env, out, "%s\"%s\": ", i > 0 ? ", " : "{", names[i]));
        DGM_TRY(dgm_json_text_quote(env, out, line->data, line->size));
        dgm_lines_warn_cut(env, &lines->files[i]);
    }
    return dgm_buf_add_text(env, out, "}\n");
}

dgm_status dgm_score_write_objects(dgm_context *context, const char *const *paths,
                                   const char *const *names, size_t count, dgm_write_fn write,
                                   void *user)
{
    struct dgm_parallel_lines lines = { 0 };
    struct dgm_buf out = { 0 };
    struct dgm_env *env;
    dgm_status status;
    int more;
    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY_OUT(dgm_parallel_lines_open(env, &lines, paths, count));
    for (;;) {
        DGM_TRY_OUT(dgm_parallel_lines_next(env, &lines, &more));
        if (!more)
            break;
        dgm_buf_reset(&out);
        DGM_TRY_OUT(add_object(env, &out, &lines, names));
        DGM_TRY_OUT(dgm_callback_check(env, write(user, out.data, out.size),
                                       "the receiver of the sentences refused one"));
    }
    if (lines.files[0].number == 0)
        status = dgm_fail_at(env, DGM_DATA, dgm_lines_name(paths[0]), 0, 0,
                             "no line; expected at least 1");
out:
    dgm_parallel_lines_close(env, &lines);
    dgm_buf_clear(env, &out);
    return status;
}
