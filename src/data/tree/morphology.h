/*
 * morphology.h: the columns that a parser may learn beside heads, relations and UPOS: XPOS, FEATS,
 * LEMMA, each a classification of words.
 *
 * A class of XPOS is a tag, a class of FEATS is all features of a word as one string, `_` included,
 * as the treebank writes it: so no combination comes out that the treebank does not have, and one
 * choice is made, not twenty. A class of LEMMA is a script from the form to the lemma
 * (text/lemma/lemma_script.h).
 */
#ifndef DGM_DATA_TREE_MORPHOLOGY_H
#define DGM_DATA_TREE_MORPHOLOGY_H

#include "base/buf.h"
#include "syntax/conllu/conllu.h"

enum dgm_morph { DGM_MORPH_XPOS, DGM_MORPH_FEATS, DGM_MORPH_LEMMA, DGM_MORPHS };

/* Sets of columns have bit 1 << morph of each. */
enum { DGM_MORPH_ALL = (1 << DGM_MORPHS) - 1 };

/* "xpos", "feats", "lemma"; "XPOS" ... */
extern const char *const dgm_morph_names[DGM_MORPHS];
extern const char *const dgm_morph_titles[DGM_MORPHS];
extern const enum dgm_conllu_column dgm_morph_columns[DGM_MORPHS];

/* Classes of words that have none. */
enum { DGM_MORPH_OPEN = -1, DGM_MORPH_UNKNOWN = -2 };

/*
 * The name of the class of a word that has this value in the column; NULL: the treebank leaves it
 * open. `scratch` holds what has to be made, until the next call.
 */
dgm_status dgm_morph_class_of(struct dgm_env *env, struct dgm_buf *scratch, enum dgm_morph morph,
                              const char *form, const char *value, const char **name);

#endif
