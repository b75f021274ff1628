/*
 * score_by.c: `score REFERENCE --by relation -i A B`: where systems are good, and where they are
 * not: a row for each group of words, or of lines, and a column for each system.
 */
#include "cmd/score/score_by.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"

enum { COLUMN = 10 };

struct table {
    struct dgm_score *score;
    struct dgm_score_by *by;
    dgm_scorer **scorers; /* of groups of lines: system s, metric m: [s * metrics + m] */
    size_t groups;
    int is_csv;
    struct dgm_buf out;
};

/* ---- reading ------------------------------------------------------------------------------- */

static dgm_status check(const struct dgm_score *score)
{
    struct dgm_env *env = score->cmd->env;
    for (size_t s = 0; s < score->system_count; s++)
        if (strcmp(score->systems[s], "-") == 0)
            return dgm_fail(env, DGM_USAGE,
                            "--by reads files of --input; expected no - for standard input");
    if (score->reference_count == 1)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "--by groups the words of one reference; got %zu",
                    score->reference_count);
}

static dgm_status open_by(struct table *table)
{
    const struct dgm_score *score = table->score;
    const struct dgm_settings *settings = &score->cmd->settings;
    const struct dgm_score_by_asked asked = {
        .criterion = dgm_settings_text(settings, "by"),
        .reference = score->references[0],
        .text = dgm_settings_text(settings, "by-text"),
        .trees = dgm_settings_text(settings, "by-trees"),
        .systems = score->system_count,
    };
    table->is_csv = dgm_settings_text(settings, "format")[0] == 'c';
    if (strcmp(asked.criterion, "case") == 0 && dgm_settings_flag(settings, "lowercase"))
        return dgm_fail(score->cmd->env, DGM_USAGE,
                        "--by case with --lowercase, which leaves no case; expected one of the "
                        "two");
    DGM_TRY(dgm_score_by_open(score->cmd->context, settings, &asked, &table->by));
    if (!dgm_score_by_is_of_lines(table->by) && score->metrics[0] != NULL)
        return dgm_fail(score->cmd->env, DGM_USAGE,
                        "--metrics with --by %s, which counts words; expected one of the two",
                        asked.criterion);
    return DGM_OK;
}

static dgm_status read_all(struct table *table)
{
    struct dgm_score *score = table->score;
    const size_t metrics = score->count;
    DGM_TRY(dgm_new(score->cmd->env, &table->scorers, score->system_count * metrics,
                    sizeof *table->scorers));
    for (size_t s = 0; s < score->system_count; s++) {
        dgm_scorer **scorers = table->scorers + s * metrics;
        DGM_TRY(dgm_score_by_read(table->by, s, score->systems[s]));
        if (!dgm_score_by_is_of_lines(table->by))
            continue;
        DGM_TRY(dgm_score_make(score, 1, scorers));
        DGM_TRY(dgm_score_add(score, score->systems[s], score->references, scorers, NULL));
    }
    table->groups = dgm_score_by_count(table->by);
    return DGM_OK;
}

/* ---- output -------------------------------------------------------------------------------- */

static double value_of(const struct table *table, size_t group, size_t system, size_t metric)
{
    if (!dgm_score_by_is_of_lines(table->by))
        return dgm_score_by_value(table->by, group, system);
    return dgm_score_by_score(table->by, group,
                              table->scorers[system * table->score->count + metric]);
}

/* At the right edge of a column that its title fits. */
static dgm_status add_cell(struct table *table, const char *text, const char *title)
{
    const int width = strlen(title) < COLUMN - 2 ? COLUMN : (int)strlen(title) + 2;
    return dgm_buf_add_format(table->score->cmd->env, &table->out, "%*s", width, text);
}

static dgm_status add_value(struct table *table, double value, const char *title)
{
    char digits[32] = "-";
    if (!isnan(value))
        digits[dgm_number_print_fixed(
            digits, value, (int)dgm_settings_int(&table->score->cmd->settings, "width"))] = '\0';
    return add_cell(table, digits, title);
}

static dgm_status add_row(struct table *table, size_t group, size_t metric)
{
    const struct dgm_score_by_group found = dgm_score_by_group(table->by, group);
    const struct dgm_score *score = table->score;
    char digits[32];
    DGM_TRY(dgm_buf_add_format(score->cmd->env, &table->out, "%-12s", found.name));
    digits[dgm_number_print_fixed(digits, (double)found.count, 0)] = '\0';
    DGM_TRY(add_cell(table, digits, ""));
    for (size_t s = 0; s < score->system_count; s++)
        DGM_TRY(add_value(table, value_of(table, group, s, metric), score->systems[s]));
    return dgm_buf_add_char(score->cmd->env, &table->out, '\n');
}

