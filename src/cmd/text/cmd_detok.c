/* cmd_detok.c: tokens back to running text. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "language", .letter = 'l', .type = DGM_OPT_TEXT, .argument = "CODE", .fallback = "en",
      .aliases = "lang", .help = "Language of the text; en and fr have rules of their own" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_tokenizer_options chosen = { .struct_size = sizeof chosen };
    dgm_tokenizer *tokenizer;
    dgm_status status;
    chosen.language = dgm_settings_text(&cmd->settings, "language");
    DGM_TRY(dgm_tokenizer_new(cmd->context, &chosen, &tokenizer));
    status = dgm_cmd_filter(cmd, dgm_tokenizer_undo_file, tokenizer);
    dgm_tokenizer_free(tokenizer);
    return status;
}

const struct dgm_command dgm_command_detok = {
    .name = "detok",
    .summary = "Join words and punctuation to running text, as Moses does",
    .usage = "[OPTION]... < TOKENS > TEXT",
    .example = "dragoman detok < output.tok.en > output.en",
    .aliases = "detokenize|detokenise",
    .options = options,
    .run = run,
};
