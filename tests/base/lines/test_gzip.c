/* test_gzip.c: packed text read as plain text, and every way of it being damaged. The
 * packed bytes stand here, for the tests pack nothing. */
#include "config.h"

#include "packed_case.h"

/* printf 'one\r\ntwo' | gzip -9n, with the gzip program. */
static const unsigned char packed[] = {
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0xCF, 0x4B, 0xE5,
    0xE5, 0x2A, 0x29, 0xCF, 0x07, 0x00, 0x8E, 0xB3, 0xFF, 0x96, 0x08, 0x00, 0x00, 0x00,
};
static const char empty_member[] = "\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";

#ifdef DGM_HAVE_ZLIB
enum { HAS_ZLIB = 1 };
#else
enum { HAS_ZLIB = 0 };
#endif

TEST(gzip_is_read_as_text)
{
    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    put(packed, sizeof packed, "", 0);
    reads("one|two|");
    put(empty_member, sizeof empty_member - 1, "", 0);
    reads("");
}

TEST(gzip_files_may_follow_each_other_and_zeros_may_end_them)
{
    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    put(packed, sizeof packed, packed, sizeof packed);
    reads("one|twoone|two|");
    put(empty_member, sizeof empty_member - 1, packed, sizeof packed);
    reads("one|two|");
    put(packed, sizeof packed, "\0\0\0\0\0", 5);
    reads("one|two|");
}

TEST(gzip_that_breaks_off_is_one_error_wherever_it_does)
{
    size_t size;

    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    for (size = 2; size < sizeof packed; size++) {
        put(packed, size, "", 0);
        refuses("gzip data breaks off; expected its end (file truncated?)");
    }
}

TEST(gzip_with_a_flipped_bit_is_refused)
{
    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    /* Time and system in the header, and padding behind the last code, say nothing about the
     * text. */
    flip_bits(packed, sizeof packed, 2, 0x40, "one|two|", 9);
}

TEST(gzip_with_something_else_behind_it_is_refused)
{
    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    put(packed, sizeof packed, "text", 4);
    refuses("damaged gzip data (incorrect header check); expected an intact file");
    put("\x1F\x8B\x07\0\0\0\0\0\0\0", 10, "", 0);
    refuses("damaged gzip data (unknown compression method); expected an intact file");
}

/* A caller that forgives damage, as one that skips bad sentences does, meets the end. */
TEST(gzip_damage_is_followed_by_the_end)
{
    struct dgm_lines lines;
    int more = 1;

    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    put(packed, sizeof packed - 3, "", 0);
    CHECK_STATUS(dgm_lines_open(test_env(), &lines, PACKED_FILE), DGM_OK);
    while (dgm_lines_next(test_env(), &lines, &more) == DGM_OK)
        CHECK(more);
    CHECK_INT(test_env()->error.status, DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_lines_next(test_env(), &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_lines_close(test_env(), &lines);
}

TEST(gzip_and_plain_text_start_alike)
{
    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    put("\x1F", 1, "", 0);
    reads("\x1F|");
    put("\x1Fx\n", 3, "", 0);
    reads("\x1Fx|");
}

TEST(gzip_is_refused_where_zlib_is_missing)
{
    struct dgm_buf got = { NULL, 0, 0, 0 };

    if (HAS_ZLIB)
        TEST_SKIP("built with zlib");
    put(packed, sizeof packed, empty_member, sizeof empty_member - 1);
    CHECK_STATUS(read_lines(&got), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "this is a gzip file, which a program built without zlib cannot read: "
              "unpack it with gzip -d");
    CHECK_STR(test_env()->error.file, PACKED_FILE);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &got);
}
