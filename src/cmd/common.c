/* common.c: what the commands share: the common options, output, and the loop over lines. */
#include "cmd/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/outputs.h"
#include "base/mem.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/system/terminal.h"
#include "cmd/unfinished.h"

/* ---- options ------------------------------------------------------------------------------ */

/* clang-format off */
const struct dgm_opt dgm_common_options[] = {
    { .name = "help", .letter = 'h', .type = DGM_OPT_FLAG, .help = "Describe the command",
      .section = "Options of every command" },
    { .name = "quiet", .letter = 'q', .type = DGM_OPT_FLAG,
      .help = "Report errors only, no warnings and no progress", .ranks = 1 },
    { .name = "log-level", .type = DGM_OPT_CHOICE, .argument = "LEVEL", .fallback = "note",
      .choices = "error|warning|note|debug", .help = "What to report on standard error",
      .ranks = 1 },
    { .name = "threads", .letter = 'j', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 1024, .aliases = "num-workers cpu-threads",
      .help = "Threads to use at most, 0: one for each processor; results never depend on it",
      .ranks = 1 },
    { .name = "config", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Read options from this file, as lines `name = value`; those of the command line "
              "win", .ranks = 1, .basic = 1 },
    { .name = "dump-config", .type = DGM_OPT_FLAG,
      .help = "Write the options in effect, with where each comes from, and end", .ranks = 1 },
    DGM_OPT_END
};
/* clang-format on */

/* clang-format off */
const struct dgm_opt dgm_device_options[] = {
    { .name = "devices", .letter = 'd', .type = DGM_OPT_TEXT, .argument = "SPEC", .fallback = "cpu",
      .aliases = "device",
      .help = "What computes: cpu, gpu, opencl (any OpenCL device), auto (a GPU, else the CPU), or "
              "a number or part of a name that `dragoman devices` lists; training takes lists: "
              "0,1", .section = "Options of commands that compute", .ranks = 1, .basic = 1 },
    { .name = "gemm", .type = DGM_OPT_CHOICE, .argument = "WHOSE", .fallback = "auto",
      .choices = "auto|own|clblast",
      .help = "Matrix products of OpenCL devices: our own, or those of CLBlast, if it is "
              "installed" },
    { .name = "precision", .type = DGM_OPT_CHOICE, .argument = "TYPE", .fallback = "f32",
      .choices = "f32|tf32|bf16",
      .help = "Operands of matrix products are rounded to this: on the tensor cores of OpenCL "
              "devices, bf16 on a processor with AMX, too; all else stays f32" },
    { .name = "memory", .type = DGM_OPT_BYTES, .argument = "LIMIT", .fallback = "0",
      .help = "Use at most this much memory, 2G or 500M, program included, or refuse; 0: no "
              "limit", .ranks = 1 },
    DGM_OPT_END
};
/* clang-format on */

void dgm_common_tables(const struct dgm_command *command,
                       const struct dgm_opt *tables[DGM_COMMON_TABLES + 1])
{
    const struct dgm_opt *const *more = command->tables != NULL ? command->tables() : NULL;
    size_t count = 0;
    if (command->options != NULL)
        tables[count++] = command->options;
    for (; more != NULL && *more != NULL && count + 2 < DGM_COMMON_TABLES; more++)
        tables[count++] = *more;
    if (command->computes)
        tables[count++] = dgm_device_options;
    tables[count++] = dgm_common_options;
    tables[count] = NULL;
}

dgm_status dgm_cmd_limit_memory(struct dgm_cmd *cmd)
{
    return dgm_context_set_memory(cmd->context, dgm_settings_bytes(&cmd->settings, "memory"));
}

/* --devices, --gemm, --precision and --memory, where the command has them. */
static dgm_status apply_devices(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    if (!cmd->command->computes)
        return DGM_OK;
    DGM_TRY(dgm_context_set_devices(cmd->context, dgm_settings_text(settings, "devices")));
    DGM_TRY(dgm_context_set_gemm(cmd->context, dgm_settings_text(settings, "gemm")));
    DGM_TRY(dgm_context_set_precision(cmd->context, dgm_settings_text(settings, "precision")));
    return dgm_cmd_limit_memory(cmd);
}

