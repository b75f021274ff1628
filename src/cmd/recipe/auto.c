/*
 * auto.c: `train --recipe auto`: from two raw texts to a model and its score.
 *
 * The course is a list of commands. What they need to be told is asked of the files before: the
 * sizes of parts, and the row of options, follow from the pairs that cleaning left.
 */
#include "cmd/recipe/auto.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"
#include "base/ranks/launcher.h"
#include "base/system/clock.h"
#include "cmd/common.h"
#include "cmd/recipe/command_line.h"
#include "cmd/recipe/folder.h"
#include "cmd/recipe/rows.h"
#include "cmd/recipe/summary.h"
#include "cmd/recipe/training.h"

/* Pairs without which no model is worth its time. */
enum { LEAST_PAIRS = 1000 };
/* Those to validate by, and those to test by, grow by the root of the text: 100 of the least, 447
 * of 20,000. Few pairs are worth more to learn from; these are enough to tell models apart. */
enum { LEAST_PART = 100, MOST_PART = 1000 };
enum { PATH = 1200, MOST_WORDS = 40 };
enum { SOURCE, TARGET };

/* In front of the name of a file in the folder of the course. */
#define OURS "\001"

struct course {
    struct dgm_cmd *cmd;
    struct dgm_env *env;
    const char *source, *target, *model;
    int is_dry;
    int says; /* the step at hand is one that says something: it is done again, for that */
    struct dgm_recipe_folder folder;
    struct dgm_recipe_counts cleaned, held_out; /* of the two runs of `clean` */
    struct dgm_writing writing[2];              /* of the source, of the target */
    double began;
};

static void path_of(const struct course *course, char path[PATH], const char *name)
{
    snprintf(path, PATH, "%s/%s", course->folder.path, name);
}

