/*
 * picture.h: what drawings of files share: the form of the picture, and how it gets to the caller.
 */
#ifndef DGM_DRAW_PICTURE_H
#define DGM_DRAW_PICTURE_H

#include "base/buf.h"
#include "draw/tree/tree_picture.h"

/* Zero-initialise it; it is cleared in any case. */
struct dgm_picture {
    struct dgm_env *env;
    struct dgm_tree_picture draw;
    int is_svg;
    struct dgm_buf out; /* of a text drawing, what is not handed over yet; of SVG, all */
    dgm_write_fn write;
    void *user;
};

/* DGM_INTERRUPTED once the caller has asked to stop. */
dgm_status dgm_picture_poll(struct dgm_picture *picture);

/* Hands over the text drawn so far, and empties it. An SVG drawing is handed over at the end. */
dgm_status dgm_picture_flush(struct dgm_picture *picture);

/* Hands over the SVG file, if it is one and `status` is good; returns the first failure. */
dgm_status dgm_picture_end(struct dgm_picture *picture, dgm_status status);

#endif
