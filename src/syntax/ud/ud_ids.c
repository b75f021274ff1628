/*
 * ud_ids.c: `# sent_id` and `# parallel_id` (level 2).
 *
 * sent_id: one for each sentence, without white space, with at most one slash, once in a file.
 * parallel_id: none or one, `corpus/sentence`, behind it perhaps `/alt2`, `/part2` or `/alt2part3`;
 * once in a file. Alternatives and parts of a sentence are numbered from 1 in the file's order.
 */
#include "syntax/ud/ud_parts.h"

#include <string.h>

/* ---- one comment of a kind ---------------------------------------------------------------- */

/* Whether the comment was meant to have the key. */
static int is_meant(const char *comment, const char *key)
{
    const char *at = comment + 1 + (comment[1] == ' ');

    return strncmp(at, key, strlen(key)) == 0;
}

/* Finds the one comment `# key = value` whose value `is_good`: *value and *place, or NULL. */
static dgm_status find_one(const struct dgm_ud_check *check, const char *key,
                           int (*is_good)(const char *value), const char *expected,
                           const char **value, size_t *place)
{
    *value = NULL;
    for (size_t i = 0; i < check->sentence->comment_count; i++) {
        const char *comment = dgm_ud_comment(check, i);
        const char *found = dgm_ud_comment_value(comment, key);

        if (found == NULL || !is_good(found)) {
            if (is_meant(comment, key))
                return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, i,
                                             "a comment of %s; expected # %s = %s", key, key,
                                             expected);
            continue;
        }
        if (*value != NULL)
            return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, i, "a second %s; expected one",
                                         key);
        *value = found;
        *place = i;
    }
    return DGM_OK;
}

/* Notes a key, which must be new to the file. */
static dgm_status note(const struct dgm_ud_check *check, struct dgm_map *seen, const char *key,
                       const char *value, size_t place)
{
    char quoted[DGM_QUOTE_SIZE];
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_map_insert(check->env, seen, value, strlen(value), &entry, &is_new));
    if (is_new) {
        entry->value = check->sentence->line + (long)place;
        return DGM_OK;
    }
    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, place,
                                 "%s \"%s\", as at line %ld; expected one of its own", key, quoted,
                                 (long)entry->value);
}

/* ---- sent_id ------------------------------------------------------------------------------ */

static int is_word(const char *text)
{
    return *text != '\0' && *dgm_ud_skip_word(text) == '\0';
}

static dgm_status check_sent_id(const struct dgm_ud_check *check)
{
    const char *value, *slash;
    size_t place = 0;

    DGM_TRY(find_one(check, "sent_id", is_word, "ID, without white space", &value, &place));
    if (value == NULL)
        return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, 0,
                                     "a sentence without a comment # sent_id = ID; expected one");
    slash = strchr(value, '/');
    if (slash != NULL && strchr(slash + 1, '/') != NULL)
        return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, place,
                                     "a sent_id with two slashes; expected at most one");
    return note(check, &check->ud->sent_ids, "sent_id", value, place);
}

/* ---- parallel_id -------------------------------------------------------------------------- */

/* corpus/sentence[/alt1][part1]: where the parts are. */
struct parallel {
    size_t sentence;           /* bytes before the second slash */
    int64_t alternative, part; /* 0: none */
};

/* Numbers beyond 18 digits count as one that no file reaches. */
static const char *read_number(const char *text, const char *name, int64_t *number)
{
    size_t bytes = strlen(name), digits;

    *number = 0;
    if (strncmp(text, name, bytes) != 0)
        return text;
    digits = strspn(text + bytes, "0123456789");
    if (digits == 0 || text[bytes] == '0')
        return text;
    for (size_t i = 0; i < digits; i++)
        *number = i < 18 ? *number * 10 + (text[bytes + i] - '0') : INT64_MAX;
    return text + bytes + digits;
}

static int read_parallel(struct parallel *id, const char *text)
{
    static const char lower[] = "abcdefghijklmnopqrstuvwxyz";
    static const char name[] = "-0123456789abcdefghijklmnopqrstuvwxyz";
    size_t corpus = strspn(text, lower), sentence;
    const char *rest;

    if (corpus == 0 || text[corpus] != '/')
        return 0;
    sentence = strspn(text + corpus + 1, name);
    id->sentence = corpus + 1 + sentence;
    id->alternative = id->part = 0;
    if (sentence == 0 || text[id->sentence] == '\0')
        return sentence > 0;
    if (text[id->sentence] != '/')
        return 0;
    rest = read_number(text + id->sentence + 1, "alt", &id->alternative);
    rest = read_number(rest, "part", &id->part);
    return *rest == '\0' && (id->alternative > 0 || id->part > 0);
}

static int is_parallel(const char *text)
{
    struct parallel id;

    return read_parallel(&id, text);
}

/* A number follows the last one of the same sentence: one from 1 on, or none. */
static dgm_status check_number(const struct dgm_ud_check *check, struct dgm_map *last,
                               const char *value, const struct parallel *id, int64_t number,
                               const char *name, size_t place)
{
    struct dgm_map_entry *entry;
    int64_t wanted;
    int is_new;

    DGM_TRY(dgm_map_insert(check->env, last, value, id->sentence, &entry, &is_new));
    wanted = is_new ? number > 0 : entry->value == 0 ? 0 : entry->value + 1;
    entry->value = number;
    if (number == wanted)
        return DGM_OK;
    if (wanted == 0)
        return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, place,
                                     "a parallel_id with a number of %s; expected none, as the "
                                     "sentence before of this name has none",
                                     name);
    return dgm_ud_refuse_comment(check, DGM_CONLLU_BAD_META, place,
                                 "a parallel_id without the next number of %s; expected %s%ld",
                                 name, name, (long)wanted);
}

static dgm_status check_parallel_id(const struct dgm_ud_check *check)
{
    struct parallel id;
    const char *value;
    size_t place = 0;

    DGM_TRY(find_one(check, "parallel_id", is_parallel,
                     "corpus/sentence or corpus/sentence/alt1part1", &value, &place));
    if (value == NULL)
        return DGM_OK;
    DGM_TRY(note(check, &check->ud->parallel_ids, "parallel_id", value, place));
    read_parallel(&id, value);
    DGM_TRY(
        check_number(check, &check->ud->alternatives, value, &id, id.alternative, "alt", place));
    return check_number(check, &check->ud->parts, value, &id, id.part, "part", place);
}

dgm_status dgm_ud_ids(const struct dgm_ud_check *check)
{
    DGM_TRY(check_sent_id(check));
    return check_parallel_id(check);
}
