/* cmd_completion.c: completion of command lines, written from the tables for three shells. */
#include <string.h>

#include "cmd/commands.h"
#include "cmd/common.h"

/* Writes one entry for an option of a command. */
typedef dgm_status option_fn(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_command *command, const struct dgm_opt *opt);

static dgm_status each_option(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_command *command, option_fn *fn)
{
    const struct dgm_opt *tables[DGM_COMMON_TABLES + 1], *opt;
    size_t i;
    dgm_common_tables(command, tables);
    for (i = 0; tables[i] != NULL; i++)
        for (opt = tables[i]; opt->name != NULL; opt++)
            DGM_TRY(fn(env, out, command, opt));
    return DGM_OK;
}

static int has_choices(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_CHOICE || opt->type == DGM_OPT_CHOICES;
}

static int takes_file(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_FILE || opt->type == DGM_OPT_FILES || opt->type == DGM_OPT_OUTPUT ||
           opt->type == DGM_OPT_OUTPUTS;
}

/* Text for the inside of single quotes, as each shell wants it; `escaped` get a backslash. */
static dgm_status add_quoted(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             const char *quote, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (strchr(escaped, *text) != NULL)
            DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        if (*text == '\'')
            DGM_TRY(dgm_buf_add_text(env, out, quote));
        else
            DGM_TRY(dgm_buf_add_char(env, out, *text));
    }
    return DGM_OK;
}

/* ---- words ------------------------------------------------------------------------------- */

/* How many bytes the first word of a command's name has. */
static size_t first_word(const struct dgm_command *command)
{
    return strcspn(command->name, " ");
}

static int has_second_word(const struct dgm_command *command)
{
    return command->name[first_word(command)] != '\0';
}

/* Whether no command before command i begins with the same word. */
static int is_first_of_family(size_t i)
{
    const struct dgm_command *command = dgm_commands_at(i), *other;
    size_t length = first_word(command);

    for (size_t j = 0; j < i; j++) {
        other = dgm_commands_at(j);
        if (first_word(other) == length && memcmp(other->name, command->name, length) == 0)
            return 0;
    }
    return 1;
}

/* "a b c " of a list "a|b|c". */
static dgm_status add_list(struct dgm_env *env, struct dgm_buf *out, const char *list)
{
    for (; list != NULL && *list != '\0'; list++)
        DGM_TRY(dgm_buf_add_char(env, out, *list == '|' ? ' ' : *list));
    return dgm_buf_add_char(env, out, ' ');
}

/* The first words of all commands, each once. */
static dgm_status add_first_words(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;

    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++)
        if (is_first_of_family(i))
            DGM_TRY(dgm_buf_add_format(env, out, "%.*s ", (int)first_word(command), command->name));
    return DGM_OK;
}

/* The second words of all commands with the same first word: "learn apply vocab undo ". */
static dgm_status add_second_words(struct dgm_env *env, struct dgm_buf *out,
                                   const struct dgm_command *family)
{
    const struct dgm_command *command;
    size_t length = first_word(family);

    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++)
        if (first_word(command) == length && has_second_word(command) &&
            memcmp(command->name, family->name, length) == 0)
            DGM_TRY(dgm_buf_add_format(env, out, "%s ", command->name + length + 1));
    return DGM_OK;
}

/* Adds what may stand behind the first word: second words, or the values of an argument, to which
 * `help` adds commands. Adds nothing if the arguments are files. */
static dgm_status add_words_behind(struct dgm_env *env, struct dgm_buf *out,
                                   const struct dgm_command *command)
{
    if (has_second_word(command))
        return add_second_words(env, out, command);
    if (command->words == NULL)
        return DGM_OK;
    DGM_TRY(add_list(env, out, command->words));
    return command == &dgm_command_help ? add_first_words(env, out) : DGM_OK;
}

static int has_words_behind(const struct dgm_command *command)
{
    return has_second_word(command) || command->words != NULL;
}

