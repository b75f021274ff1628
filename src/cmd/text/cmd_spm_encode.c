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
    { .name = "sample", .type = DGM_OPT_REAL, .argument = "ALPHA", .low = 0, .high = 10,
      .help = "Draw the pieces, in proportion to their probability to the power of ALPHA; unset: "
              "the best ones", .excludes = "!dropout, which is for BPE models" },
    { .name = "dropout", .type = DGM_OPT_REAL, .argument = "P", .low = 0, .high = 1,
      .help = "Of a BPE model: pass over merges with this probability; unset: over none" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,
      .high = 9007199254740992.0,
      .help = "Seed of --sample and --dropout; the same seed gives the same pieces",
      .needs = "sample dropout" },
    DGM_OPT_END
};
/* clang-format on */

/* An option that is unset is below 0. */
static double chance(const struct dgm_settings *settings, const char *option)
{
    return dgm_settings_is_set(settings, option) ? dgm_settings_real(settings, option) : -1.0;
}

static dgm_status sample(struct dgm_cmd *cmd, struct dgm_pieces *pieces)
{
    const struct dgm_settings *settings = &cmd->settings;
    const double alpha = chance(settings, "sample"), dropout = chance(settings, "dropout");
    if (alpha < 0.0 && dropout < 0.0)
        return DGM_OK;
    return dgm_pieces_sample(pieces, alpha, dropout, (uint64_t)dgm_settings_int(settings, "seed"),
                             dgm_settings_text(settings, "model"));
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_pieces *pieces;
    dgm_status status;
    DGM_TRY(dgm_cmd_need(cmd, "model"));
    DGM_TRY(dgm_pieces_open(cmd->context, &pieces, dgm_settings_text(settings, "model"),
                            dgm_settings_text(settings, "format")[0] == 'i'));
    status = sample(cmd, pieces);
    if (status == DGM_OK)
        status = dgm_cmd_filter(cmd, dgm_pieces_encode_file, pieces);
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
