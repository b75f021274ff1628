/*
 * word_list.h: lists of words as one string: " nsubj obj iobj ", a blank before and behind each.
 */
#ifndef DGM_SYNTAX_CONLLU_WORD_LIST_H
#define DGM_SYNTAX_CONLLU_WORD_LIST_H

#include <stddef.h>

/* Whether the list holds text[0..length). */
int dgm_word_list_holds(const char *list, const char *text, size_t length);

#endif
