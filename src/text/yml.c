/* yml.c: names, values and lists of the YAML that Marian writes. */
#include "text/yml.h"

#include <string.h>

#include "base/bytes.h"
#include "text/unicode/utf8.h"

/* A line on its way. */
struct yml {
    struct dgm_env *env;
    const char *path;
    long line;
    const char *at, *end; /* what is left of the line; in braces, of the text */
    const char *text;     /* behind the line: ... */
    size_t size;          /* ... so many bytes */
    long indent;          /* of the names, in blanks; -1: there is none as yet */
    struct dgm_buf key, value;
    int has_list;  /* the last name has no value: items may follow */
    int is_asked;  /* the last name stood behind "?": its value follows on a line of its own */
    int may_go_on; /* that name is plain text, of which such a line may be more */
    dgm_yml_fn *fn;
    void *user;
};

static dgm_status fail(const struct yml *yml, const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, yml->at, (size_t)(yml->end - yml->at));
    return dgm_fail_at(yml->env, DGM_DATA, yml->path, yml->line, 0, "\"%s\"; expected %s", quoted,
                       expected);
}

static void skip_blanks(struct yml *yml)
{
    while (yml->at < yml->end && (*yml->at == ' ' || *yml->at == '\t'))
        yml->at++;
}

/* Nothing is left but blanks, or a comment behind one. */
static int is_over(struct yml *yml)
{
    const char *start = yml->at;

    skip_blanks(yml);
    return yml->at == yml->end || (*yml->at == '#' && yml->at > start);
}

/* Whether a mark and a blank begin here. */
static int is_at(const struct yml *yml, char mark)
{
    return *yml->at == mark && (yml->end - yml->at == 1 || yml->at[1] == ' ' || yml->at[1] == '\t');
}

/* To a later line on which a text goes on: it is indented more than names are. */
static dgm_status go_on(struct yml *yml, const char *expected)
{
    const int is_in_braces = yml->at < yml->end;
    const char *text = is_in_braces ? yml->at + 1 : yml->text, *line;
    size_t size = is_in_braces ? (size_t)(yml->end - text) : yml->size, blanks = 0, length;

    line = dgm_bytes_line(&text, &size, &length);
    while (line != NULL && blanks < length && line[blanks] == ' ')
        blanks++;
    if (line == NULL || (long)blanks <= (yml->indent > 0 ? yml->indent : 0))
        return fail(yml, expected);
    DGM_TRY(dgm_utf8_check(yml->env, yml->path, yml->line + 1, line, length));
    yml->line++;
    yml->at = line + blanks;
    if (is_in_braces)
        return DGM_OK;
    yml->end = line + length;
    yml->text = text;
    yml->size = size;
    return DGM_OK;
}

/* The end of a line inside a text is a blank, those around it are none of it (section 6.5). */
static dgm_status fold(struct yml *yml, struct dgm_buf *out, size_t kept, const char *expected)
{
    while (out->size > kept && strchr(" \t\r", out->data[out->size - 1]) != NULL)
        out->size--;
    DGM_TRY(go_on(yml, expected));
    return dgm_buf_add_char(yml->env, out, ' ');
}

/* Whether the line ends here; in braces the text goes on behind it. */
static int is_line_end(const struct yml *yml)
{
    return yml->at == yml->end || *yml->at == '\n';
}

/* Passes a tag that says what a value is anyway. */
static void skip_tag(struct yml *yml)
{
    static const char *const tags[] = { "!!str", "!!int", "!!float", "!!bool", "!!map" };

    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
        const size_t bytes = strlen(tags[t]);

        if ((size_t)(yml->end - yml->at) > bytes && memcmp(yml->at, tags[t], bytes) == 0 &&
            yml->at[bytes] == ' ') {
            yml->at += bytes;
            skip_blanks(yml);
            return;
        }
    }
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* YAML 1.2.2, section 5.7: what one character behind a backslash means. */
static int32_t escape_of(char name)
{
    static const char names[] = "0abtnvfre \"/\\NLP_";
    static const uint16_t meanings[] = { 0,   7,   8,   9,    10,   11,     12,     13,  27,
                                         ' ', '"', '/', '\\', 0x85, 0x2028, 0x2029, 0xA0 };
    const char *found = name != '\0' ? strchr(names, name) : NULL;

    return found != NULL ? meanings[found - names] : -1;
}