static dgm_status add_signature(struct table *table, size_t metric)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    if (!dgm_score_by_is_of_lines(table->by))
        return dgm_buf_add_format(env, &table->out, "%s of words by %s, %%\n",
                                  dgm_score_by_measure(table->by),
                                  dgm_settings_text(&table->score->cmd->settings, "by"));
    DGM_TRY(dgm_scorer_text(table->scorers[metric], DGM_SCORE_NAME, &text));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "%s|", text));
    DGM_TRY(dgm_scorer_text(table->scorers[metric],
                            dgm_settings_flag(&table->score->cmd->settings, "short")
                                ? DGM_SCORE_SHORT_SIGNATURE
                                : DGM_SCORE_SIGNATURE,
                            &text));
    return dgm_buf_add_format(env, &table->out, "%s\n", text);
}

static dgm_status add_table(struct table *table, size_t metric)
{
    const struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    DGM_TRY(add_signature(table, metric));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "%-12s", dgm_score_by_title(table->by)));
    DGM_TRY(add_cell(table, dgm_score_by_is_of_lines(table->by) ? "lines" : "count", ""));
    for (size_t s = 0; s < score->system_count; s++)
        DGM_TRY(add_cell(table, score->systems[s], score->systems[s]));
    DGM_TRY(dgm_buf_add_char(env, &table->out, '\n'));
    for (size_t g = 0; g < table->groups; g++)
        DGM_TRY(add_row(table, g, metric));
    return DGM_OK;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

/* A field between quotation marks, which are doubled within. */
static dgm_status add_field(struct table *table, const char *text)
{
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(dgm_buf_add_char(env, &table->out, '"'));
    for (; *text != '\0'; text++) {
        if (*text == '"')
            DGM_TRY(dgm_buf_add_char(env, &table->out, '"'));
        DGM_TRY(dgm_buf_add_char(env, &table->out, *text));
    }
    return dgm_buf_add_text(env, &table->out, "\",");
}

/* A value in each record, so that `draw chart` splits them into series; none is left out. */
static dgm_status add_records(struct table *table, size_t metric, const char *name)
{
    const struct dgm_score *score = table->score;
    const int width = (int)dgm_settings_int(&score->cmd->settings, "width");
    char digits[32];
    for (size_t g = 0; g < table->groups; g++)
        for (size_t s = 0; s < score->system_count; s++) {
            const struct dgm_score_by_group group = dgm_score_by_group(table->by, g);
            const double value = value_of(table, g, s, metric);
            if (isnan(value))
                continue;
            digits[dgm_number_print_fixed(digits, value, width)] = '\0';
            DGM_TRY(add_field(table, group.name));
            DGM_TRY(dgm_buf_add_format(score->cmd->env, &table->out, "%ld,", group.count));
            DGM_TRY(add_field(table, score->systems[s]));
            DGM_TRY(add_field(table, name));
            DGM_TRY(dgm_buf_add_format(score->cmd->env, &table->out, "%s\n", digits));
        }
    return DGM_OK;
}

static dgm_status add_csv(struct table *table, size_t metric)
{
    const char *name = dgm_score_by_measure(table->by);
    if (metric == 0)
        DGM_TRY(dgm_buf_add_format(table->score->cmd->env, &table->out,
                                   "%s,count,system,metric,value\n",
                                   dgm_score_by_title(table->by)));
    if (dgm_score_by_is_of_lines(table->by))
        DGM_TRY(dgm_scorer_text(table->scorers[metric], DGM_SCORE_NAME, &name));
    return add_records(table, metric, name);
}

/* ---- the command ---------------------------------------------------------------------------- */

static dgm_status fill(struct table *table)
{
    struct dgm_score *score = table->score;
    DGM_TRY(check(score));
    DGM_TRY(open_by(table));
    DGM_TRY(read_all(table));
    for (size_t m = 0; m < score->count; m++) {
        if (m > 0 && !table->is_csv)
            DGM_TRY(dgm_buf_add_char(score->cmd->env, &table->out, '\n'));
        DGM_TRY(table->is_csv ? add_csv(table, m) : add_table(table, m));
    }
    return dgm_score_write(score, &table->out);
}

dgm_status dgm_score_by(struct dgm_score *score)
{
    struct table table = { .score = score };
    dgm_status status = fill(&table);
    for (size_t i = 0; table.scorers != NULL && i < score->system_count * score->count; i++)
        dgm_scorer_free(table.scorers[i]);
    dgm_release(score->cmd->env, table.scorers);
    dgm_score_by_close(table.by);
    dgm_buf_clear(score->cmd->env, &table.out);
    return status;
}
