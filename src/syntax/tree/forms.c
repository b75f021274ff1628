/*
 * forms.c: whether the words of a tree and a line of text are the same.
 */
#include "syntax/tree/forms.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Tokens of a line separated by single spaces; spaces at either end do not count. */
struct tokens {
    const char *at, *stop;
};

static void skip_spaces(struct tokens *rest)
{
    while (rest->at < rest->stop && *rest->at == ' ')
        rest->at++;
}

static size_t token_length(const struct tokens *rest)
{
    const char *space = memchr(rest->at, ' ', (size_t)(rest->stop - rest->at));

    return (size_t)((space == NULL ? rest->stop : space) - rest->at);
}

static long count_tokens(struct tokens rest)
{
    long count = 0;

    for (skip_spaces(&rest); rest.at < rest.stop; skip_spaces(&rest)) {
        rest.at += token_length(&rest);
        count++;
    }
    return count;
}

/*
 * Compares without regard to case: bytes of `text` that make up `form`, or 0 if they
 * differ. Both sides are decoded, as a letter and its lower case need not have equal
 * lengths.
 */
static size_t match_form(const char *form, const char *text, const char *stop)
{
    const char *at = text;
    size_t left = strlen(form);
    uint32_t a, b;

    while (left > 0) {
        size_t step = dgm_utf8_decode(&a, form, left);

        if (at == stop)
            return 0;
        at += dgm_utf8_decode(&b, at, (size_t)(stop - at));
        if (a != b && dgm_unicode_lower(a) != dgm_unicode_lower(b))
            return 0;
        form += step;
        left -= step;
    }
    return at == stop || *at == ' ' ? (size_t)(at - text) : 0;
}

static dgm_status complain_form(struct dgm_env *env, const struct tokens *rest, long token,
                                const char *form, const char *path, long line_number)
{
    char found[DGM_QUOTE_SIZE], wanted[DGM_QUOTE_SIZE];

    dgm_quote(found, sizeof found, rest->at, token_length(rest));
    dgm_quote(wanted, sizeof wanted, form, strlen(form));
    return dgm_fail_at(env, DGM_DATA, path, line_number, 0,
                       "token %ld is \"%s\" in the line, \"%s\" in the tree; expected the same "
                       "words [E_ALIGN]",
                       token, found, wanted);
}

/* One token for a word, more where its form holds spaces. */
static long count_form(const char *form)
{
    struct tokens all = { form, form + strlen(form) };

    return count_tokens(all);
}

dgm_status dgm_forms_match(struct dgm_env *env, int32_t *tokens, const struct dgm_forms *words,
                           const char *line, size_t length, const char *path, long line_number)
{
    struct tokens rest = { length > 0 ? line : "", NULL };
    long expected = 0;
    long token = 1;

    rest.stop = rest.at + length; /* a blank line may have no memory */
    for (int32_t word = 0; word < words->count; word++)
        expected += count_form(words->form(words->of, word));
    if (count_tokens(rest) != expected)
        return dgm_fail_at(env, DGM_DATA, path, line_number, 0,
                           "tree has %ld words, source line %ld has %ld; expected as many "
                           "[E_ALIGN]",
                           expected, line_number, count_tokens(rest));
    for (int32_t word = 0; word < words->count; word++) {
        const char *form = words->form(words->of, word);
        int32_t covered = (int32_t)count_form(form);
        size_t used;

        skip_spaces(&rest);
        used = match_form(form, rest.at, rest.stop);
        if (used == 0)
            return complain_form(env, &rest, token, form, path, line_number);
        rest.at += used;
        token += covered;
        if (tokens != NULL)
            tokens[word] = covered;
    }
    return DGM_OK;
}

static const char *form_of(const void *sentence, int32_t word)
{
    return dgm_conllu_field(sentence, word, DGM_CONLLU_FORM);
}

struct dgm_forms dgm_forms_of_conllu(const struct dgm_conllu_sentence *sentence)
{
    struct dgm_forms words = { .count = sentence->tree.count, .form = form_of, .of = sentence };

    return words;
}
