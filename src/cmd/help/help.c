/* help.c: the help, made from the tables: overview, one command, all options, exit codes. */
#include <string.h>

#include "cmd/command.h"

enum { PAGE = 90 };

dgm_status dgm_help_add_wrapped(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t column)
{
    size_t at = column;

    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (at > column && at + 1 + length > PAGE) {
            DGM_TRY(dgm_buf_add_format(env, out, "\n%*s", (int)column, ""));
            at = column;
        } else if (at > column) {
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
            at++;
        }
        DGM_TRY(dgm_buf_add(env, out, text, length));
        at += length;
        text += length;
        text += strspn(text, " ");
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_help_overview(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;
    size_t i;
    DGM_TRY(dgm_buf_add_format(env, out,
                               "Dragoman %s: neural machine translation with syntax\n\n"
                               "Usage: dragoman COMMAND [OPTION]... [ARGUMENT]...\n\nCommands:\n",
                               dgm_version()));
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++)
        DGM_TRY(dgm_buf_add_format(env, out, "  %-15s%s\n", command->name, command->summary));
    return dgm_buf_add_text(
        env, out,
        "\n`dragoman COMMAND --help` describes a command, `dragoman help encoders` the kinds of\n"
        "encoder and decoder, `dragoman help syntax` the variants of self-attention,\n"
        "`dragoman help exit-codes` what the program returns. Standard output carries results\n"
        "only; `-` names a standard stream.\n");
}

dgm_status dgm_help_command(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_command *command)
{
    const struct dgm_opt *tables[DGM_COMMAND_TABLES + 1];
    size_t i;
    DGM_TRY(dgm_buf_add_format(env, out, "dragoman %s: %s\n\nUsage: dragoman %s %s\n",
                               command->name, command->summary, command->name, command->usage));
    if (command->example != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, "Example: %s\n", command->example));
    dgm_command_tables(command, tables);
    for (i = 0; tables[i] != NULL; i++) {
        DGM_TRY(dgm_buf_add_text(env, out,
                                 tables[i] == dgm_common_options ? "\nOptions of every command:\n"
                                 : tables[i] == dgm_device_options
                                     ? "\nOptions of commands that compute:\n"
                                 : i == 0 ? "\nOptions:\n"
                                          : "\n"));
        DGM_TRY(dgm_opt_help(env, tables[i], out));
    }
    return DGM_OK;
}

static dgm_status add_table(struct dgm_env *env, struct dgm_buf *out, const char *name,
                            const struct dgm_opt *opt)
{
    static const char *const kinds[] = { "flag",  "int",    "real",   "text", "file",
                                         "files", "choice", "length", "file", "words" };
    for (; opt->name != NULL; opt++) {
        DGM_TRY(dgm_buf_add_format(env, out, "%s\t--%s\t", name, opt->name));
        if (opt->letter != '\0')
            DGM_TRY(dgm_buf_add_format(env, out, "-%c", opt->letter));
        DGM_TRY(dgm_buf_add_format(env, out, "\t%s\t%s\n", kinds[opt->type],
                                   opt->choices != NULL ? opt->choices : ""));
    }
    return DGM_OK;
}

dgm_status dgm_help_all_options(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_opt *tables[DGM_COMMAND_TABLES + 1];
    const struct dgm_command *command;
    size_t i, j;
    for (i = 0; (command = dgm_command_at(i)) != NULL; i++) {
        dgm_command_tables(command, tables);
        for (j = 0; tables[j] != NULL && tables[j] != dgm_common_options; j++)
            DGM_TRY(add_table(env, out, command->name, tables[j]));
    }
    return add_table(env, out, "", dgm_common_options);
}

dgm_status dgm_help_exit_codes(struct dgm_env *env, struct dgm_buf *out)
{
    int code, i;
    for (code = 0; code < 128; code++) {
        const char *between = "";
        int seen = 0;
        for (i = 0; i < DGM_STATUS_COUNT; i++) {
            if (dgm_status_exit_code((dgm_status)i) != code)
                continue;
            if (!seen++)
                DGM_TRY(dgm_buf_add_format(env, out, "%-6d", code));
            DGM_TRY(dgm_buf_add_format(env, out, "%s%s", between, dgm_status_text((dgm_status)i)));
            between = "; ";
        }
        if (seen)
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    }
    return dgm_buf_add_text(
        env, out,
        "128+N ended by signal N: 130 SIGINT, 141 SIGPIPE (the reader of the output has gone),\n"
        "      143 SIGTERM; at 130 and 143, a command that trains has saved its state before\n");
}
