/* multiword.c: tokens that are several words of syntax, and what their words are. */
#include "text/tokenize/multiword.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* What is wrong with a line: it has at least three parts between tabs, none empty, none with a
 * blank at an end or anything invisible. NULL: nothing. */
static const char *fault_of(const char *line, size_t bytes)
{
    size_t parts = 1, start = 0;

    for (size_t i = 0; i <= bytes; i++) {
        if (i < bytes && line[i] != '\t' && ((unsigned char)line[i] < ' ' || line[i] == 0x7f))
            return "with a control character";
        if (i < bytes && line[i] != '\t')
            continue;
        if (i == start || line[start] == ' ' || line[i - 1] == ' ')
            return "with an empty part or a blank at the end of one";
        parts += i < bytes;
        start = i + 1;
    }
    return parts >= 3 ? NULL : "without two words";
}

/* ---- from a treebank ------------------------------------------------------------------------- */

dgm_status dgm_multiwords_count(struct dgm_env *env, struct dgm_map *counts, const char *token,
                                const char *words, int32_t count)
{
    struct dgm_buf line = { .data = NULL };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add(env, &line, "", 0));
    DGM_TRY_OUT(dgm_unicode_lower_text(env, &line, token, strlen(token)));
    for (int32_t w = 0; w < count; w++, words += strlen(words) + 1) {
        DGM_TRY_OUT(dgm_buf_add_char(env, &line, '\t'));
        DGM_TRY_OUT(dgm_unicode_lower_text(env, &line, words, strlen(words)));
    }
    if (fault_of(line.data, line.size) == NULL)
        DGM_TRY_OUT(dgm_map_count(env, counts, line.data, line.size, 1));
out:
    dgm_buf_clear(env, &line);
    return status;
}

/* best: token -> number of its most frequent line. */
static dgm_status find_best(struct dgm_env *env, struct dgm_map *best, const struct dgm_map *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *line = &counts->entries[i];
        const char *text = dgm_map_key(counts, line);
        struct dgm_map_entry *entry;
        int is_new;

        DGM_TRY(dgm_map_insert(env, best, text, strcspn(text, "\t"), &entry, &is_new));
        if (is_new || line->value > counts->entries[entry->value].value)
            entry->value = (int64_t)i;
    }
    return DGM_OK;
}

dgm_status dgm_multiwords_build(struct dgm_env *env, struct dgm_multiwords *multiwords,
                                const struct dgm_map *counts)
{
    struct dgm_buf text = { .data = NULL };
    struct dgm_map best = { 0 };
    dgm_status status;

    DGM_TRY_OUT(find_best(env, &best, counts));
    for (size_t i = 0; i < best.count; i++) {
        const struct dgm_map_entry *line = &counts->entries[best.entries[i].value];

        DGM_TRY_OUT(dgm_buf_add(env, &text, dgm_map_key(counts, line), line->length));
        DGM_TRY_OUT(dgm_buf_add_char(env, &text, '\n'));
    }
    DGM_TRY_OUT(dgm_multiwords_parse(env, multiwords, text.data, text.size, "multiword tokens"));
out:
    dgm_buf_clear(env, &text);
    dgm_map_clear(env, &best);
    return status;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Bytes of whole characters that two texts begin with alike. */
static size_t common_bytes(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t same = 0;

    while (same < a_bytes && same < b_bytes && a[same] == b[same])
        same++;
    while (same > 0 && ((same < a_bytes && ((unsigned char)a[same] & 0xC0) == 0x80) ||
                        (same < b_bytes && ((unsigned char)b[same] & 0xC0) == 0x80)))
        same--;
    return same;
}

/* The ending of a token and what stands in its place, a tab between. */
static dgm_status count_pair(struct dgm_env *env, struct dgm_multiwords *multiwords,
                             const char *token, size_t length, const char *words, size_t bytes)
{
    struct dgm_buf pair = { .data = NULL };
    size_t same = common_bytes(token, length, words, strcspn(words, "\t"));
    dgm_status status = DGM_OK;

    if (same == 0 || same == length)
        return DGM_OK;
    DGM_TRY_OUT(dgm_buf_add(env, &pair, token + same, length - same));
    DGM_TRY_OUT(dgm_buf_add_char(env, &pair, '\t'));
    DGM_TRY_OUT(dgm_buf_add(env, &pair, words + same, bytes - same));
    DGM_TRY_OUT(dgm_map_count(env, &multiwords->pairs, pair.data, pair.size, 1));
out:
    dgm_buf_clear(env, &pair);
    return status;
}

/* ---- the dictionary -------------------------------------------------------------------------- */

static dgm_status fail_line(struct dgm_env *env, const char *name, long number, const char *found)
{
    return dgm_fail_at(env, DGM_DATA, name, number, 0,
                       "multiword token %s; expected token, tab, word, tab, word, ...", found);
}

static dgm_status add_line(struct dgm_env *env, struct dgm_multiwords *multiwords, size_t at,
                           size_t bytes, const char *name, long number)
{
    const char *line = multiwords->text.data + at;
    size_t length = strcspn(line, "\t");
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_utf8_check(env, name, number, line, bytes));
    if (fault_of(line, bytes) != NULL)
        return fail_line(env, name, number, fault_of(line, bytes));
    DGM_TRY(dgm_map_insert(env, &multiwords->known, line, length, &entry, &is_new));
    if (!is_new)
        return fail_line(env, name, number, "that stands twice");
    entry->value = (int64_t)(at + length + 1);
    return count_pair(env, multiwords, line, length, line + length + 1, bytes - length - 1);
}

