/* training.h: the options of the training that `train --recipe auto` runs. */
#ifndef DGM_CMD_RECIPE_TRAINING_H
#define DGM_CMD_RECIPE_TRAINING_H

#include "cmd/recipe/command_line.h"
#include "cmd/recipe/rows.h"

struct dgm_recipe_texts {
    const char *train[2], *valid[2]; /* valid: where the user names none */
    int are_alike;                   /* both sides have one script, and may share their pieces */
};

/*
 * Settings over the tables of `cmd`, which is `train`: those of the row, but for what the user has
 * said, which wins; and the texts. To be cleared by the caller, also after a failure. The rules of
 * the options are checked.
 */
dgm_status dgm_recipe_training_settings(struct dgm_cmd *cmd, const struct dgm_recipe_row *row,
                                        const struct dgm_recipe_texts *texts,
                                        struct dgm_settings *settings);
/* Adds "train" and these settings. */
dgm_status dgm_recipe_training_line(struct dgm_cmd *cmd, const struct dgm_settings *settings,
                                    struct dgm_command_line *line);

#endif
