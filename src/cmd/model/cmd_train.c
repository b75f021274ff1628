/* cmd_train.c: `train`: from text files to a model file. */
#include "cmd/bar.h"
#include "cmd/common.h"
#include "cmd/recipe/auto.h"

static const struct dgm_opt options[] = { DGM_CMD_RECIPE, DGM_OPT_END };

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_cmd_bar bar = { cmd->env, "batches", 0 };

    if (dgm_settings_is_set(&cmd->settings, "recipe"))
        return dgm_recipe_run(cmd);
    return dgm_train_settings(cmd->context, &cmd->settings, cmd->progress ? dgm_cmd_bar_show : NULL,
                              &bar);
}

const struct dgm_command dgm_command_train = {
    .name = "train",
    .summary = "Train a model on a parallel text",
    .usage = "--train-sets SRC TRG [--valid-sets SRC TRG] [--config RECIPE] [OPTION]...",
    .example = "dragoman train --config tiny.conf -t train.en train.de -m model.gguf",
    .options = options,
    .tables = dgm_train_option_tables,
    .saves = DGM_CMD_TRAINS,
    .computes = 1,
    .settle = dgm_train_settle,
    .run = run,
};
