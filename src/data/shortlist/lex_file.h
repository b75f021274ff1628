/*
 * lex_file.h: lexical tables of other programs, as extract_lex and Marian write and read them.
 *
 * A line is `target source probability`, with blanks or tabs between; p(target | source). Tokens
 * are pieces, as the vocabularies of the model have them. Lines with NULL, the empty word, or with
 * a token that is in no vocabulary, are passed over.
 */
#ifndef DGM_DATA_SHORTLIST_LEX_FILE_H
#define DGM_DATA_SHORTLIST_LEX_FILE_H

#include "data/shortlist/lex_table.h"
#include "text/bpe/vocab.h"

/* *used, *passed: lines that are in the table, and that are not. Of lines with the same two tokens
 * the last one counts. DGM_DATA, with file and line: no three fields, a number that is no
 * probability; a file of which nothing can be used. */
dgm_status dgm_lex_file_read(struct dgm_env *env, struct dgm_lex_table *table, const char *path,
                             const struct dgm_vocab *source, const struct dgm_vocab *target,
                             long *used, long *passed);

#endif
