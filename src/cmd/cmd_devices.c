/* cmd_devices.c: what this machine computes with. */
#include "cmd/command.h"

static const struct dgm_opt options[] = {
    { "explain", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Name the operations that the device of --devices leaves to the CPU instead" },
    DGM_OPT_END
};

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_writer writer;
    struct dgm_cmd_sink sink;
    dgm_status status;
    DGM_TRY(dgm_cmd_open_output(cmd->env, &writer, "-"));
    sink.env = cmd->env;
    sink.writer = &writer;
    if (dgm_settings_flag(&cmd->settings, "explain"))
        status = dgm_devices_explain(cmd->context, dgm_cmd_write, &sink);
    else
        status = dgm_devices(cmd->context, dgm_cmd_write, &sink);
    return dgm_cmd_close_output(cmd->env, &writer, status);
}

const struct dgm_command dgm_command_devices = {
    .name = "devices",
    .summary = "List processor features, kernels and devices, with reasons",
    .usage = "[--explain]",
    .example = "dragoman devices --explain --devices gpu",
    .options = options,
    .run = run,
};
