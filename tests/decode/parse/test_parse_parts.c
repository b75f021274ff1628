/* test_parse_parts.c: where a sentence is cut that is longer than a parser reads. */
#include "decode/parse/parse_parts.h"
#include "test.h"

/* Words of one letter, `-` included; how many the first part has. */
static int32_t part(const char *text, int64_t most)
{
    static char room[64][2];
    static const char *forms[64];
    int32_t n = 0;

    for (; text[n] != '\0'; n++) {
        room[n][0] = text[n];
        forms[n] = room[n];
    }
    return dgm_parse_parts_next(forms, n, most);
}

TEST(parse_parts_are_cut_behind_the_last_mark_of_a_half)
{
    CHECK_INT(part("abc", 3), 3);
    CHECK_INT(part("abcd", 3), 3);        /* no mark */
    CHECK_INT(part("ab.cdefghij", 8), 8); /* a mark in the first half */
    CHECK_INT(part("abcde.ghij", 8), 6);  /* of a sentence */
    CHECK_INT(part("abcde,ghij", 8), 6);  /* of a clause */
    CHECK_INT(part("abcd.,ghij", 8), 5);  /* of a sentence first */
    CHECK_INT(part("abcd.f.hij", 8), 7);  /* the last */
    CHECK_INT(part("abcdefg.ij", 8), 8);  /* at the end itself */
    CHECK_INT(part("abcdefgh.j", 8), 8);  /* behind it */
    CHECK_INT(part("ab", 1), 1);
    CHECK_INT(part(".b", 1), 1);
}
