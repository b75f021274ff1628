/* score_lines.c: scores of sentences as other programs write them. */
#include "text/score/score_lines.h"

#include <math.h>
#include <string.h>

#include "base/number/number.h"
#include "text/score/given.h"

static dgm_status refuse(struct dgm_env *env, const struct dgm_score_lines *lines, long number,
                         const char *text, size_t size)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, size);
    return dgm_fail_at(env, DGM_DATA, lines->path, number, 0,
                       "expected the score of a sentence, a number, or a line of comet-score or of "
                       "MetricX%s; got \"%s\"",
                       lines->form == DGM_SCORES_UNKNOWN ? "" : ", as in the first line", quoted);
}

/* The number that is all of a text. */
static dgm_status take_number(struct dgm_env *env, const struct dgm_score_lines *lines, long number,
                              const char *text, size_t size, double *score)
{
    if (!dgm_number_real(score, text, size))
        return refuse(env, lines, number, text, size);
    if (isfinite(*score) && fabs(*score) <= DGM_GIVEN_MOST)
        return DGM_OK;
    return dgm_fail_at(
        env, DGM_DATA, lines->path, number, 0,
        "a score that is no number within -1e6..1e6; expected one for each sentence");
}

/* ---- comet-score --------------------------------------------------------------------------- */

/* A column of a line: up to the next tab, or to the end. */
static size_t column_of(const char *text, size_t size)
{
    const char *tab = size > 0 ? memchr(text, '\t', size) : NULL;

    return tab != NULL ? (size_t)(tab - text) : size;
}

static int starts(const char *text, size_t size, const char *with)
{
    return size > strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* Lines of several translations alternate: whose is whose is not for us to say. */
static dgm_status check_system(struct dgm_env *env, struct dgm_score_lines *lines, long number,
                               const char *text, size_t size)
{
    char quoted[DGM_QUOTE_SIZE];

    if (lines->segments == 0)
        return dgm_buf_add(env, &lines->system, text, size);
    if (lines->system.size == size && memcmp(lines->system.data, text, size) == 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, text, size);
    return dgm_fail_at(env, DGM_DATA, lines->path, number, 0,
                       "scores of \"%s\" among those of %s; expected the lines of one translation "
                       "in a file",
                       quoted, lines->system.data);
}

/* `Segment 7`, counted from 0, is the eighth. */
static dgm_status check_segment(struct dgm_env *env, const struct dgm_score_lines *lines,
                                long number, const char *text, size_t size)
{
    int64_t segment;

    if (!dgm_number_int(&segment, text + 8, size - 8))
        return refuse(env, lines, number, text, size);
    if (!lines->is_ended && segment == lines->segments)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, lines->path, number, 0,
                       "segment %lld; expected %ld: the scores of one translation in their order",
                       (long long)segment, lines->segments);
}

static dgm_status read_comet(struct dgm_env *env, struct dgm_score_lines *lines, long number,
                             const char *text, size_t size, double *score, int *is_one)
{
    const size_t name = column_of(text, size);
    const char *at = text + name + (name < size);
    size_t left = size - (size_t)(at - text), width = column_of(at, left);

    DGM_TRY(check_system(env, lines, number, text, name));
    *is_one = starts(at, width, "Segment ");
    if (*is_one) {
        DGM_TRY(check_segment(env, lines, number, at, width));
        at += width + (width < left);
        left = size - (size_t)(at - text);
        width = column_of(at, left);
    }
    if (!starts(at, width, "score: ") || (!*is_one && lines->segments == 0))
        return refuse(env, lines, number, text, size);
    lines->is_ended |= !*is_one;
    return take_number(env, lines, number, at + 7, width - 7, score);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static dgm_status read_json(struct dgm_env *env, struct dgm_score_lines *lines, long number,
                            const char *text, size_t size, double *score)
{
    static const char *const names[] = { "prediction", "score", "COMET" };

    DGM_TRY(dgm_flat_read(env, &lines->flat, lines->path, number, text, size));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dgm_flat_number(&lines->flat, names[i], score)) {
            if (isfinite(*score) && fabs(*score) <= DGM_GIVEN_MOST)
                return DGM_OK;
            return dgm_fail_at(env, DGM_DATA, lines->path, number, 0,
                               "\"%s\" is no number within -1e6..1e6; expected one", names[i]);
        }
    return dgm_fail_at(env, DGM_DATA, lines->path, number, 0,
                       "an object without \"prediction\", \"score\" or \"COMET\"; expected one of "
                       "them: the score of a sentence");
}

/* ---- a line -------------------------------------------------------------------------------- */

static enum dgm_score_form form_of(const char *text, size_t size)
{
    if (size > 0 && text[0] == '{')
        return DGM_SCORES_JSON;
    return column_of(text, size) < size ? DGM_SCORES_COMET : DGM_SCORES_PLAIN;
}

dgm_status dgm_score_lines_read(struct dgm_env *env, struct dgm_score_lines *lines, long number,
                                const char *text, size_t size, double *score, int *is_one)
{
    const enum dgm_score_form form = form_of(text, size);

    *is_one = 1;
    if (lines->form != DGM_SCORES_UNKNOWN && lines->form != form)
        return refuse(env, lines, number, text, size);
    DGM_TRY(form == DGM_SCORES_JSON    ? read_json(env, lines, number, text, size, score)
            : form == DGM_SCORES_COMET ? read_comet(env, lines, number, text, size, score, is_one)
                                       : take_number(env, lines, number, text, size, score));
    lines->form = form;
    lines->segments += *is_one;
    return DGM_OK;
}

void dgm_score_lines_clear(struct dgm_env *env, struct dgm_score_lines *lines)
{
    dgm_buf_clear(env, &lines->system);
    dgm_flat_clear(env, &lines->flat);
}
