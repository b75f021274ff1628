/* cmd_spm_encode.c: text into pieces of a SentencePiece model. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "SentencePiece model (.model); needed" },
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "pieces", .choices = "pieces|ids", .help = "Write pieces, or their numbers" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status encode(void *tool, const char *path, dgm_write_fn write, void *user)
{
    return dgm_pieces_encode_file(tool, path, write, user);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_pieces *pieces;
    dgm_status status;
    DGM_TRY(dgm_cmd_need(cmd, "model"));
    DGM_TRY(dgm_pieces_open(cmd->context, &pieces, dgm_settings_text(settings, "model"),
                            dgm_settings_text(settings, "format")[0] == 'i'));
    status = dgm_cmd_filter(cmd, encode, pieces);
    dgm_pieces_close(pieces);
    return status;
}

const struct dgm_command dgm_command_spm_encode = {
    .name = "spm encode",
    .summary = "Cut text into the pieces of a SentencePiece model, as that library does",
    .usage = "-m MODEL [OPTION]... < TEXT > PIECES",
    .example = "dragoman spm encode -m ja.model < train.ja > train.spm.ja",
    .options = options,
    .run = run,
};
