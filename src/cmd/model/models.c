/*
 * models.c: the files of --models, the trees of their sources, and the file of a new model.
 *
 * --models takes all files up to the next option: `translate -m a.gguf text` names `text` a model.
 * The error should say that, and not that a text is a broken model.
 */
#include "cmd/model/models.h"

#include <string.h>

#include "base/file/file.h"
#include "base/option/settings.h"

/* Whether a file that can be read is no GGUF file. */
static dgm_status is_no_model(struct dgm_env *env, const char *path, int *is_other)
{
    char head[4];
    size_t got = 0, more = 1;
    int fd, is_regular = 0;
    dgm_status status = dgm_file_open(env, &fd, path, NULL, &is_regular);
    *is_other = 0;
    if (status == DGM_MEMORY)
        return status;
    dgm_env_clear_error(env); /* the reader of models finds it again, and says more */
    if (status != DGM_OK)
        return DGM_OK;
    while (is_regular && status == DGM_OK && got < sizeof head && more > 0) {
        status = dgm_file_read_some(env, &more, fd, path, head + got, sizeof head - got);
        got += more;
    }
    *is_other = is_regular && status == DGM_OK && (got < 4 || memcmp(head, "GGUF", 4) != 0);
    dgm_env_clear_error(env);
    dgm_file_close(env, fd);
    return DGM_OK;
}

dgm_status dgm_cmd_models(struct dgm_cmd *cmd, const char *names[DGM_CMD_MODELS], size_t *count)
{
    const struct dgm_settings *settings = &cmd->settings;
    size_t i;
    *count = dgm_settings_count(settings, "models");
    if (*count == 0 || *count > DGM_CMD_MODELS)
        return dgm_fail(cmd->env, DGM_USAGE, "%zu models; expected --models with 1..%d files",
                        *count, (int)DGM_CMD_MODELS);
    for (i = 0; i < *count; i++) {
        int is_other = 0;
        names[i] = dgm_settings_item(settings, "models", i);
        if (i > 0)
            DGM_TRY(is_no_model(cmd->env, names[i], &is_other));
        if (is_other)
            return dgm_fail_at(cmd->env, DGM_USAGE, names[i], 0, 0,
                               "not a model, and --models takes all files up to the next option. "
                               "Usage: dragoman %s %s",
                               cmd->command->name, cmd->command->usage);
    }
    return DGM_OK;
}

const char *dgm_cmd_choose_trees(const struct dgm_settings *settings, int *none)
{
    const char *trees = dgm_settings_text(settings, "trees");

    *none = strcmp(trees, "none") == 0;
    return *none || strcmp(trees, "auto") == 0 ? NULL : trees;
}

const char *dgm_cmd_no_parse(const struct dgm_settings *settings)
{
    const char *how = dgm_settings_text(settings, "no-parse");

    return strcmp(how, "auto") == 0 ? NULL : how;
}

/* Training took days, perhaps: a name that was typed twice must not destroy the model. */
dgm_status dgm_cmd_new_model(struct dgm_cmd *cmd)
{
    const char *output;
    DGM_TRY(dgm_cmd_need(cmd, "output"));
    output = dgm_settings_text(&cmd->settings, "output");
    if (dgm_settings_flag(&cmd->settings, "overwrite") || !dgm_file_exists(cmd->env, output))
        return DGM_OK;
    return dgm_fail_at(cmd->env, DGM_USAGE, output, 0, 0,
                       "exists; expected a new file, or --overwrite");
}