/* ---- bash and zsh ------------------------------------------------------------------------- */

/* Two words that are one command, and other names of commands, become the command's name; `second`
 * adds the second word. */
static dgm_status add_names(struct dgm_env *env, struct dgm_buf *out, const char *second)
{
    const struct dgm_command *command;

    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        if (command->aliases != NULL)
            DGM_TRY(dgm_buf_add_format(env, out, "    %s) command='%s' ;;\n", command->aliases,
                                       command->name));
        if (has_second_word(command) && is_first_of_family(i))
            DGM_TRY(dgm_buf_add_format(env, out, "    %.*s) %s ;;\n", (int)first_word(command),
                                       command->name, second));
    }
    return dgm_buf_add_text(env, out, "    esac\n");
}

/* What stands behind each first word that is not followed by files; `before` and `between` stand
 * around that word. */
static dgm_status add_families(struct dgm_env *env, struct dgm_buf *out, const char *before,
                               const char *between, const char *behind)
{
    const struct dgm_command *command;

    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        if (!has_words_behind(command) || !is_first_of_family(i))
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "%s%.*s%s", before, (int)first_word(command),
                                   command->name, between));
        DGM_TRY(add_words_behind(env, out, command));
        DGM_TRY(dgm_buf_add_text(env, out, behind));
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
    if (!has_choices(opt))
        return DGM_OK;
    DGM_TRY(dgm_buf_add_format(env, out, "    \"%s:--%s\"", command->name, opt->name));
    if (opt->letter != '\0')
        DGM_TRY(dgm_buf_add_format(env, out, " | \"%s:-%c\"", command->name, opt->letter));
    DGM_TRY(dgm_buf_add_text(env, out, ") words='"));
    DGM_TRY(add_list(env, out, opt->choices));
    return dgm_buf_add_text(env, out, "' ;;\n");
}

static dgm_status bash_words(struct dgm_env *env, struct dgm_buf *out)
{
    DGM_TRY(dgm_buf_add_text(env, out, "    case \"$command\" in\n"));
    DGM_TRY(add_names(env, out, "[ $COMP_CWORD -gt 2 ] && command=\"$command ${COMP_WORDS[2]}\""));
    DGM_TRY(dgm_buf_add_text(env, out, "    case \"$COMP_CWORD:$command\" in\n    1:*) words='"));
    DGM_TRY(add_first_words(env, out));
    DGM_TRY(dgm_buf_add_text(env, out, "' ;;\n"));
    DGM_TRY(add_families(env, out, "    2:", ") words='", "' ;;\n"));
    return dgm_buf_add_text(env, out, "    esac\n");
}

static dgm_status bash_options(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;

    DGM_TRY(dgm_buf_add_text(env, out, "    case \"$word:$command\" in\n"));
    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "    -*:\"%s\") words='", command->name));
        DGM_TRY(each_option(env, out, command, bash_option));
        DGM_TRY(dgm_buf_add_text(env, out, "' ;;\n"));
    }
    DGM_TRY(dgm_buf_add_text(env, out, "    esac\n    case \"$command:$before\" in\n"));
    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++)
        DGM_TRY(each_option(env, out, command, bash_choices));
    return dgm_buf_add_text(env, out, "    esac\n");
}

/* bash makes three words of --option=value. */
static dgm_status bash(struct dgm_env *env, struct dgm_buf *out)
{
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "# bash completion of dragoman; put it into ~/.bashrc or a completions folder\n"
        "_dragoman()\n{\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command=${COMP_WORDS[1]} words=''\n"
        "    [ \"$word\" = = ] && word=''\n"
        "    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n"));
    DGM_TRY(bash_words(env, out));
    DGM_TRY(bash_options(env, out));
    return dgm_buf_add_text(env, out,
                            "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
                            "complete -o default -F _dragoman dragoman\n");
}

/* ---- zsh --------------------------------------------------------------------------------- */

