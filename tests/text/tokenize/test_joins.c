/* test_joins.c: which side a mark joins, and which quotation marks open. */
#include "test.h"
#include "text/tokenize/joins.h"

TEST(joins_of_marks_of_many_scripts)
{
    static const uint32_t opening[] = { '(', '[', '{', 0xA1, 0xBF, 0xF3A };
    static const uint32_t closing[] = { ',',    '.',    '!',    '?',    ':',    ')',   0x37E, 0x589,
                                        0x5C3,  0x60C,  0x61F,  0x6D4,  0x964,  0x965, 0xDF4, 0xF3B,
                                        0x104B, 0x1362, 0x17D4, 0x1805, 0x2026, 0x203C };
    static const uint32_t both[] = { 0x1361, 0x3001, 0x3002, 0x300C, 0x30FB, 0xFF0C, 0xFF1F };
    static const uint32_t none[] = { 'a',    '%',    '-',    '/',    '$',    0xB0,   0xB7,   0x5BE,
                                     0x5F3,  0xF0B,  0xF0D,  0x2013, 0x2014, 0x20AC, 0x3005, 0x3007,
                                     0x4E2D, 0xAC00, 0xFF11, 0xFF21, 0xFF76, 0x1F44D };

    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++)
        CHECK_INT(dgm_joins_of(opening[i]), DGM_JOINS_OPENING);
    for (size_t i = 0; i < sizeof closing / sizeof closing[0]; i++)
        CHECK_INT(dgm_joins_of(closing[i]), DGM_JOINS_CLOSING);
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
        CHECK_INT(dgm_joins_of(both[i]), DGM_JOINS_BOTH);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK_INT(dgm_joins_of(none[i]), DGM_JOINS_NONE);
}

/* Each row of marks, and of each whether it opens: "o" or "c". */
static void check_quotes(const uint32_t *codes, const char *want)
{
    struct dgm_quotes quotes = { { 0 } };

    for (size_t i = 0; want[i] != '\0'; i++) {
        CHECK_INT(dgm_joins_of(codes[i]), DGM_JOINS_QUOTE);
        CHECK_INT(dgm_quotes_opens(&quotes, codes[i]), want[i] == 'o');
        dgm_quotes_meet(&quotes, codes[i]);
    }
}

TEST(quotes_open_and_close_by_the_one_before)
{
    static const uint32_t english[] = { 0x201C, 0x2018, 0x2019, 0x201D, 0x201C };
    static const uint32_t czech[] = { 0x201E, 0x201A, 0x2018, 0x201C, 0x201E };
    static const uint32_t swedish[] = { 0x201D, 0x2019, 0x2019, 0x201D };
    static const uint32_t russian[] = { 0xAB, 0x201E, 0x201C, 0xBB, 0xAB };
    static const uint32_t danish[] = { 0xBB, 0x203A, 0x2039, 0xAB };
    static const uint32_t straight[] = { '"', '\'', '\'', '"', '"' };
    static const uint32_t nested[] = { 0xAB, 0xAB, 0xBB };

    check_quotes(english, "oocco");
    check_quotes(czech, "oocco");
    check_quotes(swedish, "oocc");
    check_quotes(russian, "oocco");
    check_quotes(danish, "oocc");
    check_quotes(straight, "oocco");
    check_quotes(nested, "ooc");
}

TEST(quotes_within_words_may_end_a_quotation)
{
    struct dgm_quotes quotes = { { 0 } };

    dgm_quotes_pass(&quotes, '"');
    dgm_quotes_pass(&quotes, 'a');
    CHECK(dgm_quotes_opens(&quotes, '"'));
    dgm_quotes_meet(&quotes, '"');
    dgm_quotes_meet(&quotes, '\'');
    dgm_quotes_pass(&quotes, '"');
    dgm_quotes_pass(&quotes, '\'');
    CHECK(dgm_quotes_opens(&quotes, '"') && !dgm_quotes_opens(&quotes, '\''));
}

TEST(apostrophes_cut_by_language)
{
    CHECK_INT(dgm_apostrophe_of("it"), DGM_APOSTROPHE_LEFT);
    CHECK_INT(dgm_apostrophe_of("cat"), DGM_APOSTROPHE_LEFT);
    CHECK_INT(dgm_apostrophe_of("tr"), DGM_APOSTROPHE_RIGHT);
    CHECK_INT(dgm_apostrophe_of("uk"), DGM_APOSTROPHE_WITHIN);
    CHECK_INT(dgm_apostrophe_of("t"), DGM_APOSTROPHE_WITHIN);
    CHECK_INT(dgm_apostrophe_of(""), DGM_APOSTROPHE_WITHIN);
    CHECK_INT(dgm_apostrophe_of(NULL), DGM_APOSTROPHE_WITHIN);
    CHECK(dgm_han_joins("zh") && dgm_han_joins(NULL) && !dgm_han_joins("ko"));
}
