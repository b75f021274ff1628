/*
 * compute_type.h: the numbers that translation and parsing multiply with: the words of
 * --compute-type.
 */
#ifndef DGM_MODEL_COMPUTE_TYPE_H
#define DGM_MODEL_COMPUTE_TYPE_H

#include "device/device.h"

struct dgm_gguf;

enum dgm_compute_type {
    DGM_COMPUTE_AUTO, /* what the file holds: int8 for q8_0, bf16 for bf16, else f32 */
    DGM_COMPUTE_F32,
    DGM_COMPUTE_INT8,
    DGM_COMPUTE_BF16,
    DGM_COMPUTE_COUNT
};

/* Of "auto", "f32", "int8", "bf16"; NULL is auto. DGM_USAGE: another word. */
dgm_status dgm_compute_type_parse(struct dgm_env *env, enum dgm_compute_type *type,
                                  const char *word);

/*
 * How the matrices of a model in this file are held on a device. One without weights in fewer bits
 * gets reals: silently for auto, DGM_UNSUPPORTED where they were asked for by name.
 */
dgm_status dgm_compute_type_choose(struct dgm_env *env, enum dgm_weights *weights,
                                   enum dgm_compute_type type, const struct dgm_gguf *file,
                                   const struct dgm_device *device);

/* The first tensor whose numbers have fewer bits than f32; NULL: there is none. */
const char *dgm_compute_type_narrow_tensor(const struct dgm_gguf *file);

/* DGM_MODEL if there is one: weights that were rounded to few bits are no start for training, whose
 * steps are far smaller. */
dgm_status dgm_compute_type_check_trainable(struct dgm_env *env, const struct dgm_gguf *file);

#endif