/* '--name[what it does]:value:_files' */
static dgm_status zsh_option(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_command *command, const struct dgm_opt *opt)
{
    (void)command;
    DGM_TRY(dgm_buf_add_format(env, out, " \\\n        '--%s[", opt->name));
    DGM_TRY(add_quoted(env, out, opt->help, "'\\''", "[]:"));
    DGM_TRY(dgm_buf_add_char(env, out, ']'));
    if (takes_file(opt))
        DGM_TRY(dgm_buf_add_text(env, out, ":file:_files"));
    else if (has_choices(opt)) {
        DGM_TRY(dgm_buf_add_text(env, out, ":choice:("));
        DGM_TRY(add_list(env, out, opt->choices));
        DGM_TRY(dgm_buf_add_char(env, out, ')'));
    } else if (opt->type != DGM_OPT_FLAG)
        DGM_TRY(dgm_buf_add_text(env, out, ":value: "));
    return dgm_buf_add_char(env, out, '\'');
}

/* "'score:BLEU and chrF of translations'" for each first word. */
static dgm_status zsh_commands(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;

    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        if (!is_first_of_family(i))
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "        '%.*s:", (int)first_word(command),
                                   command->name));
        if (has_second_word(command))
            DGM_TRY(add_second_words(env, out, command));
        else
            DGM_TRY(add_quoted(env, out, command->summary, "'\\''", ""));
        DGM_TRY(dgm_buf_add_text(env, out, "'\n"));
    }
    return DGM_OK;
}

/* What stands behind the first word; then two words that are one command become its name. */
static dgm_status zsh_words(struct dgm_env *env, struct dgm_buf *out)
{
    DGM_TRY(
        dgm_buf_add_text(env, out, "    if (( CURRENT == 3 )); then\n        case $command in\n"));
    DGM_TRY(add_families(env, out, "        ", ") compadd ", "; return ;;\n"));
    DGM_TRY(dgm_buf_add_text(env, out, "        esac\n    fi\n    case $command in\n"));
    return add_names(env, out, "command=\"$command $words[3]\"");
}

static dgm_status zsh(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;

    DGM_TRY(dgm_buf_add_text(
        env, out,
        "#compdef dragoman\n# zsh completion of dragoman; name it _dragoman, in a folder of "
        "$fpath\n_dragoman() {\n    local -a commands\n    commands=(\n"));
    DGM_TRY(zsh_commands(env, out));
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
        "    local command=$words[2]\n"));
    DGM_TRY(zsh_words(env, out));
    DGM_TRY(dgm_buf_add_text(env, out, "    case $command in\n"));
    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "    '%s') _arguments", command->name));
        DGM_TRY(each_option(env, out, command, zsh_option));
        DGM_TRY(dgm_buf_add_text(env, out, " \\\n        '*:file:_files' ;;\n"));
    }
    return dgm_buf_add_text(env, out, "    esac\n}\n_dragoman \"$@\"\n");
}

/* ---- fish -------------------------------------------------------------------------------- */

/* After the command, or one of its other names, was typed. */
static dgm_status fish_condition(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_command *command)
{
    size_t length = first_word(command);

    if (has_second_word(command))
        return dgm_buf_add_format(env, out,
                                  "'__fish_seen_subcommand_from %.*s; and "
                                  "__fish_seen_subcommand_from %s'",
                                  (int)length, command->name, command->name + length + 1);
    DGM_TRY(dgm_buf_add_format(env, out, "'__fish_seen_subcommand_from %s ", command->name));
    DGM_TRY(add_list(env, out, command->aliases));
    return dgm_buf_add_char(env, out, '\'');
}

