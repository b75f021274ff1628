/* test_langid_reader.c: which n-grams a text has, and which ways of writing it have the same. */
#include "text/langid/langid_reader.h"

#include <string.h>

#include "base/hash.h"
#include "test.h"

struct sum {
    int grams, letters, weight;
    uint64_t hash; /* of all keys in their order */
};

static struct sum read(const char *text)
{
    struct dgm_langid_reader reader;
    struct dgm_langid_grams grams;
    struct sum sum = { 0, 0, 0, 0 };

    dgm_langid_reader_init(&reader, text, strlen(text));
    while (dgm_langid_reader_next(&reader, &grams)) {
        sum.letters += grams.is_letter;
        sum.weight += grams.weight;
        for (int n = grams.least; n <= grams.most; n++, sum.grams++)
            sum.hash = sum.hash * 31 + grams.key[n];
    }
    return sum;
}

TEST(langid_reader_has_words_with_a_blank_around)
{
    CHECK_INT(read("").grams, 0);
    CHECK_INT(read(" \t 12 ... ").grams, 0);
    CHECK_INT(read("a").grams, 2 + 2);           /* a, _a; a_, _a_ */
    CHECK_INT(read("abc").grams, 2 + 3 + 4 + 4); /* at the end: c_ .. _abc_ */
    CHECK_INT(read("abcdef").grams, 2 + 3 + 4 + 5 + 5 + 5 + 4);
    CHECK_INT(read("a b").grams, 4 + 4);
    CHECK_INT(read("a1b").letters, 2);
    CHECK_INT(read("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE6\x97\xA5").grams, 2 + 3 + 3 + 3 + 2);
    CHECK_INT(read("a\xFF\x62").grams, 4 + 4); /* ill-formed: no letter */
}

TEST(langid_reader_does_not_see_how_text_is_written)
{
    static const char *const same[][2] = {
        { "a b", " a, (b)!" },
        { "ma\xC3\xB1"
          "ana",
          "man\xCC\x83"
          "ana" },
        { "na\xC2\xAD"
          "me",
          "name" },                                                             /* soft hyphen */
        { "\xD9\x85\xD9\x8A\xE2\x80\x8C\xD8\xAE", "\xD9\x85\xD9\x8A\xD8\xAE" }, /* ZWNJ */
        { "\xED\x95\x9C", "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB" },
        { "caf\xC3\xA9 \xE2\x9D\xA4\xEF\xB8\x8F", "caf\xC3\xA9" }, /* a mark on no letter */
    };

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        CHECK(read(same[i][0]).hash == read(same[i][1]).hash);
    CHECK(read("\xC3\x89T\xC3\x89").hash == read("\xC3\xA9t\xC3\xA9").hash);
    CHECK(read("ab").hash != read("ba").hash);
    CHECK(read("ab").hash != read("a b").hash);
}

/* Names count less, and Latin ones in text of another script nothing. */
TEST(langid_reader_weighs_words_by_their_first_letter)
{
    CHECK_INT(read("ab").weight, 3 * DGM_LANGID_WORD);
    CHECK_INT(read("Ab").weight, 3 * DGM_LANGID_FIRST);
    CHECK_INT(read("a Ab").weight, 2 * DGM_LANGID_WORD + 3 * DGM_LANGID_NAME);
    CHECK_INT(read("A Ab").weight, 2 * DGM_LANGID_FIRST + 3 * DGM_LANGID_NAME);
    CHECK_INT(read("abcdefgh \xD0\xB4\xD0\xB4").letters, 2);
    CHECK_INT(read("abcdefghi \xD0\xB4\xD0\xB4").letters, 11);
    CHECK(read("ab \xD0\xB4").hash == read("\xD0\xB4").hash);
}
