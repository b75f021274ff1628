/* cmd_parse.c: `parse`: text or CoNLL-U in, CoNLL-U with trees and tags out. */
#include <string.h>

#include "cmd/command.h"

static const struct dgm_opt options[] = {
    { "model", 'm', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, "path",
      "Parser to use, or a translation model with a parser inside; needed" },
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { "format", 'f', DGM_OPT_CHOICE, "KIND", "raw", 0, 0, "raw|tokens|conllu", "input-format",
      "What comes in: running text, words between blanks, or CoNLL-U" },
    { "language", 0, DGM_OPT_TEXT, "CODE", "en", 0, 0, NULL, "source-lang",
      "Language of running text: how it is cut into words" },
    { "projective", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,
      "The best tree without crossing arcs" },
    { "prob", 0, DGM_OPT_CHOICE, "KIND", "none", 0, 0, "none|row|marginal", NULL,
      "Write the probability of each arc into MISC: among the heads of its word, or of all trees" },
    { "retag", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,
      "Replace the tags that CoNLL-U gives" },
    { "immediate", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,
      "Write each sentence before the next one is read" },
    { "batch-tokens", 0, DGM_OPT_INT, "N", "2000", 1, 1000000, NULL, "mini-batch-words",
      "Words parsed together; results never depend on it" },
    DGM_OPT_END
};

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    dgm_annotator_options chosen;

    DGM_TRY(dgm_cmd_need(cmd, "model"));
    memset(&chosen, 0, sizeof chosen);
    chosen.struct_size = sizeof chosen;
    chosen.model = dgm_settings_text(settings, "model");
    chosen.input = dgm_settings_text(settings, "format");
    chosen.language = dgm_settings_text(settings, "language");
    chosen.probability = dgm_settings_text(settings, "prob");
    chosen.projective = dgm_settings_flag(settings, "projective");
    chosen.retag = dgm_settings_flag(settings, "retag");
    chosen.immediate = dgm_settings_flag(settings, "immediate");
    chosen.batch_words = (int)dgm_settings_int(settings, "batch-tokens");
    return dgm_cmd_annotate(cmd, &chosen);
}

const struct dgm_command dgm_command_parse = {
    .name = "parse",
    .summary = "Find the dependency trees and tags of sentences",
    .usage = "-m PARSER [OPTION]... < TEXT > CONLLU",
    .example = "echo 'The dog barks.' | dragoman parse -m en.gguf",
    .options = options,
    .run = run,
};
