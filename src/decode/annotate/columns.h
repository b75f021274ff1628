/*
 * columns.h: which columns of CoNLL-U a parser writes, and which of given ones it keeps.
 *
 * Sets of columns have bit 1 << column of each (enum dgm_conllu_column). By default all columns
 * that the model has learned are written. Where CoNLL-U comes in, those that are not written stay
 * as they are; of those that are written, HEAD and DEPREL are replaced, and the others are filled
 * in where they are open, or replaced as well (retag). DEPS is emptied where HEAD or DEPREL change,
 * which it would contradict, and empty nodes go with it.
 */
#ifndef DGM_DECODE_ANNOTATE_COLUMNS_H
#define DGM_DECODE_ANNOTATE_COLUMNS_H

#include "syntax/conllu/conllu.h"

struct dgm_sentence_parser;

/* What DEPS belongs to. */
enum { DGM_COLUMNS_OF_TREE = 1 << DGM_CONLLU_HEAD | 1 << DGM_CONLLU_DEPREL };

/* Reads names between commas or blanks: "upos", "xpos", "feats", "lemma", "head", "deprel"; NULL or
 * "": 0, which stands for all that there are. DGM_USAGE for what is unknown or there twice. */
dgm_status dgm_columns_read(struct dgm_env *env, unsigned *columns, const char *names);
/* The same columns as those of morphology.h. */
unsigned dgm_columns_morphs(unsigned columns);
/* Puts all columns in the place of 0; DGM_MODEL where the model lacks one of them. */
dgm_status dgm_columns_settle(struct dgm_env *env, unsigned *columns,
                              const struct dgm_sentence_parser *parser);
/* Says in the log what happens to the columns of CoNLL-U. */
void dgm_columns_tell(struct dgm_env *env, unsigned columns, int retag);

/* Whether FEATS of a sentence are given: where they are, `_` means that a word has none. */
int dgm_columns_has_feats(const struct dgm_conllu_sentence *sentence);
/* Whether a word of CoNLL-U leaves open what stands in a column other than FEATS. */
int dgm_columns_is_open(const char *form, const char *value, enum dgm_conllu_column column);

#endif
