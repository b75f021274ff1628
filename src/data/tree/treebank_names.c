/*
 * treebank_names.c: the names of the treebanks that a parser tells apart.
 */
#include "data/tree/treebank_names.h"

#include <string.h>

#include "base/near.h"
#include "text/unicode/utf8.h"

enum { NAME_BYTES = 40 }; /* dgm_quote shows so many, and a suggestion has room for them */

/* A name stands in lists between blanks or commas, and in the log. */
static int is_good(const char *name, size_t bytes)
{
    size_t offset, length, good = 0;
    long column;

    while (good < bytes && (unsigned char)name[good] > ' ' && name[good] != 0x7f &&
           name[good] != ',')
        good++;
    return good == bytes && bytes > 0 && bytes <= NAME_BYTES &&
           !dgm_utf8_find_bad(name, bytes, &offset, &length, &column);
}

dgm_status dgm_treebank_names_add(struct dgm_env *env, struct dgm_vocab *names, const char *name,
                                  const char *option)
{
    static const struct dgm_map none;
    const size_t bytes = strlen(name);
    char quoted[DGM_QUOTE_SIZE];
    int is_new;

    if (dgm_vocab_size(names) == 0) /* the special tokens come first */
        DGM_TRY(dgm_vocab_build(env, names, &none, 0, 1));
    if (is_good(name, bytes)) {
        DGM_TRY(dgm_vocab_append(env, names, name, bytes, &is_new));
        if (dgm_vocab_find(names, name, bytes) != DGM_VOCAB_UNK)
            return DGM_OK;
    }
    dgm_quote(quoted, sizeof quoted, name, bytes);
    return dgm_fail(env, DGM_USAGE,
                    "--%s \"%s\"; expected a name of at most %d bytes without blanks, which is no "
                    "special token",
                    option, quoted, (int)NAME_BYTES);
}

const char *dgm_treebank_names_join(char out[DGM_TREEBANK_NAMES_SIZE],
                                    const struct dgm_vocab *names)
{
    const size_t room = DGM_TREEBANK_NAMES_SIZE - sizeof ", ...";
    size_t at = 0;

    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(names); i++) {
        const char *separator = i > DGM_VOCAB_SPECIALS ? ", " : "";
        char quoted[DGM_QUOTE_SIZE];
        size_t bytes, length;
        const char *name = dgm_vocab_token(names, i, &bytes);

        dgm_quote(quoted, sizeof quoted, name, bytes);
        length = strlen(separator) + strlen(quoted);
        if (at + length >= room) {
            strcpy(out + at, ", ...");
            return out;
        }
        strcpy(out + at, separator);
        strcat(out + at, quoted);
        at += length;
    }
    out[at] = '\0';
    return out;
}

dgm_status dgm_treebank_names_find(struct dgm_env *env, const struct dgm_vocab *names,
                                   const char *name, dgm_status status, const char *what,
                                   int32_t *number)
{
    const uint32_t found = dgm_vocab_find(names, name, strlen(name));
    char quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE], list[DGM_TREEBANK_NAMES_SIZE];
    struct dgm_near near;

    *number = (int32_t)found - DGM_VOCAB_SPECIALS;
    if (found != DGM_VOCAB_UNK)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    dgm_near_begin(&near, name, strlen(name));
    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(names); i++) {
        size_t bytes;
        const char *known = dgm_vocab_token(names, i, &bytes);

        if (is_good(known, bytes)) /* a file may hold others */
            dgm_near_try(&near, known, bytes);
    }
    dgm_near_suggest(&near, suggestion);
    return dgm_fail(env, status,
                    "%s \"%s\", which no treebank of training is called; expected one of %s%s",
                    what, quoted, dgm_treebank_names_join(list, names), suggestion);
}
