/* utf8.c: UTF-8, decoded, encoded, checked and repaired. */
#include "text/unicode/utf8.h"

size_t dgm_utf8_decode(uint32_t *code, const char *bytes, size_t count)
{
    const unsigned char *s = (const unsigned char *)bytes;
    unsigned low = 0x80, high = 0xBF; /* limits of the second byte */
    size_t length, i;
    uint32_t value;

    *code = DGM_UTF8_BAD;
    if (s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 1;
    length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    value = s[0] & (0x7FU >> length);
    /* The second byte excludes what is overlong (E0, F0), surrogates (ED) and what lies beyond
     * U+10FFFF (F4): Unicode, table 3-7. */
    if (s[0] == 0xE0)
        low = 0xA0;
    else if (s[0] == 0xED)
        high = 0x9F;
    else if (s[0] == 0xF0)
        low = 0x90;
    else if (s[0] == 0xF4)
        high = 0x8F;
    for (i = 1; i < length; i++) {
        if (i == count || s[i] < low || s[i] > high)
            return i;
        value = value << 6 | (s[i] & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    *code = value;
    return length;
}

size_t dgm_utf8_encode(char out[4], uint32_t code)
{
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    if (length == 1) {
        out[0] = (char)code;
        return 1;
    }
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)((0xF00U >> length & 0xF0) | code);
    return length;
}

dgm_status dgm_utf8_add(struct dgm_env *env, struct dgm_buf *out, uint32_t code)
{
    char bytes[4];

    return dgm_buf_add(env, out, bytes, dgm_utf8_encode(bytes, code));
}

size_t dgm_utf8_length(const char *bytes, size_t count)
{
    size_t at = 0, length = 0;
    uint32_t code;

    while (at < count) {
        at += dgm_utf8_decode(&code, bytes + at, count - at);
        length++;
    }
    return length;
}

int dgm_utf8_find_bad(const char *bytes, size_t count, size_t *offset, size_t *length, long *column)
{
    size_t at = 0, used;
    uint32_t code;

    *column = 1;
    while (at < count) {
        used = dgm_utf8_decode(&code, bytes + at, count - at);
        if (code == DGM_UTF8_BAD || code == 0) {
            *offset = at;
            *length = used;
            return 1;
        }
        at += used;
        *column += 1;
    }
    return 0;
}

dgm_status dgm_utf8_check(struct dgm_env *env, const char *file, long line, const char *bytes,
                          size_t count)
{
    size_t offset, length;
    long column;

    if (!dgm_utf8_find_bad(bytes, count, &offset, &length, &column))
        return DGM_OK;
    if (bytes[offset] == '\0')
        return dgm_fail_at(env, DGM_DATA, file, line, column,
                           "NUL byte; expected text without NUL");
    return dgm_fail_at(env, DGM_DATA, file, line, column,
                       "invalid UTF-8 byte \\x%x; expected valid UTF-8",
                       (unsigned)(unsigned char)bytes[offset]);
}

dgm_status dgm_utf8_repair(struct dgm_env *env, struct dgm_buf *out, const char *bytes,
                           size_t count, size_t *replaced)
{
    size_t offset, length, bad = 0;
    long column;

    while (dgm_utf8_find_bad(bytes, count, &offset, &length, &column)) {
        DGM_TRY(dgm_buf_add(env, out, bytes, offset));
        DGM_TRY(dgm_utf8_add(env, out, DGM_UTF8_REPLACEMENT));
        bytes += offset + length;
        count -= offset + length;
        bad++;
    }
    DGM_TRY(dgm_buf_add(env, out, bytes, count));
    if (replaced != NULL)
        *replaced = bad;
    return DGM_OK;
}
