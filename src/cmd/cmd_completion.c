/* cmd_completion.c: completion of command lines, written from the tables for three shells. */
#include <string.h>

#include "cmd/command.h"

/* Writes one entry for an option of a command. */
typedef dgm_status option_fn(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_command *command, const struct dgm_opt *opt);

static dgm_status each_option(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_command *command, option_fn *fn)
{
    const struct dgm_opt *tables[DGM_COMMAND_TABLES + 1], *opt;
    size_t i;
    dgm_command_tables(command, tables);
    for (i = 0; tables[i] != NULL; i++)
        for (opt = tables[i]; opt->name != NULL; opt++)
            DGM_TRY(fn(env, out, command, opt));
    return DGM_OK;
}

static int takes_file(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_FILE || opt->type == DGM_OPT_FILES;
}

/* Text for the inside of single quotes, in the way of the shell it is for. */
static dgm_status add_quoted(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             const char *quote)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            DGM_TRY(dgm_buf_add_text(env, out, quote));
        else
            DGM_TRY(dgm_buf_add_char(env, out, *text));
    }
    return DGM_OK;
}

/* ---- bash -------------------------------------------------------------------------------- */

static dgm_status bash_option(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_command *command, const struct dgm_opt *opt)
{
    (void)command;
    return dgm_buf_add_format(env, out, " --%s", opt->name);
}

/* `choices` of one option: "command:--option) words=..." */
static dgm_status bash_choices(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_command *command, const struct dgm_opt *opt)
{
    const char *choice = opt->choices;
    if (opt->type != DGM_OPT_CHOICE)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_format(env, out, "    \"%s:--%s\") words='", command->name, opt->name));
    for (; *choice != '\0'; choice++)
        DGM_TRY(dgm_buf_add_char(env, out, *choice == '|' ? ' ' : *choice));
    return dgm_buf_add_text(env, out, "' ;;\n");
}

static dgm_status bash(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;
    size_t i;
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "# bash completion of dragoman; put it into ~/.bashrc or a completions folder\n"
        "_dragoman()\n{\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command=${COMP_WORDS[1]} words=''\n"
        "    [ \"$command\" = bpe ] && [ $COMP_CWORD -gt 2 ] && command=\"bpe ${COMP_WORDS[2]}\"\n"
        "    case \"$COMP_CWORD:$command\" in\n    1:*) words='"));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++)
        if (strchr(command->name, ' ') == NULL)
            DGM_TRY(dgm_buf_add_format(env, out, "%s ", command->name));
    DGM_TRY(dgm_buf_add_text(env, out,
                             "bpe' ;;\n    2:bpe) words='learn apply vocab undo' ;;\n    esac\n"
                             "    case \"$word:$command\" in\n"));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "    -*:\"%s\") words='", command->name));
        DGM_TRY(each_option(env, out, command, bash_option));
        DGM_TRY(dgm_buf_add_text(env, out, "' ;;\n"));
    }
    DGM_TRY(dgm_buf_add_text(env, out, "    esac\n    case \"$command:$before\" in\n"));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++)
        DGM_TRY(each_option(env, out, command, bash_choices));
    return dgm_buf_add_text(
        env, out,
        "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
        "complete -o default -F _dragoman dragoman\n");
}

/* ---- zsh --------------------------------------------------------------------------------- */

/* '--name[what it does]:value:_files' */
static dgm_status zsh_option(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_command *command, const struct dgm_opt *opt)
{
    const char *at;
    (void)command;
    DGM_TRY(dgm_buf_add_format(env, out, " \\\n        '--%s[", opt->name));
    for (at = opt->help; *at != '\0'; at++) {
        if (*at == '[' || *at == ']' || *at == ':')
            DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        if (*at == '\'')
            DGM_TRY(dgm_buf_add_text(env, out, "'\\''"));
        else
            DGM_TRY(dgm_buf_add_char(env, out, *at));
    }
    DGM_TRY(dgm_buf_add_char(env, out, ']'));
    if (takes_file(opt))
        DGM_TRY(dgm_buf_add_text(env, out, ":file:_files"));
    else if (opt->type == DGM_OPT_CHOICE) {
        DGM_TRY(dgm_buf_add_text(env, out, ":choice:("));
        for (at = opt->choices; *at != '\0'; at++)
            DGM_TRY(dgm_buf_add_char(env, out, *at == '|' ? ' ' : *at));
        DGM_TRY(dgm_buf_add_char(env, out, ')'));
    } else if (opt->type != DGM_OPT_FLAG)
        DGM_TRY(dgm_buf_add_text(env, out, ":value: "));
    return dgm_buf_add_char(env, out, '\'');
}

