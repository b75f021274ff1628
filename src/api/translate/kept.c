/* kept.c: the spans of queued lines, and the gaps between the words of a hypothesis. */
#include "api/translate/kept.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "data/text/pipeline_tags.h"

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
    dgm_buf_reset(&kept->bare);
    DGM_TRY(dgm_buf_add_text(env, &kept->bare, ""));
    DGM_TRY(dgm_spans_cut(env, &kept->bare, *line, *bytes, &kept->spans));
    *line = kept->bare.data;
    *bytes = kept->bare.size;
    return DGM_OK;
}

dgm_status dgm_kept_take(struct dgm_env *env, struct dgm_kept *kept, const char **line,
                         size_t *bytes)
{
    struct dgm_kept_line *added;

    if (kept->kinds == 0)
        return DGM_OK;
    DGM_TRY(dgm_spans_find(env, &kept->spans, *line, *bytes, kept->kinds));
    spare_head(kept, *line, *bytes);
    DGM_TRY(spare_numbers(env, kept, *line));
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

/* Those of a part that links have looked at. */
static dgm_status add_linked(struct dgm_env *env, struct dgm_kept *kept, size_t part,
                             struct dgm_come_from *from)
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
        DGM_TRY(add_word(env, kept, from, (struct dgm_kept_word){ part, i },
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
        DGM_TRY(add_word(env, kept, from, (struct dgm_kept_word){ part, 0 }, from->of));
    } else {
        DGM_TRY(
            dgm_word_links_look(env, kept->links, parts->queue, part, item->tokens, item->length));
        DGM_TRY(add_linked(env, kept, part, from));
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

/* The byte behind the first `gap` words: where the text of their tokens ends. Where what follows
 * changes how they are written, or their letters are others by now, the blanks between tell. */
static dgm_status find_end(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                           size_t line, int32_t rank, int32_t gap)
{
    const struct dgm_kept_word *word = &kept->words[gap];
    const struct dgm_buf *text = &kept->text, *before = &parts->text;

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

/* Without links: words between blanks, which come from nowhere, and all their gaps. */
static dgm_status find_fields(struct dgm_env *env, struct dgm_kept *kept,
                              const struct dgm_kept_line *added, struct dgm_come_from *from)
{
    const char *field;
    size_t at = 0, length;

    from->of = added->words;
    while (dgm_bytes_field(kept->text.data, kept->text.size, &at, &field, &length)) {
        DGM_TRY(add_word(env, kept, from, (struct dgm_kept_word){ 0, 0 }, -1));
        DGM_TRY(dgm_reserve(env, &kept->ends, &kept->end_capacity, (size_t)from->count + 1,
                            sizeof *kept->ends));
        kept->ends[from->count] = at;
    }
    DGM_TRY(dgm_reserve(env, &kept->ends, &kept->end_capacity, 1, sizeof *kept->ends));
    kept->ends[0] = 0;
    from->words = kept->from;
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
    DGM_TRY(dgm_places_find(env, &kept->places, kept->items + added->first, added->count, &from));
    DGM_TRY(dgm_reserve(env, &kept->ends, &kept->end_capacity, (size_t)from.count + 1,
                        sizeof *kept->ends));
    return find_ends(env, kept, parts, line, rank, from.count);
}

dgm_status dgm_kept_put_back(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                             size_t line, int32_t rank)
{
    const struct dgm_kept_line *added = &kept->added[line];
    const char *whole = kept->lines.data + added->at;

    if (dgm_parts_count(parts, line) == 0) {
        dgm_buf_reset(&parts->text);
        return dgm_buf_add(env, &parts->text, whole, added->bytes);
    }
    dgm_buf_reset(&kept->text);
    DGM_TRY(dgm_buf_add(env, &kept->text, parts->text.data, parts->text.size));
    DGM_TRY(find_gaps(env, kept, parts, line, rank));
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
    dgm_buf_clear(env, &kept->bare);
    dgm_encoded_clear(env, &kept->encoded);
    dgm_places_clear(env, &kept->places);
    dgm_buf_clear(env, &kept->text);
    dgm_release(env, kept->words);
    dgm_release(env, kept->from);
    dgm_release(env, kept->ends);
    memset(kept, 0, sizeof *kept);
}
