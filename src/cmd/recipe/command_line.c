/* command_line.c: command lines of this program: made, written for a shell, run in this process. */
#include "cmd/recipe/command_line.h"

#include <string.h>

#include "base/mem.h"
#include "cmd/commands.h"
#include "cmd/run.h"

dgm_status dgm_command_line_add(struct dgm_env *env, struct dgm_command_line *line,
                                const char *word)
{
    line->count++;
    return dgm_buf_add(env, &line->words, word, strlen(word) + 1);
}

/* ---- options --------------------------------------------------------------------------------- */

static dgm_status add_option(struct dgm_env *env, struct dgm_command_line *line, const char *prefix,
                             const char *name, const char *value)
{
    struct dgm_buf word = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_format(env, &word, "%s%s", prefix, name));
    if (value != NULL)
        DGM_TRY_OUT(dgm_buf_add_format(env, &word, "=%s", value));
    status = dgm_command_line_add(env, line, word.data);
out:
    dgm_buf_clear(env, &word);
    return status;
}

static dgm_status add_list(struct dgm_env *env, struct dgm_command_line *line,
                           const struct dgm_setting *setting)
{
    DGM_TRY(add_option(env, line, "--", setting->opt->name, NULL));
    for (size_t i = 0; i < setting->item_count; i++)
        DGM_TRY(dgm_command_line_add(env, line, setting->items[i]));
    return DGM_OK;
}

/* A value that begins as an option does stands behind a "=". */
dgm_status dgm_command_line_add_setting(struct dgm_env *env, struct dgm_command_line *line,
                                        const struct dgm_setting *setting)
{
    const struct dgm_opt *opt = setting->opt;

    if (DGM_OPT_IS_LIST(opt->type))
        return add_list(env, line, setting);
    if (opt->type == DGM_OPT_FLAG)
        return add_option(env, line, strcmp(setting->value, "true") == 0 ? "--" : "--no-",
                          opt->name, NULL);
    if (setting->value[0] == '-' || setting->value[0] == '\0')
        return add_option(env, line, "--", opt->name, setting->value);
    DGM_TRY(add_option(env, line, "--", opt->name, NULL));
    return dgm_command_line_add(env, line, setting->value);
}

/* ---- for a shell ----------------------------------------------------------------------------- */

static int is_plain(const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-./=,:%+@";

    return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

/* In single quotes, in which only they themselves mean anything. */
static dgm_status print_quoted(struct dgm_env *env, const char *word, struct dgm_buf *out)
{
    DGM_TRY(dgm_buf_add_char(env, out, '\''));
    for (; *word != '\0'; word++)
        if (*word == '\'')
            DGM_TRY(dgm_buf_add_text(env, out, "'\\''"));
        else
            DGM_TRY(dgm_buf_add_char(env, out, *word));
    return dgm_buf_add_char(env, out, '\'');
}

dgm_status dgm_command_line_print(struct dgm_env *env, const struct dgm_command_line *line,
                                  struct dgm_buf *out)
{
    const char *word = line->words.data;

    DGM_TRY(dgm_buf_add_text(env, out, "dragoman"));
    for (size_t i = 0; i < line->count; i++, word += strlen(word) + 1) {
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(is_plain(word) ? dgm_buf_add_text(env, out, word) : print_quoted(env, word, out));
    }
    return DGM_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* What a command takes from the one that runs it: none of it changes a result. */
static dgm_status add_manners(const struct dgm_cmd *cmd, struct dgm_command_line *line)
{
    static const char *const manners[] = { "quiet", "log-level", "threads" };

    for (size_t i = 0; i < sizeof manners / sizeof manners[0]; i++) {
        const struct dgm_setting *setting =
            dgm_settings_find(&cmd->settings, manners[i], strlen(manners[i]));

        if (setting->explicit_)
            DGM_TRY(dgm_command_line_add_setting(cmd->env, line, setting));
    }
    return DGM_OK;
}

static dgm_status run_words(struct dgm_cmd *cmd, const struct dgm_command_line *line, char **argv)
{
    const struct dgm_command *command;
    char *word = line->words.data;
    const int count = (int)line->count;
    int used;

    for (int i = 0; i < count; i++, word += strlen(word) + 1)
        argv[i] = word;
    DGM_TRY(dgm_commands_find(cmd->env, &command, &used, count, argv));
    return dgm_run_command(cmd->context, command, count - used, argv + used, cmd->progress);
}

dgm_status dgm_command_line_run(struct dgm_cmd *cmd, const struct dgm_command_line *line)
{
    struct dgm_command_line whole = { .count = line->count };
    struct dgm_env *env = cmd->env;
    char **argv = NULL;
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add(env, &whole.words, line->words.data, line->words.size));
    DGM_TRY_OUT(add_manners(cmd, &whole));
    DGM_TRY_OUT(dgm_new(env, &argv, whole.count + 1, sizeof *argv));
    status = run_words(cmd, &whole, argv);
out:
    dgm_release(env, argv);
    dgm_command_line_clear(env, &whole);
    return status;
}

void dgm_command_line_clear(struct dgm_env *env, struct dgm_command_line *line)
{
    dgm_buf_clear(env, &line->words);
    line->count = 0;
}
