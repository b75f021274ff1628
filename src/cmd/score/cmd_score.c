/* cmd_score.c: BLEU, chrF and TER of a translation, with sacreBLEU's options and numbers. */
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/score/score.h"
#include "cmd/score/score_by.h"
#include "cmd/score/score_export.h"
#include "cmd/score/score_lengths.h"
#include "cmd/score/score_options.h"
#include "cmd/score/score_runs.h"
#include "cmd/score/score_systems.h"
#include "cmd/score/score_tests.h"
#include "cmd/together.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILES, .argument = "FILE...", .fallback = "-",
      .help = "The translation to score, or several, each by itself; - is standard input, whose "
              "columns, set apart by tabs, are several" },
    DGM_CMD_OUTPUT,
    { .name = "metrics", .letter = 'm', .type = DGM_OPT_FILES, .argument = "NAME...",
      .choices = dgm_metric_names, .help = dgm_metric_help },
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "text", .choices = "text|json|latex|csv",
      .help = "Form of the output; csv is of --by" },
    { .name = "score-only", .letter = 'b', .type = DGM_OPT_FLAG, .help = "Write the number only",
      .excludes = "!format=latex, where a table is written" },
    { .name = "width", .letter = 'w', .type = DGM_OPT_INT, .argument = "N", .fallback = "1",
      .low = 0, .high = 9, .help = "Decimals of the score" },
    { .name = "short", .type = DGM_OPT_FLAG, .aliases = "sh",
      .help = "Abbreviate the signature, -sh for short" },
    { .name = "paired-bs", .type = DGM_OPT_FILES, .argument = "[FILE...]",
      .help = "Compare all files of --input, and these, with the first, by paired bootstrap "
              "resampling" },
    { .name = "paired-bs-n", .type = DGM_OPT_INT, .argument = "N", .fallback = "1000", .low = 1,
      .high = 10000000, .help = "Samples of --paired-bs and --runs", .needs = "paired-bs runs" },
    { .name = "paired-bs-p", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "two-sided",
      .choices = "two-sided|sacrebleu",
      .help = "Which p --paired-bs gives; sacrebleu: its own, of its samples",
      .needs = "paired-bs" },
    { .name = "paired-ar", .type = DGM_OPT_FLAG,
      .help = "Compare all files of --input with the first, by approximate randomization",
      .excludes = "!paired-bs, which is another test" },
    { .name = "paired-ar-n", .type = DGM_OPT_INT, .argument = "N", .fallback = "10000", .low = 1,
      .high = 10000000, .help = "Trials of --paired-ar", .needs = "paired-ar" },
    { .name = "paired-ar-p", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "two-sided",
      .choices = "two-sided|sacrebleu",
      .help = "Which p --paired-ar gives; sacrebleu: its own, to which a tie is nothing",
      .needs = "paired-ar" },
    { .name = "confidence", .type = DGM_OPT_FLAG, .aliases = "ci",
      .help = "Give the mean of scores of random samples, and half their middle 95 %, -ci for "
              "short",
      .excludes = "!paired-bs, which gives both; !sentence-level, where each line has a score" },
    { .name = "confidence-n", .type = DGM_OPT_INT, .argument = "N", .fallback = "1000", .low = 1,
      .high = 10000000, .help = "Samples of --confidence", .needs = "confidence" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "12345", .low = 0,
      .high = 4294967295.0, .help = "Names the random choices of these tests and of --runs",
      .needs = "paired-bs paired-ar confidence runs" },
    { .name = "runs", .type = DGM_OPT_FLAG,
      .help = "The files of --input are trainings of one system, those behind a + of another: "
              "compare means, as in -i A.1 A.2 + B.1 B.2",
      .excludes = "!by-length repetitions paired-bs paired-ar confidence, which is another table; "
                  "!sentence-level score-only multi-bleu format=latex, where a table is written" },
    { .name = "sets", .type = DGM_OPT_NAMES, .argument = "NAME...",
      .help = "With --runs: test sets, whose names come in the place of {} in those of all files; "
              "compare on each, and on all together",
      .needs = "!runs" },
    { .name = "read-scores", .type = DGM_OPT_TEXT, .argument = "NAME",
      .help = "The files of --input are scores of sentences in a metric of this name, as "
              "comet-score, MetricX or BLEURT write them",
      .excludes = "!metrics, which dragoman computes; !by-length repetitions sentence-level "
                  "multi-bleu export, which reads text" },
    { .name = "export", .type = DGM_OPT_CHOICE, .argument = "KIND",
      .choices = "comet|metricx|bleurt",
      .help = "Write the sentences as JSON lines that a neural metric reads, instead of scores",
      .excludes = "!runs by-length repetitions paired-bs paired-ar confidence metrics "
                  "sentence-level score-only multi-bleu format=json|latex, which is of scores" },
    { .name = "source", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Source of --export; comet and metricx need it", .needs = "!export=comet|metricx" },
    { .name = "by", .type = DGM_OPT_CHOICE, .argument = "NAME", .choices = dgm_by_names,
      .help = "Tell systems apart in groups of lines or of words of the reference",
      .excludes = "!runs by-length repetitions paired-bs paired-ar confidence read-scores export, "
                  "which is another table; !sentence-level score-only multi-bleu "
                  "format=json|latex, where a table is written" },
    { .name = "by-text", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Text of training: --by frequency groups words by how often it has them",
      .needs = "!by" },
    { .name = "by-trees", .type = DGM_OPT_FILE, .argument = "CONLLU",
      .help = "Trees of the reference, for --by relation, distance and depth", .needs = "!by" },
    { .name = "by-length", .type = DGM_OPT_FILE, .argument = "SOURCE",
      .help = "Score groups of lines by the words of their source",
      .excludes = "!repetitions paired-bs paired-ar confidence, which is another table; "
                  "!sentence-level score-only format=json|latex, where a table is written" },
    { .name = "length-step", .type = DGM_OPT_INT, .argument = "N", .fallback = "5", .low = 1,
      .high = 1000000, .help = "Lengths in each of the first nine groups of --by-length",
      .needs = "by-length" },
    { .name = "baseline", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "With --by-length: another translation, and how much better --input is",
      .needs = "!by-length" },
    { .name = "repetitions", .type = DGM_OPT_FLAG,
      .help = "Count lines that say a phrase twice in a row, and the reference does not",
      .excludes = "!paired-bs paired-ar confidence, which is another table; "
                  "!sentence-level score-only format=json|latex, where a table is written" },
    DGM_CMD_RANK_0,
    DGM_OPT_END
};
/* clang-format on */

