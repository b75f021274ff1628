/* regex_compile.c: an expression to its program. */
#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "text/regex/regex.h"
#include "text/unicode/utf8.h"

enum { MOST_BYTES = 4096, MOST_STEPS = 65536, MOST_DEPTH = 100, NO_LIMIT = -1 };

struct compiling {
    struct dgm_env *env;
    struct dgm_regex *regex;
    const char *text;
    size_t size, at;
    int depth;
};

static dgm_status refuse(const struct compiling *c, const char *what)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, c->text, c->size);
    return dgm_fail(c->env, DGM_USAGE, "expression \"%s\": %s at byte %zu", quoted, what, c->at);
}

static int is_next(const struct compiling *c, const char *what)
{
    const size_t length = strlen(what);

    return c->at + length <= c->size && memcmp(c->text + c->at, what, length) == 0;
}

static int take(struct compiling *c, const char *what)
{
    if (!is_next(c, what))
        return 0;
    c->at += strlen(what);
    return 1;
}

static uint32_t take_character(struct compiling *c)
{
    uint32_t code;

    c->at += dgm_utf8_decode(&code, c->text + c->at, c->size - c->at);
    return code;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static dgm_status emit(struct compiling *c, enum dgm_regex_op op, int32_t first, int32_t second)
{
    struct dgm_regex *regex = c->regex;
    struct dgm_regex_step *step;

    if (regex->step_count == MOST_STEPS)
        return refuse(c, "too many repetitions");
    DGM_TRY(dgm_grow(c->env, &regex->steps, &regex->step_capacity, regex->step_count,
                     sizeof *regex->steps));
    step = &regex->steps[regex->step_count++];
    step->op = op;
    step->is_negated = 0;
    step->first = first;
    step->second = second;
    return DGM_OK;
}

/* One step before those from `place` on, whose jumps are relative. */
static dgm_status insert(struct compiling *c, size_t place, int32_t first, int32_t second)
{
    struct dgm_regex *regex = c->regex;
    struct dgm_regex_step split;

    DGM_TRY(emit(c, DGM_REGEX_SPLIT, first, second));
    split = regex->steps[regex->step_count - 1];
    memmove(regex->steps + place + 1, regex->steps + place,
            (regex->step_count - 1 - place) * sizeof *regex->steps);
    regex->steps[place] = split;
    return DGM_OK;
}

static dgm_status emit_again(struct compiling *c, const struct dgm_regex_step *block,
                             int32_t length)
{
    for (int32_t i = 0; i < length; i++) {
        DGM_TRY(emit(c, block[i].op, block[i].first, block[i].second));
        c->regex->steps[c->regex->step_count - 1].is_negated = block[i].is_negated;
    }
    return DGM_OK;
}

static dgm_status add_range(struct compiling *c, uint32_t from, uint32_t to, char class)
{
    struct dgm_regex *regex = c->regex;
    const struct dgm_regex_range range = { from, to, class };

    DGM_TRY(dgm_grow(c->env, &regex->ranges, &regex->range_capacity, regex->range_count,
                     sizeof *regex->ranges));
    regex->ranges[regex->range_count++] = range;
    return DGM_OK;
}

static dgm_status emit_class(struct compiling *c, char class)
{
    DGM_TRY(emit(c, DGM_REGEX_SET, (int32_t)c->regex->range_count, 1));
    return add_range(c, 0, 0, class);
}

/* ---- characters ------------------------------------------------------------------------------ */

static int hex_value(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

static dgm_status take_hex(struct compiling *c, int digits, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < digits; i++) {
        const int value = c->at < c->size ? hex_value(c->text[c->at]) : -1;

        if (value < 0)
            return refuse(c, "expected hexadecimal digits");
        *code = *code * 16 + (uint32_t)value;
        c->at++;
    }
    return DGM_OK;
}

/* What stands behind a backslash: a character, or *class. */
static dgm_status take_escape(struct compiling *c, uint32_t *code, char *class)
{
    static const char names[] = "tnrfva", values[] = "\t\n\r\f\v\a";
    const char *name;

    *class = 0;
    if (c->at == c->size)
        return refuse(c, "a backslash with nothing behind it");
    *code = take_character(c);
    if (*code < 128 && strchr("dwsDWS", (int)*code) != NULL) {
        *class = (char)*code;
        return DGM_OK;
    }
    if (*code == 'x')
        return take_hex(c, 2, code);
    if (*code == 'u')
        return take_hex(c, 4, code);
    name = *code < 128 ? strchr(names, (int)*code) : NULL;
    if (name != NULL)
        *code = (uint32_t)values[name - names];
    else if ((*code >= '0' && *code <= '9') || (*code >= 'a' && *code <= 'z') ||
             (*code >= 'A' && *code <= 'Z'))
        return refuse(c, "an escape that is not known here, or a backreference,");
    return DGM_OK;
}

/* A character of a set, or a class. */
static dgm_status take_of_set(struct compiling *c, uint32_t *code, char *class)
{
    *class = 0;
    if (c->at == c->size)
        return refuse(c, "a set without its ]");
    if (!take(c, "\\")) {
        *code = take_character(c);
        return DGM_OK;
    }
    if (take(c, "b")) {
        *code = '\b';
        return DGM_OK;
    }
    return take_escape(c, code, class);
}

/* One entry of a set: a character, a class, a range. */
static dgm_status take_range(struct compiling *c)
{
    uint32_t from, to;
    char class, other;

    DGM_TRY(take_of_set(c, &from, &class));
    to = from;
    if (is_next(c, "-") && !is_next(c, "-]")) {
        c->at++;
        DGM_TRY(take_of_set(c, &to, &other));
        if (class != 0 || other != 0 || to < from)
            return refuse(c, "a range whose end comes before its beginning");
    }
    return add_range(c, from, to, class);
}

/* Behind the [ of a set. */
static dgm_status compile_set(struct compiling *c)
{
    const int is_negated = take(c, "^");
    const size_t step = c->regex->step_count, first = c->regex->range_count;
    int is_first = 1;

    DGM_TRY(emit(c, DGM_REGEX_SET, (int32_t)first, 0));
    c->regex->steps[step].is_negated = is_negated;
    for (; is_first || !take(c, "]"); is_first = 0)
        DGM_TRY(take_range(c));
    c->regex->steps[step].second = (int32_t)(c->regex->range_count - first);
    return DGM_OK;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static dgm_status compile_choice(struct compiling *c);

/* Behind a backslash: a place, a class or a character. *repeats: it may be repeated. */
static dgm_status compile_escape(struct compiling *c, int *repeats)
{
    uint32_t code;
    char class;

    *repeats = 0;
    if (take(c, "b"))
        return emit(c, DGM_REGEX_EDGE, 0, 0);
    if (take(c, "B"))
        return emit(c, DGM_REGEX_NO_EDGE, 0, 0);
    if (take(c, "A"))
        return emit(c, DGM_REGEX_BEGIN, 0, 0);
    if (take(c, "Z"))
        return emit(c, DGM_REGEX_LAST, 0, 0);
    *repeats = 1;
    DGM_TRY(take_escape(c, &code, &class));
    return class != 0 ? emit_class(c, class) : emit(c, DGM_REGEX_CHARACTER, (int32_t)code, 0);
}

/* Behind the ( of a group. */
static dgm_status compile_group(struct compiling *c)
{
    if (take(c, "?P<")) {
        while (c->at < c->size && c->text[c->at] != '>')
            c->at++;
        c->at++;
    } else if (!take(c, "?:") && is_next(c, "?")) {
        return refuse(c, "flags, or what looks around,");
    }
    if (++c->depth > MOST_DEPTH)
        return refuse(c, "too many groups within each other");
    DGM_TRY(compile_choice(c));
    c->depth--;
    return take(c, ")") ? DGM_OK : refuse(c, "a group without its )");
}

static dgm_status compile_atom(struct compiling *c, int *repeats)
{
    *repeats = 1;
    if (take(c, "\\"))
        return compile_escape(c, repeats);
    if (take(c, "["))
        return compile_set(c);
    if (take(c, "("))
        return compile_group(c);
    if (take(c, "."))
        return emit(c, DGM_REGEX_ANY, 0, 0);
    *repeats = 0;
    if (take(c, "^"))
        return emit(c, DGM_REGEX_BEGIN, 0, 0);
    if (take(c, "$"))
        return emit(c, DGM_REGEX_END, 0, 0);
    *repeats = 1;
    return emit(c, DGM_REGEX_CHARACTER, (int32_t)take_character(c), 0);
}

/* A number of at most five digits; 0 where there is none, and *has is 0. */
static int32_t take_number(struct compiling *c, int *has)
{
    int32_t number = 0;

    *has = 0;
    for (; c->at < c->size && c->text[c->at] >= '0' && c->text[c->at] <= '9'; c->at++) {
        number = number < MOST_STEPS ? number * 10 + (c->text[c->at] - '0') : number;
        *has = 1;
    }
    return number;
}

/* "{m,n}"; what is none stays where it is, and is text. */
static int take_braces(struct compiling *c, int32_t *least, int32_t *most)
{
    const size_t before = c->at;
    int has_least, has_most = 1;

    if (is_next(c, "{}") || !take(c, "{"))
        return 0;
    *least = take_number(c, &has_least);
    *most = *least;
    if (take(c, ",")) {
        *most = take_number(c, &has_most);
        *most = has_most ? *most : NO_LIMIT;
        has_most = 1;
    } else {
        has_most = has_least;
    }
    if (has_most && take(c, "}"))
        return 1;
    c->at = before;
    return 0;
}

static int take_repetition(struct compiling *c, int32_t *least, int32_t *most)
{
    *least = 0;
    *most = NO_LIMIT;
    if (take(c, "*"))
        return 1;
    if (take(c, "?")) {
        *most = 1;
        return 1;
    }
    if (take(c, "+")) {
        *least = 1;
        return 1;
    }
    return take_braces(c, least, most);
}

static dgm_status emit_split(struct compiling *c, int32_t beyond, int is_lazy)
{
    return is_lazy ? emit(c, DGM_REGEX_SPLIT, beyond, 1) : emit(c, DGM_REGEX_SPLIT, 1, beyond);
}

/* The block is there `least` times, and up to `most` times. */
static dgm_status emit_repeated(struct compiling *c, const struct dgm_regex_step *block,
                                int32_t length, int32_t least, int32_t most, int is_lazy)
{
    for (int32_t i = 0; i < least; i++)
        DGM_TRY(emit_again(c, block, length));
    if (most == NO_LIMIT) {
        DGM_TRY(emit_split(c, length + 2, is_lazy));
        DGM_TRY(emit_again(c, block, length));
        return emit(c, DGM_REGEX_JUMP, -(length + 1), 0);
    }
    for (int32_t left = most - least; left > 0; left--) {
        DGM_TRY(emit_split(c, left * (length + 1), is_lazy));
        DGM_TRY(emit_again(c, block, length));
    }
    return DGM_OK;
}

/* What stands from step `start` on, repeated. */
static dgm_status repeat(struct compiling *c, size_t start, int32_t least, int32_t most,
                         int is_lazy)
{
    struct dgm_regex *regex = c->regex;
    const int32_t length = (int32_t)(regex->step_count - start);
    struct dgm_regex_step *block;
    dgm_status status;

    if (length == 0) /* "()*" */
        return DGM_OK;
    DGM_TRY(dgm_new(c->env, &block, (size_t)length, sizeof *block));
    memcpy(block, regex->steps + start, (size_t)length * sizeof *block);
    regex->step_count = start;
    status = emit_repeated(c, block, length, least, most, is_lazy);
    dgm_release(c->env, block);
    return status;
}

static dgm_status compile_item(struct compiling *c)
{
    const size_t start = c->regex->step_count;
    int32_t least, most;
    int repeats;

    if (is_next(c, "*") || is_next(c, "+") || is_next(c, "?") || take_braces(c, &least, &most))
        return refuse(c, "a repetition of nothing");
    DGM_TRY(compile_atom(c, &repeats));
    if (!take_repetition(c, &least, &most))
        return DGM_OK;
    if (!repeats)
        return refuse(c, "a place that is repeated");
    if (most != NO_LIMIT && most < least)
        return refuse(c, "a repetition whose most is below its least");
    DGM_TRY(repeat(c, start, least, most, take(c, "?")));
    if (is_next(c, "*") || is_next(c, "+") || is_next(c, "?") || take_braces(c, &least, &most))
        return refuse(c, "a repetition that is repeated");
    return DGM_OK;
}

static dgm_status compile_sequence(struct compiling *c)
{
    while (c->at < c->size && !is_next(c, "|") && !is_next(c, ")"))
        DGM_TRY(compile_item(c));
    return DGM_OK;
}

static dgm_status compile_choice(struct compiling *c)
{
    const size_t start = c->regex->step_count;
    size_t behind;
    int32_t length;

    DGM_TRY(compile_sequence(c));
    if (!take(c, "|"))
        return DGM_OK;
    length = (int32_t)(c->regex->step_count - start);
    DGM_TRY(insert(c, start, 1, length + 2));
    behind = c->regex->step_count;
    DGM_TRY(emit(c, DGM_REGEX_JUMP, 0, 0));
    if (++c->depth > 10 * MOST_DEPTH)
        return refuse(c, "too many choices");
    DGM_TRY(compile_choice(c));
    c->depth--;
    c->regex->steps[behind].first = (int32_t)(c->regex->step_count - behind);
    return DGM_OK;
}

dgm_status dgm_regex_compile(struct dgm_env *env, struct dgm_regex *regex, const char *pattern,
                             size_t bytes)
{
    struct compiling c = { env, regex, pattern, bytes, 0, 0 };
    dgm_status status;
    size_t offset, length;
    long column;

    memset(regex, 0, sizeof *regex);
    if (bytes > MOST_BYTES || dgm_utf8_find_bad(pattern, bytes, &offset, &length, &column))
        return dgm_fail(env, DGM_USAGE, "an expression is longer than %d bytes, or no UTF-8",
                        (int)MOST_BYTES);
    DGM_TRY_OUT(compile_choice(&c));
    if (c.at < bytes)
        DGM_TRY_OUT(refuse(&c, "a ) without its ("));
    status = emit(&c, DGM_REGEX_MATCH, 0, 0);
out:
    if (status != DGM_OK)
        dgm_regex_clear(env, regex);
    return status;
}

void dgm_regex_clear(struct dgm_env *env, struct dgm_regex *regex)
{
    dgm_release(env, regex->steps);
    dgm_release(env, regex->ranges);
    memset(regex, 0, sizeof *regex);
}
