/*
 * picture.h: what the calls that draw share.
 */
#ifndef DGM_API_DRAW_PICTURE_H
#define DGM_API_DRAW_PICTURE_H

#include "api/context.h"
#include "draw/tree/tree_picture.h"

/* The columns of a text drawing that were asked for, 0 for the default; DGM_USAGE out of range. */
dgm_status dgm_picture_set_width(struct dgm_env *env, struct dgm_draw *draw, int width);

/* Hands over the SVG file around `body`. */
dgm_status dgm_picture_write_svg(struct dgm_env *env, const struct dgm_draw *draw,
                                 const struct dgm_buf *body, dgm_write_fn write, void *user);

#endif
