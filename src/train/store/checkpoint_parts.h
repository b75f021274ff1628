/*
 * checkpoint_parts.h: what the file of a checkpoint has beside the model.
 */
#ifndef DGM_TRAIN_STORE_CHECKPOINT_PARTS_H
#define DGM_TRAIN_STORE_CHECKPOINT_PARTS_H

#include "train/step/optimizer.h"
#include "train/state.h"

struct dgm_gguf;
struct dgm_gguf_writer;

#define DGM_CHECKPOINT_SETTINGS "dragoman.state.settings"
#define DGM_CHECKPOINT_TEXTS "dragoman.state.texts"

struct dgm_checkpoint_parts {
    const struct dgm_optimizer *optimizer;
    const struct dgm_train_state *state;
    const char *settings;       /* the training options as text, compared on resume */
    const char *texts;          /* the same of several texts (train/trainee.h); "": there is one */
    const dgm_real *moments[2]; /* of all elements; NULL: those of the optimizer are */
    struct dgm_buffer *values;  /* that the training goes on from, where those of the model are
                                   their mean (train/step/ema.h); else NULL */
};

/* Adds all but the state to a writer that has the rest already, and writes the file. */
dgm_status dgm_checkpoint_parts_write(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                      const struct dgm_checkpoint_parts *parts, const char *path);

/* From a file: Adam's moments, or Adadelta's means, of the elements that the optimizer steps; and
 * the values that the training goes on from, in the place of their mean. */
dgm_status dgm_checkpoint_parts_moments(struct dgm_env *env, const struct dgm_gguf *file,
                                        struct dgm_optimizer *optimizer);
dgm_status dgm_checkpoint_parts_values(struct dgm_env *env, const struct dgm_gguf *file,
                                       const struct dgm_params *params);

#endif
