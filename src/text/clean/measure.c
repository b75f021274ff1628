/* measure.c: one pass over the characters of a line. */
#include "text/clean/measure.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Ends the token that has `word` characters so far. */
static void end_word(struct dgm_line_measure *measure, size_t *word)
{
    if (*word == 0)
        return;
    measure->tokens++;
    if (*word > measure->longest)
        measure->longest = *word;
    *word = 0;
}

static void count_letter(struct dgm_line_measure *measure, const struct dgm_script_set *scripts,
                         uint32_t code)
{
    const int script = dgm_script_of(code);

    measure->letters += script != 0;
    measure->expected += script != 0 && scripts->holds[script];
}

static void take(struct dgm_line_measure *measure, size_t *word, uint32_t code)
{
    if (code > ' ' && code < 0x7F) {
        ++*word;
    } else if (dgm_unicode_is_blank(code)) {
        end_word(measure, word);
    } else if (dgm_unicode_is_unspaced(code)) {
        end_word(measure, word);
        *word = 1;
        end_word(measure, word);
    } else {
        ++*word;
    }
}

void dgm_measure_line(struct dgm_line_measure *measure, const struct dgm_script_set *scripts,
                      const char *bytes, size_t count)
{
    size_t at = 0, word = 0;

    memset(measure, 0, sizeof *measure);
    while (at < count) {
        uint32_t code = (unsigned char)bytes[at];
        if (code < 0x80)
            at++;
        else
            at += dgm_utf8_decode(&code, bytes + at, count - at);
        measure->is_bad = measure->is_bad || code == DGM_UTF8_BAD || code == 0;
        take(measure, &word, code);
        if (scripts->is_given)
            count_letter(measure, scripts, code);
    }
    end_word(measure, &word);
}
