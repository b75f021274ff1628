/* bpe.c: byte pair encoding of words and lines: glossaries, vocabulary, cache. */
#include "text/bpe/bpe.h"

#include <string.h>

#include "base/mem.h"
#include "text/bpe/bpe_merge.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

enum {
    CACHED_WORDS = 1 << 20, /* words remembered at most ... */
    CACHED_WORD_BYTES = 256 /* ... none of them longer than this */
};

static dgm_status add_end(struct dgm_env *env, struct dgm_bpe *bpe, size_t end)
{
    DGM_TRY(dgm_grow(env, &bpe->ends, &bpe->end_capacity, bpe->end_count, sizeof *bpe->ends));
    bpe->ends[bpe->end_count++] = (uint32_t)end;
    return DGM_OK;
}

/*
 * ---- the vocabulary
 * ------------------------------------------------------------------
 */

static dgm_status set_text(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes,
                           const char *suffix)
{
    dgm_buf_reset(&bpe->text);
    DGM_TRY(dgm_buf_add(env, &bpe->text, text, bytes));
    return dgm_buf_add_text(env, &bpe->text, suffix);
}

static dgm_status is_in_vocabulary(struct dgm_env *env, struct dgm_bpe *bpe, int *found,
                                   const char *text, size_t bytes, int is_final)
{
    DGM_TRY(set_text(env, bpe, text, bytes, is_final ? "" : bpe->separator));
    *found = dgm_map_find(&bpe->vocabulary, bpe->text.data, bpe->text.size) != NULL;
    return DGM_OK;
}

/*
 * Bytes of the left half of what was merged last in a piece; 0 if no rule makes the
 * piece.
 */
static dgm_status find_middle(struct dgm_env *env, struct dgm_bpe *bpe, size_t *middle,
                              const char *text, size_t bytes, int is_final)
{
    const struct dgm_map_entry *entry;
    uint32_t rule;

    *middle = 0;
    DGM_TRY(set_text(env, bpe, text, bytes, is_final ? "</w>" : ""));
    entry = dgm_map_find(&bpe->symbols, bpe->text.data, bpe->text.size);
    if (entry == NULL)
        return DGM_OK;
    rule = bpe->undo[entry - bpe->symbols.entries];
    if (rule == DGM_PAIRS_NONE)
        return DGM_OK;
    *middle = bpe->symbols.entries[dgm_pairs_first(&bpe->rules, rule)].length;
    /*
     * Version 0.1 merged a bare </w> last: what stands before it is still to be undone.
     */
    if (*middle >= bytes)
        return find_middle(env, bpe, middle, text, bytes, 0);
    return DGM_OK;
}

static dgm_status push_span(struct dgm_env *env, struct dgm_bpe *bpe, size_t *count, uint32_t start,
                            uint32_t end)
{
    DGM_TRY(dgm_grow(env, &bpe->spans, &bpe->span_capacity, *count, sizeof *bpe->spans));
    bpe->spans[*count].start = start;
    bpe->spans[*count].end = end;
    *count += 1;
    return DGM_OK;
}

/*
 * Adds the piece text[start..end), undoing merges until every part is in the vocabulary
 * or a single symbol. The halves wait on a stack, the left one on top.
 */
static dgm_status add_known_pieces(struct dgm_env *env, struct dgm_bpe *bpe, const char *text,
                                   size_t bytes, uint32_t start, uint32_t end, size_t offset)
{
    size_t count = 0, middle;
    int found;

    DGM_TRY(push_span(env, bpe, &count, start, end));
    while (count > 0) {
        struct dgm_bpe_span span = bpe->spans[--count];
        const char *piece = text + span.start;
        size_t length = span.end - span.start;

        middle = 0;
        DGM_TRY(is_in_vocabulary(env, bpe, &found, piece, length, span.end == bytes));
        if (!found)
            DGM_TRY(find_middle(env, bpe, &middle, piece, length, span.end == bytes));
        if (middle == 0) {
            DGM_TRY(add_end(env, bpe, offset + span.end));
            continue;
        }
        DGM_TRY(push_span(env, bpe, &count, span.start + (uint32_t)middle, span.end));
        DGM_TRY(push_span(env, bpe, &count, span.start, span.start + (uint32_t)middle));
    }
    return DGM_OK;
}