/* Behind a backslash: the number of a character. */
static dgm_status read_code(struct yml *yml, int32_t *code)
{
    const char name = yml->at < yml->end ? *yml->at : '\0';
    int digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;

    *code = digits > 0 ? 0 : escape_of(name);
    if (*code < 0)
        return fail(yml, "an escape of YAML behind the backslash");
    for (yml->at++; digits > 0; digits--, yml->at++) {
        const int digit = yml->at < yml->end ? dgm_hex_digit(*yml->at) : -1;

        if (digit < 0 || *code > 0x10FFFF)
            return fail(yml, "hexadecimal digits of a character");
        *code = *code * 16 + digit;
    }
    return DGM_OK;
}

/* The same, added. Two halves of a character beyond U+FFFF are one, as JSON has it (RFC 8259). */
static dgm_status read_escape(struct yml *yml, struct dgm_buf *out)
{
    int32_t code, half;

    DGM_TRY(read_code(yml, &code));
    if (code >= 0xD800 && code < 0xDC00 && yml->end - yml->at > 1 && *yml->at == '\\') {
        yml->at++;
        DGM_TRY(read_code(yml, &half));
        code =
            half >= 0xDC00 && half < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + half - 0xDC00 : 0;
    }
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return fail(yml, "a character behind its number");
    return dgm_utf8_add(yml->env, out, (uint32_t)code);
}

static dgm_status read_double(struct yml *yml, struct dgm_buf *out)
{
    static const char expected[] = "a quotation mark, on this line or an indented one";
    size_t kept = 0; /* bytes whose blanks are written so */

    for (yml->at++; is_line_end(yml) || *yml->at != '"';) {
        if (is_line_end(yml)) {
            DGM_TRY(fold(yml, out, kept, expected));
        } else if (*yml->at != '\\') {
            DGM_TRY(dgm_buf_add_char(yml->env, out, *yml->at++));
        } else {
            yml->at++;
            DGM_TRY(is_line_end(yml) ? go_on(yml, expected) : read_escape(yml, out));
            kept = out->size;
        }
    }
    yml->at++;
    return DGM_OK;
}

static dgm_status read_single(struct yml *yml, struct dgm_buf *out)
{
    static const char expected[] = "a single quotation mark, on this line or an indented one";

    for (yml->at++;;) {
        if (is_line_end(yml)) {
            DGM_TRY(fold(yml, out, 0, expected));
            continue;
        }
        if (*yml->at == '\'' && (yml->end - yml->at < 2 || yml->at[1] != '\''))
            break;
        yml->at += *yml->at == '\'';
        DGM_TRY(dgm_buf_add_char(yml->env, out, *yml->at++));
    }
    yml->at++;
    return DGM_OK;
}

/* Bytes of a plain scalar: up to ": " or " #", in a list in brackets up to , ] too. */
static size_t plain_bytes(const struct yml *yml, int in_brackets)
{
    const char *at = yml->at, *last = yml->at;

    for (; at < yml->end; at++) {
        const int ends = at + 1 == yml->end || at[1] == ' ' || at[1] == '\t' || at[1] == '\n';

        if (*at == '\n' || (*at == ':' && ends) || (in_brackets && strchr(",[]{}", *at) != NULL) ||
            (*at == '#' && at > yml->at && (at[-1] == ' ' || at[-1] == '\t')))
            break;
        if (*at != ' ' && *at != '\t')
            last = at + 1;
    }
    return (size_t)(last - yml->at);
}

/* Whether something else than plain text begins here (section 7.3.3). */
static int is_indicator(const struct yml *yml)
{
    const char first = *yml->at;
    const int is_alone = yml->end - yml->at < 2 || yml->at[1] == ' ' || yml->at[1] == '\t';

    if (strchr("-?:", first) != NULL)
        return is_alone;
    return strchr(",[]{}#&*!|>%@`", first) != NULL;
}

