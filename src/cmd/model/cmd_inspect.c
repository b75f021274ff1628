/* cmd_inspect.c: what a model file, or any GGUF file, holds. */
#include "cmd/command.h"

static const struct dgm_opt options[] = {
    DGM_CMD_OUTPUT,
    { "verify", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Compare all checksums; a damaged file is an error" },
    { "format", 'f', DGM_OPT_CHOICE, "KIND", "text", 0, 0, "text|json", NULL,
      "Form of the report" },
    { "items", 'n', DGM_OPT_INT, "N", "8", 1, 9007199254740992.0, NULL, NULL,
      "Items or lines shown of a long value" },
    { "tensors", 0, DGM_OPT_FLAG, NULL, "true", 0, 0, NULL, NULL, "List the tensors" },
    DGM_OPT_END
};

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_inspect_options chosen = { sizeof chosen, 0, 0, 0, 0 };
    const char *output = dgm_settings_text(&cmd->settings, "output");
    struct dgm_writer writer;
    struct dgm_cmd_sink sink;
    dgm_status status;
    chosen.json = dgm_settings_text(&cmd->settings, "format")[0] == 'j';
    chosen.verify = dgm_settings_flag(&cmd->settings, "verify");
    chosen.no_tensors = !dgm_settings_flag(&cmd->settings, "tensors");
    chosen.items = (size_t)dgm_settings_int(&cmd->settings, "items");
    DGM_TRY(dgm_cmd_open_output(cmd->env, &writer, output));
    sink.env = cmd->env;
    sink.writer = &writer;
    status = dgm_inspect(cmd->context, cmd->arguments[0], &chosen, dgm_cmd_write, &sink);
    return dgm_cmd_close_output(cmd->env, &writer, status);
}

const struct dgm_command dgm_command_inspect = {
    .name = "inspect",
    .summary = "Describe a model file and verify it",
    .usage = "[OPTION]... FILE",
    .example = "dragoman inspect --verify model.gguf",
    .aliases = "info",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
