/*
 * waits.h: how long ranks wait for each other within updates, and which of them is slow.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_WAITS_H
#define DGM_TRAIN_STEP_EXCHANGE_WAITS_H

#include "train/run.h"

struct dgm_buckets;

struct dgm_waits {
    double spent;       /* seconds of updates since the last report */
    double began;       /* the update under way */
    double *rows;       /* rank 0: (ranks, DGM_WAITS_HEAD + ranks), what each has sent */
    double *shares;     /* rank 0: (ranks) of its time that each has waited */
    char *told;         /* rank 0: (ranks) that it is slow */
    double early, sent; /* rank 0: bytes of gradients of all ranks (buckets.h) */
};

/* A row: seconds of updates, bytes of gradients sent early and in all; then seconds by rank. */
enum { DGM_WAITS_SPENT, DGM_WAITS_EARLY, DGM_WAITS_SENT, DGM_WAITS_HEAD };

dgm_status dgm_waits_init(struct dgm_env *env, struct dgm_waits *waits, int ranks);
void dgm_waits_clear(struct dgm_env *env, struct dgm_waits *waits);

/* Around an update. */
void dgm_waits_begin(struct dgm_waits *waits, struct dgm_ranks *ranks);
void dgm_waits_end(struct dgm_waits *waits, struct dgm_ranks *ranks);

/* Collective, for an order of rank 0, which then knows all shares and names a rank that is slow,
 * once; counting begins again, also that of `buckets`. */
dgm_status dgm_waits_collect(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_waits *waits,
                             struct dgm_buckets *buckets);

/* From rows of `ranks` ranks the share of its time that each has waited; the rank that is slow, or
 * -1: the one that others wait for most, and more than a tenth of their time in the mean, *blame,
 * while it waits for others at most half as much. */
int dgm_waits_judge(const double *rows, int ranks, double *shares, double *blame);

/* At the end of a run: a note of how much was sent early. */
void dgm_waits_log(const struct dgm_run *run, const struct dgm_waits *waits);

#endif
