/* help.c: the help, made from the tables: overview, one command, all options, exit codes. */
#include "cmd/help/help.h"

#include <assert.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/common.h"

/* Columns of a page; where the text begins below a kind, and beside an option of a variant. */
enum { PAGE = 80, TEXT_COLUMN = 4, OPTION_COLUMN = 28 };

enum { MOST_SECTIONS = 24 };

/* Bytes of the next word, or of what stands in brackets, where a line has room for all of it. */
static size_t unit_bytes(const char *text, size_t room)
{
    size_t bytes = 0;
    int depth = 0;

    for (; text[bytes] != '\0' && (text[bytes] != ' ' || depth > 0); bytes++)
        depth += (text[bytes] == '[') - (text[bytes] == ']');
    return bytes <= room ? bytes : strcspn(text, " ");
}

/* Adds the words of `text` from column `at` of a line on, in lines that end before the page does;
 * later ones begin at `column`. */
static dgm_status add_words(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t at,
                            size_t column)
{
    int is_first = 1;

    for (; *text != '\0'; is_first = 0) {
        const size_t length = unit_bytes(text, PAGE - column);

        if (!is_first && at + 1 + length > PAGE) {
            DGM_TRY(dgm_buf_add_format(env, out, "\n%*s", (int)column, ""));
            at = column;
        } else if (!is_first) {
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

/* The same where all lines begin at `column`, which the first has reached. */
static dgm_status add_wrapped(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t column)
{
    return add_words(env, out, text, column, column);
}

/* ---- commands ----------------------------------------------------------------------------- */

/* A command and what it does. */
static dgm_status add_line(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_command *command)
{
    DGM_TRY(dgm_buf_add_format(env, out, "  %-15s", command->name));
    return add_wrapped(env, out, command->summary, 17);
}

dgm_status dgm_help_overview(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_command *command;
    size_t i;
    DGM_TRY(dgm_buf_add_format(env, out,
                               "Dragoman %s: neural machine translation with syntax\n\n"
                               "Usage: dragoman COMMAND [OPTION]... [ARGUMENT]...\n\nCommands:\n",
                               dgm_version()));
    for (i = 0; (command = dgm_commands_at(i)) != NULL; i++)
        DGM_TRY(add_line(env, out, command));
    return dgm_buf_add_text(
        env, out,
        "\n`dragoman COMMAND --help` describes a command, `dragoman help encoders` the\n"
        "kinds of encoder and decoder, `dragoman help syntax` the variants of\n"
        "self-attention, `dragoman help exit-codes` what the program returns. Standard\n"
        "output carries results only; `-` names a standard stream.\n");
}

/* ---- the options of a command, by section --------------------------------------------------- */

static const char first_section[] = "What most runs name", no_section[] = "Options";

/* The tables of a command, the titles of their sections in the order in which they come, and
 * whether its own options have a first group. */
struct sections {
    const struct dgm_opt *tables[DGM_COMMON_TABLES + 1];
    const char *titles[MOST_SECTIONS];
    size_t count;
    int has_first;
};

static const char *section_of(const struct sections *sections, const struct dgm_opt *table,
                              const struct dgm_opt *opt)
{
    const char *section = dgm_opt_section(table, opt);

    if (sections->has_first && opt->basic)
        return first_section;
    return section != NULL ? section : no_section;
}

static void add_title(struct sections *sections, const char *title)
{
    for (size_t i = 0; i < sections->count; i++)
        if (strcmp(sections->titles[i], title) == 0)
            return;
    assert(sections->count < MOST_SECTIONS);
    sections->titles[sections->count++] = title;
}

static void find_sections(struct sections *sections, const struct dgm_command *command)
{
    memset(sections, 0, sizeof *sections);
    dgm_common_tables(command, sections->tables);
    sections->has_first = sections->tables[0] != dgm_device_options && sections->tables[0]->basic;
    for (size_t t = 0; sections->tables[t] != NULL; t++)
        for (const struct dgm_opt *opt = sections->tables[t]; opt->name != NULL; opt++)
            add_title(sections, section_of(sections, sections->tables[t], opt));
}

static dgm_status add_section(struct dgm_env *env, struct dgm_buf *out,
                              const struct sections *sections, const char *title)
{
    DGM_TRY(dgm_buf_add_format(env, out, "\n%s:\n", title));
    for (size_t t = 0; sections->tables[t] != NULL; t++)
        for (const struct dgm_opt *opt = sections->tables[t]; opt->name != NULL; opt++)
            if (strcmp(section_of(sections, sections->tables[t], opt), title) == 0)
                DGM_TRY(dgm_opt_help(env, opt, out));
    return DGM_OK;
}

/* "Text, Words and pieces, ...": what the first group leaves out. */
static dgm_status name_sections(struct dgm_env *env, struct dgm_buf *out,
                                const struct sections *sections, const char *command)
{
    struct dgm_buf names = { NULL, 0, 0, 0 };
    dgm_status status;

    DGM_TRY(dgm_buf_add_format(env, out, "\nMore options, which `dragoman help %s` describes:\n  ",
                               command));
    for (size_t i = 1; i < sections->count; i++)
        DGM_TRY_OUT(
            dgm_buf_add_format(env, &names, "%s%s", i > 1 ? "; " : "", sections->titles[i]));
    status = add_wrapped(env, out, names.data, 2);
out:
    dgm_buf_clear(env, &names);
    return status;
}

/* A line about a command: what stands before its name, and what behind; later lines begin at
 * `column`. */
static dgm_status add_call(struct dgm_env *env, struct dgm_buf *out, const char *before,
                           const struct dgm_command *command, const char *between, const char *text,
                           size_t column)
{
    struct dgm_buf line = { NULL, 0, 0, 0 };
    dgm_status status =
        dgm_buf_add_format(env, &line, "%sdragoman %s%s%s", before, command->name, between, text);

    if (status == DGM_OK)
        status = add_words(env, out, line.data, 0, column);
    dgm_buf_clear(env, &line);
    return status;
}

dgm_status dgm_help_title(struct dgm_env *env, struct dgm_buf *out,
                          const struct dgm_command *command)
{
    return add_call(env, out, "", command, ": ", command->summary, TEXT_COLUMN);
}

dgm_status dgm_help_command(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_command *command, int is_short)
{
    struct sections sections;

    find_sections(&sections, command);
    DGM_TRY(dgm_help_title(env, out, command));
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    DGM_TRY(add_call(env, out, "Usage: ", command, " ", command->usage, 7));
    if (command->example != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, "Example: %s\n", command->example));
    if (is_short && sections.has_first) {
        DGM_TRY(add_section(env, out, &sections, first_section));
        return name_sections(env, out, &sections, command->name);
    }
    for (size_t i = 0; i < sections.count; i++)
        DGM_TRY(add_section(env, out, &sections, sections.titles[i]));
    return DGM_OK;
}

/* ---- the options of all commands, for scripts ----------------------------------------------- */

static const char *const kinds[] = {
    [DGM_OPT_FLAG] = "flag",     [DGM_OPT_INT] = "int",       [DGM_OPT_REAL] = "real",
    [DGM_OPT_FILE] = "file",     [DGM_OPT_OUTPUT] = "file",   [DGM_OPT_FILES] = "files",
    [DGM_OPT_OUTPUTS] = "files", [DGM_OPT_CHOICE] = "choice", [DGM_OPT_CHOICES] = "choices",
    [DGM_OPT_LENGTH] = "length", [DGM_OPT_BYTES] = "bytes",   [DGM_OPT_WORDS] = "words",
    [DGM_OPT_INTS] = "ints",     [DGM_OPT_REALS] = "reals",   [DGM_OPT_NAMES] = "names",
    [DGM_OPT_TEXT] = "text",
};

/* Lines of one table. */
static dgm_status add_table(struct dgm_env *env, struct dgm_buf *out, const char *name,
                            const struct dgm_opt *opt)
{
    for (; opt->name != NULL; opt++) {
        DGM_TRY(dgm_buf_add_format(env, out, "%s\t--%s\t", name, opt->name));
        if (opt->letter != '\0')
            DGM_TRY(dgm_buf_add_format(env, out, "-%c", opt->letter));
        DGM_TRY(dgm_buf_add_format(env, out, "\t%s\t%s\t%s\t%s\t%s\n", kinds[opt->type],
                                   opt->choices != NULL ? opt->choices : "",
                                   opt->needs != NULL ? opt->needs : "",
                                   opt->excludes != NULL ? opt->excludes : "",
                                   opt->resume ? "resume" : ""));
    }
    return DGM_OK;
}

dgm_status dgm_help_all_options(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_opt *tables[DGM_COMMON_TABLES + 1];
    const struct dgm_command *command;
    size_t i, j;
    for (i = 0; (command = dgm_commands_at(i)) != NULL; i++) {
        dgm_common_tables(command, tables);
        for (j = 0; tables[j] != NULL && tables[j] != dgm_common_options; j++)
            DGM_TRY(add_table(env, out, command->name, tables[j]));
    }
    return add_table(env, out, "", dgm_common_options);
}

/* Several statuses may share a code: they stand on one line. */
dgm_status dgm_help_exit_codes(struct dgm_env *env, struct dgm_buf *out)
{
    struct dgm_buf line = { NULL, 0, 0, 0 };
    dgm_status status = DGM_OK;

    for (int code = 0; code < 128 && status == DGM_OK; code++) {
        dgm_buf_reset(&line);
        for (int i = 0; i < DGM_STATUS_COUNT && status == DGM_OK; i++)
            if (dgm_status_exit_code((dgm_status)i) == code)
                status = dgm_buf_add_format(env, &line, "%s%s", line.size > 0 ? "; " : "",
                                            dgm_status_text((dgm_status)i));
        if (status == DGM_OK && line.size > 0)
            status = dgm_buf_add_format(env, out, "%-6d", code);
        if (status == DGM_OK && line.size > 0)
            status = add_wrapped(env, out, line.data, 6);
    }
    dgm_buf_clear(env, &line);
    DGM_TRY(status);
    return dgm_buf_add_text(
        env, out,
        "128+N ended by signal N: 130 SIGINT, 141 SIGPIPE (the reader of the output has\n"
        "      gone), 143 SIGTERM; at 130 and 143, a command that trains has saved its\n"
        "      state before\n");
}

/* ---- kinds of encoder and decoder --------------------------------------------------------- */

typedef int kind_at_fn(size_t number, struct dgm_kind *kind);

/* Whether `name` is one of the words. */
static int holds(const char *words, const char *name)
{
    size_t length = strlen(name);
    const char *at = words;

    while ((at = strstr(at, name)) != NULL) {
        int begins = at == words || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0'))
            return 1;
        at += length;
    }
    return 0;
}

static int shapes_any(kind_at_fn *kind_at, const char *option)
{
    struct dgm_kind kind;
    size_t i;

    for (i = 0; kind_at(i, &kind); i++)
        if (holds(kind.options, option))
            return 1;
    return 0;
}

/* "--dim-emb --dim-rnn", indented. */
static dgm_status add_names(struct dgm_env *env, struct dgm_buf *out, const char *words)
{
    struct dgm_buf names = { NULL, 0, 0, 0 };
    dgm_status status;

    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        DGM_TRY_OUT(dgm_buf_add_format(env, &names, "--%.*s ", (int)length, words));
        words += length + strspn(words + length, " ");
    }
    DGM_TRY_OUT(dgm_buf_add_format(env, out, "%*s", TEXT_COLUMN, ""));
    status = add_wrapped(env, out, names.data, TEXT_COLUMN);
out:
    dgm_buf_clear(env, &names);
    return status;
}

static dgm_status add_kinds(struct dgm_env *env, struct dgm_buf *out, const char *option,
                            kind_at_fn *kind_at)
{
    struct dgm_kind kind;
    size_t i;

    for (i = 0; kind_at(i, &kind); i++) {
        DGM_TRY(
            dgm_buf_add_format(env, out, "\n--%s %s:\n%*s", option, kind.name, TEXT_COLUMN, ""));
        DGM_TRY(add_wrapped(env, out, kind.help, TEXT_COLUMN));
        DGM_TRY(dgm_buf_add_format(env, out, "    (%s)%s\n", kind.cite,
                                   kind.needs_trees ? "; needs a tree for every sentence" : ""));
        DGM_TRY(add_names(env, out, kind.options));
    }
    return DGM_OK;
}

/* Describes the options of all kinds, each once, in the order of their tables. */
static dgm_status add_kind_options(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_opt *const *tables = dgm_train_option_tables(), *opt;

    DGM_TRY(dgm_buf_add_text(env, out, "\nTheir options:\n"));
    for (; *tables != NULL; tables++)
        for (opt = *tables; opt->name != NULL; opt++)
            if (shapes_any(dgm_encoder_at, opt->name) || shapes_any(dgm_decoder_at, opt->name))
                DGM_TRY(dgm_opt_help(env, opt, out));
    return DGM_OK;
}

dgm_status dgm_help_encoders(struct dgm_env *env, struct dgm_buf *out)
{
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "Kinds of encoder and decoder, for `dragoman train`, each with the options that\n"
        "shape it. The Transformer is the default; any encoder goes with any decoder.\n"
        "Trees come from --train-trees, and from --trees of `translate`, or from\n"
        "--parser, which makes them.\n"));
    DGM_TRY(add_kinds(env, out, "encoder", dgm_encoder_at));
    DGM_TRY(add_kinds(env, out, "decoder", dgm_decoder_at));
    return add_kind_options(env, out);
}

