/* cmd_train_parser.c: `train-parser`: from a treebank to a dependency parser. */
#include "cmd/bar.h"
#include "cmd/common.h"

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_cmd_bar bar = { cmd->env, "batches", 0 };

    return dgm_train_parser_settings(cmd->context, &cmd->settings,
                                     cmd->progress ? dgm_cmd_bar_show : NULL, &bar);
}

const struct dgm_command dgm_command_train_parser = {
    .name = "train-parser",
    .summary = "Train a dependency parser and tagger on a treebank",
    .usage = "--train-sets TREEBANK... [--valid-sets TREEBANK...] [--config RECIPE] [OPTION]...",
    .example = "dragoman train-parser -t en.conllu --valid-sets dev.conllu -m en.gguf",
    .tables = dgm_train_parser_option_tables,
    .saves = DGM_CMD_TRAINS,
    .computes = 1,
    .run = run,
};
