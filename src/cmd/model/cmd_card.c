/* cmd_card.c: `card`: a model file with what it says of itself. */
#include "api/program.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", .aliases = "out",
      .help = "Write the model to this new file; needed" },
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace a model that is there already" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    DGM_TRY(dgm_cmd_new_model(cmd));
    return dgm_model_card(cmd->context, cmd->arguments[0], cmd->arguments + 1,
                          cmd->argument_count - 1, dgm_settings_text(&cmd->settings, "output"));
}

const struct dgm_command dgm_command_card = {
    .name = "card",
    .summary = "Write into a model file what it is, whose, and for which languages",
    .usage = "MODEL -o OUT KEY=TEXT...",
    .example = "dragoman card m.gguf -o en-de.gguf name='English-German' license=MIT",
    .options = options,
    .least = 2,
    .most = -1,
    .run = run,
};
