/* cmd_clean.c: `clean`: a parallel corpus without the pairs that teach nothing. */
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "cmd/text/in_step.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_TREES_ALONG,
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUTS, .argument = "FILE...",
      .aliases = "out",
      .help = "Write what stays to these files, one for each text, then for each file of --trees; "
              "without them pairs are only counted" },
    { .name = "dry-run", .type = DGM_OPT_FLAG, .help = "Count only; write no file" },
    { .name = "report", .type = DGM_OPT_OUTPUT, .argument = "FILE",
      .help = "Write the counts by reason to this file, tab-separated" },
    { .name = "dropped", .type = DGM_OPT_OUTPUT, .argument = "FILE",
      .help = "Write line number and reason of each pair that goes to this file, tab-separated" },
    { .name = "min-length", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 0,
      .high = 1000000,
      .help = "Least tokens of a side; 0: lines that are empty on both sides stay" },
    { .name = "max-length", .type = DGM_OPT_INT, .argument = "N", .fallback = "250", .low = 0,
      .high = 1000000, .help = "Most tokens of a side; 0: no limit" },
    { .name = "max-ratio", .type = DGM_OPT_REAL, .argument = "R", .fallback = "3", .low = 0,
      .high = 1000000, .aliases = "ratio",
      .help = "Most times that the longer side may have the tokens of the other; 0: no limit" },
    { .name = "max-word-length", .type = DGM_OPT_INT, .argument = "N", .fallback = "40", .low = 0,
      .high = 1000000, .help = "Most characters of a token; 0: no limit" },
    { .name = "source-lang", .type = DGM_OPT_TEXT, .argument = "LANG",
      .help = "Language (de, zh-Hans) or script (Latin) whose letters the source should have" },
    { .name = "target-lang", .type = DGM_OPT_TEXT, .argument = "LANG",
      .help = "The same for the target" },
    { .name = "min-script", .type = DGM_OPT_REAL, .argument = "SHARE", .fallback = "0.5",
      .low = 0, .high = 1, .help = "Least share of these letters among all letters of a side",
      .needs = "source-lang target-lang" },
    { .name = "langid", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Ask this model, which langid train has learned, whether the sides are in these "
              "languages",
      .needs = "source-lang target-lang" },
    { .name = "min-language", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.1",
      .low = 0, .high = 1, .help = "Least probability of the language of a side",
      .needs = "langid" },
    { .name = "without", .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "Drop pairs of which a side is a line of these files, of a text to test by: source "
              "and target, as many texts as there are" },
    { .name = "keep-copies", .type = DGM_OPT_FLAG, .help = "Pairs whose sides are equal stay" },
    { .name = "duplicates", .type = DGM_OPT_CHOICE, .argument = "WHAT", .fallback = "pairs",
      .choices = "pairs|source|target|sides|none",
      .help = "What must not be there twice; sides: neither the source nor the target" },
    { .name = "on-bad-utf8", .type = DGM_OPT_CHOICE, .argument = "WHAT", .fallback = "drop",
      .choices = "drop|keep|error",
      .help = "What becomes of pairs with ill-formed UTF-8 or a NUL" },
    { .name = "memory", .type = DGM_OPT_BYTES, .argument = "LIMIT", .fallback = "0",
      .help = "Use at most this much memory, 2G or 500M, or fail; duplicates need 25 bytes for "
              "each pair that stays; 0: no limit" },
    DGM_OPT_END
};
/* clang-format on */

struct cleaning {
    struct dgm_cmd *cmd;
    dgm_cleaner *cleaner;
    struct dgm_in_step step;
    struct dgm_writer *writers; /* of --output, then of the two below; NULL: none */
    const char **paths;
    size_t writer_count;
    struct dgm_writer *report, *dropped; /* among them, or NULL */
    struct dgm_buf text;
    long counts[DGM_CLEAN_COUNT];
};

/* ---- options --------------------------------------------------------------------------------- */

/* A number of which 0 means "no limit" here, and below 0 in the library. */
static int limit_of(const struct dgm_settings *settings, const char *name)
{
    const int value = (int)dgm_settings_int(settings, name);

    return value > 0 ? value : -1;
}

