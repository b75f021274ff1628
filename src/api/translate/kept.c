/* kept.c: the spans of queued lines, and the gaps between the words of a hypothesis. */
#include "api/translate/kept.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "data/text/pipeline_tags.h"
#include "text/span/slot.h"

/* ---- taking spans out ------------------------------------------------------------------------ */

/* How many words a stretch of a line has, as the models' pipeline cuts it. */
static dgm_status count_words(struct dgm_env *env, struct dgm_kept *kept, const char *text,
                              size_t bytes, int32_t *words)
{
    DGM_TRY(dgm_pipeline_encode(env, kept->pipeline, DGM_SOURCE, &kept->encoded, text, bytes));
    *words += kept->encoded.n_words;
    return DGM_OK;
}

static dgm_status add_items(struct dgm_env *env, struct dgm_kept *kept, struct dgm_kept_line *added,
                            const char *line)
{
    struct dgm_taken *items;
    size_t done = 0;

    DGM_TRY(dgm_reserve(env, &kept->items, &kept->item_capacity,
                        kept->item_count + kept->spans.count, sizeof *kept->items));
    items = kept->items + kept->item_count;
    for (size_t i = 0; i < kept->spans.count; i++) {
        const struct dgm_line_span *span = &kept->spans.items[i];

        DGM_TRY(count_words(env, kept, line + done, span->start - done, &added->words));
        items[i] = (struct dgm_taken){ .span = *span, .words = added->words, .mate = -1 };
        done = span->end;
    }
    DGM_TRY(count_words(env, kept, line + done, added->bytes - done, &added->words));
    kept->item_count += kept->spans.count;
    return dgm_taken_pair(env, items, kept->spans.count, line);
}

/* Slots for the first spans of a line of words: each is a word of it then. */
static void give_slots(struct dgm_kept *kept, struct dgm_kept_line *added)
{
    struct dgm_taken *items = kept->items + added->first;
    const int32_t slots = added->count < DGM_SLOTS ? (int32_t)added->count : DGM_SLOTS;

    if (!kept->has_slots || added->words == 0)
        return;
    for (int32_t i = 0; i < (int32_t)added->count; i++) {
        items[i].words += i < slots ? i : slots;
        items[i].span.slot = kept->spans.items[i].slot = i < slots ? 1 + i : 0;
    }
    added->words += slots;
}

/* A tag at the head of a line is the models' affair, where they read any. */
static void spare_head(struct dgm_kept *kept, const char *line, size_t bytes)
{
    struct dgm_span_list *spans = &kept->spans;
    size_t start;
    int32_t id;

    if (!kept->reads_tags || spans->count == 0 ||
        dgm_pipeline_tag_at_head(kept->pipeline, line, bytes, &start, &id) == 0 ||
        spans->items[0].start != start)
        return;
    spans->count--;
    memmove(spans->items, spans->items + 1, spans->count * sizeof *spans->items);
}

/* Whether the vocabulary of the source has all pieces of a span: then a model may translate it, as
 * 3.5 is 3,5 elsewhere. */
static dgm_status is_spelled(struct dgm_env *env, struct dgm_kept *kept, const char *line,
                             const struct dgm_line_span *span, int *spelled)
{
    const struct dgm_encoded *encoded = &kept->encoded;

    DGM_TRY(dgm_pipeline_encode(env, kept->pipeline, DGM_SOURCE, &kept->encoded, line + span->start,
                                span->end - span->start));
    *spelled = 1;
    for (int32_t i = 0; i < encoded->n; i++)
        *spelled &= encoded->ids[i] != DGM_VOCAB_UNK;
    return DGM_OK;
}

static dgm_status spare_numbers(struct dgm_env *env, struct dgm_kept *kept, const char *line)
{
    struct dgm_span_list *spans = &kept->spans;
    size_t count = 0;

    for (size_t i = 0; i < spans->count && kept->leaves_numbers; i++) {
        int spelled = 0;

        if (spans->items[i].kind == DGM_SPAN_number)
            DGM_TRY(is_spelled(env, kept, line, &spans->items[i], &spelled));
        if (!spelled)
            spans->items[count++] = spans->items[i];
    }
    if (kept->leaves_numbers)
        spans->count = count;
    return DGM_OK;
}

