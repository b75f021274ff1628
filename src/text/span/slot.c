/* slot.c: eight characters, by their bytes in UTF-8. */
#include "text/span/slot.h"

#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

const char *dgm_slot_text(int slot)
{
    static const char texts[DGM_SLOTS][DGM_SLOT_BYTES + 1] = { "\xEF\xB7\x90", "\xEF\xB7\x91",
                                                               "\xEF\xB7\x92", "\xEF\xB7\x93",
                                                               "\xEF\xB7\x94", "\xEF\xB7\x95",
                                                               "\xEF\xB7\x96", "\xEF\xB7\x97" };

    return texts[slot];
}

int dgm_slot_at(const char *text, size_t bytes, size_t at)
{
    const unsigned char last = bytes - at >= DGM_SLOT_BYTES ? (unsigned char)text[at + 2] : 0;

    if (last < 0x90 || last >= 0x90 + DGM_SLOTS || memcmp(text + at, "\xEF\xB7", 2) != 0)
        return -1;
    return last - 0x90;
}

size_t dgm_slot_next(const char *text, size_t bytes, size_t at)
{
    while (at < bytes) {
        const char *found = memchr(text + at, 0xEF, bytes - at);

        if (found == NULL)
            return bytes;
        at = (size_t)(found - text);
        if (dgm_slot_at(text, bytes, at) >= 0)
            return at;
        at++;
    }
    return bytes;
}

dgm_status dgm_slot_spare(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes)
{
    size_t at = 0, next;

    dgm_buf_reset(out);
    while ((next = dgm_slot_next(text, bytes, at)) < bytes) {
        DGM_TRY(dgm_buf_add(env, out, text + at, next - at));
        DGM_TRY(dgm_buf_add_text(env, out, REPLACEMENT));
        at = next + DGM_SLOT_BYTES;
    }
    return dgm_buf_add(env, out, text + at, bytes - at);
}