static dgm_status make_cleaner(struct cleaning *clean)
{
    const struct dgm_settings *settings = &clean->cmd->settings;
    const double ratio = dgm_settings_real(settings, "max-ratio");
    const double share = dgm_settings_real(settings, "min-script");
    const double least = dgm_settings_real(settings, "min-language");
    dgm_cleaner_options rules = { .struct_size = sizeof rules };

    rules.sides = clean->cmd->argument_count > 1 ? 2 : 1;
    rules.min_length = limit_of(settings, "min-length");
    rules.max_length = limit_of(settings, "max-length");
    rules.max_ratio = ratio > 0 ? ratio : -1;
    rules.max_word_length = limit_of(settings, "max-word-length");
    rules.min_script = share > 0 ? share : -1;
    rules.source_lang = dgm_settings_text(settings, "source-lang");
    rules.target_lang = dgm_settings_text(settings, "target-lang");
    rules.langid = dgm_settings_text(settings, "langid");
    rules.min_language = least > 0 ? least : -1;
    rules.keep_bad_utf8 = strcmp(dgm_settings_text(settings, "on-bad-utf8"), "keep") == 0;
    rules.keep_copies = dgm_settings_flag(settings, "keep-copies");
    rules.duplicates = dgm_settings_text(settings, "duplicates");
    if (ratio > 0 && ratio < 1)
        return dgm_fail(clean->cmd->env, DGM_USAGE,
                        "--max-ratio %s: below 1; expected 1 or more, or 0 for no limit",
                        dgm_settings_text(settings, "max-ratio"));
    return dgm_cleaner_new(clean->cmd->context, &rules, &clean->cleaner);
}

/* ---- what is held out ------------------------------------------------------------------------ */

