/*
 * packed.h: sentences packed one after the other: no padding anywhere.
 *
 * One side of a corpus and one side of a batch have the same form. Sentence s has the positions
 * offsets[s] .. offsets[s+1]-1, the last of which is the end-of-sentence symbol; words[] says
 * which word each position is a piece of, -1 for the end of the sentence and for marks that are no
 * words. The last words of a line that was cut have no position. Trees are kept per
 * word: heads[word_offsets[s] + w] is the head word, the word itself for a root, -1 throughout a
 * sentence without a parse; features[k][] at the same place has what the word has of a feature, a
 * number of data/tree/feature.h, -1 where there is none or none that the model knows. left[] and
 * right[] at that place are the binary constituents of the sentence (syntax/tree/binary.h), one
 * fewer than its words; -1 throughout a sentence without. weights[s] is what the sentence counts in
 * a loss (--sentence-weights). firsts[s] is the token that a translation of it begins with. Targets
 * may have links to words of their sources (--guided-alignment): link l of a sentence,
 * link_offsets[s] <= l < link_offsets[s+1], is from word links[2 l] of the source to word
 * links[2 l + 1] of the target.
 */
#ifndef DGM_DATA_PACKED_H
#define DGM_DATA_PACKED_H

#include "base/env.h"
#include "data/tree/feature.h"

struct dgm_packed {
    int32_t count;    /* S sentences */
    int32_t *ids;     /* (N) */
    int32_t *offsets; /* (S+1) */
    int32_t *words;   /* (N) */
    int32_t *heads;   /* (words in all), or NULL when the side has no trees */
    /* (words in all) each, or NULL when no sentence has any */
    int32_t *features[DGM_WORD_FEATURES];
    int32_t *left, *right; /* (words in all), or NULL when no sentence has constituents */
    int32_t *word_offsets; /* (S+1) */
    float *weights;        /* (S), positive, or NULL when all are 1 */
    int32_t *firsts;       /* (S), 0 where it may be any, or NULL when it may be for all */
    int32_t *links;        /* (2 links in all), or NULL when no sentence has any */
    int32_t *link_offsets; /* (S+1), or NULL with links */
    size_t id_capacity, offset_capacity, head_capacity, left_capacity, right_capacity;
    size_t weight_capacity, first_capacity, link_capacity, link_offset_capacity;
    size_t feature_capacity[DGM_WORD_FEATURES];
};

/* Appends one sentence of n positions (its end included) and n_words words; heads may be NULL. */
dgm_status dgm_packed_add(struct dgm_env *env, struct dgm_packed *packed, const int32_t *ids,
                          const int32_t *words, int32_t n, const int32_t *heads, int32_t n_words);
/* Gives the sentence that was added last its values of a feature (n_words); others keep theirs, or
 * have none. */
dgm_status dgm_packed_add_feature(struct dgm_env *env, struct dgm_packed *packed,
                                  enum dgm_feature_kind kind, const int32_t *values);
/* The same of its constituents: (n_words - 1) each. */
dgm_status dgm_packed_add_binary(struct dgm_env *env, struct dgm_packed *packed,
                                 const int32_t *left, const int32_t *right);
/* The same of its weight. */
dgm_status dgm_packed_add_weight(struct dgm_env *env, struct dgm_packed *packed, float weight);
/* The same of the token that its translation begins with. */
dgm_status dgm_packed_add_first(struct dgm_env *env, struct dgm_packed *packed, int32_t first);
/* Whether that of sentence s is given. */
static inline int dgm_packed_has_first(const struct dgm_packed *packed, int32_t s)
{
    return packed->firsts != NULL && packed->firsts[s] > 0;
}
/* The same of its links (2 count). */
dgm_status dgm_packed_add_links(struct dgm_env *env, struct dgm_packed *packed,
                                const int32_t *links, int32_t count);
/* Links of sentence s; 0 where the side has none. */
static inline int32_t dgm_packed_link_count(const struct dgm_packed *packed, int32_t s)
{
    return packed->links != NULL ? packed->link_offsets[s + 1] - packed->link_offsets[s] : 0;
}
/* Gives the sentence that was added last other positions. With another number of words it must have
 * neither trees nor features. */
dgm_status dgm_packed_replace_last(struct dgm_env *env, struct dgm_packed *packed,
                                   const int32_t *ids, const int32_t *words, int32_t n,
                                   int32_t n_words);
/* Appends sentence s of another packed side. */
dgm_status dgm_packed_append(struct dgm_env *env, struct dgm_packed *packed,
                             const struct dgm_packed *from, int32_t s);
/* Appends all sentences of another packed side. */
dgm_status dgm_packed_append_all(struct dgm_env *env, struct dgm_packed *packed,
                                 const struct dgm_packed *from);
/* Columns of words that a side may lack, as bits: one for heads, one for each feature, one for
 * constituents, one for links. */
enum {
    DGM_PACKED_HEADS = 1,
    DGM_PACKED_FEATURE = 2, /* of the first kind; the others follow */
    DGM_PACKED_BINARY = DGM_PACKED_FEATURE << DGM_WORD_FEATURES,
    DGM_PACKED_LINKS = DGM_PACKED_BINARY << 1 /* for which no room is made at once */
};
unsigned dgm_packed_columns(const struct dgm_packed *packed);
/* Makes room in an empty side for just so many sentences, positions and words, and makes these
 * columns. */
dgm_status dgm_packed_make_room(struct dgm_env *env, struct dgm_packed *packed, int64_t sentences,
                                int64_t positions, int64_t words, unsigned columns);
/* Gives all sentences their heads, their values of a feature at once, (words in all) in their
 * order. */
dgm_status dgm_packed_set_heads(struct dgm_env *env, struct dgm_packed *packed,
                                const int32_t *heads);
dgm_status dgm_packed_set_feature(struct dgm_env *env, struct dgm_packed *packed,
                                  enum dgm_feature_kind kind, const int32_t *values);
/* Whether a sentence has several words, but neither heads nor constituents. */
int dgm_packed_lacks_tree(const struct dgm_packed *packed, int32_t s);
/* How many of them there are; *first, unless that is NULL:
 * the first of them. */
int32_t dgm_packed_without_trees(const struct dgm_packed *packed, int32_t *first);
/* The numbers of the sentences from the longest to the shortest, equal lengths as they come (S);
 * the caller releases them. */
dgm_status dgm_packed_order(struct dgm_env *env, const struct dgm_packed *packed, int32_t **order);
/* Bytes of what it holds, without room for more. */
double dgm_packed_bytes(const struct dgm_packed *packed);
/* Forgets the sentences and keeps the memory. */
void dgm_packed_reset(struct dgm_packed *packed);
void dgm_packed_clear(struct dgm_env *env, struct dgm_packed *packed);

static inline int32_t dgm_packed_length(const struct dgm_packed *packed, int32_t s)
{
    return packed->offsets[s + 1] - packed->offsets[s];
}

/* The number of sentence s in messages, from 1. numbers: from 0; NULL: those within `packed`. */
static inline long dgm_packed_number(const int32_t *numbers, int32_t s)
{
    return (long)(numbers != NULL ? numbers[s] : s) + 1;
}

#endif