/*
 * ---- words
 * ---------------------------------------------------------------------------
 */

/* Cuts word[offset..offset + bytes), which no glossary word interrupts. */
static dgm_status cut_stretch(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                              size_t offset, size_t bytes)
{
    const char *text = word + offset;
    uint32_t node, start = 0, end, code;

    if (dgm_map_find(&bpe->glossaries, text, bytes) != NULL ||
        dgm_utf8_decode(&code, text, bytes) == bytes)
        return add_end(env, bpe, offset + bytes);
    DGM_TRY(dgm_bpe_merge(env, bpe, text, bytes));
    for (node = 0; node != DGM_PAIRS_NONE; node = bpe->nodes[node].next) {
        end = bpe->nodes[node].end;
        if (end == start) /* the bare </w> of version 0.1 */
            break;
        if (bpe->has_vocabulary)
            DGM_TRY(add_known_pieces(env, bpe, text, bytes, start, end, offset));
        else
            DGM_TRY(add_end(env, bpe, offset + end));
        start = end;
    }
    return DGM_OK;
}

/*
 * Where in text[from..bytes) the first occurrence of glossary word `number` begins, or
 * `bytes`.
 */
static size_t find_glossary(const struct dgm_bpe *bpe, size_t number, const char *text, size_t from,
                            size_t bytes)
{
    const struct dgm_map_entry *entry = &bpe->glossaries.entries[number];
    const char *word = dgm_map_key(&bpe->glossaries, entry);

    for (; from + entry->length <= bytes; from++)
        if (memcmp(text + from, word, entry->length) == 0)
            return from;
    return bytes;
}

/*
 * Sets the occurrences of glossary word `number` apart, then those of the later ones in
 * what arises, and cuts what is left.
 */
static dgm_status cut_with_glossaries(struct dgm_env *env, struct dgm_bpe *bpe, size_t number,
                                      const char *word, size_t offset, size_t bytes)
{
    size_t at = offset, end = offset + bytes, length, found;

    if (bytes == 0)
        return DGM_OK;
    if (number == bpe->glossaries.count)
        return cut_stretch(env, bpe, word, offset, bytes);
    length = bpe->glossaries.entries[number].length;
    while ((found = find_glossary(bpe, number, word, at, end)) < end) {
        DGM_TRY(cut_with_glossaries(env, bpe, number + 1, word, at, found - at));
        DGM_TRY(cut_with_glossaries(env, bpe, number + 1, word, found, length));
        at = found + length;
    }
    return cut_with_glossaries(env, bpe, number + 1, word, at, end - at);
}

/* See `protect` in bpe.h. */
static dgm_status protect_end(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                              size_t bytes)
{
    size_t length = strlen(bpe->separator), last = bytes - 1;
    size_t start = bpe->end_count > 1 ? bpe->ends[bpe->end_count - 2] : 0;

    if (bytes - start < length || memcmp(word + bytes - length, bpe->separator, length) != 0)
        return DGM_OK;
    while (last > start && ((unsigned char)word[last] & 0xC0) == 0x80)
        last--;
    if (last == start)
        return DGM_OK;
    bpe->ends[bpe->end_count - 1] = (uint32_t)last;
    return add_end(env, bpe, bytes);
}

