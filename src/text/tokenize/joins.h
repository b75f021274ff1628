/*
 * joins.h: which side of a word a mark of punctuation joins, in languages without rules of Moses.
 *
 * A mark is cut off a word only where it would join it again (general.h), and joined only where it
 * would have been cut (detokenize.h). So running text comes back. What joins no side, such as a
 * dash or a percent sign, stays within its word, or has the blanks that the text has.
 */
#ifndef DGM_TEXT_TOKENIZE_JOINS_H
#define DGM_TEXT_TOKENIZE_JOINS_H

#include <stdint.h>

enum dgm_joins {
    DGM_JOINS_NONE,
    DGM_JOINS_OPENING, /* what comes behind it */
    DGM_JOINS_CLOSING, /* what stands before it */
    DGM_JOINS_QUOTE,   /* one or the other: struct dgm_quotes tells */
    DGM_JOINS_BOTH     /* wide marks of Chinese and Japanese, the Ethiopic mark between words */
};

enum dgm_joins dgm_joins_of(uint32_t code);

/* Quotation marks of a line so far: by kind the one that has opened a quotation, or 0. Zeroed at
 * the start of the line. */
struct dgm_quotes {
    uint32_t opened[4]; /* single, double, guillemets, single guillemets; straight as curly */
};

/* Whether a quotation mark would open here. What ends a German quotation opens an English one, and
 * what ends an English one does both in Swedish; guillemets point outwards or inwards. */
int dgm_quotes_opens(const struct dgm_quotes *quotes, uint32_t code);
/* Goes past a quotation mark at the end of a word. */
void dgm_quotes_meet(struct dgm_quotes *quotes, uint32_t code);
/* Goes past a character within a word: a mark that is not single may end a quotation. */
void dgm_quotes_pass(struct dgm_quotes *quotes, uint32_t code);

/* Where an apostrophe within a word cuts it. */
enum dgm_apostrophe {
    DGM_APOSTROPHE_WITHIN, /* nowhere: Ukrainian, Hebrew, ... */
    DGM_APOSTROPHE_LEFT,   /* it ends a word: l' amico */
    DGM_APOSTROPHE_RIGHT   /* it begins an ending: Ankara 'da */
};

/* By a language's code, which may be NULL. */
enum dgm_apostrophe dgm_apostrophe_of(const char *language);

/* Whether words of Han and Kana join: not in Korean, which is written with blanks. */
int dgm_han_joins(const char *language);

#endif
