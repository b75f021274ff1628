/*
 * eval_groups.h: the words of two aligned files as items: by sentence of the gold file, or by a
 * criterion, each side's words by its own tree, so that groups have precision and recall (McDonald
 * and Nivre, EMNLP-CoNLL 2007, of distances and relations).
 */
#ifndef DGM_SYNTAX_EVAL_EVAL_GROUPS_H
#define DGM_SYNTAX_EVAL_EVAL_GROUPS_H

#include "syntax/eval/eval_file.h"
#include "text/score/by/by.h"

/* items: (words of `side`). The sentence of the gold file in which a word begins. */
void dgm_eval_sentences(const struct dgm_eval *eval, const struct dgm_eval_side *side,
                        uint32_t *items);

/* Groups by their names, and places of them (by.h); shared by files. Zero-initialise. */
struct dgm_eval_groups {
    const struct dgm_by *by;
    struct dgm_map names;
    int32_t *places;
    size_t place_capacity;
};
/* The group of each word. Words of a sentence without a tree have a group of their own; criteria of
 * lines go by the words of the gold file's sentence. */
dgm_status dgm_eval_groups_fill(struct dgm_env *env, struct dgm_eval_groups *groups,
                                const struct dgm_eval *eval, const struct dgm_eval_side *side,
                                uint32_t *items);
void dgm_eval_groups_clear(struct dgm_env *env, struct dgm_eval_groups *groups);

#endif
