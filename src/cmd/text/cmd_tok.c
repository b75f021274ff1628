/* cmd_tok.c: running text to tokens. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "language", .letter = 'l', .type = DGM_OPT_TEXT, .argument = "CODE", .fallback = "en",
      .aliases = "lang", .help = "Language of the text; en, de and fr have rules of their own" },
    { .name = "aggressive", .letter = 'a', .type = DGM_OPT_FLAG,
      .help = "Split hyphens inside words: a @-@ b" },
    { .name = "escape", .type = DGM_OPT_FLAG, .fallback = "true",
      .help = "Write & | < > ' \" [ ] as &amp; &#124; &lt; &gt; &apos; &quot; &#91; &#93;" },
    { .name = "normalize", .type = DGM_OPT_FLAG, .aliases = "normalise",
      .help = "Normalise quotes, dashes and other punctuation first" },
    { .name = "normalize-steps", .type = DGM_OPT_TEXT, .argument = "STEPS",
      .fallback = "penn,commas,numbers", .aliases = "normalise-steps", .needs = "normalize",
      .help = "What is normalised: moses, as Moses' script does; as sacremoses, none or some of "
              "penn,commas,numbers,full-width,controls" },
    { .name = "lower", .type = DGM_OPT_FLAG, .aliases = "lowercase", .help = "Lower-case first" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_tokenizer_options chosen = { .struct_size = sizeof chosen };
    dgm_tokenizer *tokenizer;
    dgm_status status;
    chosen.language = dgm_settings_text(&cmd->settings, "language");
    chosen.aggressive = dgm_settings_flag(&cmd->settings, "aggressive");
    chosen.no_escape = !dgm_settings_flag(&cmd->settings, "escape");
    chosen.punctuation = dgm_settings_flag(&cmd->settings, "normalize");
    chosen.punctuation_steps = dgm_settings_text(&cmd->settings, "normalize-steps");
    chosen.lower = dgm_settings_flag(&cmd->settings, "lower");
    DGM_TRY(dgm_tokenizer_new(cmd->context, &chosen, &tokenizer));
    status = dgm_cmd_filter(cmd, dgm_tokenizer_apply_file, tokenizer);
    dgm_tokenizer_free(tokenizer);
    return status;
}

const struct dgm_command dgm_command_tok = {
    .name = "tok",
    .summary = "Cut running text into words and punctuation, as Moses does",
    .usage = "[OPTION]... < TEXT > TOKENS",
    .example = "dragoman tok -l de < corpus.de > corpus.tok.de",
    .aliases = "tokenize|tokenise",
    .options = options,
    .run = run,
};
