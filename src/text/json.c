/* json.c: marks, strings and numbers of JSON. */
#include "text/json.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/number/number.h"
#include "text/unicode/utf8.h"

void dgm_json_start(struct dgm_json *json, struct dgm_env *env, const char *path, long line,
                    const char *text, size_t size)
{
    *json = (struct dgm_json){ .env = env, .path = path, .line = line, .text = text, .size = size };
}

static void skip_blanks(struct dgm_json *json)
{
    while (json->at < json->size && json->text[json->at] != '\0' &&
           strchr(" \t\r\n", json->text[json->at]) != NULL)
        json->at++;
}

dgm_status dgm_json_fail(const struct dgm_json *json, const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];
    size_t left = json->size - json->at;

    if (left == 0)
        return dgm_fail_at(json->env, DGM_DATA, json->path, json->line, (long)json->at + 1,
                           "the line ends here; expected %s", expected);
    dgm_quote(quoted, sizeof quoted, json->text + json->at, left < 20 ? left : 20);
    return dgm_fail_at(json->env, DGM_DATA, json->path, json->line, (long)json->at + 1,
                       "\"%s\"; expected %s", quoted, expected);
}

int dgm_json_try(struct dgm_json *json, char mark)
{
    skip_blanks(json);
    if (json->at == json->size || json->text[json->at] != mark)
        return 0;
    json->at++;
    return 1;
}

dgm_status dgm_json_mark(struct dgm_json *json, char mark)
{
    const char expected[2] = { mark, '\0' };

    return dgm_json_try(json, mark) ? DGM_OK : dgm_json_fail(json, expected);
}

dgm_status dgm_json_item(struct dgm_json *json, char close, size_t *count, int *more)
{
    *more = !dgm_json_try(json, close);
    if (*more && *count > 0 && !dgm_json_try(json, ','))
        return dgm_json_fail(json, close == ']' ? ", or ]" : ", or }");
    (*count)++;
    return DGM_OK;
}

/* ---- strings -------------------------------------------------------------------------------- */

/* Four hexadecimal digits; 0 if there are none. */
static int read_hex(struct dgm_json *json, uint32_t *unit)
{
    size_t end = json->at + 4;

    *unit = 0;
    if (json->size < end)
        return 0;
    for (; json->at < end; json->at++) {
        const int digit = dgm_hex_digit(json->text[json->at]);
        if (digit < 0)
            return 0;
        *unit = *unit * 16 + (uint32_t)digit;
    }
    return 1;
}

/* Behind \u: a character, or the two halves of one beyond U+FFFF, a surrogate pair (RFC 8259,
 * section 7). A half alone is no character. */
static int read_unicode(struct dgm_json *json, uint32_t *code)
{
    uint32_t low;

    if (!read_hex(json, code) || *code == 0 || (*code >= 0xDC00 && *code < 0xE000))
        return 0;
    if (*code < 0xD800 || *code >= 0xE000)
        return 1;
    if (json->size - json->at < 2 || json->text[json->at] != '\\' ||
        json->text[json->at + 1] != 'u')
        return 0;
    json->at += 2;
    if (!read_hex(json, &low) || low < 0xDC00 || low >= 0xE000)
        return 0;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return 1;
}

/* Behind a backslash. */
static dgm_status read_escape(struct dgm_json *json, struct dgm_buf *out)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char name = json->at < json->size ? json->text[json->at] : '\0';
    const char *found = name != '\0' ? strchr(names, name) : NULL;
    uint32_t code;

    if (name != 'u' && found == NULL)
        return dgm_json_fail(json, "one of \" \\ / b f n r t u behind a backslash");
    json->at++;
    if (found != NULL)
        return dgm_buf_add_char(json->env, out, meanings[found - names]);
    if (!read_unicode(json, &code))
        return dgm_json_fail(json, "four hexadecimal digits of a character");
    return dgm_utf8_add(json->env, out, code);
}

/* Bytes up to a quotation mark, a backslash or what may not stand in a string. */
static size_t plain_bytes(const struct dgm_json *json)
{
    size_t at = json->at;

    while (at < json->size && json->text[at] != '"' && json->text[at] != '\\' &&
           (unsigned char)json->text[at] >= 0x20) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, json->text + at, json->size - at);
        if (code == DGM_UTF8_BAD)
            break;
        at += used;
    }
    return at - json->at;
}

int dgm_json_is_string(struct dgm_json *json)
{
    skip_blanks(json);
    return json->at < json->size && json->text[json->at] == '"';
}

dgm_status dgm_json_string(struct dgm_json *json, struct dgm_buf *out)
{
    dgm_buf_reset(out);
    if (!dgm_json_try(json, '"'))
        return dgm_json_fail(json, "a string");
    for (;;) {
        size_t plain = plain_bytes(json);
        DGM_TRY(dgm_buf_add(json->env, out, json->text + json->at, plain));
        json->at += plain;
        if (json->at == json->size)
            return dgm_json_fail(json, "the end of the string");
        if (json->text[json->at] == '"')
            break;
        if (json->text[json->at] != '\\')
            return dgm_json_fail(json, "UTF-8 without control characters");
        json->at++;
        DGM_TRY(read_escape(json, out));
    }
    json->at++;
    return dgm_buf_add(json->env, out, "", 0);
}

dgm_status dgm_json_name(struct dgm_json *json, struct dgm_buf *out)
{
    DGM_TRY(dgm_json_string(json, out));
    return dgm_json_mark(json, ':');
}

/* ---- numbers -------------------------------------------------------------------------------- */

static size_t number_bytes(struct dgm_json *json)
{
    size_t end;

    skip_blanks(json);
    for (end = json->at; end < json->size; end++)
        if (json->text[end] == '\0' || strchr("+-.0123456789eE", json->text[end]) == NULL)
            break;
    return end - json->at;
}

dgm_status dgm_json_real(struct dgm_json *json, double *value)
{
    size_t bytes = number_bytes(json);

    if (!dgm_number_real(value, json->text + json->at, bytes))
        return dgm_json_fail(json, "a number");
    json->at += bytes;
    return DGM_OK;
}

dgm_status dgm_json_int(struct dgm_json *json, int64_t low, int64_t high, int64_t *value)
{
    size_t bytes = number_bytes(json);
    char expected[80];
    int64_t read;

    if (!dgm_number_int(&read, json->text + json->at, bytes) || read < low || read > high) {
        snprintf(expected, sizeof expected, "a whole number within %lld..%lld", (long long)low,
                 (long long)high);
        return dgm_json_fail(json, expected);
    }
    json->at += bytes;
    *value = read;
    return DGM_OK;
}

dgm_status dgm_json_end(struct dgm_json *json)
{
    skip_blanks(json);
    return json->at == json->size ? DGM_OK : dgm_json_fail(json, "the end of the line");
}
