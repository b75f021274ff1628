/* score_paired.c: `score --paired-bs`: systems beside a baseline, and how sure differences are. */
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/score/score.h"

struct table {
    struct dgm_score_table systems;
    dgm_paired *results; /* of one metric */
};

/* ---- text ---------------------------------------------------------------------------------- */

/* "    20.8    20.8     0.7  0.0010*  system.de" */
static dgm_status add_row(struct dgm_score_table *table, const dgm_paired *result, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(dgm_score_add_cell(table, NULL, result->score, table->width));
    DGM_TRY(dgm_score_add_cell(table, NULL, result->mean, table->width));
    DGM_TRY(dgm_score_add_cell(table, NULL, result->half_width, table->width));
    DGM_TRY(dgm_score_add_cell(table, "-", result->p, s == 0 ? -1 : 4));
    DGM_TRY(dgm_buf_add_text(env, &table->out, s > 0 && result->p < 0.05 ? "*  " : "   "));
    DGM_TRY(dgm_buf_add_text(env, &table->out, table->score->systems[s]));
    return dgm_buf_add_text(env, &table->out, s == 0 ? " (baseline)\n" : "\n");
}

/* "nrefs:1|case:..." with "bs:1000|seed:12345|" behind its first part, as sacreBLEU has it; and
 * "p:two-sided" for the p that sacreBLEU has not. */
static dgm_status add_signature(struct dgm_score_table *table, dgm_scorer *scorer)
{
    const struct dgm_settings *settings = &table->score->cmd->settings;
    int is_short = dgm_settings_flag(settings, "short");
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    size_t first;
    DGM_TRY(dgm_score_signature(table, scorer, &text));
    first = strcspn(text, "|");
    DGM_TRY(dgm_buf_add(env, &table->out, text, first));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "|bs:%s|%s:%s",
                               dgm_settings_text(settings, "paired-bs-n"), is_short ? "rs" : "seed",
                               dgm_settings_text(settings, "seed")));
    if (strcmp(dgm_settings_text(settings, "paired-bs-p"), "sacrebleu") != 0)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "|p:two-sided"));
    return dgm_buf_add_text(env, &table->out, text + first);
}

static dgm_status add_text(struct table *table, dgm_scorer *scorer)
{
    struct dgm_score *score = table->systems.score;
    struct dgm_buf *out = &table->systems.out;
    struct dgm_env *env = score->cmd->env;
    const char *name;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_text(env, out, name));
    DGM_TRY(dgm_buf_add_char(env, out, '|'));
    DGM_TRY(add_signature(&table->systems, scorer));
    DGM_TRY(dgm_buf_add_text(env, out, "\n   score    mean  +/-95%       p   system\n"));
    for (s = 0; s < score->system_count; s++)
        DGM_TRY(add_row(&table->systems, &table->results[s], s));
    return DGM_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static dgm_status add_pair(struct dgm_score_table *table, const char *key, double value,
                           int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    DGM_TRY(dgm_buf_add_format(env, &table->out, ",\n   \"%s\": ", key));
    return dgm_buf_add(env, &table->out, digits, dgm_number_print_fixed(digits, value, decimals));
}

static dgm_status add_object(struct dgm_score_table *table, const dgm_paired *result, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(dgm_buf_add_text(env, &table->out, "{\n   \"system\": \""));
    DGM_TRY(dgm_score_add_string(table, table->score->systems[s]));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\""));
    DGM_TRY(add_pair(table, "score", result->score, table->width));
    DGM_TRY(add_pair(table, "mean", result->mean, table->width));
    DGM_TRY(add_pair(table, "ci", result->half_width, table->width));
    if (s > 0)
        DGM_TRY(add_pair(table, "p_value", result->p, 6));
    else
        DGM_TRY(dgm_buf_add_text(env, &table->out, ",\n   \"p_value\": null"));
    return dgm_buf_add_text(env, &table->out, "\n  }");
}

static dgm_status add_json(struct table *table, dgm_scorer *scorer)
{
    struct dgm_score *score = table->systems.score;
    struct dgm_buf *out = &table->systems.out;
    struct dgm_env *env = score->cmd->env;
    const char *name;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_format(env, out, "{\n \"name\": \"%s\",\n \"signature\": \"", name));
    DGM_TRY(add_signature(&table->systems, scorer));
    DGM_TRY(dgm_buf_add_text(env, out, "\",\n \"systems\": [\n  "));
    for (s = 0; s < score->system_count; s++) {
        if (s > 0)
            DGM_TRY(dgm_buf_add_text(env, out, ", "));
        DGM_TRY(add_object(&table->systems, &table->results[s], s));
    }
    return dgm_buf_add_text(env, out, "\n ]\n}");
}

/* ---- the table ----------------------------------------------------------------------------- */

static dgm_status fill(struct table *table)
{
    struct dgm_score *score = table->systems.score;
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_buf *out = &table->systems.out;
    struct dgm_env *env = score->cmd->env;
    int json = dgm_settings_text(settings, "format")[0] == 'j';
    int list = json && score->count > 1;
    size_t m;
    if (list)
        DGM_TRY(dgm_buf_add_text(env, out, "[\n"));
    for (m = 0; m < score->count; m++) {
        dgm_scorer **scorers = table->systems.scorers + m * score->system_count;
        if (m > 0)
            DGM_TRY(dgm_buf_add_text(env, out, list ? ",\n" : "\n"));
        DGM_TRY(dgm_scorer_paired(scorers, score->system_count,
                                  (long)dgm_settings_int(settings, "paired-bs-n"),
                                  (uint64_t)dgm_settings_int(settings, "seed"), table->results));
        DGM_TRY(json ? add_json(table, scorers[0]) : add_text(table, scorers[0]));
    }
    return dgm_buf_add_text(env, out, list ? "\n]\n" : json ? "\n" : "");
}

dgm_status dgm_score_compare(struct dgm_score *score)
{
    struct dgm_env *env = score->cmd->env;
    dgm_status status;
    struct table table;
    memset(&table, 0, sizeof table);
    if (score->system_count < 2)
        return dgm_fail(env, DGM_USAGE,
                        "--paired-bs compares translations; expected at least two "
                        "files, of --input or behind --paired-bs");
    table.results = dgm_alloc(env, score->system_count, sizeof *table.results);
    if (table.results == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(dgm_score_table_read(&table.systems, score, 1));
    DGM_TRY_OUT(fill(&table));
    status = dgm_score_write(score, &table.systems.out);
out:
    dgm_score_table_clear(&table.systems);
    dgm_release(env, table.results);
    return status;
}
