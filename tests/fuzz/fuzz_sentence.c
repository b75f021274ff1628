/*
 * fuzz_sentence.c: any bytes as running text, whose language the first byte chooses. Sentences come
 * in order, begin and end at characters, have no blank at either end, and with the blanks between
 * them they are the text.
 */
#include "text/sentence/sentence.h"

#include <stdlib.h>

#include "text/sentence/breaks.h"
#include "text/unicode/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static int is_blank(const char *text, size_t size, size_t at, size_t *end)
{
    uint32_t code;
    enum dgm_break class;

    *end = at + dgm_utf8_decode(&code, text + at, size - at);
    class = dgm_break_of(code);
    return class == DGM_BREAK_SP || class == DGM_BREAK_SEP;
}

/* text[at..to) are whole characters; `blank`: blanks all, or not in the first and last place. */
static void check_span(const char *text, size_t size, size_t at, size_t to, int blank)
{
    size_t start = at, end = at;

    require(at < to || blank);
    for (; at < to; at = end) {
        const int is = is_blank(text, size, at, &end);

        require(blank ? is : !is || (at > start && end < to));
    }
    require(at == to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const languages[] = { "en", "de", "fr", "el", "cs", "ar", "zh", "hi" };
    const char *text = (const char *)data + 1;
    struct dgm_sentence_walk walk;
    struct dgm_sentence_span sentence;
    size_t at = 0;

    if (size-- == 0)
        return 0;
    dgm_sentence_walk_begin(&walk, languages[data[0] % 8], text, size);
    while (dgm_sentence_walk_next(&walk, &sentence)) {
        check_span(text, size, at, sentence.start, 1);
        check_span(text, size, sentence.start, sentence.end, 0);
        at = sentence.end;
        require(sentence.next >= at && sentence.next <= size);
    }
    check_span(text, size, at, size, 1);
    return 0;
}
