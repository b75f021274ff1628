/* json_text.c: text fit for a terminal and for a JSON reader. */
#include "text/json_text.h"

#include "text/unicode/utf8.h"

/* Characters that steer a terminal, or turn the direction of what stands around them. */
static int is_dangerous(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

static dgm_status add_code(struct dgm_env *env, struct dgm_buf *out, uint32_t code)
{
    switch (code) {
    case '"': return dgm_buf_add_text(env, out, "\\\"");
    case '\\': return dgm_buf_add_text(env, out, "\\\\");
    case '\n': return dgm_buf_add_text(env, out, "\\n");
    case '\t': return dgm_buf_add_text(env, out, "\\t");
    case DGM_UTF8_BAD: return dgm_buf_add_text(env, out, "\\ufffd");
    default: return dgm_buf_add_format(env, out, "\\u%04x", (unsigned)code);
    }
}

dgm_status dgm_json_text_escape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t bytes)
{
    size_t at = 0;
    while (at < bytes) {
        uint32_t code;
        size_t length = dgm_utf8_decode(&code, text + at, bytes - at);
        if (code == DGM_UTF8_BAD || code == '"' || code == '\\' || is_dangerous(code))
            DGM_TRY(add_code(env, out, code));
        else
            DGM_TRY(dgm_buf_add(env, out, text + at, length));
        at += length;
    }
    return DGM_OK;
}

dgm_status dgm_json_text_quote(struct dgm_env *env, struct dgm_buf *out, const char *text,
                               size_t bytes)
{
    DGM_TRY(dgm_buf_add_char(env, out, '"'));
    DGM_TRY(dgm_json_text_escape(env, out, text, bytes));
    return dgm_buf_add_char(env, out, '"');
}
