/*
 * score_systems.c: `score REFERENCE -i SYSTEM...`: several systems, a row for each; and with
 * --paired-bs how sure their differences from the first are.
 */
#include "cmd/score/score_systems.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"

enum { COLUMN = 8 };

/* Systems side by side. */
struct table {
    struct dgm_score *score;
    dgm_scorer **scorers; /* system s, metric m: [m * system_count + s] */
    dgm_paired *results;  /* of one metric, with --paired-bs; else NULL */
    int width;            /* decimals */
    struct dgm_buf out;
};

/* ---- reading ------------------------------------------------------------------------------ */

/* Refuses options that make no sense with several systems. */
static dgm_status check_options(const struct dgm_score *score)
{
    static const char *const without[] = { "sentence-level", "score-only" };
    struct dgm_cmd *cmd = score->cmd;
    size_t i;
    for (i = 0; i < 2; i++)
        if (dgm_settings_flag(&cmd->settings, without[i]))
            return dgm_fail(cmd->env, DGM_USAGE,
                            "%zu translations make a table of whole files; expected no --%s, or "
                            "one translation",
                            score->system_count, without[i]);
    return DGM_OK;
}

/* Makes the scorers of a system and lists them in the table, too. */
static dgm_status make_scorers(struct table *table, size_t s, int keep, dgm_scorer **made)
{
    struct dgm_score *score = table->score;
    dgm_status status = dgm_score_make(score, keep, made);
    for (size_t m = 0; m < score->count; m++)
        table->scorers[m * score->system_count + s] = made[m];
    return status;
}

/* Reads the systems of one file. */
static dgm_status read_systems(struct table *table, size_t s, size_t width, int keep)
{
    struct dgm_score *score = table->score;
    dgm_scorer **made;
    dgm_status status;
    DGM_TRY(dgm_new(score->cmd->env, &made, width * score->count, sizeof *made));
    for (size_t i = 0; i < width; i++)
        DGM_TRY_OUT(make_scorers(table, s + i, keep, made + i * score->count));
    status = dgm_score_read(score, s, made, NULL);
out:
    dgm_release(score->cmd->env, made);
    return status;
}

/* Reads all systems; `keep`: fit for a paired test. */
static dgm_status read_table(struct table *table, int keep)
{
    struct dgm_score *score = table->score;
    size_t s, width;
    table->width = (int)dgm_settings_int(&score->cmd->settings, "width");
    DGM_TRY(check_options(score));
    DGM_TRY(dgm_new(score->cmd->env, &table->scorers, score->system_count * score->count,
                    sizeof *table->scorers));
    for (s = 0; s < score->system_count; s += width) {
        width = dgm_score_width(score, s);
        DGM_TRY(read_systems(table, s, width, keep));
    }
    return DGM_OK;
}

static void clear_table(struct table *table)
{
    struct dgm_score *score = table->score;
    size_t i;
    for (i = 0; table->scorers != NULL && i < score->system_count * score->count; i++)
        dgm_scorer_free(table->scorers[i]);
    dgm_release(score->cmd->env, table->scorers);
    dgm_release(score->cmd->env, table->results);
    dgm_buf_clear(score->cmd->env, &table->out);
}

/* ---- parts of a table --------------------------------------------------------------------- */

/* A number, or with `decimals` negative a word, at the right edge of its column. */
static dgm_status add_cell(struct table *table, const char *word, double value, int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    if (decimals >= 0)
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return dgm_buf_add_format(env, &table->out, " %*s", COLUMN - 1, decimals >= 0 ? digits : word);
}

/* "nrefs:1|case:...", the short one with --short. With --paired-bs sacreBLEU puts the samples
 * behind the first part: "nrefs:1|bs:1000|seed:12345|case:...". Our p is another than sacreBLEU's
 * unless --paired-bs-p says so: "p:two-sided" tells. */
