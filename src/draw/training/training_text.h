/*
 * training_text.h: curves of training in characters.
 */
#ifndef DGM_DRAW_TRAINING_TRAINING_TEXT_H
#define DGM_DRAW_TRAINING_TRAINING_TEXT_H

#include "draw/training/training.h"

/* Appends a grid of characters for each panel, of at most `width` columns. */
dgm_status dgm_training_text(struct dgm_env *env, struct dgm_buf *out,
                             struct dgm_training *training, int32_t width);

#endif
