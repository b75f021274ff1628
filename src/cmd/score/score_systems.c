/*
 * score_systems.c: `score REFERENCE -i SYSTEM...`: several systems, a row for each; and how sure
 * their scores and differences are, where that is asked for.
 */
#include "cmd/score/score_systems.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/score/score_tests.h"

enum { COLUMN = 8 };

/* ---- reading ------------------------------------------------------------------------------ */

/* Refuses options that make no sense in a table. */
static dgm_status check_options(const struct dgm_score *score)
{
    static const char *const without[] = { "sentence-level", "score-only" };
    struct dgm_cmd *cmd = score->cmd;
    size_t i;
    for (i = 0; i < 2; i++) {
        if (!dgm_settings_flag(&cmd->settings, without[i]))
            continue;
        if (score->system_count > 1)
            return dgm_fail(cmd->env, DGM_USAGE,
                            "%zu translations make a table of whole files; expected no --%s, or "
                            "one translation",
                            score->system_count, without[i]);
        return dgm_fail(cmd->env, DGM_USAGE,
                        "--%s where a table of whole files is written; expected one of the two",
                        without[i]);
    }
    return DGM_OK;
}

/* Makes the scorers of a system and lists them in the table, too. */
static dgm_status make_scorers(struct dgm_score_table *table, size_t s, int keep, dgm_scorer **made)
{
    struct dgm_score *score = table->score;
    dgm_status status = dgm_score_make(score, keep, made);
    for (size_t m = 0; m < score->count; m++)
        table->scorers[m * score->system_count + s] = made[m];
    return status;
}

/* Reads the systems of one file. */
static dgm_status read_systems(struct dgm_score_table *table, size_t s, size_t width, int keep)
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
static dgm_status read_table(struct dgm_score_table *table, int keep)
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

static void clear_table(struct dgm_score_table *table)
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
static dgm_status add_cell(struct dgm_score_table *table, const char *word, double value,
                           int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    if (decimals >= 0)
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return dgm_buf_add_format(env, &table->out, " %*s", COLUMN - 1, decimals >= 0 ? digits : word);
}

/* "BLEU|nrefs:1|..." */
static dgm_status add_title(struct dgm_score_table *table, dgm_scorer *scorer)
{
    const char *name;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_format(table->score->cmd->env, &table->out, "%s|", name));
    return dgm_score_add_signature(table->score, &table->out, scorer,
                                   dgm_settings_flag(&table->score->cmd->settings, "short"));
}

/* ---- text --------------------------------------------------------------------------------- */

/* "    BLEU   chrF2   system" */
static dgm_status add_head(struct dgm_score_table *table)
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
static dgm_status add_row(struct dgm_score_table *table, size_t s)
{
    const struct dgm_score *score = table->score;
    size_t m;
    for (m = 0; m < score->count; m++)
        DGM_TRY(
            add_cell(table, NULL, table->results[m * score->system_count + s].score, table->width));
    return dgm_buf_add_format(score->cmd->env, &table->out, "   %s\n", score->systems[s]);
}

static dgm_status add_text(struct dgm_score_table *table)
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

/* ---- tested: text ------------------------------------------------------------------------- */

/* "    20.8    20.8     0.7  0.0010*  system.de" */
static dgm_status add_tested_row(struct dgm_score_table *table, const dgm_paired *result, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    const int paired = dgm_score_is_paired(table->score);
    DGM_TRY(add_cell(table, NULL, result->score, table->width));
    if (dgm_score_has_mean(table->score)) {
        DGM_TRY(add_cell(table, NULL, result->mean, table->width));
        DGM_TRY(add_cell(table, NULL, result->half_width, table->width));
    }
    if (paired)
        DGM_TRY(add_cell(table, "-", result->p, s == 0 ? -1 : 4));
    DGM_TRY(
        dgm_buf_add_text(env, &table->out, paired && s > 0 && result->p < 0.05 ? "*  " : "   "));
    DGM_TRY(dgm_buf_add_text(env, &table->out, table->score->systems[s]));
    return dgm_buf_add_text(env, &table->out, paired && s == 0 ? " (baseline)\n" : "\n");
}

static dgm_status add_tested_text(struct dgm_score_table *table, size_t m)
{
    struct dgm_env *env = table->score->cmd->env;
    const size_t first = m * table->score->system_count;
    size_t s;
    DGM_TRY(add_title(table, table->scorers[first]));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "\n   score%s%s   system\n",
                               dgm_score_has_mean(table->score) ? "    mean  +/-95%" : "",
                               dgm_score_is_paired(table->score) ? "       p" : ""));
    for (s = 0; s < table->score->system_count; s++)
        DGM_TRY(add_tested_row(table, &table->results[first + s], s));
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

