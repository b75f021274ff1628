/*
 * treebank.h: sentences as a parser reads them: numbers of words, pieces, heads, tags, labels.
 *
 * Row 0 of a sentence is the artificial root, word w stands in row w, so that the head of a word
 * is a row of its sentence, 0 for the tree's root: CoNLL-U's own count. The forms of words are
 * kept once each, with their pieces, so that a parser computes the letters of a word once for all
 * its places in a batch.
 *
 * A bank may hold sentences of several treebanks, between whose annotations the parser tells apart
 * (treebank_names.h): whoever adds sentences says of which one they are.
 */
#ifndef DGM_DATA_TREE_TREEBANK_H
#define DGM_DATA_TREE_TREEBANK_H

#include "base/hash.h"
#include "data/packed.h"
#include "data/tree/lexicon.h"

struct dgm_treebank {
    struct dgm_packed rows; /* ids: numbers of words; rows.offsets (S+1) */
    int32_t *forms;         /* (N) form of each row; 0: the root's */
    int32_t *heads;         /* (N) -1: not given, and for the root */
    int32_t *tags, *labels; /* (N) classes; -1: not given or unknown */
    size_t row_capacity;
    int32_t treebank; /* of the sentences that are added from now on: a class of the lexicon's */
    int32_t *origins; /* (S) the treebank of each sentence; NULL: the lexicon tells none apart */
    size_t origin_capacity;
    /* (N) classes, or what stands for none, of the columns that the lexicon knows; else NULL. */
    int32_t *morphs[DGM_MORPHS];
    size_t morph_capacity[DGM_MORPHS];
    struct dgm_map known;  /* form -> number; entry 0, the empty one, is the root */
    int32_t *piece_starts; /* (known.count + 1) */
    int32_t *pieces;
    int32_t *vectors; /* (known.count) row of a form's vector, or -1; NULL: the lexicon has none */
    size_t start_capacity, piece_capacity, vector_capacity;
    struct dgm_hash hash; /* of everything that was added */
};

/* One sentence to be added; all but its forms may be NULL. */
struct dgm_treebank_sentence {
    int32_t count;                           /* n words */
    const char *const *forms;                /* (n) */
    const int32_t *heads;                    /* (n) 0..n, or -1 */
    const char *const *tags, *const *labels; /* (n) names; "_" is none */
    const char *const *morphs[DGM_MORPHS];   /* (n) values of columns */
};

/* Appends a sentence of at least one word. */
dgm_status dgm_treebank_add(struct dgm_env *env, struct dgm_treebank *bank,
                            struct dgm_lexicon *lexicon,
                            const struct dgm_treebank_sentence *sentence);
/* Appends every sentence of a CoNLL-U file of at most max_words words; *left_out (may be NULL)
 * counts the others. */
dgm_status dgm_treebank_load(struct dgm_env *env, struct dgm_treebank *bank,
                             struct dgm_lexicon *lexicon, const char *path, int32_t max_words,
                             enum dgm_multi_root multi_root, long *left_out);
/* Forgets the sentences; keeps memory and forms. */
void dgm_treebank_reset(struct dgm_treebank *bank);
/* Bytes of what it holds, without room for more. */
double dgm_treebank_bytes(const struct dgm_treebank *bank);
void dgm_treebank_clear(struct dgm_env *env, struct dgm_treebank *bank);

#endif