static dgm_status add_signature(struct table *table, dgm_scorer *scorer)
{
    const struct dgm_settings *settings = &table->score->cmd->settings;
    int is_short = dgm_settings_flag(settings, "short");
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    size_t first;
    DGM_TRY(
        dgm_scorer_text(scorer, is_short ? DGM_SCORE_SHORT_SIGNATURE : DGM_SCORE_SIGNATURE, &text));
    if (table->results == NULL)
        return dgm_buf_add_text(env, &table->out, text);
    first = strcspn(text, "|");
    DGM_TRY(dgm_buf_add(env, &table->out, text, first));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "|bs:%s|%s:%s",
                               dgm_settings_text(settings, "paired-bs-n"), is_short ? "rs" : "seed",
                               dgm_settings_text(settings, "seed")));
    if (strcmp(dgm_settings_text(settings, "paired-bs-p"), "sacrebleu") != 0)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "|p:two-sided"));
    return dgm_buf_add_text(env, &table->out, text + first);
}

/* "BLEU|nrefs:1|..." */
static dgm_status add_title(struct table *table, dgm_scorer *scorer)
{
    const char *name;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_format(table->score->cmd->env, &table->out, "%s|", name));
    return add_signature(table, scorer);
}

/* ---- text --------------------------------------------------------------------------------- */

/* "    BLEU   chrF2   system" */
static dgm_status add_head(struct table *table)
{
    const struct dgm_score *score = table->score;
    const char *name;
    size_t m;
    for (m = 0; m < score->count; m++) {
        DGM_TRY(dgm_scorer_text(table->scorers[m * score->system_count], DGM_SCORE_NAME, &name));
        DGM_TRY(add_cell(table, name, 0, -1));
    }
    return dgm_buf_add_text(score->cmd->env, &table->out, "   system\n");
}

/* "    20.8    52.1   system.de" */
static dgm_status add_row(struct table *table, size_t s)
{
    const struct dgm_score *score = table->score;
    double value;
    size_t m;
    for (m = 0; m < score->count; m++) {
        DGM_TRY(dgm_scorer_value(table->scorers[m * score->system_count + s], &value, NULL));
        DGM_TRY(add_cell(table, NULL, value, table->width));
    }
    return dgm_buf_add_format(score->cmd->env, &table->out, "   %s\n", score->systems[s]);
}

static dgm_status add_text(struct table *table)
{
    const struct dgm_score *score = table->score;
    size_t m, s;
    for (m = 0; m < score->count; m++) {
        DGM_TRY(add_title(table, table->scorers[m * score->system_count]));
        DGM_TRY(dgm_buf_add_char(score->cmd->env, &table->out, '\n'));
    }
    DGM_TRY(add_head(table));
    for (s = 0; s < score->system_count; s++)
        DGM_TRY(add_row(table, s));
    return DGM_OK;
}

/* ---- paired: text ------------------------------------------------------------------------- */

/* "    20.8    20.8     0.7  0.0010*  system.de" */
static dgm_status add_paired_row(struct table *table, const dgm_paired *result, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(add_cell(table, NULL, result->score, table->width));
    DGM_TRY(add_cell(table, NULL, result->mean, table->width));
    DGM_TRY(add_cell(table, NULL, result->half_width, table->width));
    DGM_TRY(add_cell(table, "-", result->p, s == 0 ? -1 : 4));
    DGM_TRY(dgm_buf_add_text(env, &table->out, s > 0 && result->p < 0.05 ? "*  " : "   "));
    DGM_TRY(dgm_buf_add_text(env, &table->out, table->score->systems[s]));
    return dgm_buf_add_text(env, &table->out, s == 0 ? " (baseline)\n" : "\n");
}

