/* score_paired.c: `score --paired-bs`: systems beside a baseline, and how sure differences are. */
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "cmd/score.h"

/* The systems: --input, then the files of --paired-bs. */
struct table {
    struct dgm_score *score;
    const char **paths;
    dgm_scorer **scorers; /* system s, metric m: [m * count + s] */
    dgm_paired *results;  /* of one metric */
    size_t count;         /* of systems, the baseline among them */
    int width;            /* decimals */
    struct dgm_buf out;
};

/* ---- text ---------------------------------------------------------------------------------- */

enum { COLUMN = 8 };

/* A number, or with `decimals` negative a word, at the right edge of its column. */
static dgm_status add_cell(struct table *table, const char *word, double value, int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    size_t length;
    if (decimals >= 0)
        digits[dgm_number_print_fixed(digits, value, decimals)] = '\0';
    word = decimals >= 0 ? digits : word;
    for (length = strlen(word); length < COLUMN; length++)
        DGM_TRY(dgm_buf_add_char(env, &table->out, ' '));
    return dgm_buf_add_text(env, &table->out, word);
}

/* "    20.8    20.8     0.7  0.0010*  system.de" */
static dgm_status add_row(struct table *table, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    const dgm_paired *result = &table->results[s];
    DGM_TRY(add_cell(table, NULL, result->score, table->width));
    DGM_TRY(add_cell(table, NULL, result->mean, table->width));
    DGM_TRY(add_cell(table, NULL, result->half_width, table->width));
    DGM_TRY(add_cell(table, "-", result->p, s == 0 ? -1 : 4));
    DGM_TRY(dgm_buf_add_text(env, &table->out, s > 0 && result->p < 0.05 ? "*  " : "   "));
    DGM_TRY(dgm_buf_add_text(env, &table->out, table->paths[s]));
    return dgm_buf_add_text(env, &table->out, s == 0 ? " (baseline)\n" : "\n");
}

/* "nrefs:1|case:..." with "bs:1000|seed:12345|" behind its first part, as sacreBLEU has it. */
static dgm_status add_signature(struct table *table, dgm_scorer *scorer)
{
    const struct dgm_settings *settings = &table->score->cmd->settings;
    int is_short = dgm_settings_flag(settings, "short");
    struct dgm_env *env = table->score->cmd->env;
    const char *text;
    size_t first;
    DGM_TRY(dgm_scorer_text(scorer, is_short ? DGM_SCORE_SHORT_SIGNATURE : DGM_SCORE_SIGNATURE,
                            &text));
    first = strcspn(text, "|");
    DGM_TRY(dgm_buf_add(env, &table->out, text, first));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "|bs:%s|%s:%s",
                               dgm_settings_text(settings, "paired-bs-n"),
                               is_short ? "rs" : "seed", dgm_settings_text(settings, "seed")));
    return dgm_buf_add_text(env, &table->out, text + first);
}

static dgm_status add_text(struct table *table, dgm_scorer *scorer)
{
    struct dgm_env *env = table->score->cmd->env;
    const char *name;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_text(env, &table->out, name));
    DGM_TRY(dgm_buf_add_char(env, &table->out, '|'));
    DGM_TRY(add_signature(table, scorer));
    DGM_TRY(dgm_buf_add_text(env, &table->out,
                             "\n   score    mean  +/-95%       p   system\n"));
    for (s = 0; s < table->count; s++)
        DGM_TRY(add_row(table, s));
    return DGM_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static dgm_status add_string(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == 0x7F)
            DGM_TRY(dgm_buf_add_format(env, out, "\\u00%c%c", hex[c >> 4], hex[c & 15]));
        else
            DGM_TRY(dgm_buf_add_format(env, out, c == '"' || c == '\\' ? "\\%c" : "%c", c));
    }
    return DGM_OK;
}

static dgm_status add_pair(struct table *table, const char *key, double value, int decimals)
{
    struct dgm_env *env = table->score->cmd->env;
    char digits[32];
    DGM_TRY(dgm_buf_add_format(env, &table->out, ",\n   \"%s\": ", key));
    return dgm_buf_add(env, &table->out, digits,
                       dgm_number_print_fixed(digits, value, decimals));
}

static dgm_status add_object(struct table *table, size_t s)
{
    struct dgm_env *env = table->score->cmd->env;
    const dgm_paired *result = &table->results[s];
    DGM_TRY(dgm_buf_add_text(env, &table->out, "{\n   \"system\": \""));
    DGM_TRY(add_string(env, &table->out, table->paths[s]));
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
    struct dgm_env *env = table->score->cmd->env;
    const char *name;
    size_t s;
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_NAME, &name));
    DGM_TRY(dgm_buf_add_format(env, &table->out, "{\n \"name\": \"%s\",\n \"signature\": \"",
                               name));
    DGM_TRY(add_signature(table, scorer));
    DGM_TRY(dgm_buf_add_text(env, &table->out, "\",\n \"systems\": [\n  "));
    for (s = 0; s < table->count; s++) {
        if (s > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, ", "));
        DGM_TRY(add_object(table, s));
    }
    return dgm_buf_add_text(env, &table->out, "\n ]\n}");
}