/* One scalar, quoted or plain, in place of what `out` held. */
static dgm_status read_scalar(struct yml *yml, struct dgm_buf *out, int in_brackets, int *is_quoted)
{
    dgm_buf_reset(out);
    skip_tag(yml);
    *is_quoted = yml->at < yml->end && (*yml->at == '"' || *yml->at == '\'');
    if (*is_quoted)
        DGM_TRY((*yml->at == '"' ? read_double : read_single)(yml, out));
    else if (yml->at == yml->end || is_indicator(yml))
        return fail(yml, "a name or a value, in quotes if it begins so");
    else {
        const size_t bytes = plain_bytes(yml, in_brackets);

        if (bytes == 0)
            return fail(yml, "a name or a value");
        DGM_TRY(dgm_buf_add(yml->env, out, yml->at, bytes));
        yml->at += bytes;
    }
    return dgm_buf_add(yml->env, out, "", 0);
}

/* ---- values ---------------------------------------------------------------------------------- */

static dgm_status tell(struct yml *yml, int is_item, int is_quoted)
{
    const struct dgm_yml_item item = { .key = yml->key.data,
                                       .key_bytes = yml->key.size,
                                       .value = yml->value.data,
                                       .value_bytes = yml->value.size,
                                       .is_item = is_item,
                                       .is_quoted = is_quoted,
                                       .line = yml->line };

    return yml->fn(yml->env, yml->user, &item);
}

/* Behind a bracket. */
static dgm_status read_list(struct yml *yml)
{
    int is_quoted;

    skip_blanks(yml);
    while (yml->at < yml->end && *yml->at != ']') {
        DGM_TRY(read_scalar(yml, &yml->value, 1, &is_quoted));
        DGM_TRY(tell(yml, 1, is_quoted));
        skip_blanks(yml);
        if (yml->at < yml->end && *yml->at == ',') {
            yml->at++;
            skip_blanks(yml);
        } else if (yml->at == yml->end || *yml->at != ']') {
            return fail(yml, ", or ] on this line");
        }
    }
    if (yml->at == yml->end)
        return fail(yml, "] on this line");
    yml->at++;
    return is_over(yml) ? DGM_OK : fail(yml, "the end of the line");
}

static dgm_status read_value(struct yml *yml, int is_item)
{
    int is_quoted;

    DGM_TRY(read_scalar(yml, &yml->value, 0, &is_quoted));
    if (!is_over(yml))
        return fail(yml, "the end of the line");
    return tell(yml, is_item, is_quoted);
}

/* "- value", in any column. */
static dgm_status read_item(struct yml *yml)
{
    if (!yml->has_list)
        return fail(yml, "a name in front of its list");
    yml->at++;
    skip_blanks(yml);
    return read_value(yml, 1);
}

/* From the colon on. */
static dgm_status read_named(struct yml *yml)
{
    yml->at++;
    yml->has_list = yml->is_asked = 0;
    if (yml->at < yml->end && *yml->at != ' ' && *yml->at != '\t')
        return fail(yml, "a blank behind the colon");
    yml->has_list = is_over(yml);
    if (yml->has_list)
        return DGM_OK;
    if (*yml->at == '[') {
        yml->at++;
        return read_list(yml);
    }
    return read_value(yml, 0);
}

static dgm_status read_name(struct yml *yml)
{
    int is_quoted;

    DGM_TRY(read_scalar(yml, &yml->key, 0, &is_quoted));
    skip_blanks(yml);
    if (yml->at == yml->end || *yml->at != ':')
        return fail(yml, "name: value");
    return read_named(yml);
}

/* "? name", whose value is on the next line, ": value" (section 8.2.2). */
static dgm_status read_asked(struct yml *yml)
{
    int is_quoted;

    yml->at++;
    skip_blanks(yml);
    DGM_TRY(read_scalar(yml, &yml->key, 0, &is_quoted));
    if (!is_over(yml))
        return fail(yml, "the end of the line");
    yml->has_list = 0;
    yml->is_asked = 1;
    yml->may_go_on = !is_quoted;
    return DGM_OK;
}

/* ---- a mapping in braces --------------------------------------------------------------------- */

/* To what comes next, on this line or a later one. */
static void skip_lines(struct yml *yml)
{
    for (; yml->at < yml->end; yml->at++) {
        if (*yml->at == '\n')
            yml->line++;
        else if (*yml->at != ' ' && *yml->at != '\t' && *yml->at != '\r')
            return;
    }
}