static const struct dgm_spelling spellings[] = {
    { "-tok", "--tokenize" },      { "-lc", "--lowercase" },     { "-sv", "--smooth-value" },
    { "-sl", "--sentence-level" }, { "-sh", "--short" },         { "-ci", "--confidence" },
    { "-cin", "--confidence-n" },  { "-par", "--paired-ar" },    { "-parn", "--paired-ar-n" },
    { "-pbs", "--paired-bs" },     { "-pbsn", "--paired-bs-n" }, { NULL, NULL },
};

/* ---- what is asked for -------------------------------------------------------------------- */

/* `-m bleu chrf ref.txt`: what follows the metrics is a reference. */
static dgm_status read_metrics(struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    const struct dgm_opt *opt = dgm_settings_find(settings, "metrics", strlen("metrics"))->opt;
    size_t i, given = dgm_settings_count(settings, "metrics");
    char quoted[DGM_QUOTE_SIZE];
    for (i = 0; i < given; i++) {
        const char *name = dgm_settings_item(settings, "metrics", i);
        int is_metric = dgm_opt_is_word(opt, name);
        if (is_metric && score->count < DGM_SCORE_METRICS && score->reference_count == 0) {
            score->metrics[score->count++] = name;
        } else if (i == 0 || is_metric) {
            dgm_quote(quoted, sizeof quoted, name, strlen(name));
            return dgm_fail(score->cmd->env, DGM_USAGE,
                            "--metrics: expected some of %s, got \"%s\"", dgm_metric_words, quoted);
        } else {
            score->references[score->reference_count++] = name;
        }
    }
    if (given == 0)
        score->metrics[score->count++] = NULL; /* the default */
    return DGM_OK;
}

/* Lists take all arguments up to the next option, so a reference that is missing may have gone
 * to one of them: the error names that option. */
static dgm_status read_references(struct dgm_score *score)
{
    const struct dgm_cmd *cmd = score->cmd;
    char taker[DGM_CMD_TAKER];
    size_t i, count = (size_t)cmd->argument_count;
    dgm_cmd_taker(cmd, taker);
    for (i = 0; i < count; i++)
        score->references[score->reference_count++] = cmd->arguments[i];
    if (dgm_settings_text(&cmd->settings, "read-scores") != NULL && score->reference_count > 0)
        return dgm_fail(cmd->env, DGM_USAGE,
                        "--read-scores reads scores and no reference; expected all files behind "
                        "--input, got %s before it",
                        score->references[0]);
    if (score->reference_count == 0 && dgm_settings_text(&cmd->settings, "read-scores") == NULL)
        return dgm_fail(cmd->env, DGM_USAGE, "score needs a reference%s. Usage: dragoman score %s",
                        taker, cmd->command->usage);
    return DGM_OK;
}

