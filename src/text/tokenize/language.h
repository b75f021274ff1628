/*
 * language.h: codes of languages: which are known, and for which text has rules of its own.
 */
#ifndef DGM_TEXT_TOKENIZE_LANGUAGE_H
#define DGM_TEXT_TOKENIZE_LANGUAGE_H

#include "base/env.h"

enum { DGM_LANGUAGE_SIZE = 16 }; /* of a code with its end */

/* Two letters of ISO 639-1, "cz" as Moses has it, or any three small letters, as ISO 639-3 has
 * them, but for those of the languages with rules, which are known by two. */
int dgm_language_is_known(const char *code, size_t length);

/* The code of what a program calls a language: "deu", "de_DE" and "german" are de, and
 * "zho_Hans" is zho. 0: there is none. */
int dgm_language_code(const char *said, char code[DGM_LANGUAGE_SIZE]);

/* DGM_USAGE for a code that is not known; `option` is what it was given for: "--target-lang". */
dgm_status dgm_language_check(struct dgm_env *env, const char *option, const char *code);

/* Whether words are cut by rules of the language itself: en, de, fr. */
int dgm_language_has_rules(const char *code);

/* What learns where to cut, and needs no rules. */
#define DGM_CUTS_OF_UNIGRAM \
    "train --vocab-type unigram learns from the text where to cut, in any language"
#define DGM_CUTS_OF_TREEBANK "train-parser --tokenizer learns from a treebank where to cut"

/* A warning where words are cut by the general rules, for want of rules of the language; `instead`
 * is one of the above. */
void dgm_language_warn(struct dgm_env *env, const char *code, const char *instead);

#endif
