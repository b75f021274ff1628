/* cmd_bpe_undo.c: joining pieces to words. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "separator", .letter = 's', .type = DGM_OPT_TEXT, .argument = "TEXT",
      .fallback = "@@", .help = "What marks a piece that does not end its word" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_segmenter_options chosen = { .struct_size = sizeof chosen };
    dgm_segmenter *segmenter;
    dgm_status status;
    chosen.separator = dgm_settings_text(&cmd->settings, "separator");
    DGM_TRY(dgm_segmenter_new(cmd->context, &chosen, &segmenter));
    status = dgm_cmd_filter(cmd, dgm_segmenter_undo_file, segmenter);
    dgm_segmenter_free(segmenter);
    return status;
}

const struct dgm_command dgm_command_bpe_undo = {
    .name = "bpe undo",
    .summary = "Join the pieces of BPE to words",
    .usage = "[OPTION]... < PIECES > TOKENS",
    .example = "dragoman bpe undo < output.bpe.en > output.tok.en",
    .aliases = "undo-bpe|remove-bpe",
    .options = options,
    .run = run,
};