/* ---- the table ----------------------------------------------------------------------------- */

/* What makes no sense together, and files that would be overwritten. */
static dgm_status check_options(struct table *table)
{
    static const char *const without[] = { "sentence-level", "score-only" };
    struct dgm_cmd *cmd = table->score->cmd;
    size_t i, streams = 0;
    for (i = 0; i < 2; i++)
        if (dgm_settings_flag(&cmd->settings, without[i]))
            return dgm_fail(cmd->env, DGM_USAGE,
                            "--paired-bs writes a table of whole files; expected no --%s",
                            without[i]);
    for (i = 0; i < table->count; i++) {
        streams += strcmp(table->paths[i], "-") == 0;
        DGM_TRY(dgm_cmd_keep_apart(cmd, table->paths[i],
                                   dgm_settings_text(&cmd->settings, "output")));
    }
    if (streams > 1)
        return dgm_fail(cmd->env, DGM_USAGE, "--input and --paired-bs name standard input %zu "
                        "times; expected once", streams);
    return DGM_OK;
}

static dgm_status read_systems(struct table *table)
{
    struct dgm_score *score = table->score;
    dgm_scorer *made[DGM_SCORE_METRICS];
    size_t s, m;
    for (s = 0; s < table->count; s++) {
        dgm_status status;
        memset(made, 0, sizeof made);
        status = dgm_score_make(score, 1, made);
        for (m = 0; m < score->count; m++)
            table->scorers[m * table->count + s] = made[m];
        DGM_TRY(status);
        DGM_TRY(dgm_scorer_add_files(made, score->count, table->paths[s], score->references,
                                     score->reference_count, NULL, NULL));
    }
    return DGM_OK;
}

static dgm_status fill(struct table *table)
{
    const struct dgm_settings *settings = &table->score->cmd->settings;
    struct dgm_env *env = table->score->cmd->env;
    int json = dgm_settings_text(settings, "format")[0] == 'j';
    size_t m, metrics = table->score->count;
    int list = json && metrics > 1;
    if (list)
        DGM_TRY(dgm_buf_add_text(env, &table->out, "[\n"));
    for (m = 0; m < metrics; m++) {
        dgm_scorer **scorers = table->scorers + m * table->count;
        if (m > 0)
            DGM_TRY(dgm_buf_add_text(env, &table->out, list ? ",\n" : "\n"));
        DGM_TRY(dgm_scorer_paired(scorers, table->count,
                                  (long)dgm_settings_int(settings, "paired-bs-n"),
                                  (uint64_t)dgm_settings_int(settings, "seed"),
                                  table->results));
        DGM_TRY(json ? add_json(table, scorers[0]) : add_text(table, scorers[0]));
    }
    return dgm_buf_add_text(env, &table->out, list ? "\n]\n" : json ? "\n" : "");
}

static dgm_status write_table(struct table *table)
{
    struct dgm_score *score = table->score;
    struct dgm_env *env = score->cmd->env;
    dgm_status status;
    DGM_TRY(check_options(table));
    DGM_TRY(read_systems(table));
    DGM_TRY(fill(table));
    DGM_TRY(dgm_cmd_open_output(env, &score->writer,
                                dgm_settings_text(&score->cmd->settings, "output")));
    status = dgm_writer_add(env, &score->writer, table->out.data, table->out.size);
    return dgm_cmd_close_output(env, &score->writer, status);
}

dgm_status dgm_score_compare(struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_env *env = score->cmd->env;
    dgm_status status = DGM_MEMORY;
    struct table table;
    size_t i;
    memset(&table, 0, sizeof table);
    table.score = score;
    table.width = (int)dgm_settings_int(settings, "width");
    table.count = 1 + dgm_settings_count(settings, "paired-bs");
    table.paths = dgm_alloc(env, table.count, sizeof *table.paths);
    table.results = dgm_alloc(env, table.count, sizeof *table.results);
    table.scorers = dgm_alloc(env, table.count * score->count, sizeof *table.scorers);
    if (table.paths == NULL || table.results == NULL || table.scorers == NULL)
        goto out;
    table.paths[0] = dgm_settings_text(settings, "input");
    for (i = 1; i < table.count; i++)
        table.paths[i] = dgm_settings_item(settings, "paired-bs", i - 1);
    status = write_table(&table);
out:
    for (i = 0; table.scorers != NULL && i < table.count * score->count; i++)
        dgm_scorer_free(table.scorers[i]);
    dgm_buf_clear(env, &table.out);
    dgm_release(env, table.scorers);
    dgm_release(env, table.results);
    dgm_release(env, table.paths);
    return status;
}
