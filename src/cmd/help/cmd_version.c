/* cmd_version.c: the version, and how the program was built. */
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "build", .type = DGM_OPT_FLAG, .aliases = "build-info",
      .help = "Say also how the program was built" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status;
    DGM_TRY_OUT(dgm_buf_add_format(cmd->env, &text, "dragoman %s\n", dgm_version()));
    if (dgm_settings_flag(&cmd->settings, "build"))
        DGM_TRY_OUT(dgm_buf_add_text(cmd->env, &text, dgm_build()));
    status = dgm_cmd_print(cmd->env, &text);
out:
    dgm_buf_clear(cmd->env, &text);
    return status;
}

const struct dgm_command dgm_command_version = {
    .name = "version",
    .summary = "Print the version",
    .usage = "[--build]",
    .aliases = "--version|-V",
    .options = options,
    .run = run,
};
