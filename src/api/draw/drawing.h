/* drawing.h: the arguments that all calls that draw share. */
#ifndef DGM_API_DRAW_DRAWING_H
#define DGM_API_DRAW_DRAWING_H

#include "api/context.h"
#include "draw/picture.h"

/* Checks the arguments of a call. */
dgm_status dgm_drawing_begin(struct dgm_picture *picture, dgm_context *context, const char *path,
                             dgm_write_fn write, void *user);

/* `width`: columns of a text drawing, 0 for the default. DGM_USAGE out of range. */
dgm_status dgm_drawing_set_style(struct dgm_picture *picture, int width, int ascii);

#endif
