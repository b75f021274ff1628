/* cmd_average.c: the mean of several checkpoints. */
#include "base/mem.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "cmd/common.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", .aliases = "out",
      .help = "Write the mean to this new file; needed" },
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILES, .argument = "FILE...",
      .aliases = "inputs", .help = "Files to average, besides the arguments" },
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace a model that is there already" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const char **paths;
    dgm_status status;
    size_t count;
    DGM_TRY(dgm_cmd_new_model(cmd));
    DGM_TRY(dgm_cmd_list(cmd, "input", 1, &paths, &count));
    status = dgm_average(cmd->context, paths, count, dgm_settings_text(&cmd->settings, "output"));
    dgm_release(cmd->env, paths);
    return status;
}

const struct dgm_command dgm_command_average = {
    .name = "average",
    .summary = "Write the mean of the parameters of several checkpoints",
    .usage = "-o MODEL CHECKPOINT...",
    .example = "dragoman average -o mean.gguf model.gguf.ckpt/update-*.gguf",
    .options = options,
    .most = -1,
    .saves = DGM_CMD_SAVES,
    .run = run,
};