/* ---- variants of self-attention ----------------------------------------------------------- */

/* ": CHOICES (default: X)" of an option, as far as it has these. */
static dgm_status add_default(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    if (opt->choices != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, ": %s", opt->choices));
    if (opt->fallback == NULL || opt->fallback[0] == '\0')
        return DGM_OK;
    return dgm_buf_add_format(env, out, " (default: %s)", opt->fallback);
}

static dgm_status add_variant_option(struct dgm_env *env, struct dgm_buf *out,
                                     const struct dgm_opt *opt)
{
    struct dgm_buf help = { NULL, 0, 0, 0 };
    size_t start = out->size, width;
    dgm_status status;

    DGM_TRY(dgm_buf_add_format(env, out, "    %s=%s", opt->name, opt->argument));
    width = out->size - start;
    if (width < OPTION_COLUMN)
        DGM_TRY(dgm_buf_add_format(env, out, "%*s", (int)(OPTION_COLUMN - width), ""));
    else
        DGM_TRY(dgm_buf_add_format(env, out, "\n%*s", OPTION_COLUMN, ""));
    DGM_TRY_OUT(dgm_buf_add_text(env, &help, opt->help));
    DGM_TRY_OUT(add_default(env, &help, opt));
    status = add_wrapped(env, out, help.data, OPTION_COLUMN);
out:
    dgm_buf_clear(env, &help);
    return status;
}

dgm_status dgm_help_syntax(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_opt *opt;
    struct dgm_variant variant;
    size_t i;

    DGM_TRY(dgm_buf_add_text(
        env, out,
        "Variants of self-attention, for `dragoman train --syntax`:\n"
        "name(option=value,...), several joined by +, such as\n"
        "'deps-san(layers=1-2)+shaw(k=2)'. Variants that cannot stand together in one\n"
        "layer say so. Layers count from 1: 2, 1-3, \"1 3\". Names of options may have _\n"
        "for -.\n"));
    for (i = 0; dgm_variant_at(i, &variant); i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "\n%s:\n%*s", variant.name, TEXT_COLUMN, ""));
        DGM_TRY(add_wrapped(env, out, variant.help, TEXT_COLUMN));
        DGM_TRY(dgm_buf_add_format(env, out, "    (%s)\n", variant.cite));
        for (opt = variant.options; opt->name != NULL; opt++)
            DGM_TRY(add_variant_option(env, out, opt));
    }
    return DGM_OK;
}
