/* cmd_train.c: `train`: from text files to a model file. */
#include "cmd/command.h"

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_cmd_bar bar = { cmd->env, 0 };

    return dgm_train_settings(cmd->context, &cmd->settings,
                              cmd->progress ? dgm_cmd_show_bar : NULL, &bar);
}

const struct dgm_command dgm_command_train = {
    "train",
    "Train a model on a parallel text",
    "--train-sets SRC TRG [--valid-sets SRC TRG] [--config RECIPE] [OPTION]...",
    "dragoman train --config multi30k-tiny.conf -t train.en train.de -m model.gguf",
    NULL, NULL, dgm_train_option_tables, NULL, 0, 0, 1, run,
};
