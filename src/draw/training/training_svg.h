/*
 * training_svg.h: curves of training as an SVG file.
 */
#ifndef DGM_DRAW_TRAINING_TRAINING_SVG_H
#define DGM_DRAW_TRAINING_TRAINING_SVG_H

#include "draw/training/training.h"

/* Appends the file. There is at least one panel. */
dgm_status dgm_training_svg(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_training *training);

#endif
