/* cmd_inspect.c: what a model file, or any GGUF file, holds. */
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_OUTPUT,
    { .name = "verify", .type = DGM_OPT_FLAG,
      .help = "Compare all checksums; a damaged file is an error" },
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "text", .choices = "text|json", .help = "Form of the report" },
    { .name = "items", .letter = 'n', .type = DGM_OPT_INT, .argument = "N", .fallback = "8",
      .low = 1, .high = 9007199254740992.0, .help = "Items or lines shown of a long value" },
    { .name = "tensors", .type = DGM_OPT_FLAG, .fallback = "true", .help = "List the tensors" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_inspect_options chosen = { .struct_size = sizeof chosen };
    struct dgm_cmd_sink sink;
    dgm_status status;
    chosen.json = dgm_settings_text(&cmd->settings, "format")[0] == 'j';
    chosen.verify = dgm_settings_flag(&cmd->settings, "verify");
    chosen.no_tensors = !dgm_settings_flag(&cmd->settings, "tensors");
    chosen.items = (size_t)dgm_settings_int(&cmd->settings, "items");
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_inspect(cmd->context, cmd->arguments[0], &chosen, dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
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
