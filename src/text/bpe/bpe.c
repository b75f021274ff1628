/*
 * bpe.c: byte pair encoding of words and lines: merges, vocabulary, glossaries, cache.
 *
 * A word of n characters is merged in O(n log n). The word is a doubly linked list of symbols;
 * every neighbouring pair that a rule merges waits in a heap, the earliest rule on top. A round
 * takes the earliest rule that applies anywhere and merges all its places from left to right, as
 * subword-nmt defines it (in "aaa" the rule a+a takes the first two), and pushes the pairs that
 * arise: at most two for each of the n - 1 merges. Scanning the word once for each rule, as the
 * original does, would take O(n^2): a line of a million characters without a blank is a word, too.
 */
#include "text/bpe/bpe.h"

#include <string.h>

#include "base/mem.h"
#include "text/bpe/glossary.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

enum {
    CACHED_WORDS = 1 << 20, /* words remembered at most ... */
    CACHED_WORD_BYTES = 256 /* ... none of them longer than this */
};

/* ---- settings -------------------------------------------------------------------------------- */

dgm_status dgm_bpe_add_glossary(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                                size_t bytes)
{
    if (bytes == 0)
        return dgm_fail(env, DGM_USAGE, "a glossary entry is empty; expected a word");
    if (bpe->glossaries.count == DGM_BPE_GLOSSARY_LIMIT)
        return dgm_fail(env, DGM_USAGE, "more than %d glossary entries", DGM_BPE_GLOSSARY_LIMIT);
    dgm_map_clear(env, &bpe->own.cache);
    bpe->own.cached_count = 0;
    return dgm_bpe_glossary_add(env, bpe, word, bytes);
}

void dgm_bpe_set_dropout(struct dgm_bpe *bpe, double dropout, uint64_t seed, uint32_t epoch,
                         uint32_t line)
{
    static const uint32_t stream = 0x44504542; /* "BEPD": keeps these draws from all others */

    bpe->dropout = dropout;
    dgm_random_init(&bpe->random, seed, stream, epoch, line);
}

/* ---- life ------------------------------------------------------------------------------------ */

void dgm_bpe_beside(struct dgm_bpe *bpe, const struct dgm_bpe *of)
{
    *bpe = *of;
    memset(&bpe->own, 0, sizeof bpe->own);
}

void dgm_bpe_clear_beside(struct dgm_env *env, struct dgm_bpe *bpe)
{
    dgm_map_clear(env, &bpe->own.cache);
    dgm_release(env, bpe->own.cached);
    dgm_release(env, bpe->own.nodes);
    dgm_release(env, bpe->own.heap);
    dgm_release(env, bpe->own.batch);
    dgm_release(env, bpe->own.aside);
    dgm_release(env, bpe->own.spans);
    dgm_release(env, bpe->own.ends);
    dgm_buf_clear(env, &bpe->own.text);
    dgm_regex_work_clear(env, &bpe->own.search);
    memset(bpe, 0, sizeof *bpe);
}

double dgm_bpe_bytes(const struct dgm_bpe *bpe)
{
    return dgm_map_bytes(&bpe->symbols) + (double)bpe->rules.count * sizeof *bpe->rules.keys +
           (double)bpe->rules.slot_count * sizeof *bpe->rules.slots +
           3.0 * sizeof *bpe->result * (double)bpe->rule_count;
}

void dgm_bpe_clear(struct dgm_env *env, struct dgm_bpe *bpe)
{
    dgm_map_clear(env, &bpe->symbols);
    dgm_pair_map_clear(env, &bpe->rules);
    dgm_release(env, bpe->result);
    dgm_release(env, bpe->last);
    dgm_release(env, bpe->undo);
    dgm_map_clear(env, &bpe->vocabulary);
    dgm_bpe_glossary_clear(env, bpe);
    dgm_bpe_clear_beside(env, bpe);
}

/* ---- the heap of waiting pairs --------------------------------------------------------------- */
static const char end_of_word[] = "</w>";

/* ---- the heap -------------------------------------------------------------------------------- */

static int waits_before(struct dgm_bpe_waiting a, struct dgm_bpe_waiting b)
{
    return a.rule != b.rule ? a.rule < b.rule : a.node < b.node;
}

