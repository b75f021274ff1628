/* cmd_tok.c: running text to tokens. */
#include "cmd/command.h"

static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { "language", 'l', DGM_OPT_TEXT, "CODE", "en", 0, 0, NULL, "lang",
      "Language of the text; en, de and fr have rules of their own" },
    { "aggressive", 'a', DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Split hyphens inside words: a @-@ b" },
    { "escape", 0, DGM_OPT_FLAG, NULL, "true", 0, 0, NULL, NULL,
      "Write & | < > ' \" [ ] as &amp; &#124; &lt; &gt; &apos; &quot; &#91; &#93;" },
    { "normalize", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, "normalise",
      "Normalise quotes, dashes and other punctuation first" },
    { "lower", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, "lowercase", "Lower-case first" },
    DGM_OPT_END
};

static dgm_status apply(void *tool, const char *line, size_t bytes, const char **out,
                        size_t *out_bytes)
{
    return dgm_tokenizer_apply(tool, line, bytes, out, out_bytes);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_tokenizer_options chosen = { sizeof chosen, NULL, 0, 0, 0, 0 };
    dgm_tokenizer *tokenizer;
    dgm_status status;
    chosen.language = dgm_settings_text(&cmd->settings, "language");
    chosen.aggressive = dgm_settings_flag(&cmd->settings, "aggressive");
    chosen.no_escape = !dgm_settings_flag(&cmd->settings, "escape");
    chosen.punctuation = dgm_settings_flag(&cmd->settings, "normalize");
    chosen.lower = dgm_settings_flag(&cmd->settings, "lower");
    DGM_TRY(dgm_tokenizer_new(cmd->context, &chosen, &tokenizer));
    status = dgm_cmd_filter(cmd, apply, tokenizer);
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
