/*
 * parse_eval_systems.c: `parse-eval GOLD A B`: several parsers, a row for each; with --paired-bs
 * how sure their differences from the first are, with --by a row for each group of words.
 */
#include "cmd/tree/parse_eval_systems.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"

enum { COLUMN = 10 };

struct table {
    struct dgm_cmd *cmd;
    struct dgm_parsers *parsers;
    dgm_paired *results; /* with --paired-bs */
    const char **systems;
    size_t count;
    struct dgm_buf out;
};

static const dgm_parse_metric chief[] = { DGM_PARSE_UPOS, DGM_PARSE_UAS, DGM_PARSE_LAS,
                                          DGM_PARSE_CLAS, DGM_PARSE_MLAS };
enum { CHIEF = sizeof chief / sizeof *chief };

/* ---- parts ---------------------------------------------------------------------------------- */

/* At the right edge of a column that its title fits. */
static dgm_status add_cell(struct table *table, const char *text, const char *title)
{
    const int width = strlen(title) < COLUMN - 2 ? COLUMN : (int)strlen(title) + 2;
    return dgm_buf_add_format(table->cmd->env, &table->out, "%*s", width, text);
}

static dgm_status add_number(struct table *table, double value, int decimals, const char *title)
{
    char digits[32] = "-";
    if (!isnan(value))
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return add_cell(table, digits, title);
}

/* ---- several systems ------------------------------------------------------------------------ */

static dgm_status add_systems(struct table *table)
{
    struct dgm_env *env = table->cmd->env;
    for (int m = 0; m < CHIEF; m++)
        DGM_TRY(add_cell(table, dgm_parsers_metric(chief[m]), ""));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "   system\n"));
    for (size_t s = 0; s < table->count; s++) {
        for (int m = 0; m < CHIEF; m++)
            DGM_TRY(add_number(table, dgm_parsers_score(table->parsers, s, chief[m]), 2, ""));
        DGM_TRY(dgm_buf_add_format(env, &table->out, "   %s\n", table->systems[s]));
    }
    return DGM_OK;
}

/* ---- paired --------------------------------------------------------------------------------- */

static dgm_status add_paired_row(struct table *table, size_t s)
{
    const dgm_paired *result = &table->results[s];
    struct dgm_env *env = table->cmd->env;
    DGM_TRY(add_number(table, result->score, 2, ""));
    DGM_TRY(add_number(table, result->mean, 2, ""));
    DGM_TRY(add_number(table, result->half_width, 2, ""));
    DGM_TRY(add_number(table, s == 0 ? (double)NAN : result->p, 4, ""));
    return dgm_buf_add_format(env, &table->out, "%s%s%s\n",
                              s > 0 && result->p < 0.05 ? "*  " : "   ", table->systems[s],
                              s == 0 ? " (baseline)" : "");
}

static dgm_status add_paired(struct table *table, dgm_parse_metric metric)
{
    const struct dgm_settings *settings = &table->cmd->settings;
    struct dgm_env *env = table->cmd->env;
    DGM_TRY(dgm_parsers_paired(table->parsers, metric,
                               (long)dgm_settings_int(settings, "paired-bs-n"),
                               (uint64_t)dgm_settings_int(settings, "seed"), table->results));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "%s|sentences:%ld|bs:%s|seed:%s|p:two-sided\n",
                               dgm_parsers_metric(metric), dgm_parsers_sentences(table->parsers),
                               dgm_settings_text(settings, "paired-bs-n"),
                               dgm_settings_text(settings, "seed")));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "%*s%*s%*s%*s   system\n", COLUMN, "F1", COLUMN,
                               "mean", COLUMN, "+/-95%", COLUMN, "p"));
    for (size_t s = 0; s < table->count; s++)
        DGM_TRY(add_paired_row(table, s));
    return DGM_OK;
}

/* ---- groups --------------------------------------------------------------------------------- */

