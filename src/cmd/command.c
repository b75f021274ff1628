/* command.c: finding a command by its name, and running it. */
#include "cmd/command.h"

#include <string.h>

#include "base/file/output.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "base/option/near.h"
#include "base/system/usage.h"

enum { MAX_COMMANDS = 64 };

static const struct dgm_command *const commands[] = {
#define CMD(name) &dgm_command_##name,
#include "cmd/cmd_list.h"
#undef CMD
    NULL,
};

const struct dgm_command *dgm_command_at(size_t i)
{
    return i < sizeof commands / sizeof commands[0] ? commands[i] : NULL;
}

/* ---- names ------------------------------------------------------------------------------- */

/* Whether `word` is one of the words that | separates. */
static int is_among(const char *words, const char *word)
{
    size_t length = strlen(word);
    while (words != NULL && *words != '\0') {
        size_t size = strcspn(words, "|");
        if (size == length && memcmp(words, word, size) == 0)
            return 1;
        words += size;
        words += *words == '|';
    }
    return 0;
}

/* How many of the words in argv name the command: 2 for "bpe learn", 1 for "score" or an alias,
 * or for "bpe-learn", as a link to the program is called; else 0. */
static int matches(const struct dgm_command *command, int argc, char *const *argv)
{
    const char *blank = strchr(command->name, ' ');
    size_t first = blank != NULL ? (size_t)(blank - command->name) : 0;
    if (strcmp(command->name, argv[0]) == 0 || is_among(command->aliases, argv[0]))
        return 1;
    if (blank == NULL || strncmp(argv[0], command->name, first) != 0)
        return 0;
    if (argv[0][first] == '-' && strcmp(argv[0] + first + 1, blank + 1) == 0)
        return 1;
    return argv[0][first] == '\0' && argc > 1 && strcmp(argv[1], blank + 1) == 0 ? 2 : 0;
}

/* Whether some command's name begins with this word and a blank. */
static int is_first_word(const char *word)
{
    size_t i, length = strlen(word);
    for (i = 0; commands[i] != NULL; i++)
        if (strncmp(commands[i]->name, word, length) == 0 && commands[i]->name[length] == ' ')
            return 1;
    return 0;
}

/* "bpe" alone, or with a second word nobody knows. */
static dgm_status refuse_second(struct dgm_env *env, int argc, char *const *argv)
{
    const char *names[MAX_COMMANDS];
    char quoted[DGM_QUOTE_SIZE], list[256] = "";
    size_t i, count = 0, length = strlen(argv[0]);
    const char *near;
    for (i = 0; commands[i] != NULL && count < MAX_COMMANDS; i++) {
        const char *name = commands[i]->name;
        if (strncmp(name, argv[0], length) != 0 || name[length] != ' ')
            continue;
        names[count++] = name + length + 1;
        if (strlen(list) + strlen(name) + 3 < sizeof list) {
            if (count > 1)
                strcat(list, ", ");
            strcat(list, name + length + 1);
        }
    }
    if (argc < 2 || argv[1][0] == '-')
        return dgm_fail(env, DGM_USAGE, "%s needs one of: %s. Try: dragoman help %s", argv[0], list,
                        argv[0]);
    dgm_quote(quoted, sizeof quoted, argv[1], strlen(argv[1]));
    near = dgm_nearest(argv[1], names, count);
    if (near == NULL)
        return dgm_fail(env, DGM_USAGE, "unknown command \"%s %s\"; expected one of: %s", argv[0],
                        quoted, list);
    return dgm_fail(env, DGM_USAGE, "unknown command \"%s %s\". Did you mean \"%s %s\"?", argv[0],
                    quoted, argv[0], near);
}

/* Names and aliases; of "bpe learn" the first word. */
static void find_near(struct dgm_near *near, const char *word)
{
    size_t i;
    dgm_near_begin(near, word, strlen(word));
    for (i = 0; commands[i] != NULL; i++) {
        dgm_near_try(near, commands[i]->name, strcspn(commands[i]->name, " "));
        dgm_near_try_list(near, commands[i]->aliases, '|');
    }
}

dgm_status dgm_command_find(struct dgm_env *env, const struct dgm_command **command, int *used,
                            int argc, char *const *argv)
{
    char quoted[DGM_QUOTE_SIZE];
    struct dgm_near near;
    size_t i;
    for (i = 0; commands[i] != NULL; i++) {
        *used = matches(commands[i], argc, argv);
        if (*used > 0) {
            *command = commands[i];
            return DGM_OK;
        }
    }
    if (is_first_word(argv[0]))
        return refuse_second(env, argc, argv);
    dgm_quote(quoted, sizeof quoted, argv[0], strlen(argv[0]));
    find_near(&near, argv[0]);
    if (near.best == NULL)
        return dgm_fail(env, DGM_USAGE, "unknown command \"%s\". Try: dragoman help", quoted);
    return dgm_fail(env, DGM_USAGE, "unknown command \"%s\". Did you mean \"%.*s\"?", quoted,
                    (int)near.best_length, near.best);
}

/* ---- running ----------------------------------------------------------------------------- */