static dgm_status fish_option(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_command *command, const struct dgm_opt *opt)
{
    DGM_TRY(dgm_buf_add_text(env, out, "complete -c dragoman -n "));
    DGM_TRY(fish_condition(env, out, command));
    DGM_TRY(dgm_buf_add_format(env, out, " -l %s", opt->name));
    if (opt->letter != '\0')
        DGM_TRY(dgm_buf_add_format(env, out, " -s %c", opt->letter));
    if (takes_file(opt))
        DGM_TRY(dgm_buf_add_text(env, out, " -r -F"));
    else if (has_choices(opt)) {
        DGM_TRY(dgm_buf_add_text(env, out, " -x -a '"));
        DGM_TRY(add_list(env, out, opt->choices));
        DGM_TRY(dgm_buf_add_char(env, out, '\''));
    } else if (opt->type != DGM_OPT_FLAG)
        DGM_TRY(dgm_buf_add_text(env, out, " -x"));
    DGM_TRY(dgm_buf_add_text(env, out, " -d '"));
    DGM_TRY(add_quoted(env, out, opt->help, "\\'", ""));
    return dgm_buf_add_text(env, out, "'\n");
}

/* The first word of a command; or the second, once the first was typed. */
static dgm_status fish_word(struct dgm_env *env, struct dgm_buf *out, size_t i)
{
    static const char first[] = "complete -c dragoman -f -n __fish_use_subcommand -a %.*s -d '";
    const struct dgm_command *command = dgm_commands_at(i);
    int length = (int)first_word(command);

    if (has_second_word(command) && is_first_of_family(i)) {
        DGM_TRY(dgm_buf_add_format(env, out, first, length, command->name));
        DGM_TRY(add_second_words(env, out, command));
        DGM_TRY(dgm_buf_add_text(env, out, "'\n"));
    }
    if (has_second_word(command))
        DGM_TRY(dgm_buf_add_format(env, out,
                                   "complete -c dragoman -f -n "
                                   "'__fish_seen_subcommand_from %.*s' -a %s -d '",
                                   length, command->name, command->name + length + 1));
    else
        DGM_TRY(dgm_buf_add_format(env, out, first, length, command->name));
    DGM_TRY(add_quoted(env, out, command->summary, "\\'", ""));
    return dgm_buf_add_text(env, out, "'\n");
}

static dgm_status fish_values(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_command *command)
{
    if (command->words == NULL)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_text(env, out, "complete -c dragoman -f -n "));
    DGM_TRY(fish_condition(env, out, command));
    DGM_TRY(dgm_buf_add_text(env, out, " -a '"));
    DGM_TRY(add_words_behind(env, out, command));
    return dgm_buf_add_text(env, out, "'\n");
}

static dgm_status fish(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;

    DGM_TRY(dgm_buf_add_text(env, out,
                             "# fish completion of dragoman; put it into "
                             "~/.config/fish/completions/dragoman.fish\n"));
    for (size_t i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        DGM_TRY(fish_word(env, out, i));
        DGM_TRY(fish_values(env, out, command));
        DGM_TRY(each_option(env, out, command, fish_option));
    }
    return DGM_OK;
}

/* ------------------------------------------------------------------------------------------ */

static dgm_status complete(struct dgm_cmd *cmd, struct dgm_buf *out)
{
    const char *shell = cmd->arguments[0];
    char quoted[DGM_QUOTE_SIZE];
    if (strcmp(shell, "bash") == 0)
        return bash(cmd->env, out);
    if (strcmp(shell, "zsh") == 0)
        return zsh(cmd->env, out);
    if (strcmp(shell, "fish") == 0)
        return fish(cmd->env, out);
    dgm_quote(quoted, sizeof quoted, shell, strlen(shell));
    return dgm_fail(cmd->env, DGM_USAGE, "no completion for \"%s\"; expected bash, zsh or fish",
                    quoted);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_print(cmd, complete);
}

const struct dgm_command dgm_command_completion = {
    .name = "completion",
    .summary = "Write the completion of command lines for a shell",
    .usage = "bash|zsh|fish",
    .example = "dragoman completion bash > ~/.local/share/bash-completion/completions/dragoman",
    .words = "bash|zsh|fish",
    .least = 1,
    .most = 1,
    .run = run,
};