static dgm_status add_groups(struct table *table, dgm_parse_metric metric)
{
    const char *by = dgm_settings_text(&table->cmd->settings, "by");
    struct dgm_env *env = table->cmd->env;
    DGM_TRY(dgm_buf_add_format(env, &table->out, "F1 of %s by %s, %%\n%-12s",
                               dgm_parsers_metric(metric), by, by));
    DGM_TRY(add_cell(table, "words", ""));
    for (size_t s = 0; s < table->count; s++)
        DGM_TRY(add_cell(table, table->systems[s], table->systems[s]));
    DGM_TRY(dgm_buf_add_char(env, &table->out, '\n'));
    for (size_t g = 0; g < dgm_parsers_groups(table->parsers); g++) {
        long words;
        const char *name = dgm_parsers_group(table->parsers, g, metric, &words);
        DGM_TRY(dgm_buf_add_format(env, &table->out, "%-12s%10ld", name, words));
        for (size_t s = 0; s < table->count; s++)
            DGM_TRY(add_number(table, dgm_parsers_group_score(table->parsers, g, s, metric), 2,
                               table->systems[s]));
        DGM_TRY(dgm_buf_add_char(env, &table->out, '\n'));
    }
    return DGM_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

int dgm_parse_eval_is_of_systems(const struct dgm_cmd *cmd)
{
    return cmd->argument_count > 2 || dgm_settings_text(&cmd->settings, "by") != NULL ||
           dgm_settings_flag(&cmd->settings, "paired-bs");
}

static dgm_status check(const struct table *table)
{
    static const char *const of_one[] = { "verbose", "counts" };
    const struct dgm_settings *settings = &table->cmd->settings;
    struct dgm_env *env = table->cmd->env;
    if (table->count < 2 && dgm_settings_flag(settings, "paired-bs"))
        return dgm_fail(env, DGM_USAGE,
                        "--paired-bs compares parsers; expected at least two files behind GOLD");
    for (size_t i = 0; i < 2; i++)
        if (dgm_settings_flag(settings, of_one[i]))
            return dgm_fail(env, DGM_USAGE, "--%s is of one SYSTEM; expected no other", of_one[i]);
    if (dgm_settings_text(settings, "format")[0] == 'j')
        return dgm_fail(env, DGM_USAGE, "--format json is of one SYSTEM; expected no other");
    return DGM_OK;
}

/* The gold file is read again for each system. */
static dgm_status check_inputs(const struct table *table)
{
    for (size_t i = 0; table->count > 1 && i <= table->count; i++)
        if (strcmp(table->cmd->arguments[i], "-") == 0)
            return dgm_fail(table->cmd->env, DGM_USAGE,
                            "several systems are read from files; expected no - for standard "
                            "input");
    return DGM_OK;
}

/* A table for each metric that is asked for. */
static dgm_status add_metrics(struct table *table,
                              dgm_status (*add)(struct table *table, dgm_parse_metric metric))
{
    const struct dgm_settings *settings = &table->cmd->settings;
    const size_t count = dgm_settings_count(settings, "metrics");
    for (size_t i = 0; i < (count > 0 ? count : 1); i++) {
        const char *name = count > 0 ? dgm_settings_item(settings, "metrics", i) : "las";
        static const char *const names[] = { "upos", "uas", "las", "clas", "mlas" };
        int m = 0;
        while (strcmp(names[m], name) != 0)
            m++;
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(table->cmd->env, &table->out, '\n'));
        DGM_TRY(add(table, chief[m]));
    }
    return DGM_OK;
}

static dgm_status fill(struct table *table)
{
    const struct dgm_settings *settings = &table->cmd->settings;
    const struct dgm_parsers_asked asked = {
        .gold = table->cmd->arguments[0],
        .systems = table->systems,
        .count = table->count,
        .by = dgm_settings_text(settings, "by"),
        .multi_root = dgm_settings_text(settings, "multi-root"),
        .earlier_heads = dgm_settings_flag(settings, "earlier-heads"),
    };
    const int is_paired = dgm_settings_flag(settings, "paired-bs");
    DGM_TRY(check(table));
    DGM_TRY(check_inputs(table));
    DGM_TRY(dgm_new(table->cmd->env, &table->results, table->count, sizeof *table->results));
    DGM_TRY(dgm_parsers_open(table->cmd->context, &asked, &table->parsers));
    DGM_TRY(is_paired          ? add_metrics(table, add_paired)
            : asked.by != NULL ? add_metrics(table, add_groups)
                               : add_systems(table));
    return dgm_cmd_put(table->cmd->env, dgm_settings_text(settings, "output"), &table->out);
}

dgm_status dgm_parse_eval_systems(struct dgm_cmd *cmd)
{
    struct table table = { .cmd = cmd, .count = (size_t)cmd->argument_count - 1 };
    dgm_status status;
    DGM_TRY(dgm_new(cmd->env, &table.systems, table.count, sizeof *table.systems));
    for (size_t s = 0; s < table.count; s++)
        table.systems[s] = cmd->arguments[1 + s];
    status = fill(&table);
    dgm_parsers_close(table.parsers);
    dgm_release(cmd->env, table.results);
    dgm_release(cmd->env, table.systems);
    dgm_buf_clear(cmd->env, &table.out);
    return status;
}
