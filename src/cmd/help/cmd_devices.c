/* cmd_devices.c: what this machine computes with, and how fast at best. */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "explain", .type = DGM_OPT_FLAG,
      .help = "Try each operation on the device of --devices; list those left to the CPU, and "
              "why" },
    { .name = "tune", .type = DGM_OPT_FLAG,
      .help = "Measure how OpenCL devices (or that of --devices) multiply fastest, and keep it" },
    DGM_OPT_END
};
/* clang-format on */

enum { LINE = 64 };

/* Writes one line of a terminal over and over; the last one is blank. */
static void show_progress(void *user, int64_t done, int64_t total, const char *text)
{
    struct dgm_env *env = user;
    char line[LINE + 2];
    int length =
        snprintf(line, LINE, "tuning: %lld of %lld, %s", (long long)done, (long long)total, text);
    if (total == 0 || length < 0)
        length = 0;
    length = length < LINE ? length : LINE - 1;
    memset(line + length, ' ', (size_t)(LINE - length));
    line[LINE] = '\r';
    (void)dgm_file_write_all(env, 2, "standard error", line, LINE + 1, -1);
}

static dgm_status tune(struct dgm_cmd *cmd, struct dgm_cmd_sink *sink)
{
    dgm_status status;
    if (!dgm_settings_is_set(&cmd->settings, "devices"))
        DGM_TRY(dgm_context_set_devices(cmd->context, NULL));
    status = dgm_devices_tune(cmd->context, dgm_cmd_write, sink,
                              cmd->progress ? show_progress : NULL, cmd->env);
    if (cmd->progress)
        show_progress(cmd->env, 0, 0, "");
    return status;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_cmd_sink sink = { .env = cmd->env };
    dgm_status status;
    DGM_TRY(dgm_cmd_open_output(cmd->env, &sink.writer, "-"));
    if (dgm_settings_flag(&cmd->settings, "tune"))
        status = tune(cmd, &sink);
    else if (dgm_settings_flag(&cmd->settings, "explain"))
        status = dgm_devices_explain(cmd->context, dgm_cmd_write_now, &sink);
    else
        status = dgm_devices(cmd->context, dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

const struct dgm_command dgm_command_devices = {
    .name = "devices",
    .summary = "List processor features, kernels and devices, with reasons",
    .usage = "[--explain | --tune] [--devices SPEC]",
    .example = "dragoman devices --explain --devices gpu",
    .options = options,
    .computes = 1,
    .run = run,
};