/* The score of system s, and what tests have found of it. */
static dgm_status add_pairs(struct dgm_score_table *table, const dgm_paired *result, size_t s)
{
    DGM_TRY(add_pair(table, "score", result->score, table->width));
    if (dgm_score_has_mean(table->score)) {
        DGM_TRY(add_pair(table, "mean", result->mean, table->width));
        DGM_TRY(add_pair(table, "ci", result->half_width, table->width));
    }
    if (!dgm_score_is_paired(table->score))
        return DGM_OK;
    if (s > 0)
        return add_pair(table, "p_value", result->p, 6);
    return dgm_buf_add_text(table->score->cmd->env, &table->out, ",\n   \"p_value\": null");
}

static dgm_status add_object(struct dgm_score_table *table, const dgm_paired *result, size_t s)
{
    const char *name = table->score->systems[s];
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(dgm_buf_add_text(env, &table->out, "{\n   \"system\": "));
    DGM_TRY(dgm_json_text_quote(env, &table->out, name, strlen(name)));
    DGM_TRY(add_pairs(table, result, s));
    return dgm_buf_add_text(env, &table->out, "\n  }");
}

static dgm_status add_metric(struct dgm_score_table *table, size_t m)
{
    struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    dgm_scorer **scorers = table->scorers + m * score->system_count;
    const char *name;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorers[0], DGM_SCORE_NAME, &name));
    DGM_TRY(
        dgm_buf_add_format(env, &table->out, "{\n \"name\": \"%s\",\n \"signature\": \"", name));
    DGM_TRY(dgm_score_add_signature(score, &table->out, scorers[0],
                                    dgm_settings_flag(&score->cmd->settings, "short")));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\",\n \"systems\": [\n  "));
    for (s = 0; s < score->system_count; s++) {
        if (s > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, ", "));
        DGM_TRY(add_object(table, &table->results[m * score->system_count + s], s));
    }
    return dgm_buf_add_text(env, &table->out, "\n ]\n}");
}

/* ---- all metrics --------------------------------------------------------------------------- */

/* Where scores are tested, or as JSON, each metric has a part of its own. */
static dgm_status add_parts(struct dgm_score_table *table, int json)
{
    struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    int list = json && score->count > 1;
    size_t m;
    if (list)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "[\n"));
    for (m = 0; m < score->count; m++) {
        if (m > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, list ? ",\n" : "\n"));
        DGM_TRY(json ? add_metric(table, m) : add_tested_text(table, m));
    }
    return dgm_buf_add_text(env, &table->out, list ? "\n]\n" : json ? "\n" : "");
}

static dgm_status add_table(struct dgm_score_table *table)
{
    const struct dgm_score *score = table->score;
    const char format = dgm_settings_text(&score->cmd->settings, "format")[0];
    const int is_tested = dgm_score_is_paired(score) || dgm_score_has_mean(score);
    for (size_t m = 0; m < score->count; m++)
        DGM_TRY(dgm_score_test(score, table->scorers + m * score->system_count, score->system_count,
                               table->results + m * score->system_count));
    if (format == 'l')
        return dgm_score_add_latex(table);
    return format == 'j' || is_tested ? add_parts(table, format == 'j') : add_text(table);
}

static dgm_status check_count(const struct dgm_score *score)
{
    const int is_bootstrap = dgm_settings_is_set(&score->cmd->settings, "paired-bs");
    if (!dgm_score_is_paired(score) || score->system_count > 1)
        return DGM_OK;
    return dgm_fail(score->cmd->env, DGM_USAGE,
                    "--paired-%s compares translations; expected at least two files, of --input%s",
                    is_bootstrap ? "bs" : "ar", is_bootstrap ? " or behind --paired-bs" : "");
}

dgm_status dgm_score_systems(struct dgm_score *score)
{
    struct dgm_score_table table = { .score = score };
    dgm_status status;
    DGM_TRY(check_count(score));
    DGM_TRY(dgm_new(score->cmd->env, &table.results, score->system_count * score->count,
                    sizeof *table.results));
    DGM_TRY_OUT(read_table(&table, dgm_score_is_paired(score) || dgm_score_has_mean(score)));
    DGM_TRY_OUT(add_table(&table));
    status = dgm_score_write(score, &table.out);
out:
    clear_table(&table);
    return status;
}