static void read_systems(struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    size_t i, inputs = dgm_settings_count(settings, "input");
    for (i = 0; i < score->system_count; i++)
        score->systems[i] = i < inputs ? dgm_settings_item(settings, "input", i)
                                       : dgm_settings_item(settings, "paired-bs", i - inputs);
}

/* ---- output ------------------------------------------------------------------------------- */

static dgm_status add_number(struct dgm_score *score, struct dgm_buf *out, double value)
{
    const int width = (int)dgm_settings_int(&score->cmd->settings, "width");
    char digits[32];
    return dgm_buf_add(score->cmd->env, out, digits, dgm_number_print_fixed(digits, value, width));
}

static dgm_status add_value(struct dgm_score *score, struct dgm_buf *out, dgm_scorer *scorer)
{
    double value;
    DGM_TRY(dgm_scorer_value(scorer, &value, NULL));
    return add_number(score, out, value);
}

/* "mu = 41.0 +- 0.7", in the letters and signs of sacreBLEU. */
static dgm_status add_interval(struct dgm_score *score, struct dgm_buf *out,
                               const dgm_paired *result)
{
    struct dgm_env *env = score->cmd->env;
    DGM_TRY(dgm_buf_add_text(env, out, "\316\274 = "));
    DGM_TRY(add_number(score, out, result->mean));
    DGM_TRY(dgm_buf_add_text(env, out, " \302\261 "));
    return add_number(score, out, result->half_width);
}

/* --confidence behind a score; or as pairs of JSON. */
static dgm_status add_confidence(struct dgm_score *score, struct dgm_buf *out, dgm_scorer *scorer,
                                 int json)
{
    struct dgm_env *env = score->cmd->env;
    dgm_paired result;
    if (!dgm_score_has_mean(score))
        return DGM_OK;
    DGM_TRY(dgm_score_test(score, &scorer, 1, &result));
    if (json) {
        DGM_TRY(dgm_buf_add_text(env, out, ",\n \"confidence_mean\": "));
        DGM_TRY(add_number(score, out, result.mean));
        DGM_TRY(dgm_buf_add_text(env, out, ",\n \"confidence_var\": "));
        DGM_TRY(add_number(score, out, result.half_width));
    }
    DGM_TRY(dgm_buf_add_text(env, out, json ? ",\n \"confidence\": \"" : " ("));
    DGM_TRY(add_interval(score, out, &result));
    return dgm_buf_add_char(env, out, json ? '"' : ')');
}

static dgm_status add_part(struct dgm_score *score, struct dgm_buf *out, dgm_scorer *scorer,
                           dgm_score_text what)
{
    const char *text;
    if (what == DGM_SCORE_SIGNATURE)
        return dgm_score_add_signature(score, out, scorer,
                                       dgm_settings_flag(&score->cmd->settings, "short"));
    DGM_TRY(dgm_scorer_text(scorer, what, &text));
    return dgm_buf_add_text(score->cmd->env, out, text);
}

/* "BLEU|nrefs:1|... = 41.0 70.1/47.9/34.5/25.1 (BP = ...)" */
static dgm_status add_text(struct dgm_score *score, struct dgm_buf *out, dgm_scorer *scorer)
{
    struct dgm_env *env = score->cmd->env;
    size_t before;
    if (dgm_settings_flag(&score->cmd->settings, "score-only")) {
        DGM_TRY(add_value(score, out, scorer));
        return add_confidence(score, out, scorer, 0);
    }
    if (dgm_settings_flag(&score->cmd->settings, "multi-bleu"))
        return add_part(score, out, scorer, DGM_SCORE_MULTI_BLEU);
    DGM_TRY(add_part(score, out, scorer, DGM_SCORE_NAME));
    DGM_TRY(dgm_buf_add_char(env, out, '|'));
    DGM_TRY(add_part(score, out, scorer, DGM_SCORE_SIGNATURE));
    DGM_TRY(dgm_buf_add_text(env, out, " = "));
    DGM_TRY(add_value(score, out, scorer));
    DGM_TRY(add_confidence(score, out, scorer, 0));
    before = out->size;
    DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(add_part(score, out, scorer, DGM_SCORE_DETAILS));
    if (out->size == before + 1) /* no details: no blank at the end either */
        out->data[--out->size] = '\0';
    return DGM_OK;
}

