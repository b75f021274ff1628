/* test_place.c: whatever the links, spans keep their nesting, and none is lost. */
#include <string.h>

#include "base/philox.h"
#include "test.h"
#include "text/span/place.h"

enum { ITEMS = 24, WORDS = 9 };

static const char *const tags[] = { "<a>", "</a>", "<b>", "</b>", "<i/>", "{x}" };

/* A line of tags alone, words between them only as numbers. */
static size_t make(struct dgm_taken *items, char *line, struct dgm_random *random)
{
    size_t at = 0, count = 1 + dgm_random_below(random, ITEMS);
    int32_t words = 0;

    for (size_t i = 0; i < count; i++) {
        const char *tag = tags[dgm_random_below(random, 6)];

        words += (int32_t)dgm_random_below(random, 3);
        items[i].span.kind = tag[0] == '<' ? DGM_SPAN_tag : DGM_SPAN_placeholder;
        items[i].span.start = at;
        memcpy(line + at, tag, strlen(tag));
        at += strlen(tag);
        items[i].span.end = at;
        items[i].words = words < WORDS ? words : WORDS;
    }
    return count;
}

/* In the order of the translation, each tag closes the one that was opened last. */
static void check_nesting(const struct dgm_taken *items, const struct dgm_places *places,
                          int32_t most)
{
    int32_t open[ITEMS], depth = 0, gap = 0;
    int seen[ITEMS] = { 0 };

    for (size_t n = 0; n < places->count; n++) {
        const int32_t i = places->order[n];

        CHECK(!seen[i]);
        seen[i] = 1;
        CHECK(places->gaps[i] >= gap && places->gaps[i] <= most);
        gap = places->gaps[i];
        if (items[i].mate > i)
            open[depth++] = i;
        else if (items[i].mate >= 0)
            CHECK(depth > 0 && open[--depth] == items[i].mate);
    }
    CHECK_INT(depth, 0);
}

TEST(places_keep_tags_nested_whatever_the_links)
{
    struct dgm_places places = { 0 };
    struct dgm_random random;

    dgm_random_init(&random, 11, 0, 0, 0);
    for (int turn = 0; turn < 5000; turn++) {
        struct dgm_taken items[ITEMS];
        char line[ITEMS * 8];
        int32_t links[WORDS];
        struct dgm_come_from from = { links, (int32_t)dgm_random_below(&random, WORDS + 1), WORDS,
                                      NULL };
        const size_t count = make(items, line, &random);

        for (int32_t w = 0; w < from.count; w++)
            links[w] = (int32_t)dgm_random_below(&random, WORDS + 1) - 1;
        CHECK_STATUS(dgm_taken_pair(test_env(), items, count, line), DGM_OK);
        CHECK_STATUS(dgm_places_find(test_env(), &places, items, count, &from), DGM_OK);
        CHECK_INT(places.count, count);
        check_nesting(items, &places, from.count);
    }
    dgm_places_clear(test_env(), &places);
}

TEST(taken_tags_have_mates)
{
    static const int32_t want[] = { 3, 2, 1, 0, -1, -1, 7, 6 };
    static const char line[] = "<a><b></b></a></a><i/><b x='>'></b>";
    struct dgm_span_list spans = { 0 };
    struct dgm_taken items[8] = { 0 };

    CHECK_STATUS(dgm_spans_find(test_env(), &spans, line, strlen(line), ~0U), DGM_OK);
    CHECK_INT(spans.count, 8);
    for (size_t i = 0; i < 8; i++)
        items[i].span = spans.items[i];
    CHECK_STATUS(dgm_taken_pair(test_env(), items, 8, line), DGM_OK);
    for (size_t i = 0; i < 8; i++)
        CHECK_INT(items[i].mate, want[i]);
    dgm_spans_clear(test_env(), &spans);
}
