/*
 * align.h: how words are cut into subword pieces, and how a word-level tree is carried
 * to them.
 *
 * The published models differ here, so every map is on offer and each variant chooses:
 *
 *     right_chain   heads; pieces of a word form a chain to its last piece   (DBSA)
 *     inherit       every piece copies its word's depth and distances     (Omote, Deps-SAN)
 *     mean_pos      parent position: the mean index of the head word      (PASCAL)
 *     first_piece   head: the first piece of the head word                (LISA)
 *     expand        matrix entries of the words, for every pair of pieces (SGSA)
 *     copy_tag      every piece gets the word's label                     (Sennrich & Haddow)
 *
 * The end-of-sentence token is not part of these maps: its rule belongs to each
 * variant.
 */
#ifndef DGM_SYNTAX_TREE_ALIGN_H
#define DGM_SYNTAX_TREE_ALIGN_H

#include "base/env.h"
#include "syntax/tree/tree.h"

struct dgm_align {
    int32_t words, pieces;
    int32_t *first; /* (words + 1) first piece of each word; first[words] == pieces */
    int32_t *word;  /* (pieces) the word of each piece */
};

/* counts: (words) pieces of each word, at least 1 (else DGM_DATA). Free with
 * dgm_align_clear. */
dgm_status dgm_align_init(struct dgm_env *env, struct dgm_align *align, const int32_t *counts,
                          int32_t words);
void dgm_align_clear(struct dgm_env *env, struct dgm_align *align);

/* ---- maps: the tree must be valid and have as many words as the alignment --------- */

/* head: (pieces). Word tree roots become piece tree roots, one each. Without a parse:
 * all -1. */
void dgm_align_right_chain(int32_t *head, const struct dgm_align *align,
                           const struct dgm_tree *tree);

/* position: (pieces), a multiple of 1/2; roots point at their own mean. No parse: all
 * -1. */
void dgm_align_mean_pos(float *position, const struct dgm_align *align,
                        const struct dgm_tree *tree);

/* head: (pieces). Every piece of a root word points at that word's first piece. No
 * parse: -1. */
void dgm_align_first_piece(int32_t *head, const struct dgm_align *align,
                           const struct dgm_tree *tree);

/* `inherit` of depths and `copy_tag`: (words) values to (pieces) values. */
void dgm_align_copy(int32_t *piece_values, const struct dgm_align *align,
                    const int32_t *word_values);

/* `inherit` of distances and `expand`: (words,words) to (pieces,pieces), both
 * row-major. */
void dgm_align_expand(int32_t *piece_matrix, const struct dgm_align *align,
                      const int32_t *word_matrix);

#endif
