/* by_case.c: words by their capitals. */
#include <stdio.h>

#include "text/score/by/by.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* "Word" begins with its only capital; "A" alone is such a word, not one of capitals. */
static int32_t kind_of(const struct dgm_by_word *word)
{
    size_t at = 0, letters = 0, capitals = 0, cased = 0;
    int begins = 0;
    uint32_t code;

    while (at < word->bytes) {
        unsigned flags;

        at += dgm_utf8_decode(&code, word->text + at, word->bytes - at);
        flags = dgm_unicode_flags(code);
        if ((flags & DGM_UNICODE_UPPER) && letters == 0)
            begins = 1;
        letters += (flags & DGM_UNICODE_LETTER) != 0;
        capitals += (flags & DGM_UNICODE_UPPER) != 0;
        cased += (flags & (DGM_UNICODE_UPPER | DGM_UNICODE_LOWER)) != 0;
    }
    if (cased == 0)
        return letters > 0 ? 4 : 5;
    if (capitals == 0)
        return 0;
    return begins && capitals == 1 ? 1 : capitals == cased ? 2 : 3;
}

static void group(const struct dgm_by_word *word, struct dgm_by_group *out)
{
    static const char *const names[] = {
        "lower", "Capital", "UPPER", "miXed", "caseless", "other"
    };

    out->place = kind_of(word);
    snprintf(out->name, sizeof out->name, "%s", names[out->place]);
}

const struct dgm_by dgm_by_case = { .name = "case", .title = "case", .group = group };
