/*
 * heat_text.h: a map of weights in characters.
 */
#ifndef DGM_DRAW_HEAT_HEAT_TEXT_H
#define DGM_DRAW_HEAT_HEAT_TEXT_H

#include "draw/heat/heat_map.h"
#include "draw/tree/tree_picture.h"

/* Appends lines of at most style.width columns: the tree, the words and a line for
 * each row; where that is too wide, the heaviest columns of each row as a list. */
dgm_status dgm_heat_text(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                         const struct dgm_heat_map *map);

#endif
