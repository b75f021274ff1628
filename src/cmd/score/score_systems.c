/* score_systems.c: `score REFERENCE -i SYSTEM...`: several systems, a row for each. */
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/score/score.h"

enum { COLUMN = 8 };

/* ---- reading ------------------------------------------------------------------------------- */

/* What makes no sense with several systems. */
static dgm_status check_options(const struct dgm_score *score)
{
    static const char *const without[] = { "sentence-level", "score-only" };
    struct dgm_cmd *cmd = score->cmd;
    size_t i, streams = 0;
    for (i = 0; i < 2; i++)
        if (dgm_settings_flag(&cmd->settings, without[i]))
            return dgm_fail(cmd->env, DGM_USAGE,
                            "%zu translations make a table of whole files; expected no --%s, or "
                            "one translation",
                            score->system_count, without[i]);
    for (i = 0; i < score->system_count; i++)
        streams += strcmp(score->systems[i], "-") == 0;
    if (streams > 1)
        return dgm_fail(cmd->env, DGM_USAGE, "standard input is named %zu times; expected once",
                        streams);
    return DGM_OK;
}

static dgm_status read_system(struct dgm_score_table *table, size_t s, int keep)
{
    struct dgm_score *score = table->score;
    dgm_scorer *made[DGM_SCORE_METRICS];
    dgm_status status;
    size_t m;
    memset(made, 0, sizeof made);
    status = dgm_score_make(score, keep, made);
    for (m = 0; m < score->count; m++)
        table->scorers[m * score->system_count + s] = made[m];
    DGM_TRY(status);
    return dgm_scorer_add_files(made, score->count, score->systems[s], score->references,
                                score->reference_count, NULL, NULL);
}

dgm_status dgm_score_table_read(struct dgm_score_table *table, struct dgm_score *score, int keep)
{
    size_t s;
    table->score = score;
    table->width = (int)dgm_settings_int(&score->cmd->settings, "width");
    DGM_TRY(check_options(score));
    table->scorers =
        dgm_alloc(score->cmd->env, score->system_count * score->count, sizeof *table->scorers);
    if (table->scorers == NULL)
        return DGM_MEMORY;
    for (s = 0; s < score->system_count; s++)
        DGM_TRY(read_system(table, s, keep));
    return DGM_OK;
}

void dgm_score_table_clear(struct dgm_score_table *table)
{
    struct dgm_score *score = table->score;
    size_t i;
    if (score == NULL)
        return;
    for (i = 0; table->scorers != NULL && i < score->system_count * score->count; i++)
        dgm_scorer_free(table->scorers[i]);
    dgm_release(score->cmd->env, table->scorers);
    dgm_buf_clear(score->cmd->env, &table->out);
}

/* ---- parts of a table ---------------------------------------------------------------------- */

dgm_status dgm_score_add_cell(struct dgm_score_table *table, const char *word, double value,
                              int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    if (decimals >= 0)
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return dgm_buf_add_format(env, &table->out, " %*s", COLUMN - 1, decimals >= 0 ? digits : word);
}

dgm_status dgm_score_add_string(struct dgm_score_table *table, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    struct dgm_env *env = table->score->cmd->env;
    struct dgm_buf *out = &table->out;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == 0x7F)
            DGM_TRY(dgm_buf_add_format(env, out, "\\u00%c%c", hex[c >> 4], hex[c & 15]));
        else
            DGM_TRY(dgm_buf_add_format(env, out, c == '"' || c == '\\' ? "\\%c" : "%c", c));
    }
    return DGM_OK;
}

dgm_status dgm_score_signature(struct dgm_score_table *table, dgm_scorer *scorer, const char **text)
{
    int is_short = dgm_settings_flag(&table->score->cmd->settings, "short");
    return dgm_scorer_text(scorer, is_short ? DGM_SCORE_SHORT_SIGNATURE : DGM_SCORE_SIGNATURE,
                           text);
}

/* ---- text ---------------------------------------------------------------------------------- */

