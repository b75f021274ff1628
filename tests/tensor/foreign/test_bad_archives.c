/* test_bad_archives.c: tables of archives of NumPy and of safetensors files, each with one fault,
 * and what is said of it. */
#include <stdio.h>
#include <string.h>

#include "archive_forge.h"
#include "config.h"
#include "tensor/foreign/foreign.h"
#include "test.h"

#ifdef DGM_HAVE_ZLIB
enum { HAS_ZLIB = 1 };
#else
enum { HAS_ZLIB = 0 };
#endif

#define LITERAL(type, order, shape) \
    "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }"

struct values {
    double sum, last;
    size_t count;
};

static void take(void *user, size_t first, size_t count, const dgm_real *values)
{
    struct values *seen = user;

    (void)first;
    for (size_t i = 0; i < count; i++) {
        seen->sum += (double)(seen->count + i + 1) * (double)values[i];
        seen->last = (double)values[i];
    }
    seen->count += count;
}

/* Opens and reads all; the first failure. */
static dgm_status read_all(const void *bytes, size_t size, struct values *seen)
{
    struct dgm_foreign file;
    dgm_status status = DGM_OK;

    memset(seen, 0, sizeof *seen);
    DGM_TRY(dgm_foreign_open_memory(test_env(), &file, bytes, size, "m"));
    for (size_t i = 0; i < file.count && status == DGM_OK; i++)
        status = dgm_foreign_read(test_env(), &file, &file.tensors[i], take, seen);
    dgm_foreign_clear(test_env(), &file);
    return status;
}

static void check_fault(size_t row, const void *bytes, size_t size, const char *message)
{
    char got[600], want[600];
    struct values seen;

    CHECK_STATUS(read_all(bytes, size, &seen), DGM_MODEL);
    snprintf(got, sizeof got, "row %zu: %s", row, test_env()->error.message);
    snprintf(want, sizeof want, "row %zu: %s", row, message);
    dgm_env_clear_error(test_env());
    if (strstr(got, message) == NULL)
        CHECK_STR(got, want);
}

/* ---- archives of NumPy ----------------------------------------------------------------------- */

static const struct archive_fault good[] = {
    { .header = NULL },
    { .header = LITERAL("<f4", "True", "(6,)") },
    { .header = LITERAL("<f4", "True", "(1, 6, 1)") },
    { .header = LITERAL("<f4", "False", "(3, 1, 2)") },
    { .version = 2 },
    { .version = 3 },
    { .spare = 7 },
    { .with_64 = 1 },
    { .name = { "a", "b" } },
};

TEST(bad_archives_a_good_one_is_read)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct archive archive;
        struct values seen;

        archive_make(&archive, &good[i]);
        CHECK_STATUS(read_all(archive.bytes, archive.size, &seen), DGM_OK);
        CHECK_INT(seen.count, 12);
        CHECK_NEAR(seen.sum, 1 + 4 + 9 + 16 + 25 + 36 + 7 + 16 + 27 + 40 + 55 + 72, 0);
    }
}

static const unsigned char nan_floats[24] = { [22] = 0xC0, [23] = 0x7F };
static const unsigned char nan_halves[24] = { [2] = 0x00, [3] = 0x7E };
static const unsigned char large_doubles[24] = { [22] = 0xF0, [23] = 0x7F };

