/* width.c: East_Asian_Width W and F of Unicode 14.0 as runs; marks from the table of unicode.h. */
#include "text/unicode/width.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Runs of wide characters, in order; unassigned gaps inside a run count as wide. */
/* clang-format off */
static const struct { uint32_t first, last; } wide[] = {
    { 0x1100, 0x115F }, { 0x231A, 0x231B }, { 0x2329, 0x232A }, { 0x23E9, 0x23EC },
    { 0x23F0, 0x23F0 }, { 0x23F3, 0x23F3 }, { 0x25FD, 0x25FE }, { 0x2614, 0x2615 },
    { 0x2648, 0x2653 }, { 0x267F, 0x267F }, { 0x2693, 0x2693 }, { 0x26A1, 0x26A1 },
    { 0x26AA, 0x26AB }, { 0x26BD, 0x26BE }, { 0x26C4, 0x26C5 }, { 0x26CE, 0x26CE },
    { 0x26D4, 0x26D4 }, { 0x26EA, 0x26EA }, { 0x26F2, 0x26F3 }, { 0x26F5, 0x26F5 },
    { 0x26FA, 0x26FA }, { 0x26FD, 0x26FD }, { 0x2705, 0x2705 }, { 0x270A, 0x270B },
    { 0x2728, 0x2728 }, { 0x274C, 0x274C }, { 0x274E, 0x274E }, { 0x2753, 0x2755 },
    { 0x2757, 0x2757 }, { 0x2795, 0x2797 }, { 0x27B0, 0x27B0 }, { 0x27BF, 0x27BF },
    { 0x2B1B, 0x2B1C }, { 0x2B50, 0x2B50 }, { 0x2B55, 0x2B55 }, { 0x2E80, 0x303E },
    { 0x3041, 0x3247 }, { 0x3250, 0x4DBF }, { 0x4E00, 0xA4C6 }, { 0xA960, 0xA97C },
    { 0xAC00, 0xD7A3 }, { 0xF900, 0xFAFF }, { 0xFE10, 0xFE19 }, { 0xFE30, 0xFE6B },
    { 0xFF01, 0xFF60 }, { 0xFFE0, 0xFFE6 }, { 0x16FE0, 0x18D08 }, { 0x1AFF0, 0x1B2FB },
    { 0x1F004, 0x1F004 }, { 0x1F0CF, 0x1F0CF }, { 0x1F18E, 0x1F18E }, { 0x1F191, 0x1F19A },
    { 0x1F200, 0x1F265 }, { 0x1F300, 0x1F320 }, { 0x1F32D, 0x1F335 }, { 0x1F337, 0x1F37C },
    { 0x1F37E, 0x1F393 }, { 0x1F3A0, 0x1F3CA }, { 0x1F3CF, 0x1F3D3 }, { 0x1F3E0, 0x1F3F0 },
    { 0x1F3F4, 0x1F3F4 }, { 0x1F3F8, 0x1F43E }, { 0x1F440, 0x1F440 }, { 0x1F442, 0x1F4FC },
    { 0x1F4FF, 0x1F53D }, { 0x1F54B, 0x1F54E }, { 0x1F550, 0x1F567 }, { 0x1F57A, 0x1F57A },
    { 0x1F595, 0x1F596 }, { 0x1F5A4, 0x1F5A4 }, { 0x1F5FB, 0x1F64F }, { 0x1F680, 0x1F6C5 },
    { 0x1F6CC, 0x1F6CC }, { 0x1F6D0, 0x1F6D2 }, { 0x1F6D5, 0x1F6DF }, { 0x1F6EB, 0x1F6EC },
    { 0x1F6F4, 0x1F6FC }, { 0x1F7E0, 0x1F7F0 }, { 0x1F90C, 0x1F93A }, { 0x1F93C, 0x1F945 },
    { 0x1F947, 0x1F9FF }, { 0x1FA70, 0x1FAFF }, { 0x20000, 0x3FFFD },
};
/* clang-format on */

static int is_wide(uint32_t code)
{
    size_t low = 0, high = sizeof wide / sizeof wide[0];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (wide[middle].first <= code)
            low = middle;
        else
            high = middle;
    }
    return code >= wide[low].first && code <= wide[low].last;
}

/*
 * Marks and format characters (Mn, Me, Cf) are what is Case_Ignorable and neither letter,
 * number, punctuation nor symbol. The soft hyphen shows on terminals; the vowels and finals of
 * Hangul join the syllable before them.
 */
static int is_mark(uint32_t code)
{
    const unsigned others =
        DGM_UNICODE_LETTER | DGM_UNICODE_NUMBER | DGM_UNICODE_PUNCT | DGM_UNICODE_SYMBOL;
    unsigned flags = dgm_unicode_flags(code);
    if (code == 0xAD)
        return 0;
    if (code >= 0x1160 && code <= 0x11FF)
        return 1;
    return (flags & DGM_UNICODE_IGNORABLE) != 0 && (flags & others) == 0;
}

int dgm_width_of(uint32_t code)
{
    if (code < 0x20 || (code >= 0x7F && code < 0xA0))
        return 0;
    if (code < 0x300)
        return 1;
    if (is_mark(code))
        return 0;
    return is_wide(code) ? 2 : 1;
}

int32_t dgm_width_of_text(const char *text)
{
    size_t left = strlen(text);
    int32_t columns = 0;

    while (left > 0) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, text, left);
        columns += dgm_width_of(code);
        text += used;
        left -= used;
    }
    return columns;
}
