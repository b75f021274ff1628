/*
 * shared.h: the models of a translator or a rescorer: of files of its own, or shared with others.
 */
#ifndef DGM_API_TRANSLATE_SHARED_H
#define DGM_API_TRANSLATE_SHARED_H

#include "api/context.h"
#include "decode/ensemble.h"

/* What the options of a handle say of its models. */
struct dgm_model_choice {
    const char *options; /* their name: "dgm_translator_options" */
    const char *const *models;
    size_t model_count;
    dgm_model *const *shared;
    size_t shared_count;
    const char *compute_type;
};

/* The shared models that a handle uses. Zero-initialise. */
struct dgm_shared_use {
    dgm_model *models[DGM_ENSEMBLE]; /* (count) */
    size_t count;
};

/* DGM_USAGE unless either files or loaded models are named; *type: what the files' are multiplied
 * as. */
dgm_status dgm_model_choice_check(struct dgm_env *env, const struct dgm_model_choice *choice,
                                  enum dgm_compute_type *type);
/*
 * Fills an ensemble with the models, on the handle's device; DGM_USAGE for one that was loaded for
 * another instruction set. `use` is left in any case, after the ensemble is cleared.
 */
dgm_status dgm_model_choice_open(struct dgm_env *env, struct dgm_ensemble *ensemble,
                                 struct dgm_shared_use *use, const struct dgm_model_choice *choice,
                                 struct dgm_device *device, enum dgm_compute_type type);
void dgm_shared_leave(struct dgm_shared_use *use);

#endif
