/*
 * heat_svg.h: a map of weights as SVG, the darker the heavier.
 */
#ifndef DGM_DRAW_HEAT_HEAT_SVG_H
#define DGM_DRAW_HEAT_HEAT_SVG_H

#include "draw/heat/heat_map.h"
#include "draw/tree/tree_picture.h"

/* Appends the map below those before it; dgm_tree_svg_file writes the whole. */
dgm_status dgm_heat_svg(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                        const struct dgm_heat_map *map);

#endif
