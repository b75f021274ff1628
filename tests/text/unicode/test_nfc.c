/* test_nfc.c: texts in normal form NFC, and which of two ways of writing letters a text has. */
#include "text/unicode/nfc.h"

#include <string.h>

#include "test.h"
#include "text/unicode/utf8.h"

/* Characters of a text, and those of its NFC; 0 ends them. */
struct row {
    uint32_t text[8], want[8];
};

static void write_codes(struct dgm_buf *out, const uint32_t *codes)
{
    dgm_buf_reset(out);
    CHECK_STATUS(dgm_buf_add_text(test_env(), out, ""), DGM_OK);
    for (; *codes != 0; codes++)
        CHECK_STATUS(dgm_utf8_add(test_env(), out, *codes), DGM_OK);
}

TEST(nfc_is_that_of_unicode)
{
    static const struct row rows[] = {
        { { 'c', 'a', 'f', 'e', 0x301, '.' }, { 'c', 'a', 'f', 0xE9, '.' } },
        { { 'e', 0x302, 0x323, 'x' }, { 0x1EC7, 'x' } },    /* a mark below comes first */
        { { 0xEA, 0x323 }, { 0x1EC7 } },                    /* and goes under a composed letter */
        { { 0x1E69 }, { 0x1E69 } },                         /* s, dots below and above */
        { { 0x1E9B, 0x323 }, { 0x1E9B, 0x323 } },           /* of a long s */
        { { 'a', 0x315, 0x300 }, { 0xE0, 0x315 } },         /* past a mark of a higher class */
        { { 'a', 0x327, 0x300 }, { 0xE0, 0x327 } },         /* past one of a lower class */
        { { 'b', 0x300, 0x301 }, { 'b', 0x300, 0x301 } },   /* nothing to compose */
        { { 0x212B, 0x2126 }, { 0xC5, 0x3A9 } },            /* Angstrom, Ohm */
        { { 0xFB01, 0xBD }, { 0xFB01, 0xBD } },             /* compatible ones stay */
        { { 0x958 }, { 0x915, 0x93C } },                    /* excluded from composition */
        { { 0x928, 0x93C }, { 0x929 } },                    /* Devanagari */
        { { 0x9C7, 0x9BE }, { 0x9CB } },                    /* two starters of Bengali */
        { { 0x1112, 0x1161, 0x11AB }, { 0xD55C } },         /* Hangul */
        { { 0xD558, 0x11AB, 0x11AB }, { 0xD55C, 0x11AB } }, /* one tail and no more */
        { { 0xF81, 0x302F }, { 0xF71, 0xF80, 0x302F } },    /* a letter that becomes marks */
        { { 0xA8, 0x301 }, { 0x385 } },                     /* which NFKC would rewrite */
        { { 0x301, 'e' }, { 0x301, 'e' } },                 /* a mark without a letter */
        { { 0x2F800, 0x1F1E9 }, { 0x4E3D, 0x1F1E9 } },      /* beyond the first plane */
    };
    struct dgm_buf text = { 0 }, want = { 0 }, out = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_codes(&text, rows[i].text);
        write_codes(&want, rows[i].want);
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_unicode_nfc(test_env(), &out, text.data, text.size), DGM_OK);
        CHECK_STR(out.data, want.data);
    }
    dgm_buf_clear(test_env(), &text);
    dgm_buf_clear(test_env(), &want);
    dgm_buf_clear(test_env(), &out);
}

TEST(nfc_leaves_what_is_no_text)
{
    static const char bytes[] = "a\0e\xCC\x81\xFF\xCC\x81\xCC";
    static const char want[] = "a\0\xC3\xA9\xFF\xCC\x81\xCC";
    struct dgm_buf out = { 0 };

    CHECK_STATUS(dgm_unicode_nfc(test_env(), &out, bytes, sizeof bytes - 1), DGM_OK);
    CHECK_INT(out.size, sizeof want - 1);
    CHECK(memcmp(out.data, want, sizeof want - 1) == 0);
    dgm_buf_clear(test_env(), &out);
}

/* So many marks that no row of them has room: no more, and no less. */
TEST(nfc_of_a_tower_of_marks_has_them_all)
{
    enum { MARKS = 10 * DGM_NFC_MARKS };
    char text[1 + 2 * MARKS];
    struct dgm_buf out = { 0 };

    text[0] = 'e';
    for (size_t i = 0; i < MARKS; i++)
        memcpy(text + 1 + 2 * i, "\xCC\x81", 2);
    CHECK_STATUS(dgm_unicode_nfc(test_env(), &out, text, sizeof text), DGM_OK);
    CHECK_INT(out.size, sizeof text - 1); /* e and its first acute are two bytes, not three */
    dgm_buf_clear(test_env(), &out);
}

TEST(nfc_tells_the_two_ways_of_writing_a_letter)
{
    const int both = DGM_FORM_COMPOSED | DGM_FORM_DECOMPOSED;

    CHECK_INT(dgm_unicode_forms("cafe", 4), 0);
    CHECK_INT(dgm_unicode_forms("caf\xC3\xA9", 5), DGM_FORM_COMPOSED);
    CHECK_INT(dgm_unicode_forms("cafe\xCC\x81", 6), DGM_FORM_DECOMPOSED);
    CHECK_INT(dgm_unicode_forms("e\xCC\x81\xC3\xA9", 5), both);
    CHECK_INT(dgm_unicode_forms("q\xCC\x81", 3), 0);                    /* no such character */
    CHECK_INT(dgm_unicode_forms("\xEA\xB0\x80", 3), DGM_FORM_COMPOSED); /* Hangul */
    CHECK_INT(dgm_unicode_forms("\xE1\x84\x80\xE1\x85\xA1", 6), DGM_FORM_DECOMPOSED);
    CHECK_INT(dgm_unicode_forms("\xE0\xA4\x95\xE0\xA4\xBF", 6), 0); /* a vowel sign */
    CHECK_INT(dgm_unicode_forms("\xFF\xCC\x81", 3), 0);
    CHECK(dgm_unicode_has_joined("\xCC\x81@@", 4));
    CHECK(!dgm_unicode_has_joined("\xC3\xA9@@", 4));
    CHECK(!dgm_unicode_has_joined("\xE0\xA4\xBF", 3));
}