static dgm_status add_paired_text(struct table *table, dgm_scorer *scorer)
{
    struct dgm_env *env = table->score->cmd->env;
    size_t s;
    DGM_TRY(add_title(table, scorer));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\n   score    mean  +/-95%       p   system\n"));
    for (s = 0; s < table->score->system_count; s++)
        DGM_TRY(add_paired_row(table, &table->results[s], s));
    return DGM_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static dgm_status add_pair(struct table *table, const char *key, double value, int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    DGM_TRY(dgm_buf_add_format(env, &table->out, ",\n   \"%s\": ", key));
    return dgm_buf_add(env, &table->out, digits, dgm_number_print_fixed(digits, value, decimals));
}

/* What a paired test has found of system s. */
static dgm_status add_paired_pairs(struct table *table, const dgm_paired *result, size_t s)
{
    DGM_TRY(add_pair(table, "score", result->score, table->width));
    DGM_TRY(add_pair(table, "mean", result->mean, table->width));
    DGM_TRY(add_pair(table, "ci", result->half_width, table->width));
    if (s > 0)
        return add_pair(table, "p_value", result->p, 6);
    return dgm_buf_add_text(table->score->cmd->env, &table->out, ",\n   \"p_value\": null");
}

static dgm_status add_object(struct table *table, dgm_scorer *scorer, size_t s)
{
    const char *name = table->score->systems[s];
    struct dgm_env *env = table->score->cmd->env;
    double value;
    DGM_TRY(dgm_buf_add_text(env, &table->out, "{\n   \"system\": "));
    DGM_TRY(dgm_json_text_quote(env, &table->out, name, strlen(name)));
    if (table->results != NULL) {
        DGM_TRY(add_paired_pairs(table, &table->results[s], s));
    } else {
        DGM_TRY(dgm_scorer_value(scorer, &value, NULL));
        DGM_TRY(add_pair(table, "score", value, table->width));
    }
    return dgm_buf_add_text(env, &table->out, "\n  }");
}

static dgm_status add_metric(struct table *table, dgm_scorer **scorers)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *name;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorers[0], DGM_SCORE_NAME, &name));
    DGM_TRY(
        dgm_buf_add_format(env, &table->out, "{\n \"name\": \"%s\",\n \"signature\": \"", name));
    DGM_TRY(add_signature(table, scorers[0]));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\",\n \"systems\": [\n  "));
    for (s = 0; s < table->score->system_count; s++) {
        if (s > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, ", "));
        DGM_TRY(add_object(table, scorers[s], s));
    }
    return dgm_buf_add_text(env, &table->out, "\n ]\n}");
}

/* ---- all metrics --------------------------------------------------------------------------- */

/* With --paired-bs, or as JSON, each metric has a part of its own. */
static dgm_status add_parts(struct table *table, int json)
{
    struct dgm_score *score = table->score;
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_env *env = score->cmd->env;
    int list = json && score->count > 1;
    size_t m;
    if (list)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "[\n"));
    for (m = 0; m < score->count; m++) {
        dgm_scorer **scorers = table->scorers + m * score->system_count;
        if (m > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, list ? ",\n" : "\n"));
        if (table->results != NULL)
            DGM_TRY(dgm_scorer_paired(scorers, score->system_count,
                                      (long)dgm_settings_int(settings, "paired-bs-n"),
                                      (uint64_t)dgm_settings_int(settings, "seed"),
                                      table->results));
        DGM_TRY(json ? add_metric(table, scorers) : add_paired_text(table, scorers[0]));
    }
    return dgm_buf_add_text(env, &table->out, list ? "\n]\n" : json ? "\n" : "");
}

dgm_status dgm_score_systems(struct dgm_score *score, int paired)
{
    int json = dgm_settings_text(&score->cmd->settings, "format")[0] == 'j';
    struct table table = { .score = score };
    dgm_status status;
    if (paired && score->system_count < 2)
        return dgm_fail(score->cmd->env, DGM_USAGE,
                        "--paired-bs compares translations; expected at least two "
                        "files, of --input or behind --paired-bs");
    if (paired)
        DGM_TRY(
            dgm_new(score->cmd->env, &table.results, score->system_count, sizeof *table.results));
    DGM_TRY_OUT(read_table(&table, paired));
    DGM_TRY_OUT(json || paired ? add_parts(&table, json) : add_text(&table));
    status = dgm_score_write(score, &table.out);
out:
    clear_table(&table);
    return status;
}
