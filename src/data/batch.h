/*
 * batch.h: sentence pairs that are trained or searched together.
 */
#ifndef DGM_DATA_BATCH_H
#define DGM_DATA_BATCH_H

#include "data/packed.h"

/* Zero-initialise, fill any number of times, clear. */
struct dgm_batch {
    struct dgm_packed source, target; /* target may be empty (translation) */
    int32_t *numbers;                 /* (S) number of the pair in its corpus */
    size_t number_capacity;
};

dgm_status dgm_batch_add(struct dgm_env *env, struct dgm_batch *batch,
                         const struct dgm_packed *source, const struct dgm_packed *target,
                         int32_t s, int32_t number);
void dgm_batch_reset(struct dgm_batch *batch);
void dgm_batch_clear(struct dgm_env *env, struct dgm_batch *batch);

#endif
