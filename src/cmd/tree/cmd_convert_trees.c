/* cmd_convert_trees.c: treebanks from one format into another; a validator of each. */
#include <string.h>

#include "cmd/command.h"

static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { "from", 'f', DGM_OPT_CHOICE, "KIND", "conllu", 0, 0, "conllu|conllx|typed|brackets", NULL,
      "Format of the input" },
    { "to", 't', DGM_OPT_CHOICE, "KIND", "conllu", 0, 0,
      "conllu|conllx|typed|brackets|words|binary", NULL,
      "Format of the output; words: one line of words for each sentence; binary: brackets around "
      "two constituents each, as encoders read them" },
    { "multi-root", 0, DGM_OPT_CHOICE, "POLICY", "error", 0, 0, "error|attach-first|keep", NULL,
      "What to do with several roots in a sentence" },
    { "strict", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Check the tags, features, relations, DEPS and text of CoNLL-U too" },
    { "lenient", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Warn of what is no tree and go on with its words" },
    { "allow-empty", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Take comments without words for an empty sentence" },
    { "free", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Brackets end a tree, not lines: trees over many lines, many trees on one" },
    { "keep-tags", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Leave NP-SBJ-1 as it is; otherwise it becomes NP" },
    DGM_OPT_END
};

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const char *input = dgm_settings_text(settings, "input");
    const char *output = dgm_settings_text(settings, "output");
    dgm_convert_options chosen;
    struct dgm_writer writer;
    struct dgm_cmd_sink sink;
    dgm_status status;
    memset(&chosen, 0, sizeof chosen);
    chosen.struct_size = sizeof chosen;
    chosen.from = dgm_settings_text(settings, "from");
    chosen.to = dgm_settings_text(settings, "to");
    chosen.multi_root = dgm_settings_text(settings, "multi-root");
    chosen.strict = dgm_settings_flag(settings, "strict");
    chosen.lenient = dgm_settings_flag(settings, "lenient");
    chosen.allow_empty = dgm_settings_flag(settings, "allow-empty");
    chosen.free_lines = dgm_settings_flag(settings, "free");
    chosen.keep_tags = dgm_settings_flag(settings, "keep-tags");
    DGM_TRY(dgm_cmd_open_output(cmd->env, &writer, output));
    sink.env = cmd->env;
    sink.writer = &writer;
    status = dgm_convert_trees(cmd->context, input, &chosen, dgm_cmd_write, &sink);
    return dgm_cmd_close_output(cmd->env, &writer, status);
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
