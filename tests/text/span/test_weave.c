/* test_weave.c: spans taken out of lines and put back into translations. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/philox.h"
#include "test.h"
#include "text/span/weave.h"

/* A translation: its words with blanks between, "," and "." glued to the word before; links: the
 * word of the line, from 0, that each comes from, or -. */
static const struct {
    const char *line, *cut, *links, *words, *want;
} rows[] = {
    { "Visit http://x.org/a?b=c now.", "Visit  now.", "0 1 2", "Besuche jetzt .",
      "Besuche http://x.org/a?b=c jetzt." },
    { "See http://x.org.", "See .", "0 1", "Siehe .", "Siehe http://x.org." },
    { "a <b>bold</b> word", "a bold word", "0 1 2", "ein fettes Wort", "ein <b>fettes</b> Wort" },
    { "<b>bold</b>", "bold", "0", "fett", "<b>fett</b>" },
    { "the <b>red</b> <i>car</i>, sir", "the red car, sir", "0 2 1 3 4",
      "la voiture rouge , monsieur", "la <i>voiture</i> <b>rouge</b>, monsieur" },
    { "<p>one <b>two</b> three</p>", "one two three", "2 1 0", "drei zwei eins",
      "<p>drei <b>zwei</b> eins</p>" },
    { "<p>one <b>two three</b></p>", "one two three", "1 0 2", "zwei eins drei",
      "<p><b>zwei eins drei</b></p>" },
    { "Hello {name}, you have %d mails", "Hello , you have  mails", "0 1 2 3 4",
      "Hallo , du hast Mails", "Hallo {name}, du hast %d Mails" },
    { "({name}) says", "() says", "0 1 2", "( ) sagt", "({name}) sagt" },
    { "one<br/>two", "one two", "0 1", "eins zwei", "eins<br/>zwei" },
    { "over<b>come</b>", "overcome", "0", "besiegt", "besiegt<b></b>" },
    { "x.org is http://x.org", "x.org is ", "0 1", "x.org ist", "x.org ist http://x.org" },
    { "👍 good 😀", " good ", "0", "gut", "👍 gut 😀" },
    { "an open <b> and </i> tag", "an open  and  tag", "- - - -", "ein offenes und Tag",
      "ein offenes <b> und </i> Tag" },
};

static int32_t fields(const char *text, const char **words, size_t *lengths)
{
    size_t at = 0;
    int32_t count = 0;

    while (dgm_bytes_field(text, strlen(text), &at, &words[count], &lengths[count]))
        count++;
    return count;
}

/* Marks are words of their own, as a tokeniser has them. */
static int32_t count_words(const char *text, size_t bytes)
{
    int32_t count = 0;
    int was_word = 0;

    for (size_t i = 0; i < bytes; i++) {
        const int is_word = dgm_span_is_word(text[i]);

        count += is_word ? !was_word : text[i] != ' ';
        was_word = is_word;
    }
    return count;
}

static void write_words(struct dgm_buf *text, size_t *ends, const char *line)
{
    const char *words[64];
    size_t lengths[64];
    const int32_t count = fields(line, words, lengths);

    ends[0] = 0;
    for (int32_t w = 0; w < count; w++) {
        if (w > 0 && strchr(",.)", words[w][0]) == NULL)
            CHECK_STATUS(dgm_buf_add_char(test_env(), text, ' '), DGM_OK);
        CHECK_STATUS(dgm_buf_add(test_env(), text, words[w], lengths[w]), DGM_OK);
        ends[w + 1] = text->size;
    }
}

TEST(weave_puts_spans_where_their_words_went)
{
    struct dgm_span_list spans = { 0 };
    struct dgm_places places = { 0 };
    struct dgm_buf cut = { 0 }, text = { 0 }, out = { 0 };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct dgm_taken items[16];
        size_t ends[64], lengths[64];
        int32_t links[64];
        const char *words[64];
        struct dgm_come_from from = { .words = links };

        CHECK_STATUS(dgm_spans_find(test_env(), &spans, rows[r].line, strlen(rows[r].line), ~0U),
                     DGM_OK);
        dgm_buf_reset(&cut);
        CHECK_STATUS(dgm_spans_cut(test_env(), &cut, rows[r].line, strlen(rows[r].line), &spans),
                     DGM_OK);
        CHECK_MEM(cut.data, rows[r].cut, strlen(rows[r].cut));
        CHECK_INT(cut.size, strlen(rows[r].cut));
        for (size_t s = 0; s < spans.count; s++) {
            char prefix[256] = "";

            /* What stands before the span, without those before it. */
            for (size_t i = 0; i <= s; i++) {
                const size_t begin = i > 0 ? spans.items[i - 1].end : 0;

                strncat(prefix, rows[r].line + begin, spans.items[i].start - begin);
            }
            items[s] = (struct dgm_taken){ .span = spans.items[s] };
            items[s].words = count_words(prefix, strlen(prefix));
        }
        CHECK_STATUS(dgm_taken_pair(test_env(), items, spans.count, rows[r].line), DGM_OK);
        from.count = fields(rows[r].links, words, lengths);
        for (int32_t w = 0; w < from.count; w++)
            links[w] = words[w][0] == '-' ? -1 : words[w][0] - '0';
        from.of = count_words(rows[r].cut, strlen(rows[r].cut));
        CHECK_STATUS(dgm_places_find(test_env(), &places, items, spans.count, &from), DGM_OK);
        dgm_buf_reset(&text);
        write_words(&text, ends, rows[r].words);
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_spans_weave(test_env(), &out, &text, ends, rows[r].line,
                                     strlen(rows[r].line), items, &places),
                     DGM_OK);
        CHECK_STATUS(dgm_buf_add(test_env(), &out, "", 1), DGM_OK);
        CHECK_STR(out.data, rows[r].want);
    }
    dgm_spans_clear(test_env(), &spans);
    dgm_places_clear(test_env(), &places);
    dgm_buf_clear(test_env(), &cut);
    dgm_buf_clear(test_env(), &text);
    dgm_buf_clear(test_env(), &out);
}