static dgm_status remember(struct dgm_env *env, struct dgm_bpe *bpe, const char *word, size_t bytes)
{
    size_t needed = bpe->cached_count + bpe->end_count + 1, capacity = bpe->cached_capacity;
    struct dgm_map_entry *entry;
    uint32_t *cached;

    if (needed > capacity) {
        capacity = capacity * 2 > needed ? capacity * 2 : needed + 1024;
        cached = dgm_resize(env, bpe->cached, capacity, sizeof *cached);
        if (cached == NULL)
            return DGM_MEMORY;
        bpe->cached = cached;
        bpe->cached_capacity = capacity;
    }
    DGM_TRY(dgm_map_insert(env, &bpe->cache, word, bytes, &entry, NULL));
    entry->value = (int64_t)bpe->cached_count;
    bpe->cached[bpe->cached_count] = (uint32_t)bpe->end_count;
    memcpy(bpe->cached + bpe->cached_count + 1, bpe->ends, bpe->end_count * sizeof *bpe->ends);
    bpe->cached_count = needed;
    return DGM_OK;
}

dgm_status dgm_bpe_apply_word(struct dgm_env *env, struct dgm_bpe *bpe, const uint32_t **ends,
                              size_t *count, const char *word, size_t bytes)
{
    int may_cache = bpe->dropout <= 0 && bytes <= CACHED_WORD_BYTES;
    const struct dgm_map_entry *entry = may_cache ? dgm_map_find(&bpe->cache, word, bytes) : NULL;

    if (entry != NULL) {
        *count = bpe->cached[entry->value];
        *ends = bpe->cached + entry->value + 1;
        return DGM_OK;
    }
    if (bytes >= (size_t)1 << 31)
        return dgm_fail(env, DGM_DATA, "a word of %zu bytes; expected less than 2^31", bytes);
    bpe->end_count = 0;
    DGM_TRY(cut_with_glossaries(env, bpe, 0, word, 0, bytes));
    if (bpe->protect && bytes > 0)
        DGM_TRY(protect_end(env, bpe, word, bytes));
    if (may_cache && bpe->cache.count < CACHED_WORDS)
        DGM_TRY(remember(env, bpe, word, bytes));
    *ends = bpe->ends;
    *count = bpe->end_count;
    return DGM_OK;
}

/*
 * ---- lines
 * ---------------------------------------------------------------------------
 */

static int is_edge(char c)
{
    return c == ' ' || c == '\r' || c == '\n';
}

static dgm_status add_pieces(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_buf *out,
                             const char *word, size_t bytes)
{
    const uint32_t *ends;
    size_t count, i, start = 0;

    DGM_TRY(dgm_bpe_apply_word(env, bpe, &ends, &count, word, bytes));
    for (i = 0; i < count; i++) {
        DGM_TRY(dgm_buf_add(env, out, word + start, ends[i] - start));
        if (i + 1 < count) {
            DGM_TRY(dgm_buf_add_text(env, out, bpe->separator));
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        }
        start = ends[i];
    }
    return DGM_OK;
}

dgm_status dgm_bpe_apply_line(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_buf *out,
                              const char *line, size_t bytes)
{
    size_t lead = 0, body = bytes, at, length;
    const char *word;
    int is_first = 1;

    while (lead < bytes && is_edge(line[lead]))
        lead++;
    while (body > lead && is_edge(line[body - 1]))
        body--;
    DGM_TRY(dgm_buf_add(env, out, line, lead));
    at = lead;
    while (dgm_count_next(line, body, &at, &word, &length)) {
        if (!is_first)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(add_pieces(env, bpe, out, word, length));
        is_first = 0;
    }
    return dgm_buf_add(env, out, line + body, bytes - body);
}

dgm_status dgm_bpe_undo(struct dgm_env *env, struct dgm_buf *out, const char *separator,
                        const char *line, size_t bytes)
{
    size_t length = strlen(separator), at = 0, start = 0;

    while (at + length <= bytes) {
        size_t after = at + length;

        if (memcmp(line + at, separator, length) != 0 || (after < bytes && line[after] != ' ')) {
            at++;
            continue;
        }
        DGM_TRY(dgm_buf_add(env, out, line + start, at - start));
        at = start = after < bytes ? after + 1 : after;
    }
    return dgm_buf_add(env, out, line + start, bytes - start);
}
