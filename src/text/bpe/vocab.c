/* vocab.c: vocabularies: tokens to numbers and back. */
#include "text/bpe/vocab.h"

#include <string.h>

#include "base/bytes.h"
#include "base/file/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

static const char *const specials[DGM_VOCAB_SPECIALS] = { "<s>", "<pad>", "</s>", "<unk>" };

static int is_special(const char *token, size_t bytes)
{
    return dgm_bytes_which(token, bytes, specials, DGM_VOCAB_SPECIALS) < DGM_VOCAB_SPECIALS;
}

static dgm_status add_specials(struct dgm_env *env, struct dgm_vocab *vocab)
{
    for (size_t i = 0; i < DGM_VOCAB_SPECIALS; i++)
        DGM_TRY(dgm_map_insert(env, &vocab->map, specials[i], strlen(specials[i]), NULL, NULL));
    return DGM_OK;
}

/* Replaces what *vocab held by *built, or drops *built if something failed. */
static dgm_status finish(struct dgm_env *env, struct dgm_vocab *vocab, struct dgm_vocab *built,
                         dgm_status status)
{
    if (status != DGM_OK) {
        dgm_vocab_clear(env, built);
        return status;
    }
    dgm_vocab_clear(env, vocab);
    *vocab = *built;
    return DGM_OK;
}

/* ---- building -------------------------------------------------------------------------------- */

static void warn_of_long(struct dgm_env *env, size_t count)
{
    if (count > 0)
        dgm_log(env, DGM_LOG_WARNING, "%zu %s longer than %d bytes %s left out of the vocabulary",
                count, count == 1 ? "word" : "words", DGM_VOCAB_TOKEN_LIMIT,
                count == 1 ? "is" : "are");
}

static dgm_status add_counted(struct dgm_env *env, struct dgm_vocab *vocab,
                              const struct dgm_map *counts, size_t size, int64_t min_count)
{
    uint32_t *order = NULL;
    dgm_status status;
    size_t i, too_long = 0;

    DGM_TRY_OUT(dgm_word_counts_sort(env, &order, counts, DGM_WORD_COUNTS_BYTES));
    for (i = 0; i < counts->count && vocab->map.count < size; i++) {
        const struct dgm_map_entry *entry = &counts->entries[order[i]];
        const char *token = dgm_map_key(counts, entry);

        if (entry->value < min_count)
            break;
        too_long += entry->length > DGM_VOCAB_TOKEN_LIMIT;
        if (is_special(token, entry->length) || entry->length > DGM_VOCAB_TOKEN_LIMIT)
            continue;
        /* A mark may be a word of the text, too. */
        DGM_TRY_OUT(dgm_map_count(env, &vocab->map, token, entry->length, entry->value));
    }
    warn_of_long(env, too_long);
out:
    dgm_release(env, order);
    return status;
}

dgm_status dgm_vocab_build_marked(struct dgm_env *env, struct dgm_vocab *vocab,
                                  const struct dgm_map *marks, const struct dgm_map *counts,
                                  size_t size, int64_t min_count)
{
    struct dgm_vocab built = { 0 };
    dgm_status status;

    if (size == 0 || size > DGM_VOCAB_LIMIT)
        size = DGM_VOCAB_LIMIT;
    DGM_TRY_OUT(add_specials(env, &built));
    if (marks != NULL)
        DGM_TRY_OUT(add_counted(env, &built, marks, DGM_VOCAB_LIMIT, 0));
    DGM_TRY_OUT(add_counted(env, &built, counts, size, min_count));
out:
    return finish(env, vocab, &built, status);
}

dgm_status dgm_vocab_build(struct dgm_env *env, struct dgm_vocab *vocab,
                           const struct dgm_map *counts, size_t size, int64_t min_count)
{
    return dgm_vocab_build_marked(env, vocab, NULL, counts, size, min_count);
}

dgm_status dgm_vocab_append(struct dgm_env *env, struct dgm_vocab *vocab, const char *token,
                            size_t bytes, int *is_new)
{
    *is_new = dgm_map_find(&vocab->map, token, bytes) == NULL;
    if (*is_new && vocab->map.count >= DGM_VOCAB_LIMIT)
        return dgm_fail(env, DGM_DATA, "a vocabulary of more than %zu entries", DGM_VOCAB_LIMIT);
    return dgm_map_insert(env, &vocab->map, token, bytes, NULL, NULL);
}