static dgm_status push(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_bpe_waiting item)
{
    size_t at = bpe->own.heap_count;

    DGM_TRY(dgm_grow(env, &bpe->own.heap, &bpe->own.heap_capacity, at, sizeof item));
    bpe->own.heap_count++;
    while (at > 0 && waits_before(item, bpe->own.heap[(at - 1) / 2])) {
        bpe->own.heap[at] = bpe->own.heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    bpe->own.heap[at] = item;
    return DGM_OK;
}

static struct dgm_bpe_waiting pop(struct dgm_bpe *bpe)
{
    struct dgm_bpe_waiting *heap = bpe->own.heap, top = heap[0], item;
    size_t count = --bpe->own.heap_count, at = 0, child;

    item = heap[count];
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && waits_before(heap[child + 1], heap[child]))
            child++;
        if (!waits_before(heap[child], item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

/* ---- the list of symbols --------------------------------------------------------------------- */

static uint32_t find_symbol(const struct dgm_bpe *bpe, const char *text, size_t bytes)
{
    const struct dgm_map_entry *entry = dgm_map_find(&bpe->symbols, text, bytes);

    return entry != NULL ? (uint32_t)(entry - bpe->symbols.entries) : DGM_PAIR_NONE;
}

static dgm_status add_node(struct dgm_env *env, struct dgm_bpe *bpe, size_t *count, uint32_t symbol,
                           size_t end)
{
    const uint32_t number = (uint32_t)*count;

    DGM_TRY(
        dgm_grow(env, &bpe->own.nodes, &bpe->own.node_capacity, *count, sizeof *bpe->own.nodes));
    bpe->own.nodes[(*count)++] =
        (struct dgm_bpe_node){ .symbol = symbol,
                               .previous = number > 0 ? number - 1 : DGM_PAIR_NONE,
                               .next = number + 1,
                               .end = (uint32_t)end };
    return DGM_OK;
}

/* One node for each character; </w> joins the last one, or in version 0.1 follows it. */
static dgm_status list_characters(struct dgm_env *env, struct dgm_bpe *bpe, const char *text,
                                  size_t bytes)
{
    const size_t mark = sizeof end_of_word - 1;
    size_t at = 0, count = 0;
    char last[4 + sizeof end_of_word];
    uint32_t code, symbol;

    while (at < bytes) {
        size_t used = dgm_utf8_decode(&code, text + at, bytes - at);

        symbol = find_symbol(bpe, text + at, used);
        if (bpe->version == 2 && at + used == bytes) {
            memcpy(last, text + at, used);
            memcpy(last + used, end_of_word, mark);
            symbol = find_symbol(bpe, last, used + mark);
        }
        at += used;
        DGM_TRY(add_node(env, bpe, &count, symbol, at));
    }
    if (bpe->version == 1)
        DGM_TRY(add_node(env, bpe, &count, find_symbol(bpe, end_of_word, mark), bytes));
    bpe->own.nodes[count - 1].next = DGM_PAIR_NONE;
    return DGM_OK;
}

/* Lets the pair that begins at a node wait for its rule, if it has one. */
static dgm_status push_pair(struct dgm_env *env, struct dgm_bpe *bpe, uint32_t node)
{
    const struct dgm_bpe_node *left;
    struct dgm_bpe_waiting item;

    if (node == DGM_PAIR_NONE || bpe->own.nodes[node].next == DGM_PAIR_NONE)
        return DGM_OK;
    left = &bpe->own.nodes[node];
    item.node = node;
    item.rule = dgm_pair_map_find(&bpe->rules, left->symbol, bpe->own.nodes[left->next].symbol);
    return item.rule != DGM_PAIR_NONE ? push(env, bpe, item) : DGM_OK;
}

/*
 * A merge makes up to two waiting pairs untrue, those with the symbols it has replaced. To find and
 * remove them in the heap would cost more than to recognise them when they come up.
 */
static int still_applies(const struct dgm_bpe *bpe, struct dgm_bpe_waiting item)
{
    const struct dgm_bpe_node *left = &bpe->own.nodes[item.node];

    return left->next != DGM_PAIR_NONE &&
           left->symbol == dgm_pair_map_first(&bpe->rules, item.rule) &&
           bpe->own.nodes[left->next].symbol == dgm_pair_map_second(&bpe->rules, item.rule);
}

static dgm_status merge_at(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_bpe_waiting item)
{
    struct dgm_bpe_node *left = &bpe->own.nodes[item.node];
    struct dgm_bpe_node *right = &bpe->own.nodes[left->next];

    left->symbol = bpe->result[item.rule];
    left->end = right->end;
    left->next = right->next;
    right->symbol = DGM_PAIR_NONE; /* no rule applies to what is gone */
    if (left->next != DGM_PAIR_NONE)
        bpe->own.nodes[left->next].previous = item.node;
    DGM_TRY(push_pair(env, bpe, left->previous));
    return push_pair(env, bpe, item.node);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static dgm_status add_waiting(struct dgm_env *env, struct dgm_bpe_waiting **items, size_t *capacity,
                              size_t *count, struct dgm_bpe_waiting item)
{
    DGM_TRY(dgm_grow(env, items, capacity, *count, sizeof item));
    (*items)[(*count)++] = item;
    return DGM_OK;
}

/* Fills `batch` with all places of the earliest rule that applies and is not dropped. */
static dgm_status collect_batch(struct dgm_env *env, struct dgm_bpe *bpe)
{
    bpe->own.batch_count = bpe->own.aside_count = 0;
    while (bpe->own.heap_count > 0 &&
           (bpe->own.batch_count == 0 || bpe->own.heap[0].rule == bpe->own.batch[0].rule)) {
        struct dgm_bpe_waiting item = pop(bpe);

        if (!still_applies(bpe, item))
            continue;
        if (bpe->dropout > 0 && dgm_random_unit(&bpe->random) <= bpe->dropout)
            DGM_TRY(add_waiting(env, &bpe->own.aside, &bpe->own.aside_capacity,
                                &bpe->own.aside_count, item));
        else
            DGM_TRY(add_waiting(env, &bpe->own.batch, &bpe->own.batch_capacity,
                                &bpe->own.batch_count, item));
    }
    return DGM_OK;
}

/*
 * Merges one stretch of text (a word, or a part of it beside a glossary word) until no rule
 * applies. bpe->own.nodes then holds the pieces, linked from node 0 on.
 */
static dgm_status merge(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes)
{
    bpe->own.heap_count = 0;
    DGM_TRY(list_characters(env, bpe, text, bytes));
    for (uint32_t node = 0; node != DGM_PAIR_NONE; node = bpe->own.nodes[node].next)
        DGM_TRY(push_pair(env, bpe, node));
    for (;;) {
        DGM_TRY(collect_batch(env, bpe));
        if (bpe->own.batch_count == 0)
            return DGM_OK;
        for (size_t i = 0; i < bpe->own.batch_count; i++)
            if (still_applies(bpe, bpe->own.batch[i]))
                DGM_TRY(merge_at(env, bpe, bpe->own.batch[i]));
        for (size_t i = 0; i < bpe->own.aside_count; i++)
            DGM_TRY(push(env, bpe, bpe->own.aside[i]));
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static dgm_status add_end(struct dgm_env *env, struct dgm_bpe *bpe, size_t end)
{
    DGM_TRY(dgm_grow(env, &bpe->own.ends, &bpe->own.end_capacity, bpe->own.end_count,
                     sizeof *bpe->own.ends));
    bpe->own.ends[bpe->own.end_count++] = (uint32_t)end;
    return DGM_OK;
}

/* ---- the vocabulary -------------------------------------------------------------------------- */

static dgm_status set_text(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes,
                           const char *suffix)
{
    dgm_buf_reset(&bpe->own.text);
    DGM_TRY(dgm_buf_add(env, &bpe->own.text, text, bytes));
    return dgm_buf_add_text(env, &bpe->own.text, suffix);
}

static dgm_status is_in_vocabulary(struct dgm_env *env, struct dgm_bpe *bpe, int *found,
                                   const char *text, size_t bytes, int is_final)
{
    DGM_TRY(set_text(env, bpe, text, bytes, is_final ? "" : bpe->separator));
    *found = dgm_map_find(&bpe->vocabulary, bpe->own.text.data, bpe->own.text.size) != NULL;
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
    entry = dgm_map_find(&bpe->symbols, bpe->own.text.data, bpe->own.text.size);
    if (entry == NULL)
        return DGM_OK;
    rule = bpe->undo[entry - bpe->symbols.entries];
    if (rule == DGM_PAIR_NONE)
        return DGM_OK;
    *middle = bpe->symbols.entries[dgm_pair_map_first(&bpe->rules, rule)].length;
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
    DGM_TRY(
        dgm_grow(env, &bpe->own.spans, &bpe->own.span_capacity, *count, sizeof *bpe->own.spans));
    bpe->own.spans[(*count)++] = (struct dgm_bpe_span){ start, end };
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
        struct dgm_bpe_span span = bpe->own.spans[--count];
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

/* ---- words ----------------------------------------------------------------------------------- */

/* Cuts word[offset..offset + bytes), which no glossary interrupts. */
static dgm_status cut_stretch(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                              size_t offset, size_t bytes)
{
    const char *text = word + offset;
    uint32_t node, start = 0, end, code;
    int is_left;

    DGM_TRY(dgm_bpe_glossary_has(env, bpe, text, bytes, &is_left));
    if (is_left || dgm_utf8_decode(&code, text, bytes) == bytes)
        return add_end(env, bpe, offset + bytes);
    DGM_TRY(merge(env, bpe, text, bytes));
    for (node = 0; node != DGM_PAIR_NONE; node = bpe->own.nodes[node].next) {
        end = bpe->own.nodes[node].end;
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

/* Sets what glossary `number` matches apart, then what the later ones match in what arises, and
 * cuts what is left. */
static dgm_status cut_with_glossaries(struct dgm_env *env, struct dgm_bpe *bpe, size_t number,
                                      const char *word, size_t offset, size_t bytes)
{
    const char *text = word + offset;
    size_t start, end, done = 0;
    int is_whole, found, advances = 0;

    if (bytes == 0)
        return DGM_OK;
    if (number == bpe->glossaries.count)
        return cut_stretch(env, bpe, word, offset, bytes);
    DGM_TRY(dgm_bpe_glossary_is_whole(env, bpe, number, text, bytes, &is_whole));
    while (!is_whole) {
        DGM_TRY(dgm_bpe_glossary_next(env, bpe, number, text, bytes, done, advances, &start, &end,
                                      &found));
        if (!found)
            break;
        DGM_TRY(cut_with_glossaries(env, bpe, number + 1, word, offset + done, start - done));
        DGM_TRY(cut_with_glossaries(env, bpe, number + 1, word, offset + start, end - start));
        done = end;
        advances = start == end;
    }
    return cut_with_glossaries(env, bpe, number + 1, word, offset + done, bytes - done);
}

/* See `protect` in bpe.h. */
static dgm_status protect_end(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                              size_t bytes)
{
    size_t length = strlen(bpe->separator), last = bytes - 1;
    size_t start = bpe->own.end_count > 1 ? bpe->own.ends[bpe->own.end_count - 2] : 0;

    if (bytes - start < length || memcmp(word + bytes - length, bpe->separator, length) != 0)
        return DGM_OK;
    while (last > start && ((unsigned char)word[last] & 0xC0) == 0x80)
        last--;
    if (last == start)
        return DGM_OK;
    bpe->own.ends[bpe->own.end_count - 1] = (uint32_t)last;
    return add_end(env, bpe, bytes);
}

static dgm_status remember(struct dgm_env *env, struct dgm_bpe *bpe, const char *word, size_t bytes)
{
    const size_t needed = bpe->own.cached_count + bpe->own.end_count + 1;
    struct dgm_map_entry *entry;

    DGM_TRY(dgm_reserve(env, &bpe->own.cached, &bpe->own.cached_capacity, needed,
                        sizeof *bpe->own.cached));
    DGM_TRY(dgm_map_insert(env, &bpe->own.cache, word, bytes, &entry, NULL));
    entry->value = (int64_t)bpe->own.cached_count;
    bpe->own.cached[bpe->own.cached_count] = (uint32_t)bpe->own.end_count;
    memcpy(bpe->own.cached + bpe->own.cached_count + 1, bpe->own.ends,
           bpe->own.end_count * sizeof *bpe->own.ends);
    bpe->own.cached_count = needed;
    return DGM_OK;
}

dgm_status dgm_bpe_apply_word(struct dgm_env *env, struct dgm_bpe *bpe, const uint32_t **ends,
                              size_t *count, const char *word, size_t bytes)
{
    int may_cache = bpe->dropout <= 0 && bytes <= CACHED_WORD_BYTES;
    const struct dgm_map_entry *entry =
        may_cache ? dgm_map_find(&bpe->own.cache, word, bytes) : NULL;

    if (entry != NULL) {
        *count = bpe->own.cached[entry->value];
        *ends = bpe->own.cached + entry->value + 1;
        return DGM_OK;
    }
    if (bytes >= (size_t)1 << 31)
        return dgm_fail(env, DGM_DATA, "a word of %zu bytes; expected less than 2^31", bytes);
    bpe->own.end_count = 0;
    DGM_TRY(cut_with_glossaries(env, bpe, 0, word, 0, bytes));
    if (bpe->protect && bytes > 0)
        DGM_TRY(protect_end(env, bpe, word, bytes));
    if (may_cache && bpe->own.cache.count < CACHED_WORDS)
        DGM_TRY(remember(env, bpe, word, bytes));
    *ends = bpe->own.ends;
    *count = bpe->own.end_count;
    return DGM_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

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

    while (lead < bytes && dgm_word_counts_is_edge(line[lead]))
        lead++;
    while (body > lead && dgm_word_counts_is_edge(line[body - 1]))
        body--;
    DGM_TRY(dgm_buf_add(env, out, line, lead));
    at = lead;
    while (dgm_word_counts_next(line, body, &at, &word, &length)) {
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
