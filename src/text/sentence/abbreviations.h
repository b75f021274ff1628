/*
 * abbreviations.h: what a language needs for its sentences to be found: words that take a full stop
 * which ends none, and words that begin sentences.
 *
 * The lists were made for this project, by what grammars and newspapers of each language use, and
 * looked over with the training parts of treebanks where there are any.
 */
#ifndef DGM_TEXT_SENTENCE_ABBREVIATIONS_H
#define DGM_TEXT_SENTENCE_ABBREVIATIONS_H

#include <stddef.h>

/* What the full stop behind a word may be. */
enum dgm_stop {
    DGM_STOP_PLAIN,  /* of no abbreviation that is known */
    DGM_STOP_INSIDE, /* never the end: a name or a noun follows */
    DGM_STOP_NUMBER, /* not the end where a number follows */
    DGM_STOP_EITHER  /* the end where a word follows that begins sentences */
};

/* Lists have a blank at either end and between words. A word with a capital is meant as it is
 * written, another one in any case. */
struct dgm_sentence_language {
    const char *code;    /* ISO 639 */
    const char *inside;  /* DGM_STOP_INSIDE */
    const char *numbers; /* DGM_STOP_NUMBER */
    const char *either;  /* DGM_STOP_EITHER */
    const char *starts;  /* small words that sentences begin with, in lower case */
    int ordinals;        /* "3." is the third */
    int semicolon_asks;  /* ";" is a question mark */
};

/* NULL: the language has no lists here. */
const struct dgm_sentence_language *dgm_sentence_language(const char *code);

/* word: as it stands in the text, and lower: in lower case, each between blanks. */
enum dgm_stop dgm_sentence_stop(const struct dgm_sentence_language *language, const char *word,
                                const char *lower);
int dgm_sentence_starts(const struct dgm_sentence_language *language, const char *lower);

#endif
