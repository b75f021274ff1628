/* cmd_annotate.c: `annotate`: a corpus in, for each line values of its subword pieces out. */
#include "cmd/tree/annotator.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    DGM_CMD_PARSER,
    { .name = "to", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "heads",
      .choices = "heads|depths|distances|positions|firsts|tags|labels|pieces|conllu",
      .aliases = "output-format",
      .help = "What goes out: one value for each piece, distances of each pair, or CoNLL-U" },
    { .name = "tokens", .type = DGM_OPT_CHOICE, .argument = "WHICH", .fallback = "own",
      .choices = "own|moses|blanks",
      .help = "With a parser that cuts text: what gets values: its words; the tokens of Moses' "
              "rules, or what stands between blanks, over which its trees are laid" },
    { .name = "codes", .letter = 'c', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "BPE codes that cut words into pieces; without them words are pieces" },
    { .name = "separator", .letter = 's', .type = DGM_OPT_TEXT, .argument = "TEXT",
      .fallback = "@@", .help = "What marks a piece that does not end its word" },
    { .name = "chain", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Depths and distances of a tree over pieces, those of a word in a chain, as heads "
              "has it" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run_rank(struct dgm_cmd *cmd, struct dgm_ranks *ranks)
{
    const struct dgm_settings *settings = &cmd->settings;
    const char *models[DGM_CMD_MODELS];
    dgm_annotator_options chosen;

    DGM_TRY(dgm_cmd_parser_options(cmd, &chosen, models));
    chosen.output = dgm_settings_text(settings, "to");
    chosen.tokens = dgm_settings_text(settings, "tokens");
    chosen.codes = dgm_settings_text(settings, "codes");
    chosen.separator = dgm_settings_text(settings, "separator");
    chosen.chain = dgm_settings_flag(settings, "chain");
    return dgm_cmd_annotate(cmd, ranks, &chosen);
}

const struct dgm_command dgm_command_annotate = {
    .name = "annotate",
    .summary = "Give the subword pieces of a corpus their heads, distances, positions or tags",
    .usage = "[-m PARSER...] [--codes CODES] [--to KIND] [OPTION]... < TEXT > VALUES",
    .example = "dragoman annotate -m en.gguf --codes codes --to depths < t.en > t.dep",
    .options = options,
    .saves = DGM_CMD_SAVES,
    .computes = 1,
    .run_ranks = run_rank,
};
