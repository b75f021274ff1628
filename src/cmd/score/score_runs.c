/*
 * score_runs.c: `score REFERENCE --runs -i A.1 A.2 + B.1 B.2`: systems of several trainings each,
 * on one test set or, with --sets, on several and their pool.
 */
#include "cmd/score/score_runs.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/score/runs_files.h"

enum { COLUMN = 8 };

struct table {
    struct dgm_score *score;
    struct dgm_runs_files files;
    dgm_scorer **scorers; /* of run r, metric m: [m * runs + r] */
    struct dgm_score_runs asked;
    size_t *ends;
    struct dgm_runs_result *results; /* (systems) */
    double *scores;                  /* (runs) */
    int width;                       /* decimals */
    struct dgm_buf out;
};

/* ---- reading ------------------------------------------------------------------------------ */

/* Adds all sets to the scorers of a run, which are `made`. */
static dgm_status read_run(struct table *table, size_t run, dgm_scorer **made)
{
    struct dgm_score *score = table->score;
    struct dgm_runs_files *files = &table->files;
    const char *path;
    long lines;
    for (size_t set = 0; set < files->set_count; set++) {
        DGM_TRY(dgm_runs_files_of(score, files, run, set, &path));
        DGM_TRY(dgm_score_add(score, path, files->references, made, NULL));
        DGM_TRY(dgm_scorer_value(made[0], NULL, &lines));
        if (run == 0)
            table->ends[set] = (size_t)lines;
        if (table->ends[set] == (set > 0 ? table->ends[set - 1] : 0))
            return dgm_fail_at(score->cmd->env, DGM_DATA, path, 0, 0,
                               "no line; expected at least 1");
    }
    return DGM_OK;
}

static dgm_status read_all(struct table *table)
{
    struct dgm_score *score = table->score;
    const size_t runs = table->files.run_count;
    dgm_scorer *made[DGM_SCORE_METRICS];
    for (size_t r = 0; r < runs; r++) {
        dgm_status status;
        memset(made, 0, sizeof made);
        status = dgm_score_make(score, 1, made);
        for (size_t m = 0; m < score->count; m++)
            table->scorers[m * runs + r] = made[m];
        DGM_TRY(status);
        DGM_TRY(read_run(table, r, made));
    }
    return DGM_OK;
}

/* ---- parts of both forms ------------------------------------------------------------------- */

/* "nrefs:1|bs:1000|seed:12345|case:...", as that of --paired-bs. */
static dgm_status add_signature(struct table *table, dgm_scorer *scorer)
{
    const struct dgm_settings *settings = &table->score->cmd->settings;
    int is_short = dgm_settings_flag(settings, "short");
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    size_t first;
    DGM_TRY(
        dgm_scorer_text(scorer, is_short ? DGM_SCORE_SHORT_SIGNATURE : DGM_SCORE_SIGNATURE, &text));
    first = strcspn(text, "|");
    DGM_TRY(dgm_buf_add(env, &table->out, text, first));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "|bs:%s|%s:%s",
                               dgm_settings_text(settings, "paired-bs-n"), is_short ? "rs" : "seed",
                               dgm_settings_text(settings, "seed")));
    return dgm_buf_add_text(env, &table->out, text + first);
}

/* The name of a set; of the pool "all"; NULL where there is one set without a name. */
static const char *name_of(const struct table *table, size_t set)
{
    return table->files.sets == NULL ? NULL
           : set < table->asked.sets ? table->files.sets[set]
                                     : "all";
}

static size_t lines_of(const struct table *table, size_t set)
{
    const size_t *ends = table->ends;
    return set == table->asked.sets ? ends[set - 1] : ends[set] - (set > 0 ? ends[set - 1] : 0);
}

/* ---- text --------------------------------------------------------------------------------- */

static dgm_status add_cell(struct table *table, int is_there, double value, int decimals)
{
    char digits[32] = "-";
    if (is_there)
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return dgm_buf_add_format(table->score->cmd->env, &table->out, " %*s", COLUMN - 1, digits);
}

