/*
 * conllu_row.h: one line of a file as a row of a CoNLL-U sentence.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_ROW_H
#define DGM_SYNTAX_CONLLU_CONLLU_ROW_H

#include "syntax/conllu/conllu_reader.h"

/* Splits a line into its columns, checks them and adds the row to the sentence. A lenient reader
 * leaves out what cannot be a row. */
dgm_status dgm_conllu_row_add(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_sentence *sentence, const char *text,
                              size_t length);

/* Reads 0..999999999 without sign or leading zeros up to `stop`; 0 where that is not
 * the text. */
int dgm_conllu_row_number(int32_t *out, const char *text, const char *stop);

#endif
