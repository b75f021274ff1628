/*
 * sentence.h: where the sentences of running text begin and end, by rules.
 *
 * Languages with lists of abbreviations (abbreviations.h) have rules of full stops, initials,
 * ordinals and quotation marks (stops.h); Chinese and Japanese end sentences by their marks; all
 * others have the rules of the Unicode Standard (breaks.h). The walk reads each byte a few times
 * and allocates nothing. Sentences and the blanks between them are the text, byte for byte;
 * ill-formed bytes are letters of no kind.
 */
#ifndef DGM_TEXT_SENTENCE_SENTENCE_H
#define DGM_TEXT_SENTENCE_SENTENCE_H

#include "text/sentence/abbreviations.h"

enum dgm_sentence_rules { DGM_SENTENCE_UNICODE, DGM_SENTENCE_LISTS, DGM_SENTENCE_WIDE };

/* A walk over a text. */
struct dgm_sentence_walk {
    const char *text;
    size_t size, at; /* at: the next sentence begins there, or blanks before it */
    enum dgm_sentence_rules rules;
    const struct dgm_sentence_language *language; /* of DGM_SENTENCE_LISTS */
};

/* text[start..end) is the sentence; blanks and ends of lines follow up to `next`. */
struct dgm_sentence_span {
    size_t start, end, next;
};

/* language: a code of ISO 639, as "de"; others have the rules of Unicode. The text is borrowed. */
void dgm_sentence_walk_begin(struct dgm_sentence_walk *walk, const char *language, const char *text,
                             size_t size);
/* The same rules for another text. */
void dgm_sentence_walk_text(struct dgm_sentence_walk *walk, const char *text, size_t size);
/* 0: nothing but blanks is left. */
int dgm_sentence_walk_next(struct dgm_sentence_walk *walk, struct dgm_sentence_span *sentence);

#endif
