/* run.c: running a command: its options, from all sources, and the checks before it. */
#include "cmd/run.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "base/option/inputs_apart.h"
#include "base/option/option.h"
#include "base/option/rules.h"
#include "base/option/settings.h"
#include "base/option/settings_args.h"
#include "base/option/settings_file.h"
#include "base/system/usage.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/help/help.h"
#include "cmd/together.h"

/* --help anywhere before "--" wins over all else on the line, mistakes included. */
static int asks_for_help(int argc, char *const *argv)
{
    int i;
    for (i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

static dgm_status add_help(struct dgm_cmd *cmd, struct dgm_buf *text)
{
    return dgm_help_command(cmd->env, text, cmd->command, 1);
}

/* Those in effect: what the command makes of them. */
static dgm_status settle(struct dgm_cmd *cmd)
{
    struct dgm_settings settled;

    if (cmd->command->settle == NULL)
        return DGM_OK;
    DGM_TRY(cmd->command->settle(cmd->context, &settled, &cmd->settings));
    dgm_settings_clear(cmd->env, &cmd->settings);
    cmd->settings = settled;
    return DGM_OK;
}

static dgm_status add_settings(struct dgm_cmd *cmd, struct dgm_buf *text)
{
    DGM_TRY(settle(cmd));
    /* The output is to serve as a config file: it must not ask for itself again. */
    DGM_TRY(dgm_settings_set(cmd->env, &cmd->settings, "dump-config", "false", "default"));
    return dgm_settings_file_dump(cmd->env, &cmd->settings, text, 1);
}

/* Writes "-tok" as "--tokenize"; the caller releases the array. argv is an array of char *, and the
 * long name is a constant: memcpy gets past the type, as nobody writes to an argument. */
static dgm_status respell(struct dgm_cmd *cmd, char ***out, int argc, char *const *argv)
{
    const struct dgm_spelling *spelling;
    char **words;
    int i, ended = 0;
    DGM_TRY(dgm_new(cmd->env, &words, (size_t)argc + 1, sizeof *words));
    for (i = 0; i < argc; i++) {
        words[i] = argv[i];
        ended = ended || strcmp(argv[i], "--") == 0;
        for (spelling = cmd->command->spellings;
             !ended && spelling != NULL && spelling->given != NULL; spelling++)
            if (strcmp(argv[i], spelling->given) == 0)
                memcpy(&words[i], &spelling->meant, sizeof words[i]);
    }
    *out = words;
    return DGM_OK;
}

static dgm_status check_arguments(struct dgm_cmd *cmd)
{
    const struct dgm_command *command = cmd->command;
    char quoted[DGM_QUOTE_SIZE], taker[DGM_CMD_TAKER];
    dgm_cmd_taker(cmd, taker);
    if (cmd->argument_count < command->least)
        return dgm_fail(cmd->env, DGM_USAGE, "%s needs %s%s. Usage: dragoman %s %s", command->name,
                        cmd->argument_count == 0 ? "an argument" : "more arguments", taker,
                        command->name, command->usage);
    if (command->most < 0 || cmd->argument_count <= command->most)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, cmd->arguments[command->most],
              strlen(cmd->arguments[command->most]));
    return dgm_fail(cmd->env, DGM_USAGE, "unexpected argument \"%s\". Usage: dragoman %s %s",
                    quoted, command->name, command->usage);
}

/* Whether a command has the option, and takes the value for it. */
static dgm_status command_takes(struct dgm_env *env, const struct dgm_command *command,
                                const char *name, size_t length, const char *value, int *takes)
{
    const struct dgm_opt *tables[DGM_COMMON_TABLES + 1];
    struct dgm_settings settings;
    struct dgm_setting *setting;
    char why[DGM_OPT_WHY];
    dgm_status status = DGM_OK;

    dgm_common_tables(command, tables);
    DGM_TRY(dgm_settings_init(env, &settings, tables));
    setting = dgm_settings_find(&settings, name, length);
    if (setting != NULL && value != NULL)
        status = dgm_settings_take(env, setting, value, "elsewhere", why);
    *takes = setting != NULL && status == DGM_OK;
    dgm_settings_clear(env, &settings);
    return status == DGM_USAGE ? DGM_OK : status;
}

static dgm_status some_command_takes(struct dgm_env *env, const char *name, size_t length,
                                     const char *value, int *takes)
{
    const struct dgm_command *command;

    *takes = 0;
    for (size_t i = 0; !*takes && (command = dgm_commands_at(i)) != NULL; i++)
        DGM_TRY(command_takes(env, command, name, length, value, takes));
    return DGM_OK;
}

/* Reads the environment, then the command line with its config files, and applies what all commands
 * share. */
static dgm_status read_settings(struct dgm_cmd *cmd, int argc, char *const *argv)
{
    DGM_TRY(dgm_settings_args_environment(cmd->env, &cmd->settings, some_command_takes));
    DGM_TRY(dgm_settings_args_read(cmd->env, &cmd->settings, argc, argv, cmd->arguments,
                                   &cmd->argument_count));
    return dgm_common_apply(cmd);
}

/* Refuses to write a file that is also read, be it named by options or by arguments, or be it
 * standard input. */
static dgm_status keep_apart(struct dgm_cmd *cmd)
{
    size_t i, count = cmd->command->words != NULL ? 0 : (size_t)cmd->argument_count;
    const char **inputs;
    dgm_status status;
    DGM_TRY(dgm_new(cmd->env, &inputs, count + 1, sizeof *inputs));
    for (i = 0; i < count; i++)
        inputs[i] = cmd->arguments[i];
    inputs[count] = "-";
    status = dgm_inputs_apart_check(cmd->env, &cmd->settings, inputs, count + 1);
    dgm_release(cmd->env, inputs);
    return status;
}

/* Whether the command itself does: where there may be ranks, one of them is to tell what is wrong,
 * once all have joined (together.h); and training checks what it has made of its settings. */
static int checks_rules(const struct dgm_cmd *cmd)
{
    return dgm_settings_find(&cmd->settings, "ranks", strlen("ranks")) != NULL;
}

/* For comparison with what --memory promises. */
static void log_peak(struct dgm_env *env)
{
    char text[32];
    text[dgm_number_print_fixed(text, (double)dgm_usage_peak() / 1048576, 1)] = '\0';
    dgm_log(env, DGM_LOG_DEBUG, "memory: the peak was %s MiB", text);
}

dgm_status dgm_run_command(dgm_context *context, const struct dgm_command *command, int argc,
                           char *const *argv, int progress)
{
    const struct dgm_opt *tables[DGM_COMMON_TABLES + 1];
    struct dgm_cmd cmd = { .context = context, .command = command, .progress = progress };
    char **words = NULL;
    dgm_status status;
    cmd.env = dgm_context_env(context);
    if (asks_for_help(argc, argv))
        return dgm_cmd_print(&cmd, add_help);
    dgm_common_tables(command, tables);
    DGM_TRY_OUT(respell(&cmd, &words, argc, argv));
    DGM_TRY_OUT(dgm_settings_init(cmd.env, &cmd.settings, tables));
    DGM_TRY_OUT(dgm_new(cmd.env, &cmd.arguments, (size_t)argc + 1, sizeof *cmd.arguments));
    DGM_TRY_OUT(read_settings(&cmd, argc, words));
    if (dgm_settings_flag(&cmd.settings, "dump-config")) {
        status = dgm_cmd_print(&cmd, add_settings);
        goto out;
    }
    DGM_TRY_OUT(check_arguments(&cmd));
    DGM_TRY_OUT(keep_apart(&cmd));
    if (!checks_rules(&cmd))
        DGM_TRY_OUT(dgm_rules_check(cmd.env, &cmd.settings));
    status = command->run_ranks != NULL ? dgm_cmd_together(&cmd, command->run_ranks)
                                        : command->run(&cmd);
    if (command->computes)
        log_peak(cmd.env);
out:
    dgm_release(cmd.env, cmd.arguments);
    dgm_settings_clear(cmd.env, &cmd.settings);
    dgm_release(cmd.env, words);
    return status;
}
