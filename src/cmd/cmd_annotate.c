/* cmd_annotate.c: `annotate`: a corpus in, for each line values of its subword pieces out. */
#include <string.h>

#include "cmd/command.h"

static const struct dgm_opt options[] = {
    { "model", 'm', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, "path",
      "Parser to use, or a translation model with a parser inside; needed" },
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { "format", 'f', DGM_OPT_CHOICE, "KIND", "raw", 0, 0, "raw|tokens|conllu", "input-format",
      "What comes in: running text, words between blanks, or CoNLL-U" },
    { "to", 0, DGM_OPT_CHOICE, "KIND", "heads", 0, 0,
      "heads|depths|distances|positions|firsts|tags|labels|pieces|conllu", "output-format",
      "What goes out: one value for each piece, distances of each pair, or CoNLL-U" },
    { "codes", 'c', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "BPE codes that cut words into pieces; without them words are pieces" },
    { "separator", 's', DGM_OPT_TEXT, "TEXT", "@@", 0, 0, NULL, NULL,
      "What marks a piece that does not end its word" },
    { "chain", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,
      "Depths and distances of a tree over pieces, those of a word in a chain, as heads has it" },
    { "language", 0, DGM_OPT_TEXT, "CODE", "en", 0, 0, NULL, "source-lang",
      "Language of running text: how it is cut into words" },
    { "projective", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,
      "The best tree without crossing arcs" },
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
    chosen.output = dgm_settings_text(settings, "to");
    chosen.language = dgm_settings_text(settings, "language");
    chosen.codes = dgm_settings_text(settings, "codes");
    chosen.separator = dgm_settings_text(settings, "separator");
    chosen.chain = dgm_settings_flag(settings, "chain");
    chosen.projective = dgm_settings_flag(settings, "projective");
    chosen.batch_words = (int)dgm_settings_int(settings, "batch-tokens");
    return dgm_cmd_annotate(cmd, &chosen);
}

const struct dgm_command dgm_command_annotate = {
    .name = "annotate",
    .summary = "Give the subword pieces of a corpus their heads, distances, positions or tags",
    .usage = "-m PARSER [--codes CODES] [--to KIND] [OPTION]... < TEXT > VALUES",
    .example = "dragoman annotate -m en.gguf --codes codes --to positions < train.en > train.pos",
    .options = options,
    .run = run,
};
