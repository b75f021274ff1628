/* spm_case.h: SentencePiece models written byte by byte. */
#ifndef DGM_TESTS_SPM_CASE_H
#define DGM_TESTS_SPM_CASE_H

#include <string.h>

#include "base/le.h"
#include "test.h"
#include "text/spm/spm_decode.h"
#include "text/spm/spm_encode.h"

/* Adds a field of bytes below 128 long. */
static inline void put_bytes(struct dgm_buf *out, int field, const char *bytes, size_t size)
{
    CHECK_STATUS(dgm_buf_add_char(test_env(), out, (char)(field << 3 | 2)), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), out, (char)size), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), out, bytes, size), DGM_OK);
}

/* A number below 128. */
static inline void put_number(struct dgm_buf *out, int field, int value)
{
    int tag = field << 3;

    if (tag >= 128) {
        CHECK_STATUS(dgm_buf_add_char(test_env(), out, (char)(0x80 | (tag & 0x7F))), DGM_OK);
        tag >>= 7;
    }
    CHECK_STATUS(dgm_buf_add_char(test_env(), out, (char)tag), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), out, (char)value), DGM_OK);
}

static inline void put_piece(struct dgm_buf *out, const char *piece, float score, int type)
{
    struct dgm_buf inner = { .data = NULL };
    unsigned char bits[4];

    put_bytes(&inner, 1, piece, strlen(piece));
    dgm_le_f32_put(bits, score);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &inner, 2 << 3 | 5), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), &inner, bits, 4), DGM_OK);
    put_number(&inner, 3, type);
    put_bytes(out, 1, inner.data, inner.size);
    dgm_buf_clear(test_env(), &inner);
}

/* The kind, and no rules: no blank is added, none removed. */
static inline void put_settings(struct dgm_buf *out, int kind)
{
    struct dgm_buf inner = { .data = NULL };

    put_number(&inner, 3, kind);
    put_bytes(out, 2, inner.data, inner.size);
    dgm_buf_reset(&inner);
    put_number(&inner, 3, 0);
    put_number(&inner, 4, 0);
    put_bytes(out, 3, inner.data, inner.size);
    dgm_buf_clear(test_env(), &inner);
}

/* The pieces of a text, separated by blanks. */
static inline void check_pieces(const struct dgm_spm *spm, const char *text, const char *want)
{
    struct dgm_buf out = { .data = NULL };
    struct dgm_spm_line line;

    memset(&line, 0, sizeof line);
    CHECK_STATUS(dgm_spm_encode(test_env(), spm, &line, text, strlen(text)), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), &out, "", 0), DGM_OK);
    for (size_t i = 0; i < line.count; i++) {
        size_t size;
        const char *piece = dgm_spm_line_piece(spm, &line, i, &size);

        if (i > 0)
            CHECK_STATUS(dgm_buf_add_char(test_env(), &out, ' '), DGM_OK);
        CHECK_STATUS(dgm_buf_add(test_env(), &out, piece, size), DGM_OK);
    }
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
    dgm_spm_line_clear(test_env(), &line);
}

/* Reads what was put, which is then gone. */
static inline dgm_status take_model(struct dgm_spm *spm, struct dgm_buf *bytes)
{
    dgm_status status;

    memset(spm, 0, sizeof *spm);
    status = dgm_spm_parse(test_env(), spm, bytes->data, bytes->size, "m");
    dgm_buf_clear(test_env(), bytes);
    return status;
}

#endif
