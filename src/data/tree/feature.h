/*
 * feature.h: what a model may read beside its source words: columns of CoNLL-U, each with the names
 * that training found in it.
 *
 * Of the names of a feature, number 0 is <unk>: nothing is given, or training did not have it; 1 is
 * </s>, that of the end of a sentence. The others follow as trees have them ("nsubj:pass"), the
 * most frequent first, equal ones in the order of their bytes. The numbers are rows of the model's
 * table of the feature, "encoder.embed_tags.weight" for relations.
 */
#ifndef DGM_DATA_TREE_FEATURE_H
#define DGM_DATA_TREE_FEATURE_H

#include "base/map.h"
#include "text/bpe/vocab.h"

/* Features of words stand in CoNLL-U; the last one is of pieces, and needs no names: whether a
 * piece is the beginning, the inside or the end of a word, or all of it. */
enum dgm_feature_kind {
    DGM_FEATURE_DEPREL, /* the relation to the head; a sentence without a parse has none */
    DGM_FEATURE_LEMMA,
    DGM_FEATURE_UPOS,
    DGM_FEATURE_XPOS,
    DGM_WORD_FEATURES,
    DGM_FEATURE_SUBWORD = DGM_WORD_FEATURES,
    DGM_FEATURES
};

enum { DGM_FEATURE_UNK, DGM_FEATURE_EOS, DGM_FEATURE_SPECIALS };

/* Rows of a table of SUBWORD, behind the specials: the beginning, the inside, the end of a word
 * that is cut; a word that is not. */
enum {
    DGM_SUBWORD_BEGIN = DGM_FEATURE_SPECIALS,
    DGM_SUBWORD_INSIDE,
    DGM_SUBWORD_END,
    DGM_SUBWORD_WHOLE,
    DGM_SUBWORDS
};

/* "relation", "lemma", "UPOS tag", ...: for messages; and the name of the column. */
extern const char *const dgm_feature_titles[DGM_WORD_FEATURES];
extern const char *const dgm_feature_columns[DGM_WORD_FEATURES];

/* The names of one feature. Zeroed is valid: those of a model that does not read it. Otherwise it
 * holds the specials. */
struct dgm_feature {
    struct dgm_map map; /* number = place of insertion */
};

/* Of all that words may have. */
struct dgm_features {
    struct dgm_feature of[DGM_WORD_FEATURES];
};

/* Adds the names that a column of CoNLL-U files has at least min_count times in all. DGM_DATA if
 * there is nothing in that column of any. */
dgm_status dgm_feature_learn(struct dgm_env *env, struct dgm_feature *feature,
                             enum dgm_feature_kind kind, const char *const *paths, size_t count,
                             int64_t min_count);
/* Adds the labels, or the tags, of a parser (data/tree/lexicon.h) in their order. */
dgm_status dgm_feature_add_classes(struct dgm_env *env, struct dgm_feature *feature,
                                   const struct dgm_vocab *classes);
/* From the names of a model file, specials included. DGM_MODEL with `name`: a special is missing,
 * a name is empty or given twice. */
dgm_status dgm_feature_set(struct dgm_env *env, struct dgm_feature *feature,
                           const char *const *names, const size_t *bytes, size_t count,
                           const char *name);

/* Names in all; 0 where a model does not read it. */
size_t dgm_feature_size(const struct dgm_feature *feature);
/* The number of a name; -1 for what is not there, and for specials. */
int32_t dgm_feature_find(const struct dgm_feature *feature, const char *relation);
/* The name of a number below the size, followed by a NUL; borrowed. */
const char *dgm_feature_name(const struct dgm_feature *feature, size_t number, size_t *bytes);
/* Whether both hold the same names in the same order. */
int dgm_feature_same(const struct dgm_feature *a, const struct dgm_feature *b);

void dgm_feature_clear(struct dgm_env *env, struct dgm_feature *feature);

/* Counts of the words that a file of trees has, of those without a feature, and of those where it
 * has a name that the model does not know. */
struct dgm_feature_counts {
    long words, missing[DGM_WORD_FEATURES], unknown[DGM_WORD_FEATURES];
};

/* One word more, whose name, or NULL, has this number, or -1. */
void dgm_feature_counts_word(struct dgm_feature_counts *counts, enum dgm_feature_kind kind,
                             const char *name, int32_t number);
void dgm_feature_counts_add(struct dgm_feature_counts *counts,
                            const struct dgm_feature_counts *more);
/* Logs how many names are unknown: a note, or a warning where they are more than one in ten, as
 * with trees of another scheme. `text` names what the trees of the file `path` are of. */
void dgm_feature_counts_tell_unknown(struct dgm_env *env, const struct dgm_feature_counts *counts,
                                     const char *text, const char *path);

struct dgm_conllu_sentence;
/* What a word of a sentence has in the column of a feature, or NULL: nothing. */
const char *dgm_feature_of_word(const struct dgm_conllu_sentence *sentence, int32_t word,
                                enum dgm_feature_kind kind);

void dgm_features_clear(struct dgm_env *env, struct dgm_features *features);

#endif
