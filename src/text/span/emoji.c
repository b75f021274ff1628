/*
 * emoji.c: one emoji of however many characters: a picture with its tone of skin, its variation,
 * others that a joiner ties to it, flags, keycaps. Unicode Technical Standard #51, ED-17; pictures
 * that are text unless U+FE0F follows are so here. The table is Emoji_Presentation of emoji-data,
 * version 14, below U+1F000; above, the blocks of pictures.
 */
#include "text/span/span.h"
#include "text/unicode/utf8.h"

static const uint32_t pictures[][2] = {
    { 0x231A, 0x231B },   { 0x23E9, 0x23EC },   { 0x23F0, 0x23F0 },   { 0x23F3, 0x23F3 },
    { 0x25FD, 0x25FE },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },   { 0x267F, 0x267F },
    { 0x2693, 0x2693 },   { 0x26A1, 0x26A1 },   { 0x26AA, 0x26AB },   { 0x26BD, 0x26BE },
    { 0x26C4, 0x26C5 },   { 0x26CE, 0x26CE },   { 0x26D4, 0x26D4 },   { 0x26EA, 0x26EA },
    { 0x26F2, 0x26F3 },   { 0x26F5, 0x26F5 },   { 0x26FA, 0x26FA },   { 0x26FD, 0x26FD },
    { 0x2705, 0x2705 },   { 0x270A, 0x270B },   { 0x2728, 0x2728 },   { 0x274C, 0x274C },
    { 0x274E, 0x274E },   { 0x2753, 0x2755 },   { 0x2757, 0x2757 },   { 0x2795, 0x2797 },
    { 0x27B0, 0x27B0 },   { 0x27BF, 0x27BF },   { 0x2B1B, 0x2B1C },   { 0x2B50, 0x2B50 },
    { 0x2B55, 0x2B55 },   { 0x1F004, 0x1F004 }, { 0x1F0CF, 0x1F0CF }, { 0x1F18E, 0x1F18E },
    { 0x1F191, 0x1F19A }, { 0x1F201, 0x1F201 }, { 0x1F21A, 0x1F21A }, { 0x1F22F, 0x1F22F },
    { 0x1F232, 0x1F236 }, { 0x1F238, 0x1F23A }, { 0x1F250, 0x1F251 }, { 0x1F300, 0x1F64F },
    { 0x1F680, 0x1F6FF }, { 0x1F7E0, 0x1F7EB }, { 0x1F7F0, 0x1F7F0 }, { 0x1F90C, 0x1F9FF },
    { 0x1FA70, 0x1FAFF }
};

enum { VARIATION = 0xFE0F, JOINER = 0x200D, KEYCAP = 0x20E3 };

static int is_picture(uint32_t code)
{
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (code >= pictures[i][0] && code <= pictures[i][1])
            return 1;
    return 0;
}

/* Characters one by one. */
struct walk {
    const char *text;
    size_t bytes, at;
    uint32_t code; /* at `at`; 0 at the end */
    size_t taken;  /* by it */
};

static void look(struct walk *walk)
{
    walk->code = 0;
    walk->taken = walk->at < walk->bytes
                      ? dgm_utf8_decode(&walk->code, walk->text + walk->at, walk->bytes - walk->at)
                      : 0;
}

static int take(struct walk *walk, uint32_t first, uint32_t last)
{
    if (walk->taken == 0 || walk->code < first || walk->code > last)
        return 0;
    walk->at += walk->taken;
    look(walk);
    return 1;
}

/* One of the parts that joiners tie. */
static int take_part(struct walk *walk)
{
    const uint32_t code = walk->code;
    int is_emoji = is_picture(code);

    take(walk, code, code);
    if (take(walk, VARIATION, VARIATION))
        is_emoji = 1;
    take(walk, 0x1F3FB, 0x1F3FF); /* a tone of skin */
    while (take(walk, 0xE0020, 0xE007F))
        continue; /* letters of a region's flag */
    return is_emoji;
}

static int take_sequence(struct walk *walk)
{
    size_t end;

    if (!take_part(walk))
        return 0;
    end = walk->at;
    while (take(walk, JOINER, JOINER) && walk->code >= 0x2000 && take_part(walk))
        end = walk->at;
    walk->at = end;
    return 1;
}

size_t dgm_span_emoji(const char *text, size_t bytes, size_t at)
{
    const size_t most = bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST;
    struct walk walk = { .text = text, .bytes = most, .at = at };
    const unsigned char c = (unsigned char)text[at];
    int is_emoji;

    if (c < 0xE2 && (c < '0' || c > '9') && c != '#' && c != '*')
        return 0;
    look(&walk);
    if (c < 0x80) {
        take(&walk, c, c);
        take(&walk, VARIATION, VARIATION);
        is_emoji = take(&walk, KEYCAP, KEYCAP);
    } else if (take(&walk, 0x1F1E6, 0x1F1FF)) {
        is_emoji = take(&walk, 0x1F1E6, 0x1F1FF); /* a country's flag */
    } else {
        is_emoji = walk.code >= 0x2000 && walk.code != DGM_UTF8_BAD && take_sequence(&walk);
    }
    return is_emoji ? walk.at - at : 0;
}
