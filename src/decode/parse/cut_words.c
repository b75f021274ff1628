/* cut_words.c: the words of a token that was cut from running text. */
#include "decode/parse/cut_words.h"

#include "data/tree/characters.h"
#include "text/unicode/utf8.h"

static dgm_status add_form(struct dgm_env *env, struct dgm_buf *form, const char *text,
                           size_t bytes)
{
    size_t used;
    uint32_t code;
    int is_blank = 0;

    for (size_t at = 0; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, text + at, bytes - at);
        if (!dgm_character_is_blank(code))
            DGM_TRY(dgm_buf_add(env, form, text + at, used));
        else if (!is_blank)
            DGM_TRY(dgm_buf_add_char(env, form, ' '));
        is_blank = dgm_character_is_blank(code);
    }
    return dgm_buf_add_char(env, form, '\0');
}

dgm_status dgm_cut_words_add(struct dgm_env *env, struct dgm_buf *forms,
                             const struct dgm_multiwords *multiwords, const char *text,
                             size_t bytes, int is_multiword, int32_t *count)
{
    const size_t at = forms->size;
    struct dgm_buf words = { 0 };
    dgm_status status;

    *count = 0;
    DGM_TRY(add_form(env, forms, text, bytes));
    if (is_multiword) {
        status = dgm_multiwords_expand(env, multiwords, forms->data + at, forms->size - at - 1,
                                       &words, count);
        if (status == DGM_OK && *count > 1)
            status = dgm_buf_add(env, forms, words.data, words.size);
        dgm_buf_clear(env, &words);
        DGM_TRY(status);
    }
    *count += *count == 0;
    return DGM_OK;
}
