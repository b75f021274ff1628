/* option.c: rows of option tables: names, the check of values, the help text. */
#include "base/option/option.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/number/format.h"
#include "base/number/number.h"
#include "base/option/clause.h"

enum { REAL_SIZE = 32, HELP_COLUMN = 30, HELP_WIDTH = 80 };

static int same_name(const char *known, size_t known_length, const char *name, size_t length)
{
    if (known_length != length)
        return 0;
    for (size_t i = 0; i < length; i++)
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

/* The variable of a name that ends after `length` bytes. */
static const char *variable_of(const char *option, size_t length, char *name)
{
    static const char prefix[] = "DRAGOMAN_";
    char *at = name + sizeof prefix - 1;

    assert(length < 60);
    memcpy(name, prefix, sizeof prefix);
    for (size_t i = 0; i < length; i++) {
        char c = option[i];
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        *at++ = (char)(c == '-' ? '_' : c);
    }
    *at = '\0';
    return getenv(name);
}

const char *dgm_opt_variable(const struct dgm_opt *opt, char *name)
{
    const char *value = variable_of(opt->name, strlen(opt->name), name), *alias = opt->aliases;

    while (value == NULL && alias != NULL && *alias != '\0') {
        size_t size = strcspn(alias, " ");

        value = variable_of(alias, size, name);
        alias += size;
        alias += *alias == ' ';
    }
    return value;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Writes the reason; 0, so that a check can end with it. */
DGM_FORMAT(2, 3)
static int refuse(char *why, const char *format, ...)
{
    va_list args;
    size_t length;
    va_start(args, format);
    length = dgm_format(why, DGM_OPT_WHY, format, args);
    va_end(args);
    if (length >= DGM_OPT_WHY)
        why[dgm_format_cut(why, DGM_OPT_WHY - 1)] = '\0';
    return 0;
}

static int has_range(const struct dgm_opt *opt)
{
    return opt->low < opt->high || opt->low > opt->high || opt->low < 0.0 || opt->low > 0.0;
}

/* Whole limits are told with all their digits: none is above 2^53, which 15 would round. */
static void print_range(const struct dgm_opt *opt, char low[REAL_SIZE], char high[REAL_SIZE])
{
    if (opt->type == DGM_OPT_INT || opt->type == DGM_OPT_INTS) {
        dgm_number_print_fixed(low, opt->low, 0);
        dgm_number_print_fixed(high, opt->high, 0);
        return;
    }
    if (opt->type == DGM_OPT_BYTES) {
        dgm_opt_print_bytes(low, (int64_t)opt->low);
        dgm_opt_print_bytes(high, (int64_t)opt->high);
        return;
    }
    dgm_number_print(low, opt->low, 15);
    dgm_number_print(high, opt->high, 15);
}

static int out_of_range(const struct dgm_opt *opt, double value, const char *quoted, char *why)
{
    char low[REAL_SIZE], high[REAL_SIZE];
    if (!has_range(opt) || (value >= opt->low && value <= opt->high))
        return 0;
    print_range(opt, low, high);
    refuse(why, "expected %s..%s, got \"%s\"", low, high, quoted);
    return 1;
}

/* Says which number was expected instead of this value. */
static int refuse_number(const struct dgm_opt *opt, const char *kind, const char *value,
                         const char *quoted, char *why)
{
    char low[REAL_SIZE], high[REAL_SIZE];
    if (strchr(value, ',') != NULL)
        return refuse(why, "expected a number with \".\" as decimal point, got \"%s\"", quoted);
    if (!has_range(opt))
        return refuse(why, "expected %s, got \"%s\"", kind, quoted);
    print_range(opt, low, high);
    return refuse(why, "expected %s, %s..%s, got \"%s\"", kind, low, high, quoted);
}

static int check_int(const struct dgm_opt *opt, const char *value, const char *quoted, char *why)
{
    int64_t number;
    if (!dgm_number_int(&number, value, strlen(value)))
        return refuse_number(opt, "a whole number", value, quoted, why);
    return !out_of_range(opt, (double)number, quoted, why);
}

static int check_real(const struct dgm_opt *opt, const char *value, const char *quoted, char *why)
{
    double number;
    if (!dgm_number_real(&number, value, strlen(value)))
        return refuse_number(opt, "a number", value, quoted, why);
    return !out_of_range(opt, number, quoted, why);
}

static int check_length(const struct dgm_opt *opt, const char *value, const char *quoted, char *why)
{
    double number;
    char unit;
    if (!dgm_opt_length(value, &number, &unit))
        return refuse_number(opt, "a length such as 100u, 50e, 1Mt, 12h, 30m or 90s", value, quoted,
                             why);
    return !out_of_range(opt, number, quoted, why);
}

static int check_bytes(const struct dgm_opt *opt, const char *value, const char *quoted, char *why)
{
    int64_t bytes;
    if (!dgm_opt_bytes(value, &bytes))
        return refuse(why, "expected a size such as 2G or 500M, got \"%s\"", quoted);
    return !out_of_range(opt, (double)bytes, quoted, why);
}

const char *dgm_opt_ours(const struct dgm_opt *opt, const char *value)
{
    for (const char *const *pair = opt->renamed; pair != NULL && pair[0] != NULL; pair += 2)
        if (strcmp(pair[0], value) == 0)
            return pair[1];
    return value;
}

int dgm_opt_choice(const struct dgm_opt *opt, const char *value)
{
    const char *at = opt->choices;
    const size_t length = strlen(value);

    for (int number = 0; at != NULL && *at != '\0'; number++) {
        const size_t size = strcspn(at, "|");

        if (size == length && memcmp(at, value, size) == 0)
            return number;
        at += size;
        at += *at == '|';
    }
    return -1;
}

int dgm_opt_is_word(const struct dgm_opt *opt, const char *value)
{
    return dgm_opt_choice(opt, value) >= 0;
}

/* Of a choice that may also be a number within limits. */
static int check_choice_or_number(const struct dgm_opt *opt, const char *value, const char *quoted,
                                  const char *suggestion, char *why)
{
    const char *one_of = strchr(opt->choices, '|') != NULL ? "one of " : "";
    char low[REAL_SIZE], high[REAL_SIZE];
    int64_t number;
    if (dgm_number_int(&number, value, strlen(value)) && (double)number >= opt->low &&
        (double)number <= opt->high)
        return 1;
    print_range(opt, low, high);
    return refuse(why, "expected %s%s, or %s..%s, got \"%s\"%s", one_of, opt->choices, low, high,
                  quoted, suggestion);
}

static int check_choice(const struct dgm_opt *opt, const char *value, const char *quoted, char *why)
{
    char suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    if (dgm_opt_is_word(opt, value))
        return 1;
    dgm_near_begin(&near, value, strlen(value));
    dgm_near_try_list(&near, opt->choices, '|');
    dgm_near_suggest(&near, suggestion);
    if (has_range(opt))
        return check_choice_or_number(opt, value, quoted, suggestion, why);
    return refuse(why, "expected one of %s, got \"%s\"%s", opt->choices, quoted, suggestion);
}

int dgm_opt_may_be_empty(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_FILES && opt->argument != NULL && opt->argument[0] == '[';
}

int dgm_opt_check(const struct dgm_opt *opt, const char *value, char *why)
{
    char quoted[DGM_QUOTE_SIZE];
    const char *at;
    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    for (at = value; *at != '\0'; at++)
        if (((unsigned char)*at < 0x20 && *at != '\t') || *at == 0x7F)
            return refuse(why, "expected text without control bytes, got \"%s\"", quoted);
    switch (opt->type) {
    case DGM_OPT_FLAG:
        if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
            return 1;
        return refuse(why, "expected true or false, got \"%s\"", quoted);
    case DGM_OPT_INT:
    case DGM_OPT_INTS: return check_int(opt, value, quoted, why);
    case DGM_OPT_REAL:
    case DGM_OPT_REALS: return check_real(opt, value, quoted, why);
    case DGM_OPT_LENGTH: return check_length(opt, value, quoted, why);
    case DGM_OPT_BYTES: return check_bytes(opt, value, quoted, why);
    case DGM_OPT_CHOICE:
    case DGM_OPT_CHOICES: return check_choice(opt, value, quoted, why);
    case DGM_OPT_FILE:
    case DGM_OPT_FILES:
    case DGM_OPT_OUTPUT:
    case DGM_OPT_OUTPUTS:
        return value[0] != '\0' ? 1 : refuse(why, "expected a file name, got \"\"");
    case DGM_OPT_WORDS:
    case DGM_OPT_NAMES: return value[0] != '\0' ? 1 : refuse(why, "expected a word, got \"\"");
    case DGM_OPT_TEXT: break;
    }
    return 1;
}

/* Bytes of the number at the start: the e of "1e5u" is an exponent, of "50e" a unit. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "0123456789.");
    size_t exponent = length;
    if (text[exponent] != 'e' && text[exponent] != 'E')
        return length;
    exponent++;
    exponent += text[exponent] == '-' || text[exponent] == '+';
    if (text[exponent] < '0' || text[exponent] > '9')
        return length;
    return exponent + strspn(text + exponent, "0123456789");
}

int dgm_opt_length(const char *text, double *number, char *unit)
{
    size_t length = number_length(text);
    const char *rest = text + length;
    double value, scale = 1.0;
    if (!dgm_number_real(&value, text, length))
        return 0;
    if (*rest == 'K' || *rest == 'k')
        scale = 1e3;
    else if (*rest == 'M')
        scale = 1e6;
    else if (*rest == 'G')
        scale = 1e9;
    rest += scale > 1.0;
    if (*rest != '\0' && (strchr("uethms", *rest) == NULL || rest[1] != '\0'))
        return 0;
    *number = value * scale;
    *unit = (char)(*rest != '\0' ? *rest : 'u');
    return 1;
}

static const char units[] = "KMGT"; /* of bytes */

void dgm_opt_print_bytes(char out[DGM_OPT_BYTES_SIZE], int64_t bytes)
{
    size_t unit = 0;
    for (; unit < strlen(units) && bytes > 0 && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    dgm_number_fixed(out, (double)bytes, 0);
    if (unit > 0)
        strncat(out, units + unit - 1, 1);
}

/* 4e18 is below the largest int64_t. */
int dgm_opt_bytes(const char *text, int64_t *bytes)
{
    size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    double value, scale = 1;
    for (long power = unit != NULL ? (long)(unit - units) + 1 : 0; power > 0; power--)
        scale *= 1024;
    if (!dgm_number_real(&value, text, length - (unit != NULL)) ||
        !(value >= 0 && value * scale < 4e18))
        return 0;
    *bytes = (int64_t)(value * scale);
    return 1;
}

/* ---- help ------------------------------------------------------------------------------------ */

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

/* "; with --a" of each clause of a column: what it needs, or with what it does not go. */
static dgm_status add_clauses(struct dgm_env *env, struct dgm_buf *out, const char *column,
                              const char *with)
{
    char names[DGM_CLAUSE_SIZE];
    struct dgm_clause clause;

    while (column != NULL) {
        column = dgm_clause_read(&clause, column);
        dgm_clause_print(names, &clause);
        DGM_TRY(dgm_buf_add_format(env, out, "; %s %s", with, names));
    }
    return DGM_OK;
}

/* " (default: 1; with --a; not with --b)" */
static dgm_status add_remarks(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    struct dgm_buf remarks = { NULL, 0, 0, 0 };
    dgm_status status = DGM_OK;

    if (opt->fallback != NULL && opt->fallback[0] != '\0' && opt->type != DGM_OPT_FLAG)
        DGM_TRY_OUT(dgm_buf_add_format(env, &remarks, "; default: %s", opt->fallback));
    DGM_TRY_OUT(add_clauses(env, &remarks, opt->needs, "with"));
    DGM_TRY_OUT(add_clauses(env, &remarks, opt->excludes, "not with"));
    if (remarks.size > 0)
        status = dgm_buf_add_format(env, out, " (%s)", remarks.data + strlen("; "));
out:
    dgm_buf_clear(env, &remarks);
    return status;
}

/* The sentence with what the row knows besides: the choices, the default, the rules. */
static dgm_status add_sentence(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    DGM_TRY(dgm_buf_add_text(env, out, opt->help != NULL ? opt->help : ""));
    if ((opt->type == DGM_OPT_CHOICE || opt->type == DGM_OPT_CHOICES) && opt->argument != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, ": %s", opt->choices));
    return add_remarks(env, out, opt);
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

/* Bytes of the next word; of choices that no line has room for, up to the last | that fits. */
static size_t word_bytes(const char *text)
{
    const size_t bytes = strcspn(text, " "), room = HELP_WIDTH - HELP_COLUMN;
    size_t part = room < bytes ? room : 0;

    while (part > 0 && text[part - 1] != '|')
        part--;
    return part > 0 ? part : bytes;
}

/* Writes words from HELP_COLUMN on, a new line where one would pass HELP_WIDTH. */
static dgm_status add_wrapped(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    size_t column = HELP_COLUMN;
    int first = 1;
    while (*text != '\0') {
        const size_t bytes = word_bytes(text), width = width_of(text, bytes);
        const int goes_on = !first && text[-1] == '|';
        if (goes_on || (!first && column + 1 + width > HELP_WIDTH)) {
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

const char *dgm_opt_section(const struct dgm_opt *table, const struct dgm_opt *opt)
{
    while (opt > table && opt->section == NULL)
        opt--;
    return opt->section;
}

dgm_status dgm_opt_help(struct dgm_env *env, const struct dgm_opt *opt, struct dgm_buf *out)
{
    struct dgm_buf sentence = { NULL, 0, 0, 0 };
    size_t start = out->size, width;
    dgm_status status;

    DGM_TRY_OUT(add_usage(env, out, opt));
    DGM_TRY_OUT(add_sentence(env, &sentence, opt));
    width = width_of(out->data + start, out->size - start);
    if (width + 2 > HELP_COLUMN) {
        DGM_TRY_OUT(dgm_buf_add_char(env, out, '\n'));
        width = 0;
    }
    DGM_TRY_OUT(add_blanks(env, out, HELP_COLUMN - width));
    status = add_wrapped(env, out, sentence.data);
out:
    dgm_buf_clear(env, &sentence);
    return status;
}