static dgm_status zsh(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;
    size_t i;
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "#compdef dragoman\n# zsh completion of dragoman; name it _dragoman, in a folder of "
        "$fpath\n_dragoman() {\n    local -a commands\n    commands=(\n"));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++) {
        if (strchr(command->name, ' ') != NULL)
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "        '%s:", command->name));
        DGM_TRY(add_quoted(env, out, command->summary, "'\\''"));
        DGM_TRY(dgm_buf_add_text(env, out, "'\n"));
    }
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "        'bpe:learn, apply and undo byte pair encoding'\n    )\n"
        "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
        "    local command=$words[2]\n"
        "    if [[ $command == bpe ]]; then\n"
        "        if (( CURRENT == 3 )); then compadd learn apply vocab undo; return; fi\n"
        "        command=\"bpe $words[3]\"\n    fi\n"
        "    case $command in\n"));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "    '%s') _arguments", command->name));
        DGM_TRY(each_option(env, out, command, zsh_option));
        DGM_TRY(dgm_buf_add_text(env, out, " \\\n        '*:file:_files' ;;\n"));
    }
    return dgm_buf_add_text(env, out, "    esac\n}\n_dragoman \"$@\"\n");
}

/* ---- fish -------------------------------------------------------------------------------- */

static dgm_status fish_condition(struct dgm_env *env, struct dgm_buf *out, const char *name)
{
    const char *blank = strchr(name, ' ');
    if (blank == NULL)
        return dgm_buf_add_format(env, out, "'__fish_seen_subcommand_from %s'", name);
    return dgm_buf_add_format(env, out,
                              "'__fish_seen_subcommand_from %.*s; and "
                              "__fish_seen_subcommand_from %s'",
                              (int)(blank - name), name, blank + 1);
}

static dgm_status fish_option(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_command *command, const struct dgm_opt *opt)
{
    const char *at;
    DGM_TRY(dgm_buf_add_text(env, out, "complete -c dragoman -n "));
    DGM_TRY(fish_condition(env, out, command->name));
    DGM_TRY(dgm_buf_add_format(env, out, " -l %s", opt->name));
    if (opt->letter != '\0')
        DGM_TRY(dgm_buf_add_format(env, out, " -s %c", opt->letter));
    if (takes_file(opt))
        DGM_TRY(dgm_buf_add_text(env, out, " -r -F"));
    else if (opt->type == DGM_OPT_CHOICE) {
        DGM_TRY(dgm_buf_add_text(env, out, " -x -a '"));
        for (at = opt->choices; *at != '\0'; at++)
            DGM_TRY(dgm_buf_add_char(env, out, *at == '|' ? ' ' : *at));
        DGM_TRY(dgm_buf_add_char(env, out, '\''));
    } else if (opt->type != DGM_OPT_FLAG)
        DGM_TRY(dgm_buf_add_text(env, out, " -x"));
    DGM_TRY(dgm_buf_add_text(env, out, " -d '"));
    DGM_TRY(add_quoted(env, out, opt->help, "\\'"));
    return dgm_buf_add_text(env, out, "'\n");
}

static dgm_status fish(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;
    size_t i;
    DGM_TRY(dgm_buf_add_text(env, out,
                             "# fish completion of dragoman; put it into "
                             "~/.config/fish/completions/dragoman.fish\n"));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++) {
        const char *blank = strchr(command->name, ' ');
        const char *word = blank != NULL ? blank + 1 : command->name;
        DGM_TRY(dgm_buf_add_format(
            env, out, "complete -c dragoman -f -n %s -a %s -d '",
            blank != NULL ? "'__fish_seen_subcommand_from bpe'" : "__fish_use_subcommand", word));
        DGM_TRY(add_quoted(env, out, command->summary, "\\'"));
        DGM_TRY(dgm_buf_add_text(env, out, "'\n"));
        DGM_TRY(each_option(env, out, command, fish_option));
    }
    return dgm_buf_add_text(env, out,
                            "complete -c dragoman -f -n __fish_use_subcommand -a bpe -d "
                            "'learn, apply and undo byte pair encoding'\n");
}

/* ------------------------------------------------------------------------------------------ */

static dgm_status run(struct dgm_cmd *cmd)
{
    static const char *const names[] = { "bash", "zsh", "fish" };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    const char *shell = cmd->arguments[0];
    char quoted[DGM_QUOTE_SIZE];
    dgm_status status;
    int i = 0;
    while (i < 3 && strcmp(shell, names[i]) != 0)
        i++;
    dgm_quote(quoted, sizeof quoted, shell, strlen(shell));
    if (i == 3)
        return dgm_fail(cmd->env, DGM_USAGE, "no completion for \"%s\"; expected bash, zsh or "
                        "fish", quoted);
    DGM_TRY_OUT(i == 0   ? bash(cmd->env, &text)
                : i == 1 ? zsh(cmd->env, &text)
                         : fish(cmd->env, &text));
    status = dgm_cmd_print(cmd->env, &text);
out:
    dgm_buf_clear(cmd->env, &text);
    return status;
}

const struct dgm_command dgm_command_completion = {
    .name = "completion",
    .summary = "Write the completion of command lines for a shell",
    .usage = "bash|zsh|fish",
    .example = "dragoman completion bash > ~/.local/share/bash-completion/completions/dragoman",
    .least = 1,
    .most = 1,
    .run = run,
};
