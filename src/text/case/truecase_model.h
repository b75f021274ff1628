/*
 * truecase_model.h: how each word is written where its place does not ask for a capital.
 *
 * As a file: a line for each word in small letters, frequent words first, with its forms: "the
 * (98/100) The (2)"; the form that is most frequent first, with its count and that of all. Moses
 * and its kin read and write the same.
 */
#ifndef DGM_TEXT_CASE_TRUECASE_MODEL_H
#define DGM_TEXT_CASE_TRUECASE_MODEL_H

#include "base/buf.h"
#include "base/map.h"
#include "text/case/letters.h"

enum { DGM_BARE_CODES = 0x2000 };

/* Zeroed: it knows no word. */
struct dgm_truecase_model {
    struct dgm_map forms;    /* to their counts */
    struct dgm_map by_lower; /* a word in small letters to the number of its most frequent form */
    struct dgm_map by_head;  /* a form with a capital at its head to the same, of those that become
                              * it at the head of a sentence */
    struct dgm_map by_bare; /* as by_lower, without accents, ß as ss, where that is another word */
    uint16_t *bare;         /* (DGM_BARE_CODES) letters without their accents */
    enum dgm_letters letters;
};

/* Reads a file. */
dgm_status dgm_truecase_model_load(struct dgm_env *env, struct dgm_truecase_model *model,
                                   const char *path, enum dgm_letters letters);
void dgm_truecase_model_clear(struct dgm_env *env, struct dgm_truecase_model *model);

/* Appends the text of a model of these forms. */
dgm_status dgm_truecase_model_print(struct dgm_env *env, struct dgm_buf *out,
                                    const struct dgm_map *forms, enum dgm_letters letters);

/* Scratch memory of one user. */
struct dgm_truecase_keys {
    struct dgm_buf lower, bare;
};
void dgm_truecase_keys_clear(struct dgm_env *env, struct dgm_truecase_keys *keys);

/* The most frequent form of a word that may have any; *form NULL: none is known. */
dgm_status dgm_truecase_model_find(struct dgm_env *env, const struct dgm_truecase_model *model,
                                   struct dgm_truecase_keys *keys, const char *word, size_t bytes,
                                   const char **form, size_t *form_bytes);
/* The most frequent of those forms that are written so at the head of a sentence, or NULL. */
const char *dgm_truecase_model_find_head(const struct dgm_truecase_model *model, const char *word,
                                         size_t bytes, size_t *form_bytes);

#endif
