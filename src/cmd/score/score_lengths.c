/* score_lengths.c: `score --by-length`: scores of groups of lines by the length of their source. */
#include "cmd/score/score_lengths.h"

#include <stdio.h>
#include <string.h>

#include "base/lines/parallel_lines.h"
#include "base/mem.h"
#include "base/number/number.h"

/* Rows: nine groups of `step` lengths each, one of all longer lines, one of all lines. */
enum { GROUPS = 9, ALL = GROUPS + 1, ROWS = ALL + 1 };

struct table {
    struct dgm_score *score;
    size_t systems; /* 1, or 2 with a baseline */
    long step;
    int width; /* decimals */
    dgm_scorer *scorers[2][ROWS][DGM_SCORE_METRICS];
    const char **paths; /* systems, the source, references */
    const char **texts; /* of references, one line each */
    size_t *sizes;
    struct dgm_parallel_lines lines;
    struct dgm_buf out;
};

/* ---- reading ------------------------------------------------------------------------------ */

static long count_words(const char *text, size_t bytes)
{
    long words = 0;
    size_t i;
    for (i = 0; i < bytes; i++)
        words += strchr(" \t\r", text[i]) == NULL && (i == 0 || strchr(" \t\r", text[i - 1]));
    return words;
}

/* The group of a line, by the words of its source; a blank line counts as the shortest. */
static size_t group_of(const struct table *table, long words)
{
    long group = words > 0 ? (words - 1) / table->step : 0;
    return group < GROUPS ? (size_t)group : GROUPS;
}

/* Each line counts twice: in its group and among all. Adding up the groups would not do, as the
 * score of a corpus is no mean of scores. */
static dgm_status add_line(struct table *table)
{
    const struct dgm_lines *files = table->lines.files, *source = &files[table->systems];
    size_t references = table->score->reference_count, s, m, r, row;
    row = group_of(table, count_words(source->line.data, source->line.size));
    for (r = 0; r < references; r++) {
        table->texts[r] = source[1 + r].line.data;
        table->sizes[r] = source[1 + r].line.size;
    }
    for (s = 0; s < table->systems; s++)
        for (m = 0; m < table->score->count; m++) {
            const struct dgm_buf *line = &files[s].line;
            DGM_TRY(dgm_scorer_add(table->scorers[s][row][m], line->data, line->size, table->texts,
                                   table->sizes, references));
            DGM_TRY(dgm_scorer_add(table->scorers[s][ALL][m], line->data, line->size, table->texts,
                                   table->sizes, references));
        }
    return DGM_OK;
}

static dgm_status read_lines(struct table *table)
{
    struct dgm_env *env = table->score->cmd->env;
    int more;
    for (;;) {
        DGM_TRY(dgm_parallel_lines_next(env, &table->lines, &more));
        if (!more)
            break;
        for (size_t s = 0; s < table->systems; s++)
            DGM_TRY(dgm_score_columns_check(env, &table->lines.files[s], 1));
        DGM_TRY(add_line(table));
    }
    return table->lines.files[0].number > 0
               ? DGM_OK
               : dgm_fail(env, DGM_DATA, "%s: no line; expected at least 1", table->paths[0]);
}

/* ---- the table ---------------------------------------------------------------------------- */

static dgm_status add_cell(struct table *table, const char *text)
{
    return dgm_buf_add_format(table->score->cmd->env, &table->out, "%10s", text);
}

static dgm_status add_number(struct table *table, double value, int decimals)
{
    char digits[32];
    digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return add_cell(table, digits);
}

/* "6-10", "> 45" or "all". */
static dgm_status add_group(struct table *table, size_t row)
{
    const long before = table->step * (long)row;
    char name[64] = "all";
    if (row == GROUPS)
        snprintf(name, sizeof name, "> %ld", before);
    else if (row < GROUPS)
        snprintf(name, sizeof name, "%ld-%ld", before + 1, before + table->step);
    return add_cell(table, name);
}