dgm_status dgm_multiwords_parse(struct dgm_env *env, struct dgm_multiwords *multiwords,
                                const char *text, size_t bytes, const char *name)
{
    long number = 1;
    size_t end;

    DGM_TRY(dgm_buf_add(env, &multiwords->text, text, bytes));
    if (bytes > 0 && text[bytes - 1] != '\n')
        return fail_line(env, name, 0, "whose line does not end");
    for (size_t at = 0; at < bytes; at = end + 1, number++) {
        const char *found = memchr(multiwords->text.data + at, '\n', bytes - at);

        end = (size_t)(found - multiwords->text.data);
        DGM_TRY(add_line(env, multiwords, at, end - at, name, number));
    }
    return find_best(env, &multiwords->rules, &multiwords->pairs);
}

void dgm_multiwords_clear(struct dgm_env *env, struct dgm_multiwords *multiwords)
{
    dgm_buf_clear(env, &multiwords->text);
    dgm_map_clear(env, &multiwords->known);
    dgm_map_clear(env, &multiwords->pairs);
    dgm_map_clear(env, &multiwords->rules);
}

/* ---- expansion ------------------------------------------------------------------------------- */

/* The words of a token by the rule of its longest known ending, tabs between; nothing without. */
static dgm_status apply_rule(struct dgm_env *env, const struct dgm_multiwords *multiwords,
                             const char *token, size_t bytes, struct dgm_buf *words)
{
    uint32_t code;

    for (size_t at = dgm_utf8_decode(&code, token, bytes); at < bytes;
         at += dgm_utf8_decode(&code, token + at, bytes - at)) {
        const struct dgm_map_entry *rule = dgm_map_find(&multiwords->rules, token + at, bytes - at);
        const struct dgm_map_entry *pair;

        if (rule == NULL)
            continue;
        pair = &multiwords->pairs.entries[rule->value];
        DGM_TRY(dgm_buf_add(env, words, token, at));
        return dgm_buf_add(env, words, dgm_map_key(&multiwords->pairs, pair) + bytes - at + 1,
                           pair->length - (bytes - at) - 1);
    }
    return DGM_OK;
}

static dgm_status find_words(struct dgm_env *env, const struct dgm_multiwords *multiwords,
                             const struct dgm_buf *token, struct dgm_buf *words)
{
    const struct dgm_map_entry *entry = dgm_map_find(&multiwords->known, token->data, token->size);
    const char *text;

    if (entry == NULL)
        return apply_rule(env, multiwords, token->data, token->size, words);
    text = multiwords->text.data + entry->value;
    return dgm_buf_add(env, words, text, strcspn(text, "\n"));
}

