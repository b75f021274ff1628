/* cmd_spm_decode.c: pieces of a SentencePiece model back into text. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "SentencePiece model (.model); needed" },
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "pieces", .choices = "pieces|ids",
      .help = "What stands in the input: pieces, or their numbers" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_pieces *pieces;
    dgm_status status;
    DGM_TRY(dgm_cmd_need(cmd, "model"));
    DGM_TRY(dgm_pieces_open(cmd->context, &pieces, dgm_settings_text(settings, "model"),
                            dgm_settings_text(settings, "format")[0] == 'i'));
    status = dgm_cmd_filter(cmd, dgm_pieces_decode_file, pieces);
    dgm_pieces_close(pieces);
    return status;
}

const struct dgm_command dgm_command_spm_decode = {
    .name = "spm decode",
    .summary = "Join the pieces of a SentencePiece model to text",
    .usage = "-m MODEL [OPTION]... < PIECES > TEXT",
    .example = "dragoman spm decode -m ja.model < output.spm.ja > output.ja",
    .options = options,
    .run = run,
};
