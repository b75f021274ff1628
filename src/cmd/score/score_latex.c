/*
 * score_latex.c: systems as a table of LaTeX, with the rules of the package booktabs, laid out as
 * sacreBLEU 2.6.0 lays it out; the signatures stand behind it in comments.
 */
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/score/score_systems.h"
#include "cmd/score/score_tests.h"

/* A grid of texts: row 0 is the head, column 0 has the systems. */
struct grid {
    struct dgm_env *env;
    struct dgm_buf *cells; /* (rows,columns) */
    size_t rows, columns;
};

static struct dgm_buf *cell_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->columns + column];
}

/* ---- cells --------------------------------------------------------------------------------- */

static dgm_status add_number(const struct grid *grid, struct dgm_buf *out, double value, int width)
{
    char digits[32];
    return dgm_buf_add(grid->env, out, digits, dgm_number_print_fixed(digits, value, width));
}

/* "20.8 (20.8 +- 0.7) (p = 0.0010)*" */
static dgm_status fill_score(const struct dgm_score_table *table, const struct grid *grid,
                             struct dgm_buf *out, const dgm_paired *result, int is_baseline)
{
    DGM_TRY(add_number(grid, out, result->score, table->width));
    if (dgm_score_has_mean(table->score)) {
        DGM_TRY(dgm_buf_add_text(grid->env, out, " ("));
        DGM_TRY(add_number(grid, out, result->mean, table->width));
        DGM_TRY(dgm_buf_add_text(grid->env, out, " \302\261 "));
        DGM_TRY(add_number(grid, out, result->half_width, table->width));
        DGM_TRY(dgm_buf_add_char(grid->env, out, ')'));
    }
    if (is_baseline || !dgm_score_is_paired(table->score))
        return DGM_OK;
    DGM_TRY(dgm_buf_add_text(grid->env, out, " (p = "));
    DGM_TRY(add_number(grid, out, result->p, 4));
    return dgm_buf_add_text(grid->env, out, result->p < 0.05 ? ")*" : ")");
}

static dgm_status fill_head(const struct dgm_score_table *table, const struct grid *grid)
{
    const struct dgm_score *score = table->score;
    const char *name;
    DGM_TRY(dgm_buf_add_text(grid->env, cell_at(grid, 0, 0), "System"));
    for (size_t m = 0; m < score->count; m++) {
        struct dgm_buf *out = cell_at(grid, 0, m + 1);
        DGM_TRY(dgm_scorer_text(table->scorers[m * score->system_count], DGM_SCORE_NAME, &name));
        DGM_TRY(dgm_buf_add_text(grid->env, out, name));
        if (dgm_score_has_mean(score))
            DGM_TRY(dgm_buf_add_text(grid->env, out, " (\316\274 \302\261 95% CI)"));
    }
    return DGM_OK;
}

static dgm_status fill(const struct dgm_score_table *table, const struct grid *grid)
{
    const struct dgm_score *score = table->score;
    const int paired = dgm_score_is_paired(score);
    DGM_TRY(fill_head(table, grid));
    for (size_t s = 0; s < score->system_count; s++) {
        DGM_TRY(dgm_buf_add_format(grid->env, cell_at(grid, s + 1, 0), "%s%s",
                                   paired && s == 0 ? "Baseline: " : "", score->systems[s]));
        for (size_t m = 0; m < score->count; m++)
            DGM_TRY(fill_score(table, grid, cell_at(grid, s + 1, m + 1),
                               &table->results[m * score->system_count + s], s == 0));
    }
    return DGM_OK;
}

/* ---- the grid as text ---------------------------------------------------------------------- */

/* Characters of UTF-8. */
static size_t length_of(const struct dgm_buf *cell)
{
    size_t length = 0;
    for (size_t i = 0; i < cell->size; i++)
        length += ((unsigned char)cell->data[i] & 0xC0) != 0x80;
    return length;
}

