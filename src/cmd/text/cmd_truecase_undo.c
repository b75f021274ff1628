/* cmd_truecase_undo.c: giving sentences their capitals back. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    DGM_CMD_CASE_LANGUAGE,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_truecaser_options chosen = { .struct_size = sizeof chosen };
    dgm_truecaser *truecaser;
    dgm_status status;

    chosen.language = dgm_settings_text(&cmd->settings, "language");
    DGM_TRY(dgm_truecaser_new(cmd->context, &chosen, &truecaser));
    status = dgm_cmd_filter(cmd, dgm_truecaser_undo_file, truecaser);
    dgm_truecaser_free(truecaser);
    return status;
}

const struct dgm_command dgm_command_truecase_undo = {
    .name = "truecase undo",
    .summary = "Give the first word of each sentence a capital",
    .usage = "[OPTION]... < TOKENS > TOKENS",
    .example = "dragoman truecase undo < output.true.en > output.tok.en",
    .aliases = "detruecase",
    .options = options,
    .run = run,
};
