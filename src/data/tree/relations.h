/*
 * relations.h: the dependency relations that a model may read beside its source words.
 *
 * Number 0 is <unk>: no parse, or a relation that training did not have; 1 is </s>, that of the
 * end of a sentence. The others follow as trees have them ("nsubj:pass"), the most frequent first,
 * equal ones in the order of their bytes. The numbers are rows of the model's table of them, "encoder.embed_tags.weight".
 */
#ifndef DGM_DATA_TREE_RELATIONS_H
#define DGM_DATA_TREE_RELATIONS_H

#include "base/map.h"
#include "text/bpe/vocab.h"

enum { DGM_RELATION_UNK, DGM_RELATION_EOS, DGM_RELATION_SPECIALS };

/* Zeroed is valid: the relations of a model that reads none. Otherwise it holds the specials. */
struct dgm_relations {
    struct dgm_map map; /* number = place of insertion */
};

/* Adds the relations of a CoNLL-U file; sentences without a parse are passed over. DGM_DATA if
 * there are none to be had. */
dgm_status dgm_relations_learn(struct dgm_env *env, struct dgm_relations *relations,
                               const char *path);
/* Adds the labels of a parser (data/tree/lexicon.h) in their order. */
dgm_status dgm_relations_add_labels(struct dgm_env *env, struct dgm_relations *relations,
                                    const struct dgm_vocab *labels);
/* From the names of a model file, specials included. DGM_MODEL with `name`: a special is missing,
 * a name is empty or given twice. */
dgm_status dgm_relations_set(struct dgm_env *env, struct dgm_relations *relations,
                             const char *const *names, const size_t *bytes, size_t count,
                             const char *name);

/* Relations in all; 0 where a model reads none. */
size_t dgm_relations_size(const struct dgm_relations *relations);
/* The number of a relation; -1 for what is not there, and for specials. */
int32_t dgm_relations_find(const struct dgm_relations *relations, const char *relation);
/* The name of a number below the size, followed by a NUL; borrowed. */
const char *dgm_relations_name(const struct dgm_relations *relations, size_t number, size_t *bytes);
/* Whether both hold the same names in the same order. */
int dgm_relations_same(const struct dgm_relations *a, const struct dgm_relations *b);

void dgm_relations_clear(struct dgm_env *env, struct dgm_relations *relations);

#endif
