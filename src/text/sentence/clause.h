/*
 * clause.h: where a sentence is cut in two that is too long for what reads it.
 */
#ifndef DGM_TEXT_SENTENCE_CLAUSE_H
#define DGM_TEXT_SENTENCE_CLAUSE_H

#include <stddef.h>

/*
 * Where the second half of text[0..size) begins: behind the mark of a clause that is nearest to the
 * middle, if one stands in the half of the text around it; else behind a blank there, or anywhere;
 * else between two characters. 0: the text is one character.
 */
size_t dgm_clause_cut(const char *text, size_t size);

#endif
