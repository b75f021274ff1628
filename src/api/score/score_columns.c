/*
 * score_columns.c: translations of several systems side by side in one input.
 */
#include <string.h>

#include "api/program.h"
#include "api/score/scorer.h"
#include "base/mem.h"
#include "text/score/columns.h"

enum { MAX_COLUMNS = 1000 };

/* How many the first line has, which stays to be read; 1 without any line. */
static dgm_status count_columns(struct dgm_env *env, struct dgm_score_columns *columns)
{
    const struct dgm_buf *line = &columns->lines.line;
    int more;
    dgm_lines_keep_mark(&columns->lines); /* as sacreBLEU reads it */
    DGM_TRY(dgm_lines_next(env, &columns->lines, &more));
    dgm_lines_again(&columns->lines);
    columns->count = more ? dgm_columns_count(line->data, line->size) : 1;
    if (columns->count > MAX_COLUMNS)
        return dgm_fail_at(env, DGM_DATA, dgm_lines_name(columns->lines.path), 1, 0,
                           "%zu columns, with tabs between; expected at most %d translations",
                           columns->count, MAX_COLUMNS);
    return DGM_OK;
}

dgm_status dgm_score_columns_open(dgm_context *context, struct dgm_score_columns **columns,
                                  size_t *count)
{
    struct dgm_score_columns *made;
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER_NEW(context, columns);
    env = &context->env;
    DGM_TRY(dgm_new(env, &made, 1, sizeof *made));
    made->context = context;
    DGM_TRY_OUT(dgm_lines_open(env, &made->lines, "-"));
    DGM_TRY_OUT(count_columns(env, made));
    *columns = made;
    *count = made->count;
    return DGM_OK;
out:
    dgm_score_columns_close(made);
    return status;
}

void dgm_score_columns_close(struct dgm_score_columns *columns)
{
    if (columns == NULL)
        return;
    dgm_lines_close(&columns->context->env, &columns->lines);
    dgm_release(&columns->context->env, columns);
}

dgm_status dgm_score_columns_check(struct dgm_env *env, const struct dgm_lines *lines, size_t count)
{
    size_t found;
    if (strcmp(lines->path, "-") != 0)
        return DGM_OK;
    found = dgm_columns_count(lines->line.data, lines->line.size);
    if (found == count)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, dgm_lines_name(lines->path), lines->number, 0,
                       "%zu column%s; expected %zu: tabs set the translations of several systems "
                       "apart, but for those at the end of a line; text with tabs, or an empty "
                       "translation there, is read from files of --input",
                       found, found == 1 ? "" : "s", count);
}
