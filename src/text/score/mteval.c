/* mteval.c: what BLEU's tokenisers share, and the one that cuts into characters. */
#include "text/score/mteval.h"

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

int dgm_mteval_next(const char *line, size_t bytes, size_t *at, const char **word, size_t *length)
{
    size_t start = *at, end, used;
    uint32_t code;

    for (; start < bytes; start += used) {
        used = dgm_utf8_decode(&code, line + start, bytes - start);
        if (!dgm_unicode_is_blank(code))
            break;
    }
    for (end = start; end < bytes; end += used) {
        used = dgm_utf8_decode(&code, line + end, bytes - end);
        if (dgm_unicode_is_blank(code))
            break;
    }
    *word = line + start;
    *length = end - start;
    *at = end;
    return end > start;
}

dgm_status dgm_mteval_char(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes)
{
    size_t at = 0, start = out->size, used;
    uint32_t code;

    for (; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, line + at, bytes - at);
        if (dgm_unicode_is_blank(code))
            continue;
        if (out->size > start)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, line + at, used));
    }
    return DGM_OK;
}
