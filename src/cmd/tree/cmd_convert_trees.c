/* cmd_convert_trees.c: treebanks from one format into another; a validator of each. */

#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "from", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "conllu", .choices = "conllu|conllx|typed|brackets",
      .help = "Format of the input" },
    { .name = "to", .letter = 't', .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "conllu",
      .choices = "conllu|conllx|typed|brackets|words|binary|json",
      .help = "Format of the output; words: one line of words for each sentence; binary: brackets "
              "around two constituents each, as encoders read them; json: a line for each "
              "sentence" },
    { .name = "head-rules", .type = DGM_OPT_CHOICE, .argument = "RULES",
      .choices = "english|first|last|word",
      .help = "Of brackets to dependencies: which child of a phrase is its head: by the rules of "
              "Collins (1999) for the Penn Treebank; the first or last; the word" },
    { .name = "relations", .type = DGM_OPT_CHOICE, .argument = "SCHEME",
      .choices = "phrases|labels|dep",
      .help = "Of the same: what DEPREL says: phrases, such as s-np (the default); the label "
              "of the dependent's phrase; dep" },
    { .name = "multi-root", .type = DGM_OPT_CHOICE, .argument = "POLICY", .fallback = "error",
      .choices = "error|attach-first|keep", .help = "What to do with several roots in a sentence" },
    { .name = "strict", .type = DGM_OPT_FLAG,
      .help = "Check of CoNLL-U all that levels 1 and 2 of UD's validator do" },
    { .name = "lenient", .type = DGM_OPT_FLAG,
      .help = "Warn of what is no tree and go on with its words" },
    { .name = "allow-empty", .type = DGM_OPT_FLAG,
      .help = "Take comments without words for an empty sentence" },
    { .name = "free", .type = DGM_OPT_FLAG,
      .help = "Brackets end a tree, not lines: trees over many lines, many trees on one" },
    { .name = "keep-tags", .type = DGM_OPT_FLAG,
      .help = "Leave NP-SBJ-1 as it is; otherwise it becomes NP" },
    { .name = "random", .type = DGM_OPT_INT, .argument = "SEED", .fallback = "0", .low = 0,
      .high = 4294967295.0,
      .help = "Replace each dependency tree by a random one, which the seed names, or give one to "
              "words without; 0: keep trees" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const char *input = dgm_settings_text(settings, "input");
    dgm_convert_options chosen = { .struct_size = sizeof chosen };
    struct dgm_cmd_sink sink;
    chosen.from = dgm_settings_text(settings, "from");
    chosen.to = dgm_settings_text(settings, "to");
    chosen.multi_root = dgm_settings_text(settings, "multi-root");
    chosen.head_rules = dgm_settings_text(settings, "head-rules");
    chosen.relations = dgm_settings_text(settings, "relations");
    chosen.strict = dgm_settings_flag(settings, "strict");
    chosen.lenient = dgm_settings_flag(settings, "lenient");
    chosen.allow_empty = dgm_settings_flag(settings, "allow-empty");
    chosen.free_lines = dgm_settings_flag(settings, "free");
    chosen.random_seed = (uint64_t)dgm_settings_int(settings, "random");
    chosen.keep_tags = dgm_settings_flag(settings, "keep-tags");
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    return dgm_cmd_close_sink(&sink, dgm_convert_trees(cmd->context, input, &chosen, dgm_cmd_write,
                                                       &sink));
}

const struct dgm_command dgm_command_convert_trees = {
    .name = "convert trees",
    .summary = "Convert trees between formats, or check them",
    .usage = "[OPTION]... < TREES",
    .example = "dragoman convert trees --strict -i corpus.conllu -o /dev/null",
    .aliases = "convert-trees",
    .options = options,
    .run = run,
};
