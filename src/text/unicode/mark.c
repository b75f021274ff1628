/* mark.c: tells marks, joiners and other followers by the flags of unicode.h and short lists. */
#include "text/unicode/mark.h"

#include <stddef.h>

#include "text/unicode/unicode.h"

struct range {
    uint32_t first, last;
};

/* Spacing marks that are neither Alphabetic nor Case_Ignorable: killers of vowels, for one. */
static const struct range bare_marks[] = {
    { 0xF3E, 0xF3F },     { 0x1715, 0x1715 },   { 0x1734, 0x1734 },   { 0x1B44, 0x1B44 },
    { 0x1BAA, 0x1BAA },   { 0x1BF2, 0x1BF3 },   { 0x1CE1, 0x1CE1 },   { 0x1CF7, 0x1CF7 },
    { 0x302E, 0x302F },   { 0xA953, 0xA953 },   { 0xA9C0, 0xA9C0 },   { 0xABEC, 0xABEC },
    { 0x111C0, 0x111C0 }, { 0x11235, 0x11235 }, { 0x1134D, 0x1134D }, { 0x116B6, 0x116B6 },
    { 0x1193D, 0x1193D }, { 0x1D165, 0x1D166 }, { 0x1D16D, 0x1D172 },
};

/* Format characters (Cf): Case_Ignorable as marks are. */
static const struct range formats[] = {
    { 0xAD, 0xAD },       { 0x600, 0x605 },     { 0x61C, 0x61C },     { 0x6DD, 0x6DD },
    { 0x70F, 0x70F },     { 0x890, 0x891 },     { 0x8E2, 0x8E2 },     { 0x180E, 0x180E },
    { 0x200B, 0x200F },   { 0x202A, 0x202E },   { 0x2060, 0x2064 },   { 0x2066, 0x206F },
    { 0xFEFF, 0xFEFF },   { 0xFFF9, 0xFFFB },   { 0x110BD, 0x110BD }, { 0x110CD, 0x110CD },
    { 0x13430, 0x13438 }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0001, 0xE0001 },
    { 0xE0020, 0xE007F },
};

static int is_in(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count && code >= ranges[i].first; i++)
        if (code <= ranges[i].last)
            return 1;
    return 0;
}

int dgm_unicode_is_mark(uint32_t code)
{
    const unsigned others = DGM_UNICODE_LETTER | DGM_UNICODE_NUMBER | DGM_UNICODE_PUNCT |
                            DGM_UNICODE_SYMBOL | DGM_UNICODE_SPACE;
    unsigned flags;

    if (code < 0x300)
        return 0;
    flags = dgm_unicode_flags(code);
    if ((flags & others) != 0)
        return 0;
    if ((flags & (DGM_UNICODE_ALPHA | DGM_UNICODE_IGNORABLE)) == 0)
        return is_in(bare_marks, sizeof bare_marks / sizeof bare_marks[0], code);
    return !is_in(formats, sizeof formats / sizeof formats[0], code);
}

int dgm_unicode_is_regional(uint32_t code)
{
    return code >= 0x1F1E6 && code <= 0x1F1FF;
}

int dgm_unicode_is_follower(uint32_t code)
{
    if (code < 0x300)
        return code == 0xAD;
    return code == 0x200C || code == DGM_ZERO_WIDTH_JOINER || dgm_unicode_is_regional(code) ||
           (code >= 0x1F3FB && code <= 0x1F3FF) || (code >= 0xE0020 && code <= 0xE007F) ||
           dgm_unicode_is_mark(code);
}
