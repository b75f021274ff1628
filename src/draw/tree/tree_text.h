/*
 * tree_text.h: a tree in characters.
 */
#ifndef DGM_DRAW_TREE_TREE_TEXT_H
#define DGM_DRAW_TREE_TREE_TEXT_H

#include "draw/tree/tree_picture.h"

/*
 * Appends sentence `number` (from 1) as lines of at most style.width columns: arcs over a
 * line of words where that is wide enough, else one word on each line with arcs as brackets on
 * their left, else, for trees too deep even for that, a list with the numbers of the heads.
 * Arcs that `other` (may be NULL) has not are marked with a `*`.
 */
dgm_status dgm_tree_text(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                         const struct dgm_conllu_sentence *sentence,
                         const struct dgm_conllu_sentence *other, long number);

/* The lines of arcs that have been placed, with their feet; nothing without arcs. */
dgm_status dgm_tree_text_arcs(struct dgm_env *env, const struct dgm_tree_picture *picture,
                              struct dgm_buf *out);

#endif