/* "BLEU|nrefs:1|..." of each metric. */
static dgm_status add_signatures(struct dgm_score_table *table)
{
    const struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    size_t m;
    for (m = 0; m < score->count; m++) {
        dgm_scorer *scorer = table->scorers[m * score->system_count];
        const char *text;
        DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &text));
        DGM_TRY(dgm_buf_add_format(env, &table->out, "%s|", text));
        DGM_TRY(dgm_score_signature(table, scorer, &text));
        DGM_TRY(dgm_buf_add_format(env, &table->out, "%s\n", text));
    }
    return DGM_OK;
}

/* "    BLEU   chrF2   system" */
static dgm_status add_head(struct dgm_score_table *table)
{
    const struct dgm_score *score = table->score;
    const char *name;
    size_t m;
    for (m = 0; m < score->count; m++) {
        DGM_TRY(dgm_scorer_text(table->scorers[m * score->system_count], DGM_SCORE_NAME, &name));
        DGM_TRY(dgm_score_add_cell(table, name, 0, -1));
    }
    return dgm_buf_add_text(score->cmd->env, &table->out, "   system\n");
}

/* "    20.8    52.1   system.de" */
static dgm_status add_row(struct dgm_score_table *table, size_t s)
{
    const struct dgm_score *score = table->score;
    double value;
    size_t m;
    for (m = 0; m < score->count; m++) {
        DGM_TRY(dgm_scorer_value(table->scorers[m * score->system_count + s], &value, NULL));
        DGM_TRY(dgm_score_add_cell(table, NULL, value, table->width));
    }
    return dgm_buf_add_format(score->cmd->env, &table->out, "   %s\n", score->systems[s]);
}

static dgm_status add_text(struct dgm_score_table *table)
{
    size_t s;
    DGM_TRY(add_signatures(table));
    DGM_TRY(add_head(table));
    for (s = 0; s < table->score->system_count; s++)
        DGM_TRY(add_row(table, s));
    return DGM_OK;
}

/* ---- JSON: the form of --paired-bs, with fewer members -------------------------------------- */

static dgm_status add_object(struct dgm_score_table *table, dgm_scorer *scorer, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    double value;
    DGM_TRY(dgm_scorer_value(scorer, &value, NULL));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "{\n   \"system\": \""));
    DGM_TRY(dgm_score_add_string(table, table->score->systems[s]));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\",\n   \"score\": "));
    DGM_TRY(
        dgm_buf_add(env, &table->out, digits, dgm_number_print_fixed(digits, value, table->width)));
    return dgm_buf_add_text(env, &table->out, "\n  }");
}

static dgm_status add_metric(struct dgm_score_table *table, dgm_scorer **scorers)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorers[0], DGM_SCORE_NAME, &text));
    DGM_TRY(
        dgm_buf_add_format(env, &table->out, "{\n \"name\": \"%s\",\n \"signature\": \"", text));
    DGM_TRY(dgm_score_signature(table, scorers[0], &text));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "%s\",\n \"systems\": [\n  ", text));
    for (s = 0; s < table->score->system_count; s++) {
        if (s > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, ", "));
        DGM_TRY(add_object(table, scorers[s], s));
    }
    return dgm_buf_add_text(env, &table->out, "\n ]\n}");
}

static dgm_status add_json(struct dgm_score_table *table)
{
    const struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    int list = score->count > 1;
    size_t m;
    if (list)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "[\n"));
    for (m = 0; m < score->count; m++) {
        if (m > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, ",\n"));
        DGM_TRY(add_metric(table, table->scorers + m * score->system_count));
    }
    return dgm_buf_add_text(env, &table->out, list ? "\n]\n" : "\n");
}

dgm_status dgm_score_systems(struct dgm_score *score)
{
    int json = dgm_settings_text(&score->cmd->settings, "format")[0] == 'j';
    struct dgm_score_table table;
    dgm_status status;
    memset(&table, 0, sizeof table);
    DGM_TRY_OUT(dgm_score_table_read(&table, score, 0));
    DGM_TRY_OUT(json ? add_json(&table) : add_text(&table));
    status = dgm_score_write(score, &table.out);
out:
    dgm_score_table_clear(&table);
    return status;
}
