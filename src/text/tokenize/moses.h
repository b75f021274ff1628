/*
 * moses.h: the languages that have rules of their own, and their abbreviations.
 */
#ifndef DGM_TEXT_TOKENIZE_MOSES_H
#define DGM_TEXT_TOKENIZE_MOSES_H

#include "base/buf.h"
#include "base/env.h"

enum dgm_moses_language { DGM_MOSES_OTHER, DGM_MOSES_EN, DGM_MOSES_DE, DGM_MOSES_FR };

/*
 * "en", "de" or "fr"; anything else, and NULL, is DGM_MOSES_OTHER: no rules of its own.
 */
enum dgm_moses_language dgm_moses_language(const char *code);

enum dgm_moses_prefix {
    DGM_MOSES_NO_PREFIX,
    DGM_MOSES_PREFIX,       /* an abbreviation: a full stop after it stays with it */
    DGM_MOSES_NUMBER_PREFIX /* only when a number follows: "No. 5" */
};

/* Looks a word (without its full stop) up in the language's list of abbreviations. */
enum dgm_moses_prefix dgm_moses_find_prefix(enum dgm_moses_language language, const char *word,
                                            size_t bytes);

#endif
