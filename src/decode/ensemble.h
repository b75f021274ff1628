/*
 * ensemble.h: the models that translate or score together, each from a file of its own.
 */
#ifndef DGM_DECODE_ENSEMBLE_H
#define DGM_DECODE_ENSEMBLE_H

#include "decode/search/search.h"
#include "model/model.h"

/* Zero-initialise; cleared in any case. */
struct dgm_ensemble {
    struct dgm_model *models;                 /* (count); the first has the text pipeline */
    const struct dgm_net *nets[DGM_ENSEMBLE]; /* (count) theirs */
    int count;
    struct dgm_features features; /* borrowed: those that the models read */
};

/* Loads 1..DGM_ENSEMBLE files onto a device, each to be multiplied with as `type` says.
 * Vocabularies, and those of features that models read, must be the same in all: else DGM_MODEL. */
dgm_status dgm_ensemble_load(struct dgm_env *env, struct dgm_ensemble *ensemble,
                             const char *const *paths, size_t count, struct dgm_device *device,
                             enum dgm_compute_type type);
/* Tokens of the longest line that all models can read. */
int32_t dgm_ensemble_longest(const struct dgm_ensemble *ensemble);
void dgm_ensemble_clear(struct dgm_env *env, struct dgm_ensemble *ensemble);

#endif
