/*
 * fuzz_span.c: any bytes as a line whose spans are taken out and put back, in a translation whose
 * links and slots its first byte seeds. Spans are in order and whole characters; in the translation
 * each of them stands once, tags are nested, and between them is all of the text. As a pair with
 * itself it has the same slots on both sides.
 */
#include <stdlib.h>
#include <string.h>

#include "data/text/slots.h"
#include "text/span/weave.h"

enum { WORDS = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_found(const struct dgm_span_list *spans, const char *line, size_t size)
{
    size_t end = 0;

    for (size_t i = 0; i < spans->count; i++) {
        const struct dgm_line_span *span = &spans->items[i];

        require(span->start >= end && span->end > span->start && span->end <= size);
        require(((unsigned char)line[span->start] & 0xC0) != 0x80);
        end = span->end;
    }
}

/* Each tag closes the one that was opened last. */
static void check_order(const struct dgm_taken *items, const struct dgm_places *places,
                        size_t count, int32_t *open)
{
    size_t depth = 0;
    int32_t gap = 0;

    require(places->count == count);
    for (size_t n = 0; n < count; n++) {
        const int32_t i = places->order[n];

        require(places->gaps[i] >= gap && places->gaps[i] <= WORDS);
        gap = places->gaps[i];
        if (items[i].mate > i)
            open[depth++] = i;
        else if (items[i].mate >= 0)
            require(depth > 0 && open[--depth] == items[i].mate);
    }
    require(depth == 0);
}

/* What is woven is spans and text, in order, but for blanks. */
static void check_woven(const struct dgm_buf *out, const struct dgm_buf *text, const char *line,
                        const struct dgm_taken *items, const struct dgm_places *places)
{
    size_t at = 0, done = 0, n = 0;

    while (at < out->size) {
        const struct dgm_line_span *span = n < places->count ? &items[places->order[n]].span : NULL;
        const size_t bytes = span != NULL ? span->end - span->start : 0;

        if (span != NULL && out->size - at >= bytes &&
            memcmp(out->data + at, line + span->start, bytes) == 0) {
            at += bytes;
            n++;
        } else if (out->data[at] == ' ') {
            at++;
        } else {
            while (done < text->size && text->data[done] == ' ')
                done++;
            require(done < text->size && text->data[done++] == out->data[at++]);
        }
    }
    require(n == places->count);
}

/* Words "w" with blanks between, of which none begins a span. */
static void make_text(struct dgm_env *env, struct dgm_buf *text, size_t *ends)
{
    ends[0] = 0;
    for (int w = 0; w < WORDS; w++) {
        require(dgm_buf_add_text(env, text, w > 0 ? " w" : "w") == DGM_OK);
        ends[w + 1] = text->size;
    }
}

static void check(struct dgm_env *env, unsigned seed, const char *line, size_t size,
                  const struct dgm_span_list *spans)
{
    struct dgm_taken *items = calloc(spans->count + 1, sizeof *items);
    int32_t *open = calloc(spans->count + 1, sizeof *open), links[WORDS];
    int32_t *known = calloc(spans->count + 1, sizeof *known);
    const struct dgm_come_from from = { links, WORDS, WORDS, known };
    struct dgm_places places = { 0 };
    struct dgm_buf text = { 0 }, out = { 0 };
    size_t ends[WORDS + 1];

    require(items != NULL && open != NULL && known != NULL);
    for (size_t i = 0; i < spans->count; i++) {
        items[i].span = spans->items[i];
        items[i].words = (int32_t)(spans->items[i].start * WORDS / (size + 1));
        known[i] = (int32_t)((seed = seed * 1103515245 + 12345) >> 16) % (WORDS + 1) - 1;
    }
    for (int w = 0; w < WORDS; w++)
        links[w] = (int32_t)((seed = seed * 1103515245 + 12345) >> 16) % (WORDS + 1) - 1;
    require(dgm_taken_pair(env, items, spans->count, line) == DGM_OK);
    require(dgm_places_find(env, &places, items, spans->count, &from) == DGM_OK);
    check_order(items, &places, spans->count, open);
    make_text(env, &text, ends);
    require(dgm_spans_weave(env, &out, &text, ends, line, size, items, &places) == DGM_OK);
    check_woven(&out, &text, line, items, &places);
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &out);
    dgm_places_clear(env, &places);
    free(items);
    free(open);
    free(known);
}

/* Of a pair of one line twice, the same is replaced on both sides, and the same each time. */
static void check_slots(struct dgm_env *env, unsigned seed, const char *line, size_t size)
{
    struct dgm_slots slots = { .share = 0.5, .seed = seed };
    struct dgm_buf text = { 0 }, first = { 0 };
    const struct dgm_buf *pair[2] = { &text, &text };

    require(dgm_buf_add(env, &text, line, size) == DGM_OK);
    require(dgm_slots_fill(env, &slots, pair, 1, seed) == DGM_OK);
    require(dgm_buf_same(&slots.lines[0], &slots.lines[1]));
    require(dgm_buf_add(env, &first, slots.lines[0].data, slots.lines[0].size) == DGM_OK);
    require(dgm_slots_fill(env, &slots, pair, 1, seed) == DGM_OK);
    require(dgm_buf_same(&slots.lines[0], &first));
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &first);
    dgm_slots_clear(env, &slots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = (const char *)data + 1;
    struct dgm_span_list spans = { 0 };
    struct dgm_buf bare = { 0 };
    struct dgm_env env;

    if (size-- == 0)
        return 0;
    dgm_env_init(&env);
    require(dgm_spans_find(&env, &spans, line, size, ~0U) == DGM_OK);
    check_found(&spans, line, size);
    require(dgm_spans_cut(&env, &bare, line, size, &spans) == DGM_OK);
    require(bare.size <= size);
    check(&env, data[0], line, size, &spans);
    check_slots(&env, data[0], line, size);
    dgm_buf_clear(&env, &bare);
    dgm_spans_clear(&env, &spans);
    return 0;
}
