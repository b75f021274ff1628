/* ud_comment.c: `# key = value`, with any white space around its parts. */
#include "syntax/ud/ud_parts.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Skips what has the flag of white space, or has it not. */
static const char *skip(const char *text, int is_space)
{
    const char *end = text + strlen(text);
    uint32_t code;

    while (text < end) {
        size_t used = dgm_utf8_decode(&code, text, (size_t)(end - text));

        if (dgm_unicode_is(code, DGM_UNICODE_SPACE) != is_space)
            break;
        text += used;
    }
    return text;
}

const char *dgm_ud_skip_space(const char *text)
{
    return skip(text, 1);
}

const char *dgm_ud_skip_word(const char *text)
{
    return skip(text, 0);
}

const char *dgm_ud_comment_key(const char *comment, const char *key)
{
    const char *at = dgm_ud_skip_space(comment + 1);
    size_t bytes = strlen(key);

    return strncmp(at, key, bytes) == 0 ? at + bytes : NULL;
}

const char *dgm_ud_comment_value(const char *comment, const char *key)
{
    const char *at = dgm_ud_comment_key(comment, key);

    if (at == NULL)
        return NULL;
    at = dgm_ud_skip_space(at);
    return *at == '=' ? dgm_ud_skip_space(at + 1) : NULL;
}

const char *dgm_ud_comment(const struct dgm_ud_check *check, size_t comment)
{
    return check->sentence->bytes.data + check->sentence->comments[comment];
}
