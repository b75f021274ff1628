/* test_compose.c: pairs of characters that become one, and those that stay two. */
#include "text/unicode/compose.h"

#include "test.h"

TEST(compose_joins_letters_with_marks_and_parts_of_hangul)
{
    static const uint32_t rows[][3] = {
        { 'e', 0x301, 0xE9 },       /* acute */
        { 0xC5, 0x301, 0x1FA },     /* a ring, then an acute */
        { 'o', 0x31B, 0x1A1 },      /* Vietnamese horn */
        { 0x1A1, 0x301, 0x1EDB },   /* and a tone on it */
        { 0x438, 0x306, 0x439 },    /* Cyrillic short i */
        { 0x304B, 0x3099, 0x304C }, /* ka, ga */
        { 0x1112, 0x1161, 0xD558 }, /* h, a */
        { 0xD558, 0x11AB, 0xD55C }, /* ha, n */
        { 0xD55C, 0x11AB, 0 },      /* it has a tail already */
        { 0x915, 0x93C, 0 },        /* excluded from composition */
        { 'q', 0x301, 0 },
        { 'a', 'b', 0 },
        { 0x301, 0x301, 0 },
        { 0, 0x11A7, 0 },
        { 0xFFFFFFFF, 0xFFFFFFFF, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_INT(dgm_unicode_compose(rows[i][0], rows[i][1]), rows[i][2]);
}
