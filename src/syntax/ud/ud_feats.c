/* ud_feats.c: FEATS: Name=Value|Name=Value,Value, in the order of the alphabet, each once (level
 * 2). */
#include "syntax/ud/ud_parts.h"

#include <string.h>

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* The length of the letters and digits at the front. */
static size_t plain(const char *text, size_t bytes)
{
    size_t n = 0;

    while (n < bytes && (is_upper(text[n]) || is_lower(text[n]) || is_digit(text[n])))
        n++;
    return n;
}

/* Of what ends at a mark or at the end. */
static size_t until(const char *text, size_t bytes, char mark)
{
    const char *found = memchr(text, mark, bytes);

    return found == NULL ? bytes : (size_t)(found - text);
}

/* `Number`, or with a layer, `Number[psor]`. */
static int is_name(const char *text, size_t bytes)
{
    size_t n = plain(text, bytes);

    if (n == 0 || !is_upper(text[0]))
        return 0;
    if (n == bytes)
        return 1;
    if (bytes - n < 3 || text[n] != '[' || text[bytes - 1] != ']')
        return 0;
    for (size_t i = n + 1; i + 1 < bytes; i++)
        if (!is_lower(text[i]) && !is_digit(text[i]))
            return 0;
    return 1;
}

static int is_value(const char *text, size_t bytes)
{
    return bytes > 0 && !is_lower(text[0]) && plain(text, bytes) == bytes;
}

/* ---- order -------------------------------------------------------------------------------- */

static int fold(char c)
{
    return is_upper(c) ? c - 'A' + 'a' : (unsigned char)c;
}

/* As strcmp, without regard to capitals. */
static int compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t i = 0;

    while (i < a_bytes && i < b_bytes && fold(a[i]) == fold(b[i]))
        i++;
    if (i < a_bytes && i < b_bytes)
        return fold(a[i]) - fold(b[i]);
    return (a_bytes > i) - (b_bytes > i);
}

/* Whether what stands at `at` up to its `end` (so many bytes) also stands before it, among the
 * parts that `mark` separates. They are sorted without regard to capitals: behind one that differs
 * in more than these no equal one can stand. */
static int is_repeated(const char *text, const char *at, size_t bytes, char mark, char end)
{
    const char *next = at;

    while (next > text) {
        const char *part = next - 1;

        while (part > text && part[-1] != mark)
            part--;
        if (compare(part, until(part, (size_t)(next - part), end), at, bytes) != 0)
            return 0;
        if (memcmp(part, at, bytes) == 0)
            return 1;
        next = part;
    }
    return 0;
}

/* `Masc,Neut`: each a value, in order, none twice. */
static int values_are_good(const char *text, size_t bytes)
{
    const char *last = text;
    size_t last_bytes = 0;

    for (size_t at = 0, part; at <= bytes; at += part + 1) {
        part = until(text + at, bytes - at, ',');
        if (!is_value(text + at, part) || compare(last, last_bytes, text + at, part) > 0 ||
            is_repeated(text, text + at, part, ',', ','))
            return 0;
        last = text + at;
        last_bytes = part;
    }
    return 1;
}

/* What is expected of the feature at `at` instead, or NULL. */
static const char *find_fault(const char *feats, const char *at, size_t bytes)
{
    size_t name = until(at, bytes, '=');
    const char *before = at - 1;

    if (name == bytes || !is_name(at, name))
        return "Name=Value, with a capital first and no other characters than letters and digits";
    if (!values_are_good(at + name + 1, bytes - name - 1))
        return "values of letters and digits, a capital or digit first, in the order of the "
               "alphabet, each once";
    if (at == feats)
        return NULL;
    while (before > feats && before[-1] != '|')
        before--;
    if (compare(before, (size_t)(at - before) - 1, at, bytes) > 0)
        return "features in the order of the alphabet";
    return is_repeated(feats, at, name, '|', '=') ? "each feature once" : NULL;
}

dgm_status dgm_ud_feats(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    const char *feats = dgm_conllu_row_text(check->sentence, row, DGM_CONLLU_FEATS), *at = feats;

    if (strcmp(feats, "_") == 0)
        return DGM_OK;
    for (;;) {
        size_t bytes = strcspn(at, "|");
        const char *expected = find_fault(feats, at, bytes);

        if (expected != NULL)
            return dgm_ud_refuse(check, DGM_CONLLU_BAD_LABEL, row, DGM_CONLLU_FEATS, at, bytes,
                                 expected);
        if (at[bytes] == '\0')
            return DGM_OK;
        at += bytes + 1;
    }
}