static dgm_status add_numbers(struct table *table, const struct dgm_runs_result *result, size_t s)
{
    const size_t runs = table->asked.runs[s];
    DGM_TRY(add_cell(table, 1, (double)runs, 0));
    DGM_TRY(add_cell(table, 1, result->mean, table->width));
    DGM_TRY(add_cell(table, runs > 1, result->deviation, table->width));
    DGM_TRY(add_cell(table, 1, result->half_width, table->width));
    DGM_TRY(add_cell(table, s > 0, result->difference, table->width));
    DGM_TRY(add_cell(table, s > 0, result->low, table->width));
    DGM_TRY(add_cell(table, s > 0, result->high, table->width));
    DGM_TRY(add_cell(table, s > 0, result->p, 4));
    return add_cell(table, s > 0 && result->p_runs >= 0, result->p_runs, 4);
}

/* "       3    20.8     0.3     0.7 ...   A.1 A.2 A.3 (baseline)" */
static dgm_status add_row(struct table *table, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(add_numbers(table, &table->results[s], s));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "  "));
    for (size_t r = 0; r < table->asked.runs[s]; r++)
        DGM_TRY(dgm_buf_add_format(env, &table->out, " %s",
                                   table->files.runs[table->files.first[s] + r]));
    return dgm_buf_add_text(env, &table->out, s == 0 ? " (baseline)\n" : "\n");
}

static dgm_status add_set(struct table *table, size_t set)
{
    struct dgm_env *env = table->score->cmd->env;
    if (name_of(table, set) != NULL)
        DGM_TRY(dgm_buf_add_format(env, &table->out, "%s, %zu lines\n", name_of(table, set),
                                   lines_of(table, set)));
    DGM_TRY(dgm_buf_add_text(env, &table->out,
                             "    runs    mean      sd  +/-95%    diff    from      to       p"
                             "  p+runs   system\n"));
    for (size_t s = 0; s < table->asked.systems; s++)
        DGM_TRY(add_row(table, s));
    return DGM_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static dgm_status add_pair(struct table *table, const char *key, int is_there, double value,
                           int decimals)
{
    char digits[32] = "null";
    if (is_there)
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    return dgm_buf_add_format(table->score->cmd->env, &table->out, ",\n     \"%s\": %s", key,
                              digits);
}

/* "runs": [{"system": "A.1", "score": 20.8}, ...] */
static dgm_status add_runs(struct table *table, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    const size_t first = table->files.first[s];
    char digits[32];
    DGM_TRY(dgm_buf_add_text(env, &table->out, "{\n     \"runs\": ["));
    for (size_t r = first; r < first + table->asked.runs[s]; r++) {
        const char *name = table->files.runs[r];
        digits[dgm_number_print_fixed(digits, table->scores[r], table->width)] = '\0';
        DGM_TRY(
            dgm_buf_add_text(env, &table->out, r > first ? ", {\"system\": " : "{\"system\": "));
        DGM_TRY(dgm_json_text_quote(env, &table->out, name, strlen(name)));
        DGM_TRY(dgm_buf_add_format(env, &table->out, ", \"score\": %s}", digits));
    }
    return dgm_buf_add_char(env, &table->out, ']');
}

static dgm_status add_object(struct table *table, size_t s)
{
    const struct dgm_runs_result *result = &table->results[s];
    DGM_TRY(add_runs(table, s));
    DGM_TRY(add_pair(table, "mean", 1, result->mean, table->width));
    DGM_TRY(add_pair(table, "sd", table->asked.runs[s] > 1, result->deviation, table->width));
    DGM_TRY(add_pair(table, "ci", 1, result->half_width, table->width));
    DGM_TRY(add_pair(table, "difference", s > 0, result->difference, table->width));
    DGM_TRY(add_pair(table, "difference_low", s > 0, result->low, table->width));
    DGM_TRY(add_pair(table, "difference_high", s > 0, result->high, table->width));
    DGM_TRY(add_pair(table, "p_value", s > 0, result->p, 6));
    DGM_TRY(add_pair(table, "p_value_runs", s > 0 && result->p_runs >= 0, result->p_runs, 6));
    return dgm_buf_add_text(table->score->cmd->env, &table->out, "\n    }");
}

static dgm_status add_set_object(struct table *table, size_t set)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *name = name_of(table, set);
    DGM_TRY(dgm_buf_add_text(env, &table->out, set > 0 ? ", {\n   \"set\": " : "{\n   \"set\": "));
    DGM_TRY(name == NULL ? dgm_buf_add_text(env, &table->out, "null")
                         : dgm_json_text_quote(env, &table->out, name, strlen(name)));
    DGM_TRY(dgm_buf_add_format(env, &table->out, ",\n   \"lines\": %zu,\n   \"systems\": [\n    ",
                               lines_of(table, set)));
    for (size_t s = 0; s < table->asked.systems; s++) {
        if (s > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, ", "));
        DGM_TRY(add_object(table, s));
    }
    return dgm_buf_add_text(env, &table->out, "\n   ]\n  }");
}

