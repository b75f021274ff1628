/* cmd_version.c: the version, and how the program was built. */
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "build", .type = DGM_OPT_FLAG, .aliases = "build-info",
      .help = "Say also how the program was built" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status describe(struct dgm_cmd *cmd, struct dgm_buf *out)
{
    DGM_TRY(dgm_buf_add_format(cmd->env, out, "dragoman %s\n", dgm_version()));
    return dgm_settings_flag(&cmd->settings, "build") ? dgm_buf_add_text(cmd->env, out, dgm_build())
                                                      : DGM_OK;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_print(cmd, describe);
}

const struct dgm_command dgm_command_version = {
    .name = "version",
    .summary = "Print the version",
    .usage = "[--build]",
    .aliases = "--version|-V",
    .options = options,
    .run = run,
};