/* Of the longest cell; the head wants a blank on both sides. */
static size_t width_of(const struct grid *grid, size_t column)
{
    size_t width = length_of(cell_at(grid, 0, column)) + 2;
    for (size_t row = 1; row < grid->rows; row++)
        if (length_of(cell_at(grid, row, column)) > width)
            width = length_of(cell_at(grid, row, column));
    return width;
}

static dgm_status escape(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *cell)
{
    for (size_t i = 0; i < cell->size; i++) {
        const char c = cell->data[i];
        if (c == '\\')
            DGM_TRY(dgm_buf_add_text(env, out, "\\textbackslash{}"));
        else if (c == '~')
            DGM_TRY(dgm_buf_add_text(env, out, "\\textasciitilde{}"));
        else if (c == '<' || c == '>')
            DGM_TRY(dgm_buf_add_format(env, out, "\\ensuremath{%c}", c));
        else if (c == '^')
            DGM_TRY(dgm_buf_add_text(env, out, "\\^{}"));
        else
            DGM_TRY(dgm_buf_add_format(env, out, "%s%c", strchr("&%$#_{}", c) ? "\\" : "", c));
    }
    return DGM_OK;
}

/* The first column ends at the right, the others stand in the middle. */
static dgm_status add_row(struct dgm_buf *out, const struct grid *grid, size_t row)
{
    for (size_t c = 0; c < grid->columns; c++) {
        const size_t left = width_of(grid, c) - length_of(cell_at(grid, row, c));
        const size_t before = c == 0 ? left : left / 2;
        DGM_TRY(dgm_buf_add_format(grid->env, out, "%s %*s", c > 0 ? "&" : "", (int)before, ""));
        DGM_TRY(escape(grid->env, out, cell_at(grid, row, c)));
        DGM_TRY(dgm_buf_add_format(grid->env, out, "%*s ", (int)(left - before), ""));
    }
    return dgm_buf_add_text(grid->env, out, "\\\\\n");
}

static dgm_status add_grid(struct dgm_buf *out, const struct grid *grid)
{
    DGM_TRY(dgm_buf_add_text(grid->env, out, "\\begin{tabular}{r"));
    for (size_t c = 1; c < grid->columns; c++)
        DGM_TRY(dgm_buf_add_char(grid->env, out, 'c'));
    DGM_TRY(dgm_buf_add_text(grid->env, out, "}\n\\toprule\n"));
    for (size_t row = 0; row < grid->rows; row++) {
        DGM_TRY(add_row(out, grid, row));
        if (row == 0)
            DGM_TRY(dgm_buf_add_text(grid->env, out, "\\midrule\n"));
    }
    return dgm_buf_add_text(grid->env, out, "\\bottomrule\n\\end{tabular}\n");
}

/* "% BLEU|nrefs:1|..." */
static dgm_status add_signatures(struct dgm_score_table *table)
{
    const struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    const char *name;
    for (size_t m = 0; m < score->count; m++) {
        dgm_scorer *scorer = table->scorers[m * score->system_count];
        DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
        DGM_TRY(dgm_buf_add_format(env, &table->out, "%% %s|", name));
        DGM_TRY(dgm_score_add_signature(score, &table->out, scorer,
                                        dgm_settings_flag(&score->cmd->settings, "short")));
        DGM_TRY(dgm_buf_add_char(env, &table->out, '\n'));
    }
    return DGM_OK;
}

dgm_status dgm_score_add_latex(struct dgm_score_table *table)
{
    const struct dgm_score *score = table->score;
    struct grid grid = { score->cmd->env, NULL, score->system_count + 1, score->count + 1 };
    dgm_status status;
    DGM_TRY(dgm_new(grid.env, &grid.cells, grid.rows * grid.columns, sizeof *grid.cells));
    DGM_TRY_OUT(fill(table, &grid));
    DGM_TRY_OUT(add_grid(&table->out, &grid));
    status = add_signatures(table);
out:
    for (size_t i = 0; i < grid.rows * grid.columns; i++)
        dgm_buf_clear(grid.env, &grid.cells[i]);
    dgm_release(grid.env, grid.cells);
    return status;
}
