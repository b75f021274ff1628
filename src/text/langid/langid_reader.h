/*
 * langid_reader.h: text as the n-grams by which languages are told from each other.
 *
 * A word is a run of letters and their marks, in lower case and in normal form NFC; whatever stands
 * between words is one blank, and so are both ends of the text. An n-gram is 1 to 5 characters in a
 * row of a word with its blanks, or 3 of a script that sets no blanks; a blank alone is none. It is
 * known by 32 bits of hash: of a million different ones about a hundred share theirs.
 *
 * What tells least are names and titles, which are the same in many languages: a word that begins
 * with a capital counts less than others, least where it is not the first; and Latin letters stand
 * between words where a fifth of the letters and more are others.
 */
#ifndef DGM_TEXT_LANGID_LANGID_READER_H
#define DGM_TEXT_LANGID_LANGID_READER_H

#include <stddef.h>
#include <stdint.h>

enum { DGM_LANGID_ORDERS = 5, DGM_LANGID_UNSPACED = 3 };
/* How much an n-gram counts: of a small word, of a first one with a capital, of others with one. */
enum { DGM_LANGID_WORD = 4, DGM_LANGID_FIRST = 2, DGM_LANGID_NAME = 1 };

struct dgm_langid_reader {
    const char *text;
    size_t bytes, at;
    uint64_t hash[DGM_LANGID_ORDERS + 1]; /* of the n-grams that end here, by their length */
    int length;                           /* of the longest of them */
    int reach;                            /* most characters of one that goes on */
    int weight;                           /* of the word; 0: there was none */
    int has_guests;                       /* Latin letters are passed over */
};

/* The n-grams that end with one character: key[n] for n of least..most, which may be none. */
struct dgm_langid_grams {
    int least, most;
    int is_letter; /* else a mark, or the blank behind a word */
    int weight;    /* of the word: how much they count */
    uint32_t key[DGM_LANGID_ORDERS + 1];
};

/* Borrows the text. */
void dgm_langid_reader_init(struct dgm_langid_reader *reader, const char *text, size_t bytes);
/* The next character's; 0 at the end. */
int dgm_langid_reader_next(struct dgm_langid_reader *reader, struct dgm_langid_grams *grams);

#endif
