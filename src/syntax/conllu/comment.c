/* comment.c: comments of CoNLL-U that are values, `# name = value`. */
#include "syntax/conllu/comment.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

const char *dgm_conllu_comment_value(const char *comment, const char *name)
{
    size_t length = strlen(name);

    comment += 1 + strspn(comment + 1, " ");
    if (strncmp(comment, name, length) != 0)
        return NULL;
    comment += length + strspn(comment + length, " ");
    return *comment == '=' ? comment + 1 + (comment[1] == ' ') : NULL;
}

const char *dgm_conllu_comment(const struct dgm_conllu_sentence *sentence, const char *name)
{
    const char *value = NULL;

    for (size_t c = 0; c < sentence->comment_count && value == NULL; c++)
        value = dgm_conllu_comment_value(sentence->bytes.data + sentence->comments[c], name);
    return value;
}

int dgm_conllu_is_id(const char *text)
{
    const char *slash = strchr(text, '/');
    size_t left = strlen(text), bytes;

    for (uint32_t code; left > 0; text += bytes, left -= bytes) {
        bytes = dgm_utf8_decode(&code, text, left);
        if (code == DGM_UTF8_BAD || code < 0x20 || dgm_unicode_is_blank(code))
            return 0;
    }
    return slash == NULL || strchr(slash + 1, '/') == NULL;
}