static dgm_status hold_out_file(struct cleaning *clean, const char *path, int side)
{
    struct dgm_env *env = clean->cmd->env;
    struct dgm_lines lines;
    dgm_status status;
    int more = 1;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    do {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (more)
            DGM_TRY_OUT(
                dgm_cleaner_hold_out(clean->cleaner, side, lines.line.data, lines.line.size));
    } while (more);
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* Files of the sides in turn, as --valid-sets of training names them. */
static dgm_status hold_out(struct cleaning *clean)
{
    const struct dgm_settings *settings = &clean->cmd->settings;
    const size_t count = dgm_settings_count(settings, "without");
    const size_t sides = clean->cmd->argument_count > 1 ? 2 : 1;

    if (count % sides != 0)
        return dgm_fail(clean->cmd->env, DGM_USAGE,
                        "--without names %zu files; expected two for each text, source and target",
                        count);
    for (size_t i = 0; i < count; i++)
        DGM_TRY(hold_out_file(clean, dgm_settings_item(settings, "without", i), (int)(i % sides)));
    return DGM_OK;
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Adds the file of an option; returns its writer, or NULL. */
static struct dgm_writer *add_output(struct cleaning *clean, const char *option)
{
    const char *path = dgm_settings_text(&clean->cmd->settings, option);

    if (path == NULL)
        return NULL;
    clean->paths[clean->writer_count] = path;
    return &clean->writers[clean->writer_count++];
}

static dgm_status open_outputs(struct cleaning *clean)
{
    const struct dgm_settings *settings = &clean->cmd->settings;
    const size_t count = dgm_settings_count(settings, "output");
    struct dgm_env *env = clean->cmd->env;

    if (dgm_settings_flag(settings, "dry-run"))
        return DGM_OK;
    DGM_TRY(dgm_new(env, &clean->writers, count + 2, sizeof *clean->writers));
    DGM_TRY(dgm_new(env, &clean->paths, count + 2, sizeof *clean->paths));
    for (; clean->writer_count < count; clean->writer_count++)
        clean->paths[clean->writer_count] =
            dgm_settings_item(settings, "output", clean->writer_count);
    clean->report = add_output(clean, "report");
    clean->dropped = add_output(clean, "dropped");
    return dgm_cmd_open_outputs(env, clean->writers, clean->paths, clean->writer_count);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static dgm_status judge(struct cleaning *clean, dgm_clean_reason *reason)
{
    const struct dgm_buf *source = dgm_in_step_line(&clean->step, 0);
    const struct dgm_buf *target = dgm_in_step_line(&clean->step, 1);

    *reason = DGM_CLEAN_LONG;
    if (clean->step.is_cut)
        return DGM_OK;
    return dgm_cleaner_judge(clean->cleaner, source->data, source->size,
                             target != NULL ? target->data : NULL,
                             target != NULL ? target->size : 0, reason);
}

static dgm_status fail_utf8(const struct cleaning *clean)
{
    const struct dgm_step_file *files = clean->step.files;
    const int has_target = clean->cmd->argument_count > 1;

    return dgm_fail_at(clean->cmd->env, DGM_DATA, files[0].lines.path, clean->step.number, 0,
                       "ill-formed UTF-8 or a NUL on this line%s%s; expected text, or "
                       "--on-bad-utf8 drop",
                       has_target ? " or on that of " : "", has_target ? files[1].lines.path : "");
}

static dgm_status drop(struct cleaning *clean, dgm_clean_reason reason)
{
    struct dgm_env *env = clean->cmd->env;

    if (reason == DGM_CLEAN_UTF8 &&
        strcmp(dgm_settings_text(&clean->cmd->settings, "on-bad-utf8"), "error") == 0)
        return fail_utf8(clean);
    if (clean->dropped == NULL)
        return DGM_OK;
    dgm_buf_reset(&clean->text);
    DGM_TRY(dgm_buf_add_format(env, &clean->text, "%ld\t%s\n", clean->step.number,
                               dgm_clean_reason_name(reason)));
    return dgm_writer_add(env, clean->dropped, clean->text.data, clean->text.size);
}

static dgm_status clean_pairs(struct cleaning *clean)
{
    struct dgm_env *env = clean->cmd->env;
    const int writes =
        clean->writers != NULL && dgm_settings_count(&clean->cmd->settings, "output") > 0;

    for (;;) {
        dgm_clean_reason reason;
        int more;

        DGM_TRY(dgm_in_step_next(env, &clean->step, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(judge(clean, &reason));
        clean->counts[reason]++;
        if (reason != DGM_CLEAN_KEPT)
            DGM_TRY(drop(clean, reason));
        else if (writes)
            DGM_TRY(dgm_in_step_write(env, &clean->step, clean->writers));
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* "12.5": count in percent of all pairs. */
static const char *percent_of(const struct cleaning *clean, char text[40], long count)
{
    const double all = clean->step.number > 0 ? (double)clean->step.number : 1;

    text[dgm_number_print_fixed(text, 100 * (double)count / all, 1)] = '\0';
    return text;
}

static void tell(const struct cleaning *clean)
{
    struct dgm_env *env = clean->cmd->env;
    char percent[40];
    int i;

    dgm_log(env, DGM_LOG_NOTE, "%10ld %s", clean->step.number,
            clean->cmd->argument_count > 1 ? "pairs" : "lines");
    for (i = 0; i < DGM_CLEAN_COUNT; i++)
        dgm_log(env, DGM_LOG_NOTE, "%10ld %5s %%  %-9s  %s", clean->counts[i],
                percent_of(clean, percent, clean->counts[i]),
                dgm_clean_reason_name((dgm_clean_reason)i),
                dgm_clean_reason_text((dgm_clean_reason)i));
    if (clean->step.number > 0 && clean->counts[DGM_CLEAN_KEPT] == 0)
        dgm_log(env, DGM_LOG_WARNING, "nothing stays");
}

static dgm_status write_report(struct cleaning *clean)
{
    struct dgm_env *env = clean->cmd->env;
    struct dgm_buf *out = &clean->text;
    char percent[40];
    int i;

    if (clean->report == NULL)
        return DGM_OK;
    dgm_buf_reset(out);
    DGM_TRY(dgm_buf_add_format(env, out, "reason\tpairs\tpercent\nall\t%ld\t%s\n",
                               clean->step.number, percent_of(clean, percent, clean->step.number)));
    for (i = 0; i < DGM_CLEAN_COUNT; i++)
        DGM_TRY(dgm_buf_add_format(env, out, "%s\t%ld\t%s\n",
                                   dgm_clean_reason_name((dgm_clean_reason)i), clean->counts[i],
                                   percent_of(clean, percent, clean->counts[i])));
    return dgm_writer_add(env, clean->report, out->data, out->size);
}

/* ---- the command ----------------------------------------------------------------------------- */

static dgm_status clean_corpus(struct cleaning *clean)
{
    dgm_status status;

    DGM_TRY(dgm_in_step_check_outputs(clean->cmd, "output"));
    DGM_TRY(dgm_cmd_limit_memory(clean->cmd));
    DGM_TRY(make_cleaner(clean));
    DGM_TRY(hold_out(clean));
    DGM_TRY(dgm_in_step_open(clean->cmd, &clean->step));
    DGM_TRY(open_outputs(clean));
    status = clean_pairs(clean);
    if (status == DGM_OK)
        status = write_report(clean);
    DGM_TRY(dgm_cmd_close_outputs(clean->cmd->env, clean->writers, clean->writer_count, status));
    tell(clean);
    return DGM_OK;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct cleaning clean = { .cmd = cmd };
    dgm_status status;

    status = clean_corpus(&clean);
    dgm_in_step_close(cmd->env, &clean.step);
    dgm_cleaner_free(clean.cleaner);
    dgm_release(cmd->env, clean.writers);
    dgm_release(cmd->env, clean.paths);
    dgm_buf_clear(cmd->env, &clean.text);
    return status;
}

const struct dgm_command dgm_command_clean = {
    .name = "clean",
    .summary = "Drop pairs of a parallel corpus that teach nothing, with counts by reason",
    .usage = "[OPTION]... SOURCE [TARGET [FILE...]] [-o OUT...]",
    .example = "dragoman clean corpus.en corpus.de -o clean.en clean.de",
    .aliases = "clean-corpus",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
