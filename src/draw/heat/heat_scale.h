/*
 * heat_scale.h: how dark a weight is, and the scale that says so. Lengths are tenths of a pixel.
 */
#ifndef DGM_DRAW_HEAT_HEAT_SCALE_H
#define DGM_DRAW_HEAT_HEAT_SCALE_H

#include "draw/svg.h"
#include "draw/tree/tree_picture.h"

/* fill and fill-opacity of an element: 0 is the ground, 1 the darkest. */
void dgm_heat_fill(struct dgm_svg *svg, float weight);
/* fill-opacity alone. */
void dgm_heat_opacity(struct dgm_svg *svg, float weight);

/* Appends a bar from 0 to 1 with its numbers below what has been drawn. */
dgm_status dgm_heat_scale(struct dgm_env *env, struct dgm_tree_picture *picture,
                          struct dgm_buf *out);

#endif