/* "name: value", or "name":value. */
static dgm_status read_pair(struct yml *yml)
{
    int is_quoted;

    if (is_at(yml, '?')) {
        yml->at++;
        skip_lines(yml);
    }
    DGM_TRY(read_scalar(yml, &yml->key, 1, &is_quoted));
    skip_lines(yml);
    if (yml->at == yml->end || *yml->at != ':')
        return fail(yml, "a colon and the value of the name");
    yml->at++;
    skip_lines(yml);
    DGM_TRY(read_scalar(yml, &yml->value, 1, &is_quoted));
    return tell(yml, 0, is_quoted);
}

/* From the brace to the end of the text. */
static dgm_status read_braces(struct yml *yml)
{
    yml->end = yml->text + yml->size;
    DGM_TRY(dgm_utf8_check(yml->env, yml->path, yml->line, yml->at, (size_t)(yml->end - yml->at)));
    yml->size = 0;
    yml->at++;
    for (skip_lines(yml); yml->at < yml->end && *yml->at != '}'; skip_lines(yml)) {
        DGM_TRY(read_pair(yml));
        skip_lines(yml);
        if (yml->at < yml->end && *yml->at == ',')
            yml->at++;
        else if (yml->at == yml->end || *yml->at != '}')
            return fail(yml, "a comma or }");
    }
    if (yml->at == yml->end)
        return fail(yml, "}");
    yml->at++;
    skip_lines(yml);
    return yml->at == yml->end ? DGM_OK : fail(yml, "the end behind }");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int is_marker(const struct yml *yml)
{
    return yml->end - yml->at == 3 &&
           (memcmp(yml->at, "---", 3) == 0 || memcmp(yml->at, "...", 3) == 0);
}

/* A line more of a plain name behind "?". */
static dgm_status add_to_name(struct yml *yml)
{
    const size_t bytes = plain_bytes(yml, 0);

    DGM_TRY(dgm_buf_add_char(yml->env, &yml->key, ' '));
    DGM_TRY(dgm_buf_add(yml->env, &yml->key, yml->at, bytes));
    DGM_TRY(dgm_buf_add(yml->env, &yml->key, "", 0));
    yml->at += bytes;
    return is_over(yml) ? DGM_OK : fail(yml, "the end of the line");
}

static const char no_answer[] = "a colon and the value of the name behind ?, on the next line";

static dgm_status read_line(struct yml *yml)
{
    const char *start = yml->at;

    DGM_TRY(dgm_utf8_check(yml->env, yml->path, yml->line, start, (size_t)(yml->end - start)));
    if (is_marker(yml) || (yml->at < yml->end && *yml->at == '#') || is_over(yml))
        return DGM_OK;
    if (yml->is_asked && yml->may_go_on && yml->at - start > yml->indent && !is_at(yml, ':'))
        return add_to_name(yml);
    if (yml->is_asked)
        return yml->at - start == yml->indent && is_at(yml, ':') ? read_named(yml)
                                                                 : fail(yml, no_answer);
    if (yml->indent < 0)
        skip_tag(yml);
    if (yml->at == yml->end) /* behind a tag */
        return DGM_OK;
    if (is_at(yml, '-'))
        return read_item(yml);
    if (yml->has_list && *yml->at == '[') { /* below its name, as Marian writes a list of nothing */
        yml->has_list = 0;
        yml->at++;
        return read_list(yml);
    }
    if (yml->indent < 0 && *yml->at == '{')
        return read_braces(yml);
    if (yml->indent < 0)
        yml->indent = yml->at - start;
    if (yml->at - start != yml->indent)
        return fail(yml, "no mapping inside another one, and no text of several lines");
    return is_at(yml, '?') ? read_asked(yml) : read_name(yml);
}

dgm_status dgm_yml_read(struct dgm_env *env, const char *path, const char *text, size_t size,
                        dgm_yml_fn *fn, void *user)
{
    struct yml yml = { .env = env, .path = path, .text = text, .size = size, .indent = -1 };
    dgm_status status = DGM_OK;
    size_t length;

    yml.fn = fn;
    yml.user = user;
    while (status == DGM_OK && (yml.at = dgm_bytes_line(&yml.text, &yml.size, &length)) != NULL) {
        yml.line++;
        yml.end = yml.at + length;
        status = read_line(&yml);
    }
    if (status == DGM_OK && yml.is_asked)
        status = dgm_fail_at(env, DGM_DATA, path, yml.line, 0, "the end; expected %s", no_answer);
    dgm_buf_clear(env, &yml.key);
    dgm_buf_clear(env, &yml.value);
    return status;
}
