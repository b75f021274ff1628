/*
 * form_counts.h: counts of texts by how they write letters with accents, composed or decomposed
 * (nfc.h).
 *
 * Where both are there, one word is two to whatever counts or learns words.
 */
#ifndef DGM_TEXT_UNICODE_FORM_COUNTS_H
#define DGM_TEXT_UNICODE_FORM_COUNTS_H

#include "base/map.h"

/* Texts, be they lines or words, that have such letters. */
struct dgm_form_counts {
    long composed, decomposed;
};

void dgm_form_counts_add(struct dgm_form_counts *forms, const char *text, size_t bytes);
int dgm_form_counts_are_mixed(const struct dgm_form_counts *forms);
/* Logs a warning if the keys of a map, "words" of a text that nobody composes, are mixed. */
void dgm_form_counts_warn(struct dgm_env *env, const struct dgm_map *words, const char *what);

#endif
