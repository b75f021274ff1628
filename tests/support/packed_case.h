/*
 * packed_case.h: a file of packed bytes, and what the line reader makes of it.
 */
#ifndef DGM_PACKED_CASE_H
#define DGM_PACKED_CASE_H

#include <stdio.h>
#include <string.h>

#include "base/file/writer.h"
#include "base/lines/lines.h"
#include "test.h"

#define PACKED_FILE path_of("packed")

static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", test_dir(), name);
    return path;
}

static void put(const void *first, size_t first_size, const void *second, size_t second_size)
{
    struct dgm_writer writer;

    memset(&writer, 0, sizeof writer);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, PACKED_FILE), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, first, first_size), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, second, second_size), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
}

/* Reads all lines into `out`, each ended by `|`. */
static dgm_status read_lines(struct dgm_buf *out)
{
    struct dgm_lines lines;
    dgm_status status;
    int more = 1;

    dgm_buf_reset(out);
    DGM_TRY(dgm_lines_open(test_env(), &lines, PACKED_FILE));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(test_env(), &lines, &more));
        if (!more)
            break;
        DGM_TRY_OUT(dgm_buf_add(test_env(), out, lines.line.data, lines.line.size));
        DGM_TRY_OUT(dgm_buf_add_char(test_env(), out, '|'));
    }
out:
    dgm_lines_close(test_env(), &lines);
    return status;
}

static void reads(const char *want)
{
    struct dgm_buf got = { NULL, 0, 0, 0 };

    CHECK_STATUS(read_lines(&got), DGM_OK);
    CHECK_STR(got.data == NULL ? "" : got.data, want);
    dgm_buf_clear(test_env(), &got);
}

static void refuses(const char *message)
{
    struct dgm_buf got = { NULL, 0, 0, 0 };

    CHECK_STATUS(read_lines(&got), DGM_DATA);
    CHECK_STR(test_env()->error.message, message);
    CHECK_STR(test_env()->error.file, PACKED_FILE);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &got);
}

/* Flips a bit of each byte from `first` on: that is noticed, but for at most `unnoticed` of them,
 * which leave the text as it is. */
static void flip_bits(const unsigned char *bytes, size_t size, size_t first, int bit,
                      const char *text, size_t unnoticed)
{
    unsigned char copy[256];
    size_t at, refused = 0;

    CHECK(size <= sizeof copy);
    for (at = first; at < size; at++) {
        struct dgm_buf got = { NULL, 0, 0, 0 };

        memcpy(copy, bytes, size);
        copy[at] ^= (unsigned char)bit;
        put(copy, size, "", 0);
        if (read_lines(&got) == DGM_OK) {
            CHECK_STR(got.data, text);
        } else {
            CHECK_INT(test_env()->error.status, DGM_DATA);
            CHECK_STR(test_env()->error.file, PACKED_FILE);
            refused++;
        }
        dgm_env_clear_error(test_env());
        dgm_buf_clear(test_env(), &got);
    }
    CHECK(refused + unnoticed >= size - first);
}

#endif