static const struct {
    struct archive_fault fault;
    const char *message;
} faults[] = {
    /* what the directory says, and the members */
    { { .crc = 1 }, "tensor \"a\" has the checksum" },
    { { .crc = 0x80000000U }, "tensor \"a\" has the checksum" },
    { { .back = 1 }, "members overlap or stand in another order" },
    { { .back = 100 }, "members overlap or stand in another order" },
    { { .swapped = 1 }, "members overlap or stand in another order" },
    { { .name = { "a.npy", "a.npy" } }, "\"a\" stands there twice" },
    { { .name = { "a", "a.npy" } }, "\"a\" stands there twice" },
    { { .name = { "a a.npy", "b.npy" } }, "a tensor is called \"a a\"" },
    { { .own_name = "c.npy" }, "a member has two names" },
    { { .own_name = "aa.npy" }, "no header of the member that its directory has here" },
    { { .own_mark = 1 }, "no header of the member that its directory has here" },
    { { .mark = 1 }, "its directory has no member here" },
    { { .end = 1 }, "no directory at its end (truncated?)" },
    { { .cut = 1 }, "no directory at its end (truncated?)" },
    { { .count = 1 }, "its directory has no member here" },
    { { .count = -1 }, "its directory has more than it counts" },
    { { .flags = 1 }, "an encrypted member" },
    { { .method = 12 }, "a member that is neither stored nor deflated" },
    { { .disk = 1 }, "a member in another part" },
    { { .plain = 1 }, "a stored member with two sizes" },
    { { .plain = -1 }, "a stored member with two sizes" },
    { { .stored = 10000 }, "a member runs into the directory" },
    { { .plain = 1, .stored = 1 }, "as many bytes behind it as the numbers of its shape take" },
    { { .bad_extra = 1 }, "a member with bad extra fields" },
    /* the .npy */
    { { .more = 4 }, "as many bytes behind it as the numbers of its shape take" },
    { { .more = 1 }, "as many bytes behind it as the numbers of its shape take" },
    { { .header = LITERAL("<f4", "False", "(2, 2)") },
      "as many bytes behind it as the numbers of its shape take" },
    { { .header = LITERAL("<f4", "False", "(2, 4)") },
      "as many bytes behind it as the numbers of its shape take" },
    { { .header = LITERAL("<f4", "True", "(2, 3)") }, "the order of C" },
    { { .header = LITERAL("<f4", "True", "(1, 2, 3)") }, "the order of C" },
    { { .header = LITERAL("<f4", "False", "(0, 3)") }, "has the shape (0, 3)" },
    { { .header = LITERAL("<f4", "False", "(6, 1, 1, 1, 1, 1, 1, 1, 1)") },
      "at most 8 dimensions" },
    { { .header = LITERAL("<f4", "False", "(65536, 65536, 65536, 65536)") }, "has the shape" },
    { { .header = LITERAL("<f4", "False", "(-2, 3)") }, "whole numbers as its shape" },
    { { .header = LITERAL("<f4", "Maybe", "(2, 3)") }, "True or False" },
    { { .header = LITERAL(">f4", "False", "(2, 3)") }, "numbers of type \">f4\"" },
    { { .header = LITERAL("|O", "False", "(2, 3)") }, "numbers of type \"|O\"" },
    { { .header = LITERAL("<i4", "False", "(2, 3)") }, "numbers of type i4" },
    { { .header = "{'descr': '<f4', 'fortran_order': False}" }, "'descr', 'fortran_order'" },
    { { .header = "{'descr': '<f4', 'descr': '<f4', 'shape': (2, 3)}" }, "each once" },
    { { .header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}" },
      "each once" },
    { { .header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x" },
      "and nothing else" },
    { { .header = "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2, 3)}" },
      "one type of numbers in quotes" },
    { { .version = 4 }, "an .npy file of version 1, 2 or 3" },
    { { .version = 257 }, "an .npy file of version 1, 2 or 3" },
    /* numbers */
    { { .numbers = nan_floats }, "tensor \"a\": number 5 is NaN" },
    { { .header = LITERAL("<f2", "False", "(12,)"), .numbers = nan_halves },
      "tensor \"a\": number 1 is NaN" },
    { { .header = LITERAL("<f8", "False", "(3,)"), .numbers = large_doubles },
      "tensor \"a\": number 2 is NaN" },
};

TEST(bad_archives_are_refused_each_by_its_fault)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct archive archive;

        archive_make(&archive, &faults[i].fault);
        check_fault(i, archive.bytes, archive.size, faults[i].message);
    }
}

/* Of deflated data the checksum is that of what they hold, and no byte may be missing or left. */
TEST(bad_archives_deflated)
{
    static const struct {
        struct archive_fault fault;
        const char *message;
    } deflated[] = {
        { { .is_deflated = 1, .crc = 1 }, "tensor \"a\" has the checksum" },
        { { .is_deflated = 1, .stored = -1 }, "damaged deflated data" },
        { { .is_deflated = 1, .stored = -6 }, "damaged deflated data" },
        { { .is_deflated = 1, .plain = 4 }, "as many bytes behind it as the numbers" },
        { { .is_deflated = 1, .more = 4, .plain = -4 }, "more deflated data" },
        { { .is_deflated = 1, .stored = 7, .spare = 7 }, "more deflated data" },
    };
    struct archive archive;
    struct values seen;

    if (!HAS_ZLIB)
        TEST_SKIP("built without zlib");
    archive_make(&archive, &(struct archive_fault){ .is_deflated = 1 });
    CHECK_STATUS(read_all(archive.bytes, archive.size, &seen), DGM_OK);
    CHECK_INT(seen.count, 12);
    for (size_t i = 0; i < sizeof deflated / sizeof deflated[0]; i++) {
        archive_make(&archive, &deflated[i].fault);
        check_fault(i, archive.bytes, archive.size, deflated[i].message);
    }
}

/* Cut anywhere, it is one error. */
TEST(bad_archives_cut_anywhere)
{
    struct archive archive;

    archive_make(&archive, &(struct archive_fault){ .header = NULL });
    for (size_t size = 0; size < archive.size; size++)
        check_fault(size, archive.bytes, size, "");
}

