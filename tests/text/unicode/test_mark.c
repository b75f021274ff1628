/* test_mark.c: marks, and what else belongs to the character before it. */
#include "test.h"
#include "text/unicode/mark.h"
#include "text/unicode/utf8.h"

TEST(mark_is_category_M)
{
    int32_t count = 0;

    CHECK(dgm_unicode_is_mark(0x301));   /* acute: Mn */
    CHECK(dgm_unicode_is_mark(0x93F));   /* Devanagari vowel: Mc */
    CHECK(dgm_unicode_is_mark(0x94D));   /* virama: Mn */
    CHECK(dgm_unicode_is_mark(0x20E3));  /* keycap: Me */
    CHECK(dgm_unicode_is_mark(0x1B44));  /* Balinese: Mc, not Alphabetic */
    CHECK(dgm_unicode_is_mark(0xFE0F));  /* variation selector */
    CHECK(!dgm_unicode_is_mark(0x200B)); /* zero width space: Cf */
    CHECK(!dgm_unicode_is_mark('a') && !dgm_unicode_is_mark(0xB4) && !dgm_unicode_is_mark(0x2B0));
    CHECK(!dgm_unicode_is_mark(DGM_UTF8_BAD));
    for (uint32_t code = 0; code <= 0x10FFFF; code++)
        count += dgm_unicode_is_mark(code);
    CHECK_INT(count, 2408); /* UnicodeData.txt 14.0 */
}

TEST(mark_followers_are_more_than_marks)
{
    static const uint32_t some[] = { 0xAD, 0x301, 0x200C, 0x200D, 0x1F1E9, 0x1F3FD, 0xE0067 };

    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        CHECK(dgm_unicode_is_follower(some[i]));
    CHECK(!dgm_unicode_is_follower('-') && !dgm_unicode_is_follower(0x200B));
    CHECK(!dgm_unicode_is_follower(0x1F600) && !dgm_unicode_is_follower(0x2019));
}