/* Text of standard output, which the commands write to as well. */
static dgm_status say(const struct course *course, const char *text)
{
    struct dgm_buf out = { 0 };
    dgm_status status = dgm_buf_add_text(course->env, &out, text);

    if (status == DGM_OK)
        status = dgm_cmd_put(course->env, "-", &out);
    dgm_buf_clear(course->env, &out);
    return status;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static dgm_status add_words(const struct course *course, struct dgm_command_line *line,
                            const char *const *words)
{
    char path[PATH];

    for (; *words != NULL; words++) {
        path_of(course, path, *words + 1);
        DGM_TRY(dgm_command_line_add(course->env, line, (*words)[0] == OURS[0] ? path : *words));
    }
    return DGM_OK;
}

static dgm_status add_option(const struct course *course, struct dgm_command_line *line,
                             const char *name)
{
    const struct dgm_setting *setting =
        dgm_settings_find(&course->cmd->settings, name, strlen(name));

    return setting->explicit_ ? dgm_command_line_add_setting(course->env, line, setting) : DGM_OK;
}

/* Whether all files of the course that a command names are there. */
static int has_files(const struct course *course, const struct dgm_command_line *line)
{
    const size_t length = strlen(course->folder.path);
    const char *word = line->words.data;

    for (size_t i = 0; i < line->count; i++, word += strlen(word) + 1)
        if (((strncmp(word, course->folder.path, length) == 0 && word[length] == '/') ||
             strcmp(word, course->model) == 0) &&
            !dgm_file_exists(course->env, word))
            return 0;
    return 1;
}

/* A signal may have come while a command ran to its end all the same. */
static dgm_status check_stop(const struct course *course)
{
    if (dgm_context_stopped_by(course->cmd->context) == 0)
        return DGM_OK;
    return dgm_fail(course->env, DGM_INTERRUPTED, "stopped; the same command goes on");
}

static dgm_status show(const struct course *course, const char *command, const char *remark)
{
    DGM_TRY(say(course, "$ "));
    DGM_TRY(say(course, command));
    return say(course, remark);
}

/* Unless it is done: says it, runs it, and notes that it is. */
static dgm_status do_step(struct course *course, const struct dgm_command_line *line,
                          const char *command)
{
    struct dgm_journal *journal = &course->folder.journal;

    if (course->is_dry)
        return show(course, command, "\n");
    if (!course->says && dgm_journal_has(journal, command) && has_files(course, line)) {
        DGM_TRY(show(course, command, " # done before\n"));
        return dgm_journal_pass(course->env, journal, command);
    }
    DGM_TRY(show(course, command, "\n"));
    DGM_TRY(dgm_command_line_run(course->cmd, line));
    DGM_TRY(check_stop(course));
    return dgm_journal_add(course->env, journal, command);
}

/* What was added to `line`, if `status` is that of adding; clears it. */
static dgm_status end_step(struct course *course, struct dgm_command_line *line, dgm_status status)
{
    struct dgm_buf command = { 0 };

    if (status == DGM_OK)
        status = dgm_command_line_print(course->env, line, &command);
    if (status == DGM_OK)
        status = do_step(course, line, command.data);
    dgm_buf_clear(course->env, &command);
    dgm_command_line_clear(course->env, line);
    return status;
}

static dgm_status step(struct course *course, const char *const *words)
{
    struct dgm_command_line line = { 0 };

    return end_step(course, &line, add_words(course, &line, words));
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Characters of a script without blanks are tokens, of which some make a word: the limit of others
 * would drop a sixth of Japanese. Both cleanings have it. */
static dgm_status add_ratio(const struct course *course, struct dgm_command_line *line)
{
    static const char *const words[] = { "--max-ratio", "9", NULL };

    if (!course->writing[SOURCE].is_unspaced && !course->writing[TARGET].is_unspaced)
        return DGM_OK;
    return add_words(course, line, words);
}

static dgm_status add_cleaning(const struct course *course, struct dgm_command_line *line)
{
    const char *const words[] = { "clean",    course->source,      course->target,
                                  "-o",       OURS "clean.source", OURS "clean.target",
                                  "--report", OURS "clean.tsv",    NULL };

    DGM_TRY(add_words(course, line, words));
    DGM_TRY(add_ratio(course, line));
    DGM_TRY(add_option(course, line, "source-lang"));
    return add_option(course, line, "target-lang");
}

static dgm_status count_lines(const struct course *course, const char *path, long *count)
{
    struct dgm_lines lines;
    dgm_status status = DGM_OK;
    int more = 1;

    DGM_TRY(dgm_lines_open(course->env, &lines, path));
    while (status == DGM_OK && more)
        status = dgm_lines_next(course->env, &lines, &more);
    *count = lines.number;
    dgm_lines_close(course->env, &lines);
    return status;
}

/* Counts what stays; a course that is only shown has cleaned nothing. */
static dgm_status read_counts(struct course *course, struct dgm_recipe_counts *counts,
                              const char *report)
{
    char path[PATH];

    if (course->is_dry && course->cleaned.kept == 0)
        DGM_TRY(count_lines(course, course->source, &course->cleaned.kept));
    if (course->is_dry)
        return DGM_OK;
    path_of(course, path, report);
    return dgm_recipe_counts_read(course->env, counts, path);
}

static dgm_status check_count(const struct course *course)
{
    const struct dgm_recipe_counts *counts = &course->cleaned;

    if (counts->kept >= LEAST_PAIRS)
        return DGM_OK;
    return dgm_fail_at(course->env, DGM_DATA, course->source, 0, 0,
                       "%ld pairs are left%s%s; expected %d and more, as fewer teach no language",
                       counts->kept, counts->dropped[0] != '\0' ? ", without " : "",
                       counts->dropped, LEAST_PAIRS);
}

/* Pairs to validate by, and as many to test by. */
static long part_of(long pairs)
{
    const double part = LEAST_PART * sqrt((double)pairs / LEAST_PAIRS);

    return part < MOST_PART ? (long)part : MOST_PART;
}

static int has_valid(const struct course *course)
{
    return dgm_settings_count(&course->cmd->settings, "valid-sets") > 0;
}

static dgm_status split(struct course *course)
{
    char size[24];
    const char *const all[] = { "split",
                                OURS "clean.source",
                                OURS "clean.target",
                                "--train",
                                OURS "rest.source",
                                OURS "rest.target",
                                "--test",
                                OURS "test.source",
                                OURS "test.target",
                                "--test-size",
                                size,
                                has_valid(course) ? NULL : "--dev",
                                OURS "valid.source",
                                OURS "valid.target",
                                "--dev-size",
                                size,
                                NULL };

    snprintf(size, sizeof size, "%ld", part_of(course->cleaned.kept));
    return step(course, all);
}

/* What is tested and validated by is not trained on, on either side. */
static dgm_status add_holding_out(const struct course *course, struct dgm_command_line *line)
{
    static const char *const clean[] = { "clean",    OURS "rest.source",  OURS "rest.target",
                                         "-o",       OURS "train.source", OURS "train.target",
                                         "--report", OURS "train.tsv",    NULL };
    static const char *const without[] = { "--without", OURS "test.source", OURS "test.target",
                                           NULL };
    static const char *const valid[] = { OURS "valid.source", OURS "valid.target", NULL };
    const struct dgm_settings *settings = &course->cmd->settings;

    DGM_TRY(add_words(course, line, clean));
    DGM_TRY(add_ratio(course, line));
    DGM_TRY(add_words(course, line, without));
    if (!has_valid(course))
        return add_words(course, line, valid);
    for (size_t i = 0; i < dgm_settings_count(settings, "valid-sets"); i++)
        DGM_TRY(
            dgm_command_line_add(course->env, line, dgm_settings_item(settings, "valid-sets", i)));
    return DGM_OK;
}

static dgm_status prepare(struct course *course)
{
    struct dgm_command_line cleaning = { 0 }, holding_out = { 0 };

    DGM_TRY(end_step(course, &cleaning, add_cleaning(course, &cleaning)));
    DGM_TRY(read_counts(course, &course->cleaned, "clean.tsv"));
    DGM_TRY(check_count(course));
    DGM_TRY(split(course));
    DGM_TRY(end_step(course, &holding_out, add_holding_out(course, &holding_out)));
    return read_counts(course, &course->held_out, "train.tsv");
}

/* ---- the model ------------------------------------------------------------------------------- */

static dgm_status say_row(const struct course *course, const struct dgm_recipe_row *row)
{
    char text[200];

    snprintf(text, sizeof text, "# %ld pairs%s: options for about %ld\n", course->cleaned.kept,
             course->is_dry ? " before cleaning" : "", row->pairs);
    return say(course, text);
}

static dgm_status train(struct course *course, const struct dgm_recipe_texts *texts)
{
    const struct dgm_recipe_row *row = dgm_recipe_row(course->cleaned.kept);
    struct dgm_command_line line = { 0 };
    struct dgm_settings settings = { 0 };
    dgm_status status;

    DGM_TRY(say_row(course, row));
    status = dgm_recipe_training_settings(course->cmd, row, texts, &settings);
    if (status == DGM_OK)
        status = dgm_recipe_training_line(course->cmd, &settings, &line);
    dgm_settings_clear(course->env, &settings);
    return end_step(course, &line, status);
}

static dgm_status train_here(struct course *course, int are_alike)
{
    static const char *const names[4] = { "train.source", "train.target", "valid.source",
                                          "valid.target" };
    char paths[4][PATH];
    const struct dgm_recipe_texts texts = { { paths[0], paths[1] },
                                            { paths[2], paths[3] },
                                            are_alike };

    for (int i = 0; i < 4; i++)
        path_of(course, paths[i], names[i]);
    return train(course, &texts);
}

static dgm_status translate(struct course *course)
{
    const char *const words[] = {
        "translate",   "-m", course->model, "-i", OURS "test.source", "-o", OURS "test.translation",
        "--beam-size", "4",  NULL
    };
    struct dgm_command_line line = { 0 };
    dgm_status status = add_words(course, &line, words);

    if (status == DGM_OK)
        status = add_option(course, &line, "devices");
    if (status == DGM_OK)
        status = add_option(course, &line, "memory");
    return end_step(course, &line, status);
}

/* Words that no blank parts are compared by their characters. */
static dgm_status score(struct course *course)
{
    const char *const words[] = {
        "score", OURS "test.target",
        "-i",    OURS "test.translation",
        "-m",    "bleu",
        "chrf",  course->writing[TARGET].is_unspaced ? "--tokenize" : NULL,
        "char",  NULL
    };

    course->says = 1;
    return step(course, words);
}

/* ---- the summary ----------------------------------------------------------------------------- */

static dgm_status add_counts(const struct course *course, struct dgm_buf *out)
{
    const struct dgm_recipe_counts *cleaned = &course->cleaned, *rest = &course->held_out;

    DGM_TRY(dgm_buf_add_format(course->env, out, "pairs        %ld read, %ld kept%s%s%s\n",
                               cleaned->all, cleaned->kept, cleaned->dropped[0] ? " (" : "",
                               cleaned->dropped, cleaned->dropped[0] ? ")" : ""));
    return dgm_buf_add_format(course->env, out,
                              "training     %ld%s%s%s; %ld to validate and test\n", rest->kept,
                              rest->dropped[0] ? " (without " : "", rest->dropped,
                              rest->dropped[0] ? ")" : "", cleaned->kept - rest->all);
}

static dgm_status add_end(const struct course *course, struct dgm_buf *out)
{
    struct dgm_command_line line = { 0 };
    const char *const words[] = { "translate", "-m", course->model, NULL };
    char time[32];
    dgm_status status;

    dgm_clock_print(time, dgm_clock() - course->began);
    DGM_TRY_OUT(dgm_buf_add_format(course->env, out, "time         %s\ntranslate    ", time));
    DGM_TRY_OUT(add_words(course, &line, words));
    DGM_TRY_OUT(dgm_command_line_print(course->env, &line, out));
    status = dgm_buf_add_text(course->env, out, " < TEXT\n");
out:
    dgm_command_line_clear(course->env, &line);
    return status;
}

static dgm_status add_samples(const struct course *course, struct dgm_buf *out)
{
    static const char *const names[3] = { "test.source", "test.target", "test.translation" };
    char paths[3][PATH];
    const char *const files[3] = { paths[0], paths[1], paths[2] };

    for (int i = 0; i < 3; i++)
        path_of(course, paths[i], names[i]);
    return dgm_recipe_samples(course->env, out, files);
}

static dgm_status summarise(struct course *course)
{
    struct dgm_buf out = { 0 };
    dgm_status status;

    if (course->is_dry)
        return DGM_OK;
    DGM_TRY_OUT(add_counts(course, &out));
    DGM_TRY_OUT(add_samples(course, &out));
    DGM_TRY_OUT(add_end(course, &out));
    status = dgm_cmd_put(course->env, "-", &out);
out:
    dgm_buf_clear(course->env, &out);
    return status;
}

/* ---- the course ------------------------------------------------------------------------------ */

/* Several texts would have to be cleaned and split one by one. */
static dgm_status check_texts(struct course *course)
{
    const struct dgm_settings *settings = &course->cmd->settings;
    const size_t count = dgm_settings_count(settings, "train-sets");

    if (count != 2)
        return dgm_fail(course->env, DGM_USAGE,
                        "--recipe auto with %zu files of --train-sets; expected two, the source "
                        "and its translation, line by line",
                        count);
    for (size_t i = 0; i < 2; i++)
        if (dgm_file_is_stream(course->env, dgm_settings_item(settings, "train-sets", i)))
            return dgm_fail(course->env, DGM_USAGE,
                            "%s can be read only once, and --recipe auto reads its texts again; "
                            "expected a file",
                            dgm_lines_name(dgm_settings_item(settings, "train-sets", i)));
    course->source = dgm_settings_item(settings, "train-sets", 0);
    course->target = dgm_settings_item(settings, "train-sets", 1);
    course->model = dgm_settings_text(settings, "model");
    return DGM_OK;
}

static dgm_status check_alone(const struct course *course)
{
    const struct dgm_setting *setting = dgm_settings_find(&course->cmd->settings, "recipe", 6);

    if (!dgm_setting_is_typed(setting))
        return dgm_fail(course->env, DGM_USAGE,
                        "recipe in %s; expected --recipe auto on the command line, since each of "
                        "its commands would read that, too",
                        setting->origin);
    if (dgm_launcher_ranks() <= 1)
        return DGM_OK;
    return dgm_fail(course->env, DGM_USAGE,
                    "--recipe auto in one of %d processes that were started together; expected it "
                    "alone: --dry-run shows the command of the training, which they can share",
                    dgm_launcher_ranks());
}

/* What the user has named goes together, and goes with any row: better now than hours later. */
static dgm_status check_options(struct course *course)
{
    static const struct dgm_recipe_texts none = { { "", "" }, { "", "" }, 1 };
    struct dgm_settings settings = { 0 };
    dgm_status status;

    status = dgm_recipe_training_settings(course->cmd, dgm_recipe_row(0), &none, &settings);
    dgm_settings_clear(course->env, &settings);
    return status;
}

/* Another text, of those that are read, is another course. */
static dgm_status note_texts(struct course *course)
{
    const struct dgm_settings *settings = &course->cmd->settings;

    DGM_TRY(dgm_recipe_folder_text(course->env, &course->folder, course->source));
    DGM_TRY(dgm_recipe_folder_text(course->env, &course->folder, course->target));
    for (size_t i = 0; i < dgm_settings_count(settings, "valid-sets"); i++)
        DGM_TRY(dgm_recipe_folder_text(course->env, &course->folder,
                                       dgm_settings_item(settings, "valid-sets", i)));
    return DGM_OK;
}

static dgm_status open_folder(struct course *course)
{
    const struct dgm_settings *settings = &course->cmd->settings;

    if (course->is_dry)
        return DGM_OK;
    DGM_TRY(
        dgm_recipe_folder_open(course->env, &course->folder, !dgm_settings_flag(settings, "lock")));
    if (!dgm_settings_flag(settings, "resume"))
        dgm_buf_reset(&course->folder.journal.old);
    return note_texts(course);
}

static dgm_status run_steps(struct course *course)
{
    struct dgm_writing *writing = course->writing;

    DGM_TRY(dgm_text_writing(course->cmd->context, course->source, &writing[SOURCE]));
    DGM_TRY(dgm_text_writing(course->cmd->context, course->target, &writing[TARGET]));
    DGM_TRY(open_folder(course));
    DGM_TRY(prepare(course));
    DGM_TRY(train_here(course, writing[SOURCE].script == writing[TARGET].script));
    DGM_TRY(translate(course));
    DGM_TRY(score(course));
    return summarise(course);
}

dgm_status dgm_recipe_run(struct dgm_cmd *cmd)
{
    struct course course = { .cmd = cmd, .env = cmd->env, .began = dgm_clock() };
    dgm_status status;

    course.is_dry = dgm_settings_flag(&cmd->settings, "dry-run");
    DGM_TRY(check_alone(&course));
    DGM_TRY(check_options(&course));
    DGM_TRY(check_texts(&course));
    DGM_TRY(dgm_recipe_folder_name(cmd->env, &course.folder, course.model));
    status = run_steps(&course);
    dgm_recipe_folder_close(cmd->env, &course.folder);
    return status;
}
