/*
 * treebank_names.h: the names of the treebanks between whose annotations a parser tells apart.
 *
 * People choose them: they name neither a file nor a language, and several files may be one
 * treebank. The classes of the vocabulary are in the order in which training names them: class 0 is
 * the one that is imitated where nobody says which.
 */
#ifndef DGM_DATA_TREE_TREEBANK_NAMES_H
#define DGM_DATA_TREE_TREEBANK_NAMES_H

#include "text/bpe/vocab.h"

/* Puts a name behind the others, unless it is there. DGM_USAGE, with `option`, for one that is
 * empty, long, ill-formed, has blanks or is spelled like a special token. */
dgm_status dgm_treebank_names_add(struct dgm_env *env, struct dgm_vocab *names, const char *name,
                                  const char *option);

/* The class of a name. Fails with `status` and lists those that there are; `what` begins the
 * message: "--valid-treebanks". */
dgm_status dgm_treebank_names_find(struct dgm_env *env, const struct dgm_vocab *names,
                                   const char *name, dgm_status status, const char *what,
                                   int32_t *number);

/* "hdt, gsd", for messages: what has no room is "...". */
#define DGM_TREEBANK_NAMES_SIZE 240
const char *dgm_treebank_names_join(char out[DGM_TREEBANK_NAMES_SIZE],
                                    const struct dgm_vocab *names);

#endif
