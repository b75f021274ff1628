/* text_width.c: widths of letters, estimated. */
#include "draw/text_width.h"

#include <string.h>

#include "text/unicode/utf8.h"
#include "text/unicode/width.h"

/*
 * Which font a reader has is not known here, so widths are those of wide ones (DejaVu Sans,
 * Verdana): in others there is a little more air.
 */

/* In hundredths of the font's size. */
static int32_t advance(uint32_t code)
{
    if (code >= 0x80)
        return code < 0x300 ? 66 : dgm_width_of(code) == 2 ? 102 : 68 * dgm_width_of(code);
    if (strchr("ijl|'.,:;!I`", (int)code) != NULL)
        return 34;
    if (strchr("frt()[]{}/\\- \"", (int)code) != NULL)
        return 42;
    if (strchr("mwMW@%", (int)code) != NULL)
        return 98;
    if ((code >= 'A' && code <= 'Z') || strchr("+=<>#~_&", (int)code) != NULL)
        return 76;
    return 63;
}

int32_t dgm_text_width(const char *text, int32_t size)
{
    size_t left = strlen(text);
    int64_t sum = 0;
    while (left > 0) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, text, left);
        sum += advance(code);
        text += used;
        left -= used;
    }
    return (int32_t)((sum * size + 99) / 100);
}
