/*
 * tree_rows.h: a tree in characters, one word on each line.
 */
#ifndef DGM_DRAW_TREE_TREE_ROWS_H
#define DGM_DRAW_TREE_TREE_ROWS_H

#include "draw/tree/tree_picture.h"

/* Appends the sentence whose captions and arcs are in the picture: brackets on the left of the
 * words or, where the tree is too deep for style.width, the numbers of the heads. */
dgm_status dgm_tree_rows(struct dgm_env *env, const struct dgm_tree_picture *picture,
                         struct dgm_buf *out, const struct dgm_tree *tree);

#endif