/* `nrefs:1|case:mixed` as `"nrefs": "1", "case": "mixed"`, each behind a comma and a line end. */
static dgm_status add_signature_pairs(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    while (*text != '\0') {
        size_t name = strcspn(text, ":"), value = strcspn(text + name, "|");
        DGM_TRY(dgm_buf_add_format(env, out, ",\n \"%.*s\": \"%.*s\"", (int)name, text,
                                   (int)value - 1, text + name + 1));
        text += name + value;
        text += *text == '|';
    }
    return DGM_OK;
}

static dgm_status add_json(struct dgm_score *score, struct dgm_buf *out, dgm_scorer *scorer)
{
    struct dgm_env *env = score->cmd->env;
    struct dgm_buf signature = { NULL, 0, 0, 0 };
    dgm_status status;
    const char *text;
    DGM_TRY(dgm_buf_add_text(env, out, "{\n \"name\": \""));
    DGM_TRY(add_part(score, out, scorer, DGM_SCORE_NAME));
    DGM_TRY(dgm_buf_add_text(env, out, "\",\n \"score\": "));
    DGM_TRY(add_value(score, out, scorer));
    DGM_TRY(dgm_buf_add_text(env, out, ",\n \"signature\": \""));
    DGM_TRY(add_part(score, out, scorer, DGM_SCORE_SIGNATURE));
    DGM_TRY(dgm_buf_add_char(env, out, '"'));
    DGM_TRY(add_confidence(score, out, scorer, 1));
    DGM_TRY(dgm_scorer_text(scorer, DGM_SCORE_DETAILS, &text));
    if (text[0] != '\0')
        DGM_TRY(dgm_buf_add_format(env, out, ",\n \"verbose_score\": \"%s\"", text));
    DGM_TRY_OUT(dgm_score_add_signature(score, &signature, scorer, 0));
    DGM_TRY_OUT(add_signature_pairs(env, out, signature.data));
    status = dgm_buf_add_text(env, out, "\n}");
out:
    dgm_buf_clear(env, &signature);
    return status;
}

/* Writes a result for each metric; several as JSON are a list. */
static dgm_status write_scores(struct dgm_score *score)
{
    struct dgm_env *env = score->cmd->env;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    int json = dgm_settings_text(&score->cmd->settings, "format")[0] == 'j';
    int list = json && score->count > 1;
    dgm_status status = DGM_OK;
    size_t i;
    if (list)
        DGM_TRY_OUT(dgm_buf_add_text(env, &out, "[\n"));
    for (i = 0; i < score->count; i++) {
        if (i > 0)
            DGM_TRY_OUT(dgm_buf_add_text(env, &out, list ? ",\n" : "\n"));
        DGM_TRY_OUT(json ? add_json(score, &out, score->scorers[i])
                         : add_text(score, &out, score->scorers[i]));
    }
    DGM_TRY_OUT(dgm_buf_add_text(env, &out, list ? "\n]\n" : "\n"));
    status = dgm_writer_add(env, &score->writer, out.data, out.size);
out:
    dgm_buf_clear(env, &out);
    return status;
}

/* After each line of --sentence-level. */
static dgm_status write_sentence(void *user, long line)
{
    struct dgm_score *score = user;
    size_t i;
    (void)line;
    DGM_TRY(write_scores(score));
    for (i = 0; i < score->count; i++)
        DGM_TRY(dgm_scorer_reset(score->scorers[i]));
    return DGM_OK;
}

/* ---- repetitions -------------------------------------------------------------------------- */

static dgm_status add_repetitions(struct dgm_env *env, struct dgm_buf *out,
                                  const dgm_repetitions *found)
{
    static const char *const names[] = { "1", "2", "3", "4", ">=5" };
    long all = 0;
    int n;
    DGM_TRY(dgm_buf_add_text(env, out, "    tokens     lines\n"));
    for (n = 0; n < 5; n++) {
        DGM_TRY(dgm_buf_add_format(env, out, "%10s%10ld\n", names[n], found->lines_of[n]));
        all += found->lines_of[n];
    }
    DGM_TRY(dgm_buf_add_format(env, out, "%10s%10ld\n", "all", all));
    DGM_TRY(dgm_buf_add_format(env, out, "%10s%10ld\n", "near", found->near));
    return dgm_buf_add_format(env, out, "%10s%10ld\n", "of", found->lines);
}

