/*
 * mteval_zh.c: the tokeniser of WMT for Chinese: a Chinese character is a word, and what stands
 * between is cut as 13a cuts it.
 */
#include <stddef.h>

#include "text/score/mteval.h"
#include "text/unicode/utf8.h"

/*
 * What sacreBLEU 2.6.0 takes for Chinese: ideographs, their parts and strokes, phonetic symbols,
 * punctuation, full and half width. Its ranges of the planes above U+FFFF are written with four
 * digits and a fifth that Python reads as a character, and mean U+2001..2A6D: quotation marks,
 * dashes, arrows and mathematical signs stand alone, rare ideographs do not.
 */
static const uint32_t chinese[][2] = { { 0x2001, 0x2A6D }, { 0x2E80, 0x2FDF }, { 0x2FF0, 0x303F },
                                       { 0x3100, 0x312F }, { 0x31A0, 0x31BF }, { 0x31C0, 0x31EF },
                                       { 0x3200, 0x4DB5 }, { 0x4E00, 0x9FBB }, { 0xF900, 0xFA2D },
                                       { 0xFA30, 0xFA6A }, { 0xFA70, 0xFAD9 }, { 0xFE10, 0xFE1F },
                                       { 0xFE30, 0xFE4F }, { 0xFF00, 0xFFEF } };

static int is_chinese(uint32_t code)
{
    for (size_t i = 0; i < sizeof chinese / sizeof *chinese; i++)
        if (code >= chinese[i][0] && code <= chinese[i][1])
            return 1;
    return 0;
}

dgm_status dgm_mteval_zh(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes)
{
    struct dgm_buf text = { 0 }, spare = { 0 };
    dgm_status status;
    size_t used;
    uint32_t code;

    bytes = dgm_mteval_end(line, bytes);
    for (size_t at = dgm_mteval_start(line, bytes); at < bytes; at += used) {
        int is_word;

        used = dgm_utf8_decode(&code, line + at, bytes - at);
        is_word = is_chinese(code);
        if (is_word)
            DGM_TRY_OUT(dgm_buf_add_char(env, &text, ' '));
        DGM_TRY_OUT(dgm_buf_add(env, &text, line + at, used));
        if (is_word)
            DGM_TRY_OUT(dgm_buf_add_char(env, &text, ' '));
    }
    status = dgm_mteval_western(env, out, &text, &spare);
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &spare);
    return status;
}
