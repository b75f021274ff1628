/* cmd_help.c: the overview, the help of a command, and other pages. */
#include <string.h>

#include "cmd/command.h"

static const struct dgm_opt options[] = {
    { "all-options", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "List the options of every command for scripts: command, option, letter, kind and "
      "choices, separated by tabs" },
    DGM_OPT_END
};

/* "help bpe": the commands that begin with that word. 0 if there are none. */
static dgm_status list_family(struct dgm_env *env, struct dgm_buf *out, const char *word,
                              int *found)
{
    const struct dgm_command *command;
    size_t i, length = strlen(word);
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++) {
        if (strncmp(command->name, word, length) != 0 || command->name[length] != ' ')
            continue;
        if (++*found > 1)
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
        DGM_TRY(dgm_buf_add_format(env, out, "dragoman %s: %s\n  dragoman %s %s\n",
                                   command->name, command->summary, command->name,
                                   command->usage));
    }
    return DGM_OK;
}

static dgm_status describe(struct dgm_cmd *cmd, struct dgm_buf *out)
{
    const struct dgm_command *command;
    const char *topic = cmd->argument_count > 0 ? cmd->arguments[0] : NULL;
    int used, found = 0;
    if (dgm_settings_flag(&cmd->settings, "all-options"))
        return dgm_help_all_options(cmd->env, out);
    if (topic == NULL)
        return dgm_help_overview(cmd->env, out);
    if (strcmp(topic, "exit-codes") == 0)
        return dgm_help_exit_codes(cmd->env, out);
    if (strcmp(topic, "encoders") == 0)
        return dgm_help_encoders(cmd->env, out);
    if (strcmp(topic, "syntax") == 0)
        return dgm_help_syntax(cmd->env, out);
    if (cmd->argument_count == 1)
        DGM_TRY(list_family(cmd->env, out, topic, &found));
    if (found > 0)
        return DGM_OK;
    DGM_TRY(dgm_command_find(cmd->env, &command, &used, cmd->argument_count, cmd->arguments));
    return dgm_help_command(cmd->env, out, command);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status = describe(cmd, &text);
    if (status == DGM_OK)
        status = dgm_cmd_print(cmd->env, &text);
    dgm_buf_clear(cmd->env, &text);
    return status;
}

const struct dgm_command dgm_command_help = {
    .name = "help",
    .summary = "Describe a command, kinds of encoder, variants of `--syntax`, or exit codes",
    .usage = "[COMMAND | encoders | syntax | exit-codes]",
    .example = "dragoman help bpe learn",
    .options = options,
    .most = 2,
    .run = run,
};
