/* cmd_help.c: the overview, the help of a command, and other pages. */
#include <string.h>

#include "base/near.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/help/help.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "all-options", .type = DGM_OPT_FLAG,
      .help = "List the options of every command for scripts: command, option, letter, kind, "
              "choices, what it needs, what it excludes, and whether a resumed run may have "
              "another value, separated by tabs" },
    DGM_OPT_END
};
/* clang-format on */

/* "help bpe": lists the commands that begin with this word; *found counts them. */
static dgm_status list_family(struct dgm_env *env, struct dgm_buf *out, const char *word,
                              int *found)
{
    const struct dgm_command *command;
    size_t i, length = strlen(word);
    for (i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        if (strncmp(command->name, word, length) != 0 || command->name[length] != ' ')
            continue;
        if (++*found > 1)
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
        DGM_TRY(dgm_help_title(env, out, command));
        DGM_TRY(dgm_buf_add_format(env, out, "  dragoman %s %s\n", command->name, command->usage));
    }
    return DGM_OK;
}

/* Describes the command with this name. An unknown word may be a topic that was typed wrong. */
static dgm_status describe_command(struct dgm_cmd *cmd, struct dgm_buf *out)
{
    static const char *const topics[] = { "encoders", "syntax", "exit-codes" };
    const char *near = dgm_nearest(cmd->arguments[0], topics, 3);
    const struct dgm_command *command;
    char quoted[DGM_QUOTE_SIZE];
    int used;
    dgm_status status =
        dgm_commands_find(cmd->env, &command, &used, cmd->argument_count, cmd->arguments);
    if (status == DGM_OK)
        return dgm_help_command(cmd->env, out, command, 0);
    if (near == NULL || cmd->argument_count > 1)
        return status;
    dgm_env_clear_error(cmd->env);
    dgm_quote(quoted, sizeof quoted, cmd->arguments[0], strlen(cmd->arguments[0]));
    return dgm_fail(cmd->env, DGM_USAGE, "unknown topic \"%s\". Did you mean \"%s\"?", quoted,
                    near);
}

static dgm_status describe(struct dgm_cmd *cmd, struct dgm_buf *out)
{
    const char *topic = cmd->argument_count > 0 ? cmd->arguments[0] : NULL;
    int found = 0;
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
    return describe_command(cmd, out);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_print(cmd, describe);
}

const struct dgm_command dgm_command_help = {
    .name = "help",
    .summary = "Describe a command, kinds of encoder, variants of `--syntax`, or exit codes",
    .usage = "[COMMAND | encoders | syntax | exit-codes]",
    .example = "dragoman help bpe learn",
    .words = "encoders|syntax|exit-codes",
    .options = options,
    .most = 2,
    .run = run,
};
