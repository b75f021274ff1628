/*
 * sums.h: gradients that the link's library adds up (--reduce fast).
 *
 * A rank adds up its batches of an update on the host, in their order. While its last backward pass
 * goes on, buckets that are complete are handed to the library, which adds up those of all ranks:
 * what lies in a slice for the rank of that slice, which makes the step for it. So all ranks have
 * the same values after an update, whatever the library does. All must begin its sums in one order:
 * from the last bucket to the first, which is that of a backward pass.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_SUMS_H
#define DGM_TRAIN_STEP_EXCHANGE_SUMS_H

#include "train/step/exchange/buckets.h"

/* All zero where the sums are made in order. */
struct dgm_sums {
    struct dgm_buckets *buckets; /* NULL: the run has no --reduce fast */
    char *host;                  /* (buckets->total) bytes of the sum of this rank's batches */
    int has_any;                 /* it has gradients of this update */
    int next;                    /* the bucket that is added up next; -1: none */
    char *tokens; /* (ranks) one byte from each that has begun all sums: a rank that hangs is known
                     by it */
};

dgm_status dgm_sums_init(struct dgm_env *env, struct dgm_sums *sums, struct dgm_buckets *buckets,
                         char *host);
void dgm_sums_clear(struct dgm_env *env, struct dgm_sums *sums);

/* Before the first batch of an update. */
void dgm_sums_begin(struct dgm_sums *sums);
/* Adds the gradient of a batch that is not this rank's last of the update. */
void dgm_sums_add(struct dgm_sums *sums, const void *gradient);
/* Collective, once an update, before the last batches: those of buckets.h that are complete go out
 * from then on. */
void dgm_sums_open(struct dgm_sums *sums);
/* Those of all that are left. */
dgm_status dgm_sums_finish(struct dgm_sums *sums);
/* Waits until all ranks have come so far. */
dgm_status dgm_sums_meet(struct dgm_sums *sums);

#endif
