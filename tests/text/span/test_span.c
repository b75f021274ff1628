/* test_span.c: where addresses, tags, placeholders, emoji and code begin and end. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/philox.h"
#include "test.h"
#include "text/span/span.h"

/* Rows: a line whose spans stand between U+2026 HORIZONTAL ELLIPSIS marks "…", which are taken out. */
static const char *const lines[] = {
    "see …http://x.org/a?b=c… …<b>…bold…</b>…",
    "(…https://de.wikipedia.org/wiki/Bank_(Möbel)…), …www.example.org… and …ftp://a.b/c;d…;",
    "\"…http://a.org/x…\", 《…http://a.org…》 and …http://a.org/…。",
    "Is it …http://x.org/a…? Yes: …http://x.org/?q=…!",
    "mailto …first.last+tag@sub.example.org…. Not @home, a@b, x@y..z, .a@b.org",
    "…<a href=\"x>y\" class='a<b'>…here…</a>……<br/>……<!-- a > b -->… …3… < …4…, <…3…, a<b, <- <>",
    "…{name}… has …{0}…, …{{ x }}…, …%s…, …%1$d…, …%(count)d… %, …$HOME… and …${a.b}…; …$5…, {a, b}, 100%s, %%d",
    "run …`a < b`… or …``a ` b``…, not ` alone",
    "…😀……👍🏽… …👩‍👩‍👧… …🇫🇷… …1️⃣… …❤️… ❤ © …1… # …⌚…",
    "plain words, …3.5 kg…, it's …12:30… o'clock (really)",
    "…3.5 kg… of …12 %…, …$1,299.00… or …1 299,00 EUR…, …10-15 km/h…, …5'10\"… tall, …-3 °C….",
    "On …2026-11-28… at …14:30…, …v1.2.3…, call …+49 (0)30 123456…: …1e-5…, …3x4…, …192.168.0.1/24….",
    "…2026-11-28T14:30:00Z…, …28.11.2026…, …1/2…, …€5…, …5€…, …100…, …1’000’000…, …10–15 m…; …5… in all",
    "…fe80::1…, …::1…, …2001:db8:0:0:0:0:2:1…, a::b, 価格は…1200…円, …1 000 000…. (…7…) #…5…",
    "…%1$s…評判、…%s…さん、…$NAME…様は…a.b@x.org…へ müller@x.org, %sé $Né",
    "20th B2B 3D 10-year-old 5G A4 Covid-19 h2o x.5 3.x 12:ab user@5 5px-wide 1_000 e5",
};

static size_t unmark(const char *line, char *out, struct dgm_line_span *spans, size_t *count)
{
    size_t bytes = 0;
    int is_open = 0;

    *count = 0;
    while (*line != '\0') {
        if (strncmp(line, "…", 3) != 0) {
            out[bytes++] = *line++;
            continue;
        }
        line += 3;
        if (!is_open)
            spans[*count].start = bytes;
        else
            spans[(*count)++].end = bytes;
        is_open = !is_open;
    }
    return bytes;
}

TEST(spans_are_found_where_they_stand)
{
    struct dgm_span_list found = { 0 };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct dgm_line_span want[32];
        char text[512];
        size_t count;
        const size_t bytes = unmark(lines[i], text, want, &count);

        CHECK_STATUS(dgm_spans_find(test_env(), &found, text, bytes, ~0U), DGM_OK);
        for (size_t s = 0; s < count && s < found.count; s++)
            if (found.items[s].start != want[s].start || found.items[s].end != want[s].end)
                printf("line %zu, span %zu: \"%.*s\"\n", i, s,
                       (int)(found.items[s].end - found.items[s].start),
                       text + found.items[s].start);
        CHECK_INT(found.count, count);
        for (size_t s = 0; s < count; s++) {
            CHECK_INT(found.items[s].start, want[s].start);
            CHECK_INT(found.items[s].end, want[s].end);
        }
    }
    dgm_spans_clear(test_env(), &found);
}

