/* common.c: what the commands share: the common options, output, and the loop over lines. */
#include <string.h>

#include "cmd/command.h"

const struct dgm_opt dgm_common_options[] = {
    { "help", 'h', DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL, "Describe the command" },
    { "quiet", 'q', DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Report errors only, no warnings and no progress" },
    { "log-level", 0, DGM_OPT_CHOICE, "LEVEL", "note", 0, 0, "error|warning|note|debug", NULL,
      "What to report on standard error" },
    { "threads", 'j', DGM_OPT_INT, "N", "0", 0, 1024, NULL,
      "num-workers cpu-threads",
      "Threads to use at most, 0: one for each processor; results never depend on it" },
    { "devices", 'd', DGM_OPT_TEXT, "SPEC", "cpu", 0, 0, NULL, "device",
      "What computes: cpu, gpu, opencl (any OpenCL device), auto (a GPU, else the CPU), or a "
      "number or part of a name that `dragoman devices` lists; training takes lists: 0,1" },
    { "gemm", 0, DGM_OPT_CHOICE, "WHOSE", "auto", 0, 0, "auto|own|clblast", NULL,
      "Matrix products of OpenCL devices: our own, or those of CLBlast, if it is installed" },
    { "precision", 0, DGM_OPT_CHOICE, "TYPE", "f32", 0, 0, "f32|tf32|bf16", NULL,
      "Operands of the matrix products of OpenCL devices are rounded to this, on tensor cores; all "
      "else stays f32" },
    { "config", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "Read options from this file, as lines `name = value`; later options win" },
    { "dump-config", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Write the options in effect, with where each comes from, and end" },
    DGM_OPT_END
};

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
    DGM_TRY(dgm_context_set_threads(cmd->context,
                                    (int)dgm_settings_int(&cmd->settings, "threads")));
    DGM_TRY(dgm_context_set_devices(cmd->context, dgm_settings_text(&cmd->settings, "devices")));
    DGM_TRY(dgm_context_set_gemm(cmd->context, dgm_settings_text(&cmd->settings, "gemm")));
    return dgm_context_set_precision(cmd->context, dgm_settings_text(&cmd->settings, "precision"));
}

dgm_status dgm_cmd_need(struct dgm_cmd *cmd, const char *option)
{
    const char *name = cmd->command->name;
    if (dgm_settings_text(&cmd->settings, option) != NULL)
        return DGM_OK;
    return dgm_fail(cmd->env, DGM_USAGE, "%s needs --%s. Usage: dragoman %s %s", name, option,
                    name, cmd->command->usage);
}

dgm_status dgm_cmd_keep_apart(struct dgm_cmd *cmd, const char *input, const char *output)
{
    if (strcmp(input, "-") == 0 || strcmp(output, "-") == 0 || !dgm_file_same(input, output))
        return DGM_OK;
    return dgm_fail_at(cmd->env, DGM_USAGE, output, 0, 0,
                       "input and output are the same file; expected another one");
}

dgm_status dgm_cmd_read_once(struct dgm_cmd *cmd, const char *one, const char *other)
{
    if (one == NULL || other == NULL || strcmp(one, "-") != 0 || strcmp(other, "-") != 0)
        return DGM_OK;
    return dgm_fail(cmd->env, DGM_USAGE, "- stands twice for standard input, which can be read "
                    "once; expected a file for one of them");
}

/* ---- output ------------------------------------------------------------------------------ */

dgm_status dgm_cmd_open_output(struct dgm_env *env, struct dgm_writer *writer, const char *path)
{
    DGM_TRY(dgm_writer_open(env, writer, path));
    if (strcmp(path, "-") == 0)
        strcpy(writer->path, "standard output");
    return DGM_OK;
}

dgm_status dgm_cmd_close_output(struct dgm_env *env, struct dgm_writer *writer, dgm_status status)
{
    dgm_status closed = dgm_writer_close(env, writer);
    return status != DGM_OK ? status : closed;
}

dgm_status dgm_cmd_print(struct dgm_env *env, const struct dgm_buf *text)
{
    struct dgm_writer writer;
    dgm_status status;
    DGM_TRY(dgm_cmd_open_output(env, &writer, "-"));
    status = dgm_writer_add(env, &writer, text->data, text->size);
    return dgm_cmd_close_output(env, &writer, status);
}

dgm_status dgm_cmd_write(void *user, const char *text, size_t bytes)
{
    struct dgm_cmd_sink *sink = user;
    return dgm_writer_add(sink->env, sink->writer, text, bytes);
}

/* ---- lines ------------------------------------------------------------------------------- */

static dgm_status filter_lines(struct dgm_cmd *cmd, struct dgm_lines *lines,
                               struct dgm_writer *writer, dgm_cmd_line_fn *fn, void *tool)
{
    struct dgm_env *env = cmd->env;
    for (;;) {
        const char *out;
        size_t bytes;
        int more;
        if (!dgm_lines_ready(lines))
            DGM_TRY(dgm_writer_flush(env, writer));
        DGM_TRY(dgm_lines_next(env, lines, &more));
        if (!more)
            return DGM_OK;
        if (lines->cut)
            dgm_log(env, DGM_LOG_WARNING, "%s:%ld: line cut at %zu bytes", lines->path,
                    lines->number, lines->limit);
        DGM_TRY(fn(tool, lines->line.data, lines->line.size, &out, &bytes));
        DGM_TRY(dgm_writer_add(env, writer, out, bytes));
        DGM_TRY(dgm_writer_add(env, writer, "\n", 1));
    }
}

dgm_status dgm_cmd_filter(struct dgm_cmd *cmd, dgm_cmd_line_fn *fn, void *tool)
{
    const char *input = dgm_settings_text(&cmd->settings, "input");
    const char *output = dgm_settings_text(&cmd->settings, "output");
    struct dgm_writer writer;
    struct dgm_lines lines;
    dgm_status status;
    DGM_TRY(dgm_cmd_keep_apart(cmd, input, output));
    DGM_TRY(dgm_lines_open(cmd->env, &lines, input));
    if (strcmp(input, "-") == 0)
        lines.path = "standard input";
    status = dgm_cmd_open_output(cmd->env, &writer, output);
    if (status == DGM_OK) {
        status = filter_lines(cmd, &lines, &writer, fn, tool);
        status = dgm_cmd_close_output(cmd->env, &writer, status);
    }
    dgm_lines_close(cmd->env, &lines);
    return status;
}

void dgm_cmd_choose_trees(const struct dgm_settings *settings, dgm_translator_options *chosen)
{
    const char *trees = dgm_settings_text(settings, "trees");

    chosen->no_trees = strcmp(trees, "none") == 0;
    chosen->trees = chosen->no_trees || strcmp(trees, "auto") == 0 ? NULL : trees;
}

const char *dgm_cmd_picture(const char *format, const char *output)
{
    size_t length = strlen(output);

    if (strcmp(format, "auto") != 0)
        return format;
    return length >= 4 && strcmp(output + length - 4, ".svg") == 0 ? "svg" : "text";
}
