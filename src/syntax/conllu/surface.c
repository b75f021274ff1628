/* surface.c: the text that a sentence of CoNLL-U was cut from. */
#include "syntax/conllu/surface.h"

#include <string.h>

/* A word inside the latest range is none of the text's tokens: the range is. */
int dgm_surface_next(const struct dgm_conllu_sentence *sentence, size_t *at,
                     struct dgm_surface_token *token)
{
    while (*at < sentence->row_count) {
        const struct dgm_conllu_row *row = &sentence->rows[(*at)++];

        if (row->kind == DGM_CONLLU_EMPTY)
            continue;
        token->row = row;
        token->first = row->first - 1;
        token->count = row->last - row->first + 1;
        while (row->kind == DGM_CONLLU_RANGE && *at < sentence->row_count &&
               sentence->rows[*at].first <= row->last)
            ++*at;
        return 1;
    }
    return 0;
}

/* The value of a field of MISC and its length, or NULL. */
static const char *find_field(const char *misc, const char *name, size_t *length)
{
    size_t bytes = strlen(name);

    while (*misc != '\0') {
        size_t field = strcspn(misc, "|");

        if (field > bytes && memcmp(misc, name, bytes) == 0 && misc[bytes] == '=') {
            *length = field - bytes - 1;
            return misc + bytes + 1;
        }
        misc += field + (misc[field] == '|');
    }
    return NULL;
}

static const char escaped[] = " \t\n\r|\\", letters[] = "stnrp\\";

dgm_status dgm_surface_escape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char *found = text[i] == '\0' ? NULL : strchr(escaped, text[i]);

        if (found != NULL)
            DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        DGM_TRY(dgm_buf_add_char(env, out, found != NULL ? letters[found - escaped] : text[i]));
    }
    return DGM_OK;
}

/* A backslash before anything else is itself. */
static dgm_status add_unescaped(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char *found = NULL;

        if (text[i] == '\\' && i + 1 < bytes)
            found = strchr(letters, text[i + 1]);
        DGM_TRY(dgm_buf_add_char(env, out, found != NULL ? escaped[found - letters] : text[i]));
        i += found != NULL;
    }
    return DGM_OK;
}

static const char *misc_of(const struct dgm_conllu_sentence *sentence,
                           const struct dgm_surface_token *token)
{
    return dgm_conllu_row_text(sentence, token->row, DGM_CONLLU_MISC);
}

dgm_status dgm_surface_add_form(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_conllu_sentence *sentence,
                                const struct dgm_surface_token *token)
{
    size_t length;
    const char *inside = find_field(misc_of(sentence, token), "SpacesInToken", &length);

    if (inside != NULL)
        return add_unescaped(env, out, inside, length);
    return dgm_buf_add_text(env, out, dgm_conllu_row_text(sentence, token->row, DGM_CONLLU_FORM));
}

dgm_status dgm_surface_add_space(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_conllu_sentence *sentence,
                                 const struct dgm_surface_token *token)
{
    const char *misc = misc_of(sentence, token), *field;
    size_t length;

    field = find_field(misc, "SpacesAfter", &length);
    if (field != NULL)
        return add_unescaped(env, out, field, length);
    field = find_field(misc, "SpaceAfter", &length);
    if (field != NULL && length == 2 && memcmp(field, "No", 2) == 0)
        return DGM_OK;
    return dgm_buf_add_char(env, out, ' ');
}

static dgm_status add_before(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_conllu_sentence *sentence,
                             const struct dgm_surface_token *token)
{
    size_t length;
    const char *field = find_field(misc_of(sentence, token), "SpacesBefore", &length);

    return field == NULL ? DGM_OK : add_unescaped(env, out, field, length);
}

dgm_status dgm_surface_add(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_conllu_sentence *sentence)
{
    struct dgm_surface_token token;
    size_t at = 0;

    while (dgm_surface_next(sentence, &at, &token)) {
        DGM_TRY(add_before(env, out, sentence, &token));
        DGM_TRY(dgm_surface_add_form(env, out, sentence, &token));
        DGM_TRY(dgm_surface_add_space(env, out, sentence, &token));
    }
    return DGM_OK;
}
