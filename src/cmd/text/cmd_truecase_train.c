/* cmd_truecase_train.c: learning how words are written within sentences. */
#include "base/mem.h"
#include "cmd/text/count_words.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUTS,
    DGM_CMD_OUTPUT,
    DGM_CMD_CASE_LANGUAGE,
    DGM_CMD_COUNT_MEMORY,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status read_all(struct dgm_cmd *cmd, dgm_truecaser *truecaser)
{
    const char **paths;
    dgm_status status = DGM_OK;
    size_t count;

    DGM_TRY(dgm_cmd_list(cmd, "input", 1, &paths, &count));
    if (count == 0)
        paths[count++] = "-";
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(dgm_truecaser_read(truecaser, paths[i]));
out:
    dgm_release(cmd->env, paths);
    return status;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_truecaser_options chosen = { .struct_size = sizeof chosen };
    dgm_truecaser *truecaser;
    struct dgm_cmd_sink sink;
    dgm_status status;

    chosen.language = dgm_settings_text(&cmd->settings, "language");
    chosen.memory = dgm_settings_bytes(&cmd->settings, "count-memory");
    DGM_TRY(dgm_truecaser_new(cmd->context, &chosen, &truecaser));
    DGM_TRY_OUT(read_all(cmd, truecaser));
    DGM_TRY_OUT(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_cmd_close_sink(&sink, dgm_truecaser_write(truecaser, dgm_cmd_write, &sink));
out:
    dgm_truecaser_free(truecaser);
    return status;
}

const struct dgm_command dgm_command_truecase_train = {
    .name = "truecase train",
    .summary = "Learn from tokens how each word is written within sentences",
    .usage = "[OPTION]... [FILE]... > MODEL",
    .example = "dragoman truecase train -o case.en train.tok.en",
    .options = options,
    .most = -1,
    .run = run,
};