/* ---- text form ------------------------------------------------------------------------------- */

struct line {
    const char *text;
    size_t bytes;
    const char *name;
    long number;
};

static dgm_status fail_line(struct dgm_env *env, const struct line *line, size_t column,
                            const char *message)
{
    return dgm_fail_at(env, DGM_DATA, line->name, line->number, (long)column, "%s", message);
}

static dgm_status check_token(struct dgm_env *env, const struct line *line, size_t bytes)
{
    if (bytes == 0)
        return fail_line(env, line, 1, "empty token; expected `token count`");
    if (bytes > DGM_VOCAB_TOKEN_LIMIT)
        return fail_line(env, line, 1, "token longer than 65535 bytes");
    DGM_TRY(dgm_utf8_check(env, line->name, line->number, line->text, line->bytes));
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)line->text[i] <= ' ' || line->text[i] == 0x7F)
            return fail_line(env, line, dgm_utf8_length(line->text, i) + 1,
                             "blank or control character in a token; expected `token count`");
    return DGM_OK;
}

/* Takes " #fairseq:overwrite" off the end of the line. */
static int take_overwrite(struct line *line)
{
    static const char mark[] = " #fairseq:overwrite";
    const size_t length = sizeof mark - 1;

    if (line->bytes < length || memcmp(line->text + line->bytes - length, mark, length) != 0)
        return 0;
    line->bytes -= length;
    return 1;
}

/* `lines` holds the number of the line of each entry. */
static dgm_status parse_line(struct dgm_env *env, struct dgm_vocab *vocab, struct dgm_map *lines,
                             struct line line)
{
    int may_repeat = take_overwrite(&line), is_new;
    size_t blank = line.bytes;
    struct dgm_map_entry *entry, *place;
    uint64_t count;

    while (blank > 0 && line.text[blank - 1] != ' ')
        blank--;
    if (blank == 0)
        return fail_line(env, &line, 1, "no count; expected `token count`");
    DGM_TRY(check_token(env, &line, blank - 1));
    if (!dgm_number_uint(&count, line.text + blank, line.bytes - blank) || count > INT64_MAX)
        return fail_line(env, &line, dgm_utf8_length(line.text, blank) + 1,
                         "bad count; expected a whole number from 0 to 2^63 - 1");
    /* A repeated token keeps its number and takes the last count. */
    DGM_TRY(dgm_map_insert(env, &vocab->map, line.text, blank - 1, &entry, &is_new));
    entry->value = (int64_t)count;
    if (!is_new && !may_repeat && is_special(line.text, blank - 1))
        return fail_line(env, &line, 1, "reserved token: <s>, <pad>, </s> and <unk> are implied");
    DGM_TRY(dgm_map_insert(env, lines, line.text, blank - 1, &place, NULL));
    if (!is_new && !may_repeat)
        return dgm_fail_at(env, DGM_DATA, line.name, line.number, 1,
                           "the same token as on line %lld; expected every token once",
                           (long long)place->value);
    if (place->value == 0)
        place->value = line.number;
    if (vocab->map.count > DGM_VOCAB_LIMIT)
        return dgm_fail_at(env, DGM_DATA, line.name, line.number, 0, "more than %zu entries",
                           DGM_VOCAB_LIMIT);
    return DGM_OK;
}

dgm_status dgm_vocab_parse(struct dgm_env *env, struct dgm_vocab *vocab, const char *text,
                           size_t bytes, const char *name)
{
    struct line line = { .name = name, .number = 1 };
    struct dgm_vocab built = { 0 };
    struct dgm_map lines = { 0 };
    dgm_status status;

    DGM_TRY_OUT(add_specials(env, &built));
    for (; (line.text = dgm_bytes_line(&text, &bytes, &line.bytes)) != NULL; line.number++)
        DGM_TRY_OUT(parse_line(env, &built, &lines, line));
    if (built.map.count == DGM_VOCAB_SPECIALS)
        status = dgm_fail_at(env, DGM_DATA, name, 0, 0, "no token; expected `token count` lines");
out:
    dgm_map_clear(env, &lines);
    return finish(env, vocab, &built, status);
}

dgm_status dgm_vocab_load(struct dgm_env *env, struct dgm_vocab *vocab, const char *path)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_file_read_text(env, &text, path));
    DGM_TRY_OUT(dgm_vocab_parse(env, vocab, text.data, text.size, path));