static dgm_status take(struct dgm_env *env, struct dgm_kept *kept, struct dgm_kept_line *added,
                       const char **line, size_t *bytes)
{
    DGM_TRY(dgm_buf_add(env, &kept->lines, *line, *bytes));
    DGM_TRY(add_items(env, kept, added, *line));
    give_slots(kept, added);
    dgm_buf_reset(&kept->bare);
    DGM_TRY(dgm_buf_add_text(env, &kept->bare, ""));
    DGM_TRY(dgm_spans_cut(env, &kept->bare, *line, *bytes, &kept->spans));
    *line = kept->bare.data;
    *bytes = kept->bare.size;
    return DGM_OK;
}

/* The line with the spans that were found in it. */
static dgm_status add_line(struct dgm_env *env, struct dgm_kept *kept, const char **line,
                           size_t *bytes)
{
    struct dgm_kept_line *added;

    DGM_TRY(dgm_grow(env, &kept->added, &kept->capacity, kept->count, sizeof *kept->added));
    added = &kept->added[kept->count];
    *added = (struct dgm_kept_line){ .first = kept->item_count, .count = kept->spans.count };
    added->at = kept->lines.size;
    added->bytes = *bytes;
    if (added->count > 0)
        DGM_TRY(take(env, kept, added, line, bytes));
    kept->count++;
    return DGM_OK;
}

/* Of the line at hand. */
static unsigned kinds_of(const struct dgm_kept *kept)
{
    return kept->of_cut_lines && !kept->pipeline->moses ? 0 : kept->kinds;
}

dgm_status dgm_kept_take(struct dgm_env *env, struct dgm_kept *kept, const char **line,
                         size_t *bytes)
{
    if (kept->has_slots) {
        DGM_TRY(dgm_slot_spare(env, &kept->plain, *line, *bytes));
        DGM_TRY(dgm_buf_add_text(env, &kept->plain, ""));
        *line = kept->plain.data;
        *bytes = kept->plain.size;
    }
    if (kept->kinds == 0 && !kept->keeps_lines)
        return DGM_OK;
    DGM_TRY(dgm_spans_find(env, &kept->spans, *line, *bytes, kinds_of(kept)));
    spare_head(kept, *line, *bytes);
    DGM_TRY(spare_numbers(env, kept, *line));
    return add_line(env, kept, line, bytes);
}

dgm_status dgm_kept_take_all(struct dgm_env *env, struct dgm_kept *kept, const char **line,
                             size_t *bytes)
{
    DGM_TRY(dgm_spans_find(env, &kept->spans, "", 0, 0));
    DGM_TRY(dgm_grow(env, &kept->spans.items, &kept->spans.capacity, 0, sizeof *kept->spans.items));
    kept->spans.items[0] = (struct dgm_line_span){ .kind = DGM_SPAN_code, .end = *bytes };
    kept->spans.count = *bytes > 0;
    return add_line(env, kept, line, bytes);
}

int dgm_kept_has(const struct dgm_kept *kept, size_t line)
{
    return line < kept->count && kept->added[line].count > 0;
}

/* ---- the words of a translation -------------------------------------------------------------- */

static dgm_status add_word(struct dgm_env *env, struct dgm_kept *kept, struct dgm_come_from *from,
                           struct dgm_kept_word word, int32_t source)
{
    const size_t count = (size_t)from->count;

    DGM_TRY(dgm_grow(env, &kept->words, &kept->word_capacity, count, sizeof *kept->words));
    DGM_TRY(dgm_grow(env, &kept->from, &kept->from_capacity, count, sizeof *kept->from));
    kept->words[count] = word;
    kept->from[count] = source;
    from->count++;
    return DGM_OK;
}

/* The slot that a token is; -1: it is none. */
static int find_slot(const struct dgm_kept *kept, int32_t token)
{
    size_t bytes;
    const char *text;

    if (!kept->has_slots)
        return -1;
    text = dgm_vocab_token(dgm_pipeline_vocab(kept->pipeline, DGM_TARGET), (uint32_t)token, &bytes);
    return bytes == DGM_SLOT_BYTES ? dgm_slot_at(text, bytes, 0) : -1;
}

