/* cmd_devices.c: what this machine computes with. */
#include "cmd/command.h"

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_writer writer;
    struct dgm_cmd_sink sink;
    dgm_status status;
    DGM_TRY(dgm_cmd_open_output(cmd->env, &writer, "-"));
    sink.env = cmd->env;
    sink.writer = &writer;
    status = dgm_devices(cmd->context, dgm_cmd_write, &sink);
    return dgm_cmd_close_output(cmd->env, &writer, status);
}

const struct dgm_command dgm_command_devices = {
    .name = "devices",
    .summary = "List processor features, kernels and devices, with reasons",
    .usage = "",
    .example = "DGM_CPU=sse2 dragoman devices",
    .run = run,
};
