/* option.c: tables of options: names, the environment, the help text.
 */
#include "base/option/option.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/option/settings.h"

enum { HELP_COLUMN = 30, HELP_WIDTH = 90 };

static int same_name(const char *known, size_t known_length, const char *name, size_t length)
{
    size_t i;
    if (known_length != length)
        return 0;
    for (i = 0; i < length; i++)
        if (known[i] != (name[i] == '_' ? '-' : name[i]))
            return 0;
    return 1;
}

int dgm_opt_is_called(const struct dgm_opt *opt, const char *name, size_t length)
{
    const char *alias = opt->aliases;
    if (same_name(opt->name, strlen(opt->name), name, length))
        return 1;
    while (alias != NULL && *alias != '\0') {
        size_t size = strcspn(alias, " ");
        if (same_name(alias, size, name, length))
            return 1;
        alias += size;
        alias += *alias == ' ';
    }
    return 0;
}

const char *dgm_opt_variable(const struct dgm_opt *opt, char *name)
{
    static const char prefix[] = "DRAGOMAN_";
    char *at = name + sizeof prefix - 1;
    const char *from;
    assert(strlen(opt->name) < 60);
    memcpy(name, prefix, sizeof prefix);
    for (from = opt->name; *from != '\0'; from++) {
        char c = *from;
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        *at++ = (char)(c == '-' ? '_' : c);
    }
    *at = '\0';
    return getenv(name);
}

/* ---- help ------------------------------------------------------------------------ */

/* "  -b, --beam-size N" */
static dgm_status add_usage(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    const char *no =
        opt->type == DGM_OPT_FLAG && opt->fallback != NULL && strcmp(opt->fallback, "true") == 0
            ? "[no-]"
            : "";
    if (opt->letter != '\0')
        DGM_TRY(dgm_buf_add_format(env, out, "  -%c, --%s%s", opt->letter, no, opt->name));
    else
        DGM_TRY(dgm_buf_add_format(env, out, "      --%s%s", no, opt->name));
    if (opt->type == DGM_OPT_FLAG)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_char(env, out, ' '));
    if (opt->argument != NULL)
        return dgm_buf_add_text(env, out, opt->argument);
    return dgm_buf_add_text(env, out, opt->choices != NULL ? opt->choices : "VALUE");
}

/* The sentence with what the row knows besides: the choices and the default. */
static dgm_status add_sentence(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    DGM_TRY(dgm_buf_add_text(env, out, opt->help != NULL ? opt->help : ""));
    if (opt->type == DGM_OPT_CHOICE && opt->argument != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, ": %s", opt->choices));
    if (opt->fallback != NULL && opt->fallback[0] != '\0' && opt->type != DGM_OPT_FLAG)
        DGM_TRY(dgm_buf_add_format(env, out, " (default: %s)", opt->fallback));
    return DGM_OK;
}

static dgm_status add_blanks(struct dgm_env *env, struct dgm_buf *out, size_t count)
{
    for (; count > 0; count--)
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    return DGM_OK;
}

/* Columns, not bytes: continuation bytes of UTF-8 take no room. */
static size_t width_of(const char *text, size_t bytes)
{
    size_t i, width = 0;
    for (i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

/* Writes words from HELP_COLUMN on, a new line where one would pass HELP_WIDTH. */
static dgm_status add_wrapped(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    size_t column = HELP_COLUMN;
    int first = 1;
    while (*text != '\0') {
        size_t bytes = strcspn(text, " ");
        size_t width = width_of(text, bytes);
        if (!first && column + 1 + width > HELP_WIDTH) {
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
            DGM_TRY(add_blanks(env, out, HELP_COLUMN));
            column = HELP_COLUMN;
        } else if (!first) {
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
            column++;
        }
        DGM_TRY(dgm_buf_add(env, out, text, bytes));
        column += width;
        first = 0;
        text += bytes;
        text += strspn(text, " ");
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_opt_help(struct dgm_env *env, const struct dgm_opt *table, struct dgm_buf *out)
{
    dgm_status status = DGM_OK;
    struct dgm_buf sentence = { NULL, 0, 0, 0 };
    for (; table->name != NULL; table++) {
        size_t start = out->size, width;
        dgm_buf_reset(&sentence);
        DGM_TRY_OUT(add_usage(env, out, table));
        DGM_TRY_OUT(add_sentence(env, &sentence, table));
        width = width_of(out->data + start, out->size - start);
        if (width + 2 > HELP_COLUMN) {
            DGM_TRY_OUT(dgm_buf_add_char(env, out, '\n'));
            width = 0;
        }
        DGM_TRY_OUT(add_blanks(env, out, HELP_COLUMN - width));
        DGM_TRY_OUT(add_wrapped(env, out, sentence.data));
    }
out:
    dgm_buf_clear(env, &sentence);
    return status;
}