void dgm_command_tables(const struct dgm_command *command,
                        const struct dgm_opt *tables[DGM_COMMAND_TABLES + 1])
{
    const struct dgm_opt *const *more = command->tables != NULL ? command->tables() : NULL;
    size_t count = 0;
    if (command->options != NULL)
        tables[count++] = command->options;
    for (; more != NULL && *more != NULL && count + 2 < DGM_COMMAND_TABLES; more++)
        tables[count++] = *more;
    if (command->computes)
        tables[count++] = dgm_device_options;
    tables[count++] = dgm_common_options;
    tables[count] = NULL;
}

/* Asked for anywhere before "--", help is given whatever else the line holds. */
static int asks_for_help(int argc, char *const *argv)
{
    int i;
    for (i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

static dgm_status print_help(struct dgm_env *env, const struct dgm_command *command)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status = dgm_help_command(env, &text, command);
    if (status == DGM_OK)
        status = dgm_cmd_print(env, &text);
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status print_settings(struct dgm_cmd *cmd)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status;
    /* Not part of what is asked for: the output is to serve as a config file. */
    DGM_TRY(dgm_settings_set(cmd->env, &cmd->settings, "dump-config", "false", "default"));
    status = dgm_settings_dump(cmd->env, &cmd->settings, &text, 1);
    if (status == DGM_OK)
        status = dgm_cmd_print(cmd->env, &text);
    dgm_buf_clear(cmd->env, &text);
    return status;
}

/* The arguments with "-tok" written as "--tokenize"; the caller releases the array. Nobody writes
 * to an argument, so a constant may stand in argv, whose type forbids it: hence the memcpy. */
static dgm_status respell(struct dgm_cmd *cmd, char ***out, int argc, char *const *argv)
{
    const struct dgm_spelling *spelling;
    char **words = dgm_alloc(cmd->env, (size_t)argc + 1, sizeof *words);
    int i, ended = 0;
    if (words == NULL)
        return DGM_MEMORY;
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

/* Environment, command line with its config files, then the checks of both. */
static dgm_status read_settings(struct dgm_cmd *cmd, int argc, char *const *argv)
{
    DGM_TRY(dgm_settings_environment(cmd->env, &cmd->settings));
    DGM_TRY(dgm_settings_arguments(cmd->env, &cmd->settings, argc, argv, cmd->arguments,
                                   &cmd->argument_count));
    return dgm_common_apply(cmd);
}

/* No file is both read and written: neither by the options nor by the arguments, nor is standard
 * input, read or not. */
static dgm_status keep_apart(struct dgm_cmd *cmd)
{
    size_t i, count = cmd->command->words != NULL ? 0 : (size_t)cmd->argument_count;
    const char **inputs = dgm_alloc(cmd->env, count + 1, sizeof *inputs);
    dgm_status status;
    if (inputs == NULL)
        return DGM_MEMORY;
    for (i = 0; i < count; i++)
        inputs[i] = cmd->arguments[i];
    inputs[count] = "-";
    status = dgm_outputs_keep_apart(cmd->env, &cmd->settings, inputs, count + 1);
    dgm_release(cmd->env, inputs);
    return status;
}

/* What the promise of memory is held against. */
static void log_peak(struct dgm_env *env)
{
    char text[32];
    text[dgm_number_print_fixed(text, (double)dgm_usage_peak() / 1048576, 1)] = '\0';
    dgm_log(env, DGM_LOG_DEBUG, "memory: the peak was %s MiB", text);
}

dgm_status dgm_command_run(dgm_context *context, const struct dgm_command *command, int argc,
                           char *const *argv, int progress)
{
    const struct dgm_opt *tables[DGM_COMMAND_TABLES + 1];
    struct dgm_cmd cmd;
    char **words = NULL;
    dgm_status status;
    memset(&cmd, 0, sizeof cmd);
    cmd.context = context;
    cmd.env = dgm_context_env(context);
    cmd.command = command;
    cmd.progress = progress;
    if (asks_for_help(argc, argv))
        return print_help(cmd.env, command);
    dgm_command_tables(command, tables);
    DGM_TRY_OUT(respell(&cmd, &words, argc, argv));
    DGM_TRY_OUT(dgm_settings_init(cmd.env, &cmd.settings, tables));
    cmd.arguments = dgm_alloc(cmd.env, (size_t)argc + 1, sizeof *cmd.arguments);
    if (cmd.arguments == NULL) {
        status = DGM_MEMORY;
        goto out;
    }
    DGM_TRY_OUT(read_settings(&cmd, argc, words));
    if (dgm_settings_flag(&cmd.settings, "dump-config")) {
        status = print_settings(&cmd);
        goto out;
    }
    DGM_TRY_OUT(check_arguments(&cmd));
    DGM_TRY_OUT(keep_apart(&cmd));
    status = command->run(&cmd);
    if (command->computes)
        log_peak(cmd.env);
out:
    dgm_release(cmd.env, cmd.arguments);
    dgm_settings_clear(cmd.env, &cmd.settings);
    dgm_release(cmd.env, words);
    return status;
}
