/* option_value.c: checking the text of a value against its row of the table. */
#include <stdarg.h>
#include <string.h>

#include "base/number/format.h"
#include "base/number/number.h"
#include "base/option/settings.h"

enum { REAL_SIZE = 32, DIGITS = 7 };

static int refuse(char *why, const char *format, ...) DGM_FORMAT(2, 3);

/* Writes the reason; 0, so that a check can end with it. */
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

static int out_of_range(const struct dgm_opt *opt, double value, const char *quoted, char *why)
{
    char low[REAL_SIZE], high[REAL_SIZE];
    if (!has_range(opt) || (value >= opt->low && value <= opt->high))
        return 0;
    dgm_number_print(low, opt->low, 15);
    dgm_number_print(high, opt->high, 15);
    refuse(why, "expected %s..%s, got \"%s\"", low, high, quoted);
    return 1;
}

/* What a value that is no number should have been. */
static int refuse_number(const struct dgm_opt *opt, const char *kind, const char *value,
                         const char *quoted, char *why)
{
    char low[REAL_SIZE], high[REAL_SIZE];
    if (strchr(value, ',') != NULL)
        return refuse(why, "expected a number with \".\" as decimal point, got \"%s\"", quoted);
    if (!has_range(opt))
        return refuse(why, "expected %s, got \"%s\"", kind, quoted);
    dgm_number_print(low, opt->low, 15);
    dgm_number_print(high, opt->high, 15);
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

static int check_choice(const struct dgm_opt *opt, const char *value, const char *quoted, char *why)
{
    const char *choice = opt->choices;
    size_t length = strlen(value);
    char suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    while (*choice != '\0') {
        size_t size = strcspn(choice, "|");
        if (size == length && memcmp(choice, value, size) == 0)
            return 1;
        choice += size;
        choice += *choice == '|';
    }
    dgm_near_begin(&near, value, length);
    dgm_near_try_list(&near, opt->choices, '|');
    dgm_near_suggest(&near, suggestion);
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
    case DGM_OPT_INT: return check_int(opt, value, quoted, why);
    case DGM_OPT_REAL: return check_real(opt, value, quoted, why);
    case DGM_OPT_LENGTH: return check_length(opt, value, quoted, why);
    case DGM_OPT_CHOICE: return check_choice(opt, value, quoted, why);
    case DGM_OPT_FILE:
    case DGM_OPT_FILES:
    case DGM_OPT_OUTPUT:
        return value[0] != '\0' ? 1 : refuse(why, "expected a file name, got \"\"");
    case DGM_OPT_WORDS: return value[0] != '\0' ? 1 : refuse(why, "expected a word, got \"\"");
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