/* Whether words, tabs left out, are the token, character by character. */
static int are_parts(const struct dgm_buf *words, const struct dgm_buf *lowered, const char *token,
                     size_t bytes)
{
    size_t at = 0;

    for (size_t i = 0; i < words->size; i++) {
        if (words->data[i] == '\t')
            continue;
        if (at == lowered->size || lowered->data[at++] != words->data[i])
            return 0;
    }
    return at == lowered->size &&
           dgm_utf8_length(lowered->data, lowered->size) == dgm_utf8_length(token, bytes);
}

/* The parts of a token as long, in characters, as the words are. */
static dgm_status add_parts(struct dgm_env *env, const struct dgm_buf *words, const char *token,
                            size_t bytes, struct dgm_buf *out)
{
    size_t at = 0, length, used;
    uint32_t code;

    for (size_t i = 0; i < words->size; i += length) {
        length = dgm_utf8_decode(&code, words->data + i, words->size - i);
        used = code == '\t' ? 0 : dgm_utf8_decode(&code, token + at, bytes - at);
        if (used == 0)
            DGM_TRY(dgm_buf_add_char(env, out, '\0'));
        DGM_TRY(dgm_buf_add(env, out, token + at, used));
        at += used;
    }
    return dgm_buf_add_char(env, out, '\0');
}

/* How many characters of the words become capitals: none, the first, or all. */
static size_t count_capitals(const char *token, size_t bytes)
{
    size_t upper = 0, lower = 0, first = 0, used;
    uint32_t code;

    for (size_t at = 0; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, token + at, bytes - at);
        upper += (size_t)dgm_unicode_is(code, DGM_UNICODE_UPPER);
        lower += (size_t)dgm_unicode_is(code, DGM_UNICODE_LOWER);
        if (at == 0)
            first = upper;
    }
    return upper > 1 && lower == 0 ? SIZE_MAX : first;
}

static dgm_status add_cased(struct dgm_env *env, const struct dgm_buf *words, size_t capitals,
                            struct dgm_buf *out)
{
    size_t used;
    uint32_t code;

    for (size_t at = 0; at < words->size; at += used) {
        used = dgm_utf8_decode(&code, words->data + at, words->size - at);
        if (code == DGM_UTF8_BAD)
            DGM_TRY(dgm_buf_add(env, out, words->data + at, used));
        else if (code == '\t')
            DGM_TRY(dgm_buf_add_char(env, out, '\0'));
        else
            DGM_TRY(dgm_utf8_add(env, out, capitals > 0 ? dgm_unicode_upper(code) : code));
        if (capitals > 0)
            capitals--;
    }
    return dgm_buf_add_char(env, out, '\0');
}

static int32_t count_words(const struct dgm_buf *words)
{
    int32_t count = words->size > 0;

    for (size_t i = 0; i < words->size; i++)
        count += words->data[i] == '\t';
    return count;
}

/* Whether `count` words, at least two and none empty, stand behind byte `from`. */
static int are_words(const struct dgm_buf *out, size_t from, int32_t count)
{
    int32_t seen = 0;

    for (size_t at = from; at < out->size; at += strlen(out->data + at) + 1, seen++)
        if (out->data[at] == '\0')
            return 0;
    return seen == count && count > 1;
}

dgm_status dgm_multiwords_expand(struct dgm_env *env, const struct dgm_multiwords *multiwords,
                                 const char *token, size_t bytes, struct dgm_buf *out,
                                 int32_t *count)
{
    struct dgm_buf lowered = { .data = NULL }, words = { .data = NULL };
    const size_t from = out->size;
    dgm_status status;

    *count = 0;
    DGM_TRY_OUT(dgm_unicode_lower_text(env, &lowered, token, bytes));
    DGM_TRY_OUT(dgm_buf_add(env, &lowered, "", 0));
    DGM_TRY_OUT(find_words(env, multiwords, &lowered, &words));
    *count = count_words(&words);
    if (*count > 0)
        status = are_parts(&words, &lowered, token, bytes)
                     ? add_parts(env, &words, token, bytes, out)
                     : add_cased(env, &words, count_capitals(token, bytes), out);
    if (status == DGM_OK && !are_words(out, from, *count)) { /* of a strange dictionary */
        out->size = from;
        *count = 0;
    }
out:
    dgm_buf_clear(env, &lowered);
    dgm_buf_clear(env, &words);
    return status;
}
