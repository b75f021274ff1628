/*
 * picture.h: what the two calls that draw share: their arguments, the form of the picture, and how
 * it gets to the caller.
 */
#ifndef DGM_API_DRAW_PICTURE_H
#define DGM_API_DRAW_PICTURE_H

#include "api/context.h"
#include "draw/tree/tree_picture.h"

/* Zero-initialise it; it is cleared in any case. */
struct dgm_picture {
    struct dgm_context *context;
    struct dgm_env *env; /* the context's */
    struct dgm_tree_picture draw;
    int is_svg;
    struct dgm_buf out; /* of a text drawing, what is not handed over yet; of SVG, all */
    dgm_write_fn write;
    void *user;
};

/* Checks the arguments of a call. */
dgm_status dgm_picture_begin(struct dgm_picture *picture, dgm_context *context, const char *path,
                             dgm_write_fn write, void *user);

/* `width`: columns of a text drawing, 0 for the default. DGM_USAGE out of range. */
dgm_status dgm_picture_set_style(struct dgm_picture *picture, int width, int ascii);

/* DGM_INTERRUPTED once the caller has asked to stop. */
dgm_status dgm_picture_poll(struct dgm_picture *picture);

/* Hands over the text drawn so far, and empties it. An SVG drawing is handed over at the end. */
dgm_status dgm_picture_flush(struct dgm_picture *picture);

/* Hands over the SVG file, if it is one and `status` is good; returns the first failure. */
dgm_status dgm_picture_end(struct dgm_picture *picture, dgm_status status);

#endif
