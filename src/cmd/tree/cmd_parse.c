/* cmd_parse.c: `parse`: text or CoNLL-U in, CoNLL-U with trees and tags out. */
#include "cmd/tree/annotator.h"

#include <string.h>

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    DGM_CMD_PARSER,
    { .name = "to", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "conllu",
      .choices = "conllu|json|brackets|svg", .aliases = "output-format",
      .help = "What goes out: CoNLL-U; a line of JSON or of brackets for each sentence; a "
              "picture of all" },
    { .name = "prob", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "none",
      .choices = "none|row|marginal",
      .help = "Write the probability of each arc into MISC: among the heads of its word, or of all "
              "trees" },
    { .name = "split", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "none",
      .choices = "none|lines|document",
      .help = "Sentences of running text: a line is one, a line may be several, or they go over "
              "the ends of lines" },
    { .name = "ranges", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Write which characters of the text a token is into MISC" },
    { .name = "sent-id", .type = DGM_OPT_TEXT, .argument = "PREFIX",
      .help = "Put this before the number of the line, or sentence, in each # sent_id; those that "
              "come in stay; unset: the number alone" },
    { .name = "retag", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace the tags, features and lemmas that CoNLL-U gives",
      .needs = "format=conllu, which has no tags to replace" },
    { .name = "columns", .type = DGM_OPT_CHOICES, .argument = "NAME...",
      .choices = "upos|xpos|feats|lemma|head|deprel",
      .help = "Columns to write, of those that the parser has learned; of CoNLL-U that comes in, "
              "the others stay; unset: all" },
    { .name = "immediate", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Write each sentence before the next one is read, though more are there" },
    { .name = "from-attention", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Take the trees of the attention head that parses, though there is a parser inside" },
    { .name = "source", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "What comes in translates the lines of FILE: take the heads that the decoder's "
              "attention finds" },
    DGM_OPT_END
};
/* clang-format on */

enum { COLUMNS_SIZE = 64 }; /* of all names with commas */

/* The names of --columns, none of which stands there twice; NULL: none was given. */
static const char *join_columns(const struct dgm_settings *settings, char out[COLUMNS_SIZE])
{
    size_t count = dgm_settings_count(settings, "columns");

    *out = '\0';
    for (size_t i = 0; i < count; i++) {
        strcat(out, i > 0 ? "," : "");
        strcat(out, dgm_settings_item(settings, "columns", i));
    }
    return count > 0 ? out : NULL;
}

static dgm_status run_rank(struct dgm_cmd *cmd, struct dgm_ranks *ranks)
{
    const struct dgm_settings *settings = &cmd->settings;
    const char *models[DGM_CMD_MODELS];
    dgm_annotator_options chosen;
    char columns[COLUMNS_SIZE];

    DGM_TRY(dgm_cmd_parser_options(cmd, &chosen, models));
    chosen.output = dgm_settings_text(settings, "to");
    chosen.probability = dgm_settings_text(settings, "prob");
    chosen.split = dgm_settings_text(settings, "split");
    chosen.ranges = dgm_settings_flag(settings, "ranges");
    if (dgm_settings_is_set(settings, "sent-id"))
        chosen.sent_id = dgm_settings_text(settings, "sent-id");
    chosen.retag = dgm_settings_flag(settings, "retag");
    chosen.columns = join_columns(settings, columns);
    chosen.immediate = dgm_settings_flag(settings, "immediate");
    chosen.from_attention = dgm_settings_flag(settings, "from-attention");
    chosen.source = dgm_settings_text(settings, "source");
    return dgm_cmd_annotate(cmd, ranks, &chosen);
}

const struct dgm_command dgm_command_parse = {
    .name = "parse",
    .summary = "Find the dependency trees and tags of sentences",
    .usage = "[-m PARSER...] [OPTION]... < TEXT > CONLLU",
    .example = "echo 'The dog barks.' | dragoman parse -m en.gguf",
    .options = options,
    .saves = DGM_CMD_SAVES,
    .computes = 1,
    .run_ranks = run_rank,
};