out:
    dgm_buf_clear(env, &text);
    return status;
}

dgm_status dgm_vocab_print(struct dgm_env *env, struct dgm_buf *out, const struct dgm_vocab *vocab)
{
    for (size_t i = DGM_VOCAB_SPECIALS; i < vocab->map.count; i++) {
        const struct dgm_map_entry *entry = &vocab->map.entries[i];

        DGM_TRY(dgm_buf_add(env, out, dgm_map_key(&vocab->map, entry), entry->length));
        DGM_TRY(dgm_buf_add_format(env, out, " %lld\n", (long long)entry->value));
    }
    return DGM_OK;
}

/* ---- model files ----------------------------------------------------------------------------- */

static dgm_status set_token(struct dgm_env *env, struct dgm_vocab *vocab, const char *token,
                            size_t bytes, size_t number, const char *name)
{
    struct dgm_map_entry *entry;
    int is_new;

    if (number < DGM_VOCAB_SPECIALS && !dgm_bytes_are(token, bytes, specials[number]))
        return dgm_fail(env, DGM_MODEL, "%s: entry %zu is not %s", name, number, specials[number]);
    if (bytes == 0 || bytes > DGM_VOCAB_TOKEN_LIMIT)
        return dgm_fail(env, DGM_MODEL, "%s: entry %zu has %zu bytes; expected 1 to 65535", name,
                        number, bytes);
    DGM_TRY(dgm_map_insert(env, &vocab->map, token, bytes, &entry, &is_new));
    if (!is_new)
        return dgm_fail(env, DGM_MODEL, "%s: entries %zu and %zu are the same token", name,
                        (size_t)(entry - vocab->map.entries), number);
    return DGM_OK;
}

dgm_status dgm_vocab_set(struct dgm_env *env, struct dgm_vocab *vocab, const char *const *tokens,
                         const size_t *bytes, size_t count, const char *name)
{
    struct dgm_vocab built = { 0 };
    dgm_status status = DGM_OK;

    if (count < DGM_VOCAB_SPECIALS)
        return dgm_fail(env, DGM_MODEL, "%s: %zu entries; %s is missing", name, count,
                        specials[count]);
    if (count > DGM_VOCAB_LIMIT)
        return dgm_fail(env, DGM_MODEL, "%s: %zu entries; expected at most %zu", name, count,
                        DGM_VOCAB_LIMIT);
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(set_token(env, &built, tokens[i], bytes[i], i, name));
out:
    return finish(env, vocab, &built, status);
}

/* ---- use ------------------------------------------------------------------------------------- */

size_t dgm_vocab_size(const struct dgm_vocab *vocab)
{
    return vocab->map.count;
}

uint64_t dgm_vocab_signature(const struct dgm_vocab *vocab)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, 0);
    for (uint32_t i = 0; i < dgm_vocab_size(vocab); i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(vocab, i, &bytes);

        dgm_hash_add(&hash, token, bytes);
        dgm_hash_add(&hash, "\n", 1); /* no token holds one */
    }
    return dgm_hash_value(&hash);
}

int dgm_vocab_same(const struct dgm_vocab *a, const struct dgm_vocab *b)
{
    if (dgm_vocab_size(a) != dgm_vocab_size(b))
        return 0;
    for (uint32_t i = 0; i < dgm_vocab_size(a); i++)
        if (strcmp(dgm_vocab_token(a, i, NULL), dgm_vocab_token(b, i, NULL)) != 0)
            return 0;
    return 1;
}

uint32_t dgm_vocab_find(const struct dgm_vocab *vocab, const char *token, size_t bytes)
{
    const struct dgm_map_entry *entry = dgm_map_find(&vocab->map, token, bytes);

    if (entry == NULL || entry - vocab->map.entries < DGM_VOCAB_SPECIALS)
        return DGM_VOCAB_UNK;
    return (uint32_t)(entry - vocab->map.entries);
}

const char *dgm_vocab_token(const struct dgm_vocab *vocab, uint32_t number, size_t *bytes)
{
    const struct dgm_map_entry *entry = &vocab->map.entries[number];

    if (bytes != NULL)
        *bytes = entry->length;
    return dgm_map_key(&vocab->map, entry);
}

void dgm_vocab_clear(struct dgm_env *env, struct dgm_vocab *vocab)
{
    dgm_map_clear(env, &vocab->map);
}