dgm_status dgm_common_apply(struct dgm_cmd *cmd)
{
    static const char *const levels[] = { "error", "warning", "note", "debug" };
    const char *chosen = dgm_settings_text(&cmd->settings, "log-level");
    int level = 0;
    while (level < DGM_LOG_DEBUG && strcmp(levels[level], chosen) != 0)
        level++;
    if (dgm_settings_flag(&cmd->settings, "quiet")) {
        level = DGM_LOG_ERROR;
        cmd->progress = 0;
    }
    DGM_TRY(dgm_context_set_log_level(cmd->context, (dgm_level)level));
    DGM_TRY(
        dgm_context_set_threads(cmd->context, (int)dgm_settings_int(&cmd->settings, "threads")));
    return apply_devices(cmd);
}

dgm_status dgm_cmd_need(struct dgm_cmd *cmd, const char *option)
{
    const char *name = cmd->command->name;
    if (dgm_settings_text(&cmd->settings, option) != NULL)
        return DGM_OK;
    return dgm_fail(cmd->env, DGM_USAGE, "%s needs --%s. Usage: dragoman %s %s", name, option, name,
                    cmd->command->usage);
}

dgm_status dgm_cmd_list(struct dgm_cmd *cmd, const char *option, int arguments, const char ***items,
                        size_t *count)
{
    const size_t given = dgm_settings_count(&cmd->settings, option);
    size_t i;

    *count = given + (arguments ? (size_t)cmd->argument_count : 0);
    DGM_TRY(dgm_new(cmd->env, items, *count + 1, sizeof **items));
    for (i = 0; i < *count; i++)
        (*items)[i] =
            i < given ? dgm_settings_item(&cmd->settings, option, i) : cmd->arguments[i - given];
    return DGM_OK;
}

void dgm_cmd_taker(const struct dgm_cmd *cmd, char text[DGM_CMD_TAKER])
{
    const struct dgm_setting *setting = cmd->settings.items, *end = setting + cmd->settings.count;
    text[0] = '\0';
    for (; setting < end; setting++) {
        size_t needed = setting->opt->argument != NULL && setting->opt->argument[0] == '[' ? 0 : 1;
        if (setting->item_count > needed && dgm_setting_is_typed(setting))
            snprintf(text, DGM_CMD_TAKER,
                     ", named before --%s, which takes all %s up to the next option",
                     setting->opt->name,
                     strcmp(setting->opt->argument, "NAME...") == 0 ? "names" : "files");
    }
}

dgm_status dgm_cmd_read_once(struct dgm_cmd *cmd, const char *one, const char *other)
{
    if (one == NULL || other == NULL || strcmp(one, "-") != 0 || strcmp(other, "-") != 0)
        return DGM_OK;
    return dgm_fail(cmd->env, DGM_USAGE,
                    "- stands twice for standard input, which can be read "
                    "once; expected a file for one of them");
}

int dgm_cmd_width(const struct dgm_settings *settings)
{
    const char *width = dgm_settings_text(settings, "width");
    int columns = 0;

    if (strcmp(width, "auto") != 0)
        return (int)strtol(width, NULL, 10); /* the row has checked it */
    if (strcmp(dgm_settings_text(settings, "output"), "-") == 0)
        columns = dgm_terminal_columns(1);
    if (columns == 0)
        return DGM_CMD_USUAL_WIDTH;
    if (columns > DGM_CMD_MOST_WIDTH)
        return DGM_CMD_MOST_WIDTH;
    return columns > DGM_CMD_LEAST_WIDTH ? columns : DGM_CMD_LEAST_WIDTH;
}

const char *dgm_cmd_picture(const struct dgm_settings *settings)
{
    const char *format = dgm_settings_text(settings, "format");
    const char *output = dgm_settings_text(settings, "output");
    size_t length = strlen(output);

    if (strcmp(format, "auto") != 0)
        return format;
    return length >= 4 && strcmp(output + length - 4, ".svg") == 0 ? "svg" : "text";
}

/* ---- output ------------------------------------------------------------------------------- */

/* After opening: errors name standard output, and a signal that ends the program takes the
 * temporary file with it, unless that is kept on purpose (FILE.part). */
static dgm_status opened(struct dgm_writer *writer, dgm_status status)
{
    if (strcmp(writer->path, "-") == 0)
        strcpy(writer->path, "standard output");
    if (status == DGM_OK && writer->replacement.temporary[0] != '\0' &&
        !writer->replacement.keeps_part)
        dgm_unfinished_add(writer->replacement.temporary);
    return status;
}

dgm_status dgm_cmd_open_output(struct dgm_env *env, struct dgm_writer *writer, const char *path)
{
    return opened(writer, dgm_writer_open(env, writer, path));
}

