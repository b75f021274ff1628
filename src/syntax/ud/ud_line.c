/* ud_line.c: a line as it stands in the file: its end, and how its characters are written (level
 * 1: UTF-8 in normal form NFC; lines end with LF). */
#include "syntax/ud/ud_parts.h"

#include <string.h>

#include "text/unicode/nfc.h"
#include "text/unicode/utf8.h"

#define MARK "\xEF\xBB\xBF"        /* U+FEFF, the byte-order mark */
#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* The byte where a text holds another one, or -1. */
static long find(const char *text, size_t bytes, const char *part, size_t length)
{
    for (size_t i = 0; i + length <= bytes; i++)
        if (memcmp(text + i, part, length) == 0)
            return (long)i;
    return -1;
}

static dgm_status refuse(struct dgm_env *env, struct dgm_conllu_reader *reader,
                         enum dgm_conllu_fault fault, size_t byte, const char *note)
{
    const struct dgm_lines *lines = &reader->lines;

    return dgm_conllu_fault(env, reader, fault, lines->number,
                            (long)dgm_utf8_length(lines->line.data, byte) + 1, "%s", note);
}

static dgm_status check_end(struct dgm_env *env, struct dgm_conllu_reader *reader)
{
    const struct dgm_buf *line = &reader->lines.line;
    long at = find(line->data, line->size, "\r", 1);

    if (at < 0 && !reader->lines.line_had_cr)
        return DGM_OK;
    return refuse(env, reader, DGM_CONLLU_BAD_LINE, at < 0 ? line->size : (size_t)at,
                  "carriage return (CR); expected lines that end with LF alone");
}

static dgm_status check_characters(struct dgm_env *env, struct dgm_conllu_reader *reader)
{
    const struct dgm_buf *line = &reader->lines.line;
    long at = find(line->data, line->size, REPLACEMENT, 3);

    if (reader->lines.number == 1 && find(line->data, line->size, MARK, 3) == 0)
        return refuse(env, reader, DGM_CONLLU_BAD_LINE, 0,
                      "byte-order mark (U+FEFF); expected a file without one");
    if (at < 0)
        return DGM_OK;
    return refuse(env, reader, DGM_CONLLU_BAD_UTF8, (size_t)at,
                  "U+FFFD, which stands for a damaged character; expected the character itself");
}

/* Says where the first character is that NFC writes otherwise. */
static dgm_status check_form(struct dgm_env *env, struct dgm_conllu_reader *reader)
{
    const struct dgm_buf *line = &reader->lines.line;
    struct dgm_buf *normal = &reader->ud->normal;
    size_t same = 0;

    dgm_buf_reset(normal);
    DGM_TRY(dgm_unicode_nfc(env, normal, line->data, line->size));
    if (normal->size == line->size && memcmp(normal->data, line->data, line->size) == 0)
        return DGM_OK;
    while (same < line->size && same < normal->size && line->data[same] == normal->data[same])
        same++;
    while (same > 0 && same < line->size && ((unsigned char)line->data[same] & 0xC0) == 0x80)
        same--;
    return refuse(env, reader, DGM_CONLLU_BAD_NFC, same,
                  "a character that is not in Unicode's normal form C; expected a letter and its "
                  "accent as one character");
}

dgm_status dgm_ud_line(struct dgm_env *env, struct dgm_conllu_reader *reader)
{
    DGM_TRY(check_end(env, reader));
    if (reader->lines.line.size == 0)
        return DGM_OK;
    DGM_TRY(check_characters(env, reader));
    return check_form(env, reader);
}