/* Those of a part, of these tokens, that links have looked at. */
static dgm_status add_linked(struct dgm_env *env, struct dgm_kept *kept, size_t part,
                             const int32_t *tokens, struct dgm_come_from *from)
{
    const struct dgm_word_links *links = kept->links;
    const int32_t *word_of = links->word_of[DGM_TARGET];
    const int32_t n = links->length[DGM_TARGET];

    for (int32_t i = 0, end; i < n; i = end) {
        int32_t source;

        for (end = i + 1; end < n && word_of[end] == word_of[i];)
            end++;
        if (word_of[i] < 0)
            continue;
        source = dgm_word_links_find(links, i, end, 0);
        DGM_TRY(add_word(env, kept, from,
                         (struct dgm_kept_word){ part, i, find_slot(kept, tokens[i]) },
                         source < 0 ? -1 : from->of + source));
    }
    return DGM_OK;
}

/* A part that is a copy is one word here. */
static dgm_status add_part(struct dgm_env *env, struct dgm_kept *kept,
                           const struct dgm_parts *parts, size_t part, int32_t rank,
                           struct dgm_come_from *from)
{
    const struct dgm_hypothesis *item = dgm_parts_item(parts, part, rank);

    if (item == NULL)
        return DGM_OK;
    if (dgm_wording_is_copy(item)) {
        DGM_TRY(dgm_word_links_look_at_copy(env, kept->links, parts->queue, part));
        DGM_TRY(add_word(env, kept, from, (struct dgm_kept_word){ part, 0, -1 }, from->of));
    } else {
        DGM_TRY(
            dgm_word_links_look(env, kept->links, parts->queue, part, item->tokens, item->length));
        DGM_TRY(add_linked(env, kept, part, item->tokens, from));
    }
    from->of += kept->links->words_of_source;
    return DGM_OK;
}

/* ---- gaps ------------------------------------------------------------------------------------ */

/* The byte behind the word of the text that has so many blanks before it. */
static size_t end_of_word(const struct dgm_buf *text, size_t blanks)
{
    const char *end = text->data + text->size, *at = text->data;

    for (; at < end; at++)
        if (*at == ' ' && blanks-- == 0)
            break;
    return (size_t)(at - text->data);
}

static size_t count_blanks(const struct dgm_buf *text)
{
    size_t count = 0;

    for (size_t i = 0; i < text->size; i++)
        count += text->data[i] == ' ';
    return count;
}

/* Where a slot stands in a text; its end: nowhere. */
static size_t find_text(const struct dgm_buf *text, const char *slot)
{
    size_t at = dgm_slot_next(text->data, text->size, 0);

    while (at < text->size && memcmp(text->data + at, slot, DGM_SLOT_BYTES) != 0)
        at = dgm_slot_next(text->data, text->size, at + 1);
    return at;
}

/* The byte behind the first `gap` words: where the text of their tokens ends. Where what follows
 * changes how they are written, or their letters are others by now, the blanks between tell. */
static dgm_status find_end(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                           size_t line, int32_t rank, int32_t gap)
{
    const struct dgm_kept_word *word = &kept->words[gap];
    const struct dgm_buf *text = &kept->text, *before = &parts->text;

    if (word->slot >= 0) {
        kept->ends[gap] = find_text(text, dgm_slot_text(word->slot));
        return DGM_OK;
    }
    DGM_TRY(dgm_parts_write_before(env, parts, line, rank, word->part, word->begin));
    if (before->size == 0)
        kept->ends[gap] = 0;
    else if (before->size <= text->size && memcmp(before->data, text->data, before->size) == 0)
        kept->ends[gap] = before->size;
    else
        kept->ends[gap] = end_of_word(text, count_blanks(before));
    return DGM_OK;
}

/* Of the gaps in which spans stand, in order. */
static dgm_status find_ends(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                            size_t line, int32_t rank, int32_t words)
{
    int32_t last = -1;
    size_t least = 0;

    for (size_t n = 0; n < kept->places.count; n++) {
        const int32_t gap = kept->places.gaps[kept->places.order[n]];

        if (gap == last)
            continue;
        last = gap;
        kept->ends[gap] = kept->text.size;
        if (gap < words)
            DGM_TRY(find_end(env, kept, parts, line, rank, gap));
        if (kept->ends[gap] < least)
            kept->ends[gap] = least;
        least = kept->ends[gap];
    }
    return DGM_OK;
}