dgm_status dgm_cmd_open_long_output(struct dgm_env *env, struct dgm_writer *writer,
                                    const char *path)
{
    return opened(writer, dgm_writer_open_part(env, writer, path));
}

dgm_status dgm_cmd_close_output(struct dgm_env *env, struct dgm_writer *writer, dgm_status status)
{
    if (status == DGM_OK)
        status = dgm_writer_close(env, writer);
    else
        dgm_writer_abandon(env, writer);
    dgm_unfinished_drop();
    return status;
}

dgm_status dgm_cmd_open_outputs(struct dgm_env *env, struct dgm_writer *writers,
                                const char *const *paths, size_t count)
{
    dgm_status status = DGM_OK;
    size_t i, opened = 0;
    for (i = 0; i < count && status == DGM_OK; i++) {
        status = dgm_cmd_open_output(env, &writers[i], paths[i]);
        opened += status == DGM_OK;
    }
    return status == DGM_OK ? DGM_OK : dgm_cmd_close_outputs(env, writers, opened, status);
}

/* A signal that would end the program between the renames waits for the last of them. */
static dgm_status place_outputs(struct dgm_env *env, struct dgm_writer *writers, size_t count)
{
    dgm_status status;
    dgm_unfinished_hold();
    status = dgm_outputs_place(env, writers, count);
    dgm_unfinished_let_go();
    return status;
}

dgm_status dgm_cmd_close_outputs(struct dgm_env *env, struct dgm_writer *writers, size_t count,
                                 dgm_status status)
{
    size_t i;
    if (status == DGM_OK)
        status = dgm_outputs_finish(env, writers, count);
    if (status == DGM_OK)
        status = place_outputs(env, writers, count);
    for (i = 0; i < count; i++)
        dgm_writer_abandon(env, &writers[i]);
    dgm_unfinished_drop();
    return status;
}

dgm_status dgm_cmd_stopped(struct dgm_cmd *cmd, long lines)
{
    dgm_context_clear(cmd->context); /* of a "stopped" from below */
    return dgm_fail(cmd->env, DGM_INTERRUPTED, "stopped; %ld lines are written", lines);
}

dgm_status dgm_cmd_refused_lines(struct dgm_env *env, size_t refused)
{
    if (refused == 0)
        return DGM_OK;
    return dgm_fail(env, DGM_DATA,
                    "lines without a tree: %zu; their lines of the output are empty. "
                    "Try --no-parse star",
                    refused);
}

dgm_status dgm_cmd_put(struct dgm_env *env, const char *path, const struct dgm_buf *text)
{
    struct dgm_writer writer;
    DGM_TRY(dgm_cmd_open_output(env, &writer, path));
    return dgm_cmd_close_output(env, &writer, dgm_writer_add(env, &writer, text->data, text->size));
}

dgm_status dgm_cmd_print(struct dgm_cmd *cmd, dgm_cmd_text_fn *fn)
{
    struct dgm_buf text = { .data = NULL };
    dgm_status status = fn(cmd, &text);

    if (status == DGM_OK)
        status = dgm_cmd_put(cmd->env, "-", &text);
    dgm_buf_clear(cmd->env, &text);
    return status;
}

dgm_status dgm_cmd_open_sink(struct dgm_cmd *cmd, struct dgm_cmd_sink *sink)
{
    sink->env = cmd->env;
    return dgm_cmd_open_output(cmd->env, &sink->writer,
                               dgm_settings_text(&cmd->settings, "output"));
}

dgm_status dgm_cmd_close_sink(struct dgm_cmd_sink *sink, dgm_status status)
{
    return dgm_cmd_close_output(sink->env, &sink->writer, status);
}

dgm_status dgm_cmd_write(void *user, const char *text, size_t bytes)
{
    struct dgm_cmd_sink *sink = user;
    return dgm_writer_add(sink->env, &sink->writer, text, bytes);
}

/* ---- lines -------------------------------------------------------------------------------- */

dgm_status dgm_cmd_write_now(void *user, const char *text, size_t bytes)
{
    struct dgm_cmd_sink *sink = user;

    DGM_TRY(dgm_writer_add(sink->env, &sink->writer, text, bytes));
    return dgm_writer_flush(sink->env, &sink->writer);
}

dgm_status dgm_cmd_filter(struct dgm_cmd *cmd, dgm_filter_fn *fn, void *tool)
{
    const char *input = dgm_settings_text(&cmd->settings, "input");
    struct dgm_cmd_sink sink;

    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    return dgm_cmd_close_sink(&sink, fn(tool, input, dgm_cmd_write_now, &sink));
}