/* --repetitions: how many lines say a phrase twice in a row. */
static dgm_status write_repetitions(struct dgm_score *score)
{
    struct dgm_env *env = score->cmd->env;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_repetitions found;
    dgm_status status;
    DGM_TRY(dgm_count_repetitions(score->cmd->context, score->systems[0], score->references,
                                  score->reference_count, &found));
    DGM_TRY_OUT(add_repetitions(env, &out, &found));
    status = dgm_score_write(score, &out);
out:
    dgm_buf_clear(env, &out);
    return status;
}

/* ---- the command -------------------------------------------------------------------------- */

static dgm_status write_plain(struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    int each = dgm_settings_flag(settings, "sentence-level");
    dgm_status status;
    DGM_TRY(dgm_score_make(score, dgm_score_has_mean(score), score->scorers));
    DGM_TRY(dgm_cmd_open_output(score->cmd->env, &score->writer,
                                dgm_settings_text(settings, "output")));
    status = dgm_score_read(score, 0, score->scorers, each ? write_sentence : NULL);
    if (status == DGM_OK && !each)
        status = write_scores(score);
    return dgm_cmd_close_output(score->cmd->env, &score->writer, status);
}

/* --by-length and --repetitions read one translation. */
static dgm_status check_systems(const struct dgm_score *score, int by_length)
{
    if (score->system_count == 1)
        return DGM_OK;
    return dgm_fail(score->cmd->env, DGM_USAGE,
                    "--%s reads one translation, and --input names %zu; expected one%s",
                    by_length ? "by-length" : "repetitions", score->system_count,
                    by_length ? ", or --baseline for another" : "");
}

static dgm_status write_table(struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    int by_length = dgm_settings_text(settings, "by-length") != NULL;
    if (by_length || dgm_settings_flag(settings, "repetitions")) {
        DGM_TRY(check_systems(score, by_length));
        return by_length ? dgm_score_lengths(score) : write_repetitions(score);
    }
    if (dgm_settings_text(settings, "by") != NULL)
        return dgm_score_by(score);
    if (dgm_settings_text(settings, "format")[0] == 'c')
        return dgm_fail(score->cmd->env, DGM_USAGE,
                        "--format csv without --by; expected text or json");
    if (dgm_settings_text(settings, "export") != NULL)
        return dgm_score_export(score);
    if (dgm_settings_flag(settings, "runs"))
        return dgm_score_runs(score);
    DGM_TRY(dgm_score_open_columns(score));
    if (dgm_score_is_paired(score) || score->system_count > 1 ||
        dgm_settings_text(settings, "format")[0] == 'l')
        return dgm_score_systems(score);
    return write_plain(score);
}

static dgm_status run_alone(struct dgm_cmd *cmd)
{
    size_t i, room = dgm_settings_count(&cmd->settings, "metrics") + (size_t)cmd->argument_count;
    struct dgm_score score = { .cmd = cmd };
    dgm_status status;
    score.system_count = dgm_settings_count(&cmd->settings, "input") +
                         dgm_settings_count(&cmd->settings, "paired-bs");
    DGM_TRY_OUT(dgm_new(cmd->env, &score.references, room, sizeof *score.references));
    DGM_TRY_OUT(dgm_new(cmd->env, &score.systems, score.system_count, sizeof *score.systems));
    DGM_TRY_OUT(read_metrics(&score));
    DGM_TRY_OUT(read_references(&score));
    read_systems(&score);
    DGM_TRY_OUT(dgm_score_check_options(&score));
    status = write_table(&score);
out:
    for (i = 0; i < DGM_SCORE_METRICS; i++)
        dgm_scorer_free(score.scorers[i]);
    dgm_score_close_columns(&score);
    dgm_release(cmd->env, score.systems);
    dgm_release(cmd->env, score.references);
    return status;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_rank_0(cmd, run_alone);
}

const struct dgm_command dgm_command_score = {
    .name = "score",
    .summary = "Score a translation with BLEU, chrF and TER, as sacreBLEU does",
    .usage = "[OPTION]... REFERENCE... [-i TRANSLATION...]",
    .example = "dragoman score ref.en -i output.en -m bleu chrf",
    .aliases = "eval|bleu",
    .options = options,
    .tables = dgm_scorer_option_tables,
    .spellings = spellings,
    .most = -1,
    .saves = DGM_CMD_SAVES,
    .run = run,
};
