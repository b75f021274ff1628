/*
 * heat_grid.h: the maps of several layers and heads of one sentence, small and side by side, as
 * SVG.
 */
#ifndef DGM_DRAW_HEAT_HEAT_GRID_H
#define DGM_DRAW_HEAT_HEAT_GRID_H

#include "draw/heat/heat_map.h"
#include "draw/tree/tree_picture.h"

/* Appends, below what has been drawn, those of `wanted` matrices (numbers of line->matrices) that
 * are of this kind: a row for each layer, a column for each head. Nothing if there are none. */
dgm_status dgm_heat_grid(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                         struct dgm_heat_map *map, const struct dgm_heat_line *line,
                         enum dgm_heat_kind kind, const size_t *wanted, size_t count,
                         int with_pieces);

#endif