/* ---- all metrics --------------------------------------------------------------------------- */

static dgm_status add_title(struct table *table, dgm_scorer *scorer, int json)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *name;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_format(env, &table->out,
                               json ? "{\n \"name\": \"%s\",\n \"signature\": \"" : "%s|", name));
    DGM_TRY(add_signature(table, scorer));
    return dgm_buf_add_text(env, &table->out, json ? "\",\n \"sets\": [\n  " : "\n");
}

/* Each set, and where there are several their pool. */
static dgm_status add_metric(struct table *table, dgm_scorer **scorers, int json)
{
    const size_t sets = table->asked.sets, parts = sets + (sets > 1);
    DGM_TRY(add_title(table, scorers[0], json));
    for (size_t set = 0; set < parts; set++) {
        DGM_TRY(dgm_scorer_runs(scorers, &table->asked, set, table->results, table->scores));
        DGM_TRY(json ? add_set_object(table, set) : add_set(table, set));
    }
    return dgm_buf_add_text(table->score->cmd->env, &table->out, json ? "\n ]\n}" : "");
}

static dgm_status add_metrics(struct table *table)
{
    const struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    int json = dgm_settings_text(&score->cmd->settings, "format")[0] == 'j';
    int list = json && score->count > 1;
    if (list)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "[\n"));
    for (size_t m = 0; m < score->count; m++) {
        if (m > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, list ? ",\n" : "\n"));
        DGM_TRY(add_metric(table, table->scorers + m * table->files.run_count, json));
    }
    return dgm_buf_add_text(env, &table->out, list ? "\n]\n" : json ? "\n" : "");
}

/* ---- the command --------------------------------------------------------------------------- */

static dgm_status make_room(struct table *table)
{
    const struct dgm_settings *settings = &table->score->cmd->settings;
    struct dgm_runs_files *files = &table->files;
    struct dgm_env *env = table->score->cmd->env;
    DGM_TRY(dgm_new(env, &table->scorers, files->run_count * table->score->count,
                    sizeof *table->scorers));
    DGM_TRY(dgm_new(env, &table->ends, files->set_count, sizeof *table->ends));
    DGM_TRY(dgm_new(env, &table->results, files->system_count, sizeof *table->results));
    DGM_TRY(dgm_new(env, &table->scores, files->run_count, sizeof *table->scores));
    table->width = (int)dgm_settings_int(settings, "width");
    table->asked =
        (struct dgm_score_runs){ .systems = files->system_count,
                                 .runs = files->counts,
                                 .sets = files->set_count,
                                 .ends = table->ends,
                                 .samples = (long)dgm_settings_int(settings, "paired-bs-n"),
                                 .seed = (uint64_t)dgm_settings_int(settings, "seed") };
    return DGM_OK;
}

static void clear(struct table *table)
{
    struct dgm_env *env = table->score->cmd->env;
    size_t i, count = table->files.run_count * table->score->count;
    for (i = 0; table->scorers != NULL && i < count; i++)
        dgm_scorer_free(table->scorers[i]);
    dgm_release(env, table->scorers);
    dgm_release(env, table->ends);
    dgm_release(env, table->results);
    dgm_release(env, table->scores);
    dgm_runs_files_clear(env, &table->files);
    dgm_buf_clear(env, &table->out);
}

dgm_status dgm_score_runs(struct dgm_score *score)
{
    struct table table = { .score = score };
    dgm_status status;
    DGM_TRY_OUT(dgm_runs_files_group(score, &table.files));
    DGM_TRY_OUT(make_room(&table));
    DGM_TRY_OUT(read_all(&table));
    DGM_TRY_OUT(add_metrics(&table));
    status = dgm_score_write(score, &table.out);
out:
    clear(&table);
    return status;
}