/* ---- putting them back ----------------------------------------------------------------------- */

/* Which items have a slot among the words of the translation, once. */
static dgm_status note_known(struct dgm_env *env, struct dgm_kept *kept,
                             const struct dgm_kept_line *added, struct dgm_come_from *from)
{
    int32_t seen[DGM_SLOTS] = { 0 };

    if (!kept->has_slots)
        return DGM_OK;
    DGM_TRY(
        dgm_reserve(env, &kept->known, &kept->known_capacity, added->count, sizeof *kept->known));
    for (size_t i = 0; i < added->count; i++)
        kept->known[i] = -1;
    for (int32_t w = 0; w < from->count; w++) {
        const int slot = kept->words[w].slot;

        if (slot >= 0 && slot < (int)added->count && kept->items[added->first].span.slot > 0)
            kept->known[slot] = seen[slot]++ == 0 ? w : -1;
    }
    from->known = kept->known;
    return DGM_OK;
}

/* A word of a text without links, and its end. */
static dgm_status add_field(struct dgm_env *env, struct dgm_kept *kept, size_t end, int slot,
                            struct dgm_come_from *from)
{
    DGM_TRY(add_word(env, kept, from, (struct dgm_kept_word){ 0, 0, slot }, -1));
    DGM_TRY(dgm_reserve(env, &kept->ends, &kept->end_capacity, (size_t)from->count + 1,
                        sizeof *kept->ends));
    kept->ends[from->count] = end;
    return DGM_OK;
}

/* Words of a field: slots are words of their own. */
static dgm_status add_fields(struct dgm_env *env, struct dgm_kept *kept, size_t start, size_t end,
                             struct dgm_come_from *from)
{
    const char *text = kept->text.data;

    for (size_t next; start < end; start = next) {
        const int slot = kept->has_slots ? dgm_slot_at(text, end, start) : -1;

        next = slot >= 0          ? start + DGM_SLOT_BYTES
               : !kept->has_slots ? end
                                  : dgm_slot_next(text, end, start);
        DGM_TRY(add_field(env, kept, next, slot, from));
    }
    return DGM_OK;
}

/* Without links: words between blanks, which come from nowhere, and all their gaps. */
static dgm_status find_fields(struct dgm_env *env, struct dgm_kept *kept,
                              const struct dgm_kept_line *added, struct dgm_come_from *from)
{
    const char *field;
    size_t at = 0, length;

    from->of = added->words;
    while (dgm_bytes_field(kept->text.data, kept->text.size, &at, &field, &length))
        DGM_TRY(add_fields(env, kept, (size_t)(field - kept->text.data),
                           (size_t)(field - kept->text.data) + length, from));
    DGM_TRY(dgm_reserve(env, &kept->ends, &kept->end_capacity, 1, sizeof *kept->ends));
    kept->ends[0] = 0;
    from->words = kept->from;
    DGM_TRY(note_known(env, kept, added, from));
    return dgm_places_find(env, &kept->places, kept->items + added->first, added->count, from);
}

static dgm_status find_gaps(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                            size_t line, int32_t rank)
{
    const struct dgm_kept_line *added = &kept->added[line];
    struct dgm_come_from from = { 0 };
    size_t part, end;

    if (kept->links == NULL)
        return find_fields(env, kept, added, &from);
    for (dgm_source_queue_parts(parts->queue, line, &part, &end); part < end; part++)
        DGM_TRY(add_part(env, kept, parts, part, rank, &from));
    from.words = kept->from;
    DGM_TRY(note_known(env, kept, added, &from));
    DGM_TRY(dgm_places_find(env, &kept->places, kept->items + added->first, added->count, &from));
    DGM_TRY(dgm_reserve(env, &kept->ends, &kept->end_capacity, (size_t)from.count + 1,
                        sizeof *kept->ends));
    return find_ends(env, kept, parts, line, rank, from.count);
}

/* Ends from the n-th on of the gaps in which spans stand, up to byte `at` of the text, as bytes of
 * what is stripped so far; the next n. */
