/*
 * sentence.h: one sentence of a packed side as variants look at it: its words, its pieces, its
 * dependency tree.
 */
#ifndef DGM_NN_ATTN_SENTENCE_H
#define DGM_NN_ATTN_SENTENCE_H

#include "nn/attn/attn.h"
#include "syntax/tree/align.h"
#include "syntax/tree/tree.h"

/* How word-level depths and distances are carried to pieces. */
enum dgm_attn_subword { DGM_ATTN_INHERIT, DGM_ATTN_RIGHT_CHAIN };

struct dgm_attn_sentence {
    int32_t s;              /* its number in the batch */
    int32_t n;              /* positions, the end of the sentence last */
    int32_t row;            /* its first row */
    int32_t square;         /* first element of its n x n block */
    struct dgm_tree tree;   /* over its words; borrowed */
    struct dgm_align align; /* words and pieces; borrowed, and from the plan's scratch memory */
};

/* Whether sentence s has a usable parse: a tree over words that all have pieces. Of a line that was
 * cut to what the model reads, the tree is not used. */
int dgm_attn_has_parse(const struct dgm_packed *packed, int32_t s);

/* Rows that have a head to learn: every piece of a parsed source; of a target, which is read from
 * left to right, the last pieces of words whose head is no later than they are. */
int64_t dgm_attn_supervised(const struct dgm_packed *packed, enum dgm_side side);

/* Opens sentence s, which has a parse, and resets the plan's scratch memory. */
dgm_status dgm_attn_sentence_open(struct dgm_env *env, struct dgm_attn_plan *plan, int32_t s,
                                  struct dgm_attn_sentence *sentence);

/* Calls `each` for every sentence that has a parse; sentences without keep the terms' defaults,
 * which are those of plain attention. */
dgm_status dgm_attn_each_sentence(struct dgm_env *env, const void *state,
                                  struct dgm_attn_plan *plan,
                                  dgm_status (*each)(struct dgm_env *env, const void *state,
                                                     struct dgm_attn_plan *plan,
                                                     const struct dgm_attn_sentence *sentence));

/* rows x cols integers of the plan's scratch memory, zeros; NULL after a failure. */
int32_t *dgm_attn_scratch(struct dgm_env *env, struct dgm_attn_plan *plan, int32_t rows,
                          int32_t cols);

/* distance (n-1,n-1) between the pieces; depth (n-1) of the pieces. */
dgm_status dgm_attn_distances(struct dgm_env *env, struct dgm_attn_plan *plan,
                              const struct dgm_attn_sentence *sentence, enum dgm_attn_subword map,
                              int32_t *distance);
dgm_status dgm_attn_depths(struct dgm_env *env, struct dgm_attn_plan *plan,
                           const struct dgm_attn_sentence *sentence, enum dgm_attn_subword map,
                           int32_t *depth);

/* The value of an option `subword` = inherit|right_chain. */
enum dgm_attn_subword dgm_attn_subword_read(const struct dgm_settings *settings);

#endif
