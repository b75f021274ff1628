/* test_zstd.c: text packed by zstd read as plain text, and every way of it being damaged. The
 * packed bytes stand here, for the tests pack nothing. */
#include "config.h"

#include "packed_case.h"

/* printf 'one\r\ntwo' | zstd -19, with the zstd program: a checksum of the text ends it. */
static const unsigned char packed[] = {
    0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x68, 0x41, 0x00, 0x00, 0x6F, 0x6E,
    0x65, 0x0D, 0x0A, 0x74, 0x77, 0x6F, 0x3A, 0x6E, 0xC0, 0x55,
};
static const char skippable[] = "\x50\x2A\x4D\x18\x03\0\0\0abc";

#ifdef DGM_HAVE_ZSTD
enum { HAS_ZSTD = 1 };
#else
enum { HAS_ZSTD = 0 };
#endif

TEST(zstd_is_read_as_text)
{
    if (!HAS_ZSTD)
        TEST_SKIP("built without libzstd");
    put(packed, sizeof packed, "", 0);
    reads("one|two|");
}

TEST(zstd_frames_may_follow_each_other)
{
    unsigned char both[sizeof skippable - 1 + sizeof packed];

    if (!HAS_ZSTD)
        TEST_SKIP("built without libzstd");
    put(packed, sizeof packed, packed, sizeof packed);
    reads("one|twoone|two|");
    put(packed, sizeof packed, skippable, sizeof skippable - 1);
    reads("one|two|");
    /* As pzstd writes it: a skippable frame in front of every frame. */
    put(skippable, sizeof skippable - 1, packed, sizeof packed);
    reads("one|two|");
    memcpy(both, skippable, sizeof skippable - 1);
    memcpy(both + sizeof skippable - 1, packed, sizeof packed);
    put(both, sizeof both, both, sizeof both);
    reads("one|twoone|two|");
    /* Nothing but frames that are skipped is an empty text. */
    put(skippable, sizeof skippable - 1, "\x5F\x2A\x4D\x18\0\0\0", 8);
    reads("");
    put(skippable, sizeof skippable - 2, "", 0);
    refuses("zstd data breaks off; expected its end (file truncated?)");
}

TEST(zstd_that_breaks_off_is_one_error_wherever_it_does)
{
    size_t size;

    if (!HAS_ZSTD)
        TEST_SKIP("built without libzstd");
    for (size = 4; size < sizeof packed; size++) {
        put(packed, size, "", 0);
        refuses("zstd data breaks off; expected its end (file truncated?)");
    }
}

TEST(zstd_with_a_flipped_bit_is_refused)
{
    if (!HAS_ZSTD)
        TEST_SKIP("built without libzstd");
    /* The bits of how large a window is to be had say nothing about the text. */
    flip_bits(packed, sizeof packed, 4, 0x01, "one|two|", 6);
}

TEST(zstd_with_something_else_behind_it_is_refused)
{
    if (!HAS_ZSTD)
        TEST_SKIP("built without libzstd");
    put(packed, sizeof packed, "text", 4);
    refuses("damaged zstd data (Unknown frame descriptor); expected an intact file");
}

/* A frame of one block that is not compressed (RFC 8878, 3.1.1): its content is the second part. */
TEST(zstd_that_holds_no_text_is_refused_by_the_name_of_what_it_holds)
{
    static const unsigned char of_pdf[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x20, 9, 9 << 3 | 1, 0, 0 };
    static const unsigned char of_zstd[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x20, 21, 21 << 3 | 1, 0, 0 };

    if (!HAS_ZSTD)
        TEST_SKIP("built without libzstd");
    put(of_pdf, sizeof of_pdf, "%PDF-1.4\n", 9);
    refuses("this is a PDF document inside a zstd file, not text in UTF-8: take its text out with "
            "pdftotext");
    put(of_zstd, sizeof of_zstd, packed, sizeof packed);
    refuses("this is a zstd file inside a zstd file, not text in UTF-8: unpack it with zstd -d");
    put(of_pdf, sizeof of_pdf, "one\ntwo3\n", 9);
    reads("one|two3|");
}

TEST(zstd_and_plain_text_start_alike)
{
    put("(", 1, "", 0);
    reads("(|");
    put("(S a)\n", 6, "", 0);
    reads("(S a)|");
    put("\x28\xB5", 2, "", 0);
    reads("\x28\xB5|");
}

TEST(zstd_is_refused_where_libzstd_is_missing)
{
    if (HAS_ZSTD)
        TEST_SKIP("built with libzstd");
    put(packed, sizeof packed, "", 0);
    refuses("this is a zstd file, which a program built without libzstd cannot read: unpack it "
            "with zstd -d");
}