/* "      6-10       123      20.8      20.1       0.7" */
static dgm_status add_row(struct table *table, size_t row, size_t m)
{
    double value[2] = { 0, 0 };
    long lines = 0;
    size_t s;
    DGM_TRY(add_group(table, row));
    DGM_TRY(dgm_scorer_value(table->scorers[0][row][m], NULL, &lines));
    DGM_TRY(add_number(table, (double)lines, 0));
    for (s = 0; s < table->systems; s++) {
        if (lines > 0)
            DGM_TRY(dgm_scorer_value(table->scorers[s][row][m], &value[s], NULL));
        DGM_TRY(lines > 0 ? add_number(table, value[s], table->width) : add_cell(table, "-"));
    }
    if (table->systems > 1)
        DGM_TRY(lines > 0 ? add_number(table, value[0] - value[1], table->width)
                          : add_cell(table, "-"));
    return dgm_buf_add_char(table->score->cmd->env, &table->out, '\n');
}

static dgm_status add_metric(struct table *table, size_t m)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    size_t row;
    DGM_TRY(dgm_scorer_text(table->scorers[0][ALL][m], DGM_SCORE_NAME, &text));
    DGM_TRY(dgm_buf_add_format(env, &table->out, m > 0 ? "\n%s|" : "%s|", text));
    DGM_TRY(dgm_scorer_text(table->scorers[0][ALL][m],
                            dgm_settings_flag(&table->score->cmd->settings, "short")
                                ? DGM_SCORE_SHORT_SIGNATURE
                                : DGM_SCORE_SIGNATURE,
                            &text));
    DGM_TRY(dgm_buf_add_text(env, &table->out, text));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\n     words     lines     score"));
    DGM_TRY(
        dgm_buf_add_text(env, &table->out, table->systems > 1 ? "  baseline      more\n" : "\n"));
    for (row = 0; row < ROWS; row++)
        DGM_TRY(add_row(table, row, m));
    return DGM_OK;
}

/* ---- the command -------------------------------------------------------------------------- */

static dgm_status fill(struct table *table)
{
    struct dgm_score *score = table->score;
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_env *env = score->cmd->env;
    size_t s, row, m, paths = 0;
    DGM_TRY(dgm_new(env, &table->paths, 3 + score->reference_count, sizeof *table->paths));
    DGM_TRY(dgm_new(env, &table->texts, score->reference_count, sizeof *table->texts));
    DGM_TRY(dgm_new(env, &table->sizes, score->reference_count, sizeof *table->sizes));
    table->paths[paths++] = score->systems[0];
    if (table->systems > 1)
        table->paths[paths++] = dgm_settings_text(settings, "baseline");
    table->paths[paths++] = dgm_settings_text(settings, "by-length");
    for (m = 0; m < score->reference_count; m++)
        table->paths[paths++] = score->references[m];
    for (s = 0; s < table->systems; s++)
        for (row = 0; row < ROWS; row++)
            DGM_TRY(dgm_score_make(score, 0, table->scorers[s][row]));
    DGM_TRY(dgm_parallel_lines_open(env, &table->lines, table->paths, paths));
    for (m = 0; m < paths; m++)
        dgm_lines_keep_mark(&table->lines.files[m]);
    DGM_TRY(read_lines(table));
    for (m = 0; m < score->count; m++)
        DGM_TRY(add_metric(table, m));
    return dgm_score_write(score, &table->out);
}

static void clear(struct table *table)
{
    struct dgm_env *env = table->score->cmd->env;
    size_t s, row, m;
    for (s = 0; s < 2; s++)
        for (row = 0; row < ROWS; row++)
            for (m = 0; m < DGM_SCORE_METRICS; m++)
                dgm_scorer_free(table->scorers[s][row][m]);
    dgm_parallel_lines_close(env, &table->lines);
    dgm_buf_clear(env, &table->out);
    dgm_release(env, table->paths);
    dgm_release(env, table->texts);
    dgm_release(env, table->sizes);
    dgm_release(env, table);
}

dgm_status dgm_score_lengths(struct dgm_score *score)
{
    struct table *table;
    dgm_status status;
    DGM_TRY(dgm_new(score->cmd->env, &table, 1, sizeof *table));
    table->score = score;
    table->systems = dgm_settings_text(&score->cmd->settings, "baseline") != NULL ? 2 : 1;
    table->step = (long)dgm_settings_int(&score->cmd->settings, "length-step");
    table->width = (int)dgm_settings_int(&score->cmd->settings, "width");
    status = fill(table);
    clear(table);
    return status;
}
