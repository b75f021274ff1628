/* cmd_average.c: the mean of several checkpoints. */
#include "base/mem.h"
#include "cmd/command.h"

static const struct dgm_opt options[] = {
    { "output", 'o', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, "out",
      "Write the mean to this file, which is replaced as a whole; needed" },
    { "input", 'i', DGM_OPT_FILES, "FILE...", NULL, 0, 0, NULL, "inputs",
      "Files to average, besides the arguments" },
    DGM_OPT_END
};

static dgm_status run(struct dgm_cmd *cmd)
{
    size_t given = dgm_settings_count(&cmd->settings, "input");
    size_t i, count = given + (size_t)cmd->argument_count;
    const char **paths;
    dgm_status status;
    DGM_TRY(dgm_cmd_need(cmd, "output"));
    paths = dgm_alloc(cmd->env, count, sizeof *paths);
    if (paths == NULL)
        return DGM_MEMORY;
    for (i = 0; i < count; i++)
        paths[i] = i < given ? dgm_settings_item(&cmd->settings, "input", i)
                             : cmd->arguments[i - given];
    status = dgm_average(cmd->context, paths, count,
                         dgm_settings_text(&cmd->settings, "output"));
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
    .run = run,
};