/* Whatever stands there: spans are in order, hold whole characters, and are found again alone. */
TEST(spans_of_any_text_are_in_order_and_spans_themselves)
{
    static const char *const parts[] = {
        "<", ">",  "a",   "/", "://",      "www.", "@",   ".b", "{", "}", "%",
        "s", "$",  "X",   "`", "``",       " ",    "\"",  "=",  "😀", "👩", "\xE2\x80\x8D",
        "🇫", "1",  "️", "⃣",  "\xF0\x9F", "<!--", "-->", "23", ".", "-", " kg",
        ":", "e5", "+1 "
    };
    struct dgm_span_list found = { 0 }, alone = { 0 };
    struct dgm_random random;
    int seen = 0;

    dgm_random_init(&random, 7, 0, 0, 0);
    for (int turn = 0; turn < 20000; turn++) {
        char text[256];
        size_t bytes = 0, end = 0;

        for (int n = 0; n < 24; n++) {
            const char *part = parts[dgm_random_below(&random, sizeof parts / sizeof parts[0])];

            memcpy(text + bytes, part, strlen(part));
            bytes += strlen(part);
        }
        CHECK_STATUS(dgm_spans_find(test_env(), &found, text, bytes, ~0U), DGM_OK);
        for (size_t s = 0; s < found.count; s++) {
            const struct dgm_line_span *span = &found.items[s];

            CHECK(span->start >= end && span->end > span->start && span->end <= bytes);
            CHECK(((unsigned char)text[span->start] & 0xC0) != 0x80);
            end = span->end;
            CHECK_STATUS(dgm_spans_find(test_env(), &alone, text + span->start,
                                        span->end - span->start, 1U << span->kind),
                         DGM_OK);
            CHECK(alone.count >= 1 && alone.items[0].start == 0);
            CHECK_INT(alone.items[0].end, span->end - span->start);
            seen |= 1 << span->kind;
        }
    }
    CHECK_INT(seen, (1 << DGM_SPAN_KINDS) - 1);
    dgm_spans_clear(test_env(), &found);
    dgm_spans_clear(test_env(), &alone);
}

/* What might begin everywhere and ends nowhere is looked at so far and no further. */
TEST(spans_of_beginnings_without_an_end)
{
    static const char *const parts[] = {
        "<a \"",         "`",    "{{", "a@", "<!--",    "%(",
        "👩\xE2\x80\x8D", "www.", "1×", "::", "1 234 x", "+1 234 5 "
    };
    struct dgm_span_list found = { 0 };
    struct dgm_buf text = { 0 };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        dgm_buf_reset(&text);
        while (text.size < 1 << 16)
            CHECK_STATUS(dgm_buf_add(test_env(), &text, parts[i], strlen(parts[i])), DGM_OK);
        CHECK_STATUS(dgm_spans_find(test_env(), &found, text.data, text.size, ~0U), DGM_OK);
    }
    dgm_buf_clear(test_env(), &text);
    dgm_spans_clear(test_env(), &found);
}

TEST(span_kinds_have_names)
{
    unsigned kinds;

    CHECK_STATUS(dgm_span_kinds_read(test_env(), "protect", "all", &kinds), DGM_OK);
    CHECK_INT(kinds, (1U << DGM_SPAN_KINDS) - 1);
    CHECK_STATUS(dgm_span_kinds_read(test_env(), "protect", "none", &kinds), DGM_OK);
    CHECK_INT(kinds, 0);
    CHECK_STATUS(dgm_span_kinds_read(test_env(), "protect", "url,emoji", &kinds), DGM_OK);
    CHECK_INT(kinds, 1U << DGM_SPAN_url | 1U << DGM_SPAN_emoji);
    CHECK_STATUS(dgm_span_kinds_read(test_env(), "protect", "url,urls", &kinds), DGM_USAGE);
    CHECK_STR(test_env()->error.message, "protect: \"urls\"; expected auto, all, none, or some of "
                                         "code,tag,url,mail,placeholder,emoji,number");
    CHECK_STATUS(dgm_span_kinds_read(test_env(), "protect", "", &kinds), DGM_USAGE);
}
