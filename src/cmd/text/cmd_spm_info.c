/* cmd_spm_info.c: what a SentencePiece model is, and its pieces. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_OUTPUT,
    { .name = "pieces", .type = DGM_OPT_FLAG,
      .help = "List the pieces instead: text, score and type, with tabs between" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_pieces *pieces;
    struct dgm_cmd_sink sink;
    dgm_status status;
    DGM_TRY(dgm_pieces_open(cmd->context, &pieces, cmd->arguments[0], 0));
    DGM_TRY_OUT(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_pieces_describe(pieces, dgm_settings_flag(&cmd->settings, "pieces"), dgm_cmd_write,
                                 &sink);
    status = dgm_cmd_close_sink(&sink, status);
out:
    dgm_pieces_close(pieces);
    return status;
}

const struct dgm_command dgm_command_spm_info = {
    .name = "spm info",
    .summary = "Describe a SentencePiece model",
    .usage = "[OPTION]... MODEL",
    .example = "dragoman spm info ja.model",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