static size_t move_ends(struct dgm_kept *kept, size_t n, size_t at, size_t removed)
{
    for (; n < kept->places.count; n++) {
        const int32_t gap = kept->places.gaps[kept->places.order[n]];
        size_t *end = &kept->ends[gap];

        if (n > 0 && gap == kept->places.gaps[kept->places.order[n - 1]])
            continue;
        if (*end > at)
            break;
        *end = *end > removed ? *end - removed : 0;
        if (*end > kept->stripped.size)
            *end = kept->stripped.size;
    }
    return n;
}

/* Takes slots out of kept->text, each with one of the blanks around it; ends go with it. */
static dgm_status strip_slots(struct dgm_env *env, struct dgm_kept *kept)
{
    struct dgm_buf *text = &kept->text, *out = &kept->stripped;
    size_t at = 0, n = 0, next;

    dgm_buf_reset(out);
    DGM_TRY(dgm_buf_add_text(env, out, ""));
    while ((next = dgm_slot_next(text->data, text->size, at)) < text->size) {
        int had_blank;

        DGM_TRY(dgm_buf_add(env, out, text->data + at, next - at));
        had_blank = out->size > 0 && out->data[out->size - 1] == ' ';
        out->size -= (size_t)had_blank;
        n = move_ends(kept, n, next, at - (out->size + (size_t)had_blank - (next - at)));
        at = next + DGM_SLOT_BYTES;
        at += !had_blank && at < text->size && text->data[at] == ' ';
    }
    DGM_TRY(dgm_buf_add(env, out, text->data + at, text->size - at));
    move_ends(kept, n, text->size, text->size - out->size);
    dgm_buf_swap(text, out);
    return DGM_OK;
}

/* Slots that nobody asked for go. */
static dgm_status spare_text(struct dgm_env *env, struct dgm_kept *kept, struct dgm_buf *text)
{
    if (!kept->has_slots || dgm_slot_next(text->data, text->size, 0) == text->size)
        return DGM_OK;
    dgm_buf_reset(&kept->text);
    DGM_TRY(dgm_buf_add(env, &kept->text, text->data, text->size));
    kept->places.count = 0;
    DGM_TRY(strip_slots(env, kept));
    dgm_buf_reset(text);
    return dgm_buf_add(env, text, kept->text.data, kept->text.size);
}

dgm_status dgm_kept_put_back(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                             size_t line, int32_t rank)
{
    const struct dgm_kept_line *added;
    const char *whole;

    if (!dgm_kept_has(kept, line))
        return spare_text(env, kept, &parts->text);
    added = &kept->added[line];
    whole = kept->lines.data + added->at;
    if (dgm_parts_count(parts, line) == 0) {
        dgm_buf_reset(&parts->text);
        return dgm_buf_add(env, &parts->text, whole, added->bytes);
    }
    dgm_buf_reset(&kept->text);
    DGM_TRY(dgm_buf_add(env, &kept->text, parts->text.data, parts->text.size));
    DGM_TRY(find_gaps(env, kept, parts, line, rank));
    if (kept->has_slots)
        DGM_TRY(strip_slots(env, kept));
    dgm_buf_reset(&parts->text);
    return dgm_spans_weave(env, &parts->text, &kept->text, kept->ends, whole, added->bytes,
                           kept->items + added->first, &kept->places);
}

/* ---- the queue ------------------------------------------------------------------------------- */

void dgm_kept_reset(struct dgm_kept *kept)
{
    kept->count = kept->item_count = 0;
    dgm_buf_reset(&kept->lines);
}

void dgm_kept_clear(struct dgm_env *env, struct dgm_kept *kept)
{
    dgm_release(env, kept->items);
    dgm_release(env, kept->added);
    dgm_buf_clear(env, &kept->lines);
    dgm_spans_clear(env, &kept->spans);
    dgm_buf_clear(env, &kept->plain);
    dgm_buf_clear(env, &kept->bare);
    dgm_encoded_clear(env, &kept->encoded);
    dgm_places_clear(env, &kept->places);
    dgm_buf_clear(env, &kept->text);
    dgm_buf_clear(env, &kept->stripped);
    dgm_release(env, kept->known);
    dgm_release(env, kept->words);
    dgm_release(env, kept->from);
    dgm_release(env, kept->ends);
    memset(kept, 0, sizeof *kept);
}
