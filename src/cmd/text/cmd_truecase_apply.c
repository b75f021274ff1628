/* cmd_truecase_apply.c: writing the heads of sentences as words are written within them. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "What `truecase train`, or Moses' train-truecaser, has written; needed" },
    DGM_CMD_CASE_LANGUAGE,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_truecaser_options chosen = { .struct_size = sizeof chosen };
    dgm_truecaser *truecaser;
    dgm_status status;

    DGM_TRY(dgm_cmd_need(cmd, "model"));
    chosen.model = dgm_settings_text(&cmd->settings, "model");
    chosen.language = dgm_settings_text(&cmd->settings, "language");
    DGM_TRY(dgm_truecaser_new(cmd->context, &chosen, &truecaser));
    status = dgm_cmd_filter(cmd, dgm_truecaser_apply_file, truecaser);
    dgm_truecaser_free(truecaser);
    return status;
}

const struct dgm_command dgm_command_truecase_apply = {
    .name = "truecase apply",
    .summary = "Write the first word of each sentence as it is written within sentences",
    .usage = "-m MODEL [OPTION]... < TOKENS > TOKENS",
    .example = "dragoman truecase apply -m case.en < train.tok.en > train.true.en",
    .options = options,
    .run = run,
};