/* ---- safetensors ----------------------------------------------------------------------------- */

#define F32(name, shape, from, to) \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[" from "," to "]}"
#define A F32("a", "[2]", "0", "8")
#define B F32("b", "[1]", "8", "12")

/* A header, then `data` bytes, which begin with those given. */
static size_t make_safetensors(unsigned char *out, const char *header, size_t data,
                               const void *bytes, size_t count)
{
    const size_t length = strlen(header);

    memset(out, 0, 8 + length + data);
    out[0] = (unsigned char)(length & 255);
    out[1] = (unsigned char)(length >> 8);
    memcpy(out + 8, header, length);
    if (count > 0)
        memcpy(out + 8 + length, bytes, count);
    return 8 + length + data;
}

static const struct {
    const char *header;
    size_t data;
    const char *message;
} texts[] = {
    { "{" A "," B "}", 11, "whole number within 8..11" },
    { "{" A "," B "}", 13, "the last tensor ends here, of " },
    { "{" A "," F32("b", "[1]", "9", "13") "}", 13, "begins at byte" },
    { "{" A "," F32("b", "[1]", "4", "8") "}", 8, "without gaps or overlaps" },
    { "{" F32("a", "[2]", "4", "12") "}", 12, "without gaps or overlaps" },
    { "{" A "," F32("a", "[1]", "8", "12") "}", 12, "\"a\" stands there twice" },
    { "{" F32("a", "[3]", "0", "8") "}", 8, "as many bytes as the shape" },
    { "{" F32("a", "[1]", "0", "8") "}", 8, "as many bytes as the shape" },
    { "{" F32("a", "[0]", "0", "0") "}", 0, "within 1.." },
    { "{" F32("a", "[1,1,1,1,1,1,1,1,2]", "0", "8") "}", 8, "at most 8 dimensions" },
    { "{" F32("a", "[2]", "8", "0") "}", 8, "within 8..8" },
    { "{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[8],\"data_offsets\":[0,8]}}", 8,
      "numbers of type \"F8_E4M3\"" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, "each once" },
    { "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
      "each once" },
    { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}", 8, "each once" },
    { "{\"a\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
      "numbers of type I32" },
    { "{\"a b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
      "a tensor is called \"a b\"" },
    { "{" A "} x", 8, "" },
    { "{" A, 8, "" },
    { "{\"__metadata__\":{\"x\":1}," A "}", 8, "" },
};

TEST(bad_safetensors_are_refused_each_by_its_fault)
{
    unsigned char bytes[1024];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_fault(i, bytes, make_safetensors(bytes, texts[i].header, texts[i].data, "", 0),
                    texts[i].message);
}

TEST(bad_safetensors_header_longer_than_the_file)
{
    unsigned char bytes[1024];
    const size_t size = make_safetensors(bytes, "{" A "," B "}", 12, "", 0);
    struct values seen;

    CHECK_STATUS(read_all(bytes, size, &seen), DGM_OK);
    CHECK_INT(seen.count, 3);
    bytes[7] = 0x80;
    check_fault(0, bytes, size, "expected it to fit");
    bytes[7] = 0;
    bytes[0] = (unsigned char)(size - 7);
    check_fault(1, bytes, size, "expected it to fit");
}

/* Each type: two numbers, 1 and -2.5, and the second one not finite. */
TEST(bad_safetensors_numbers_of_each_type)
{
    static const struct {
        const char *header;
        size_t bytes;
        const char *good, *bad;
    } rows[] = {
        { "{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4,
          "\x80\x3F\x20\xC0", "\x80\x3F\xC0\x7F" },
        { "{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4,
          "\x80\x3F\x20\xC0", "\x80\x3F\x81\xFF" },
        { "{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "\x00\x3C\x00\xC1",
          "\x00\x3C\x00\x7C" },
        { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
          "\0\0\x80\x3F\0\0\x20\xC0", "\0\0\x80\x3F\1\0\x80\x7F" },
        { "{\"a\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}", 16,
          "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\x04\xC0", "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\xF0\xFF" },
    };
    unsigned char bytes[1024];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size =
            make_safetensors(bytes, rows[i].header, rows[i].bytes, rows[i].good, rows[i].bytes);
        struct values seen;

        CHECK_STATUS(read_all(bytes, size, &seen), DGM_OK);
        CHECK_NEAR(seen.sum, 1 - 5, 0);
        memcpy(bytes + size - rows[i].bytes, rows[i].bad, rows[i].bytes);
        check_fault(i, bytes, size, "tensor \"a\": number 1 is NaN");
    }
}
