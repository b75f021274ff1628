/*
 * ensemble.h: the models that translate or score together, each from a file of its own, or loaded
 * already.
 */
#ifndef DGM_DECODE_ENSEMBLE_H
#define DGM_DECODE_ENSEMBLE_H

#include "decode/search/search.h"
#include "model/file/loaded.h"

/* Zero-initialise; cleared in any case. */
struct dgm_ensemble {
    struct dgm_model *models;                 /* (count); the first has the text pipeline */
    const struct dgm_net *nets[DGM_ENSEMBLE]; /* (count) theirs */
    const char *names[DGM_ENSEMBLE];          /* (count) borrowed: of their files */
    int count;
    int is_beside;                   /* others have loaded them */
    const struct dgm_parser *parser; /* borrowed: then, the first of theirs; NULL: none */
    struct dgm_features features;    /* borrowed: those that the models read */
};

/* Loads 1..DGM_ENSEMBLE files onto a device, each to be multiplied with as `type` says; weights of
 * another program are imported into memory.
 * The way from a line to ids, and vocabularies of features that models read, must be the same in
 * all: else DGM_MODEL. */
dgm_status dgm_ensemble_load(struct dgm_env *env, struct dgm_ensemble *ensemble,
                             const char *const *paths, size_t count, struct dgm_device *device,
                             enum dgm_compute_type type);
/* The same of models that are loaded, and stay so. */
dgm_status dgm_ensemble_share(struct dgm_env *env, struct dgm_ensemble *ensemble,
                              const struct dgm_loaded *const *loaded, size_t count,
                              struct dgm_device *device);
/* Tokens of the longest line that all models can read. */
int32_t dgm_ensemble_longest(const struct dgm_ensemble *ensemble);
/* Tokens of a line of several sentences with which the models are at home: as many as a line of the
 * text that they were trained on has in the mean, of that of them with the shortest; 0 where such
 * lines are single sentences. */
int32_t dgm_ensemble_home(const struct dgm_ensemble *ensemble);
void dgm_ensemble_clear(struct dgm_env *env, struct dgm_ensemble *ensemble);

#endif
