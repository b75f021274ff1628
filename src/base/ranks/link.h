/*
 * link.h: what ranks need of whatever connects them: small, so that it is one file for each.
 */
#ifndef DGM_BASE_RANKS_LINK_H
#define DGM_BASE_RANKS_LINK_H

#include "base/ranks/ranks.h"
#include "base/real.h"

enum dgm_notice_kind {
    DGM_NOTICE_FAILED,  /* I part, with an error of my own */
    DGM_NOTICE_LEAVING, /* I part */
    DGM_NOTICE_GONE,    /* nothing of mine is under way any more */
    DGM_NOTICE_STOP,    /* to rank 0: I was asked to stop */
    DGM_NOTICE_SAVE,    /* to rank 0: I was asked to save */
    DGM_NOTICE_ASK,     /* are you there? */
    DGM_NOTICE_HERE     /* I am */
};

/* What a rank says out of turn. */
struct dgm_notice {
    int32_t kind, rank, status;
    int32_t reason; /* of a stop */
    char text[512];
};

struct dgm_link {
    /* Fills self, rank, count, local, locals and machine. Waits `patience` seconds for the others
     * where it can, 0: without a limit. */
    dgm_status (*join)(struct dgm_env *env, struct dgm_ranks *ranks, double patience);
    /* Starts transfers, beside those under way. */
    dgm_status (*start)(struct dgm_env *env, void *self, const struct dgm_transfer *transfers,
                        int count);
    /* Starts a sum over all ranks, beside transfers: `values` (count) of every rank are added to
     * those of `root`, in the link's own order. Those of others are only read. All ranks call this
     * in the same order. No sum can be called off. */
    dgm_status (*sum)(struct dgm_env *env, void *self, dgm_real *values, size_t count, int root);
    /* Without waiting: how many have not ended, and the peer of one; -1: sums alone are left. */
    dgm_status (*test)(struct dgm_env *env, void *self, int *left, int *peer);
    /* Starts one transfer, of at most 1 GiB, beside those of `start`, and names it: *letter is what
     * `ended` is asked with until it has. Those from one rank to another arrive in their order. */
    dgm_status (*post)(struct dgm_env *env, void *self, const struct dgm_transfer *transfer,
                       int *letter);
    /* Without waiting. */
    dgm_status (*ended)(struct dgm_env *env, void *self, int letter, int *has_ended);
    /* After a failure: calls receipts off, and takes what others send in vain, so that their sends
     * end; how many transfers, sums apart, have not ended, and may still use their memory. */
    int (*abandon)(struct dgm_env *env, void *self);
    /* How many sums have not ended. */
    int (*bound)(const void *self);
    /* Without waiting: 0, a notice before it is still on its way; try again. */
    int (*tell)(void *self, int peer, const struct dgm_notice *notice);
    int (*hear)(void *self, struct dgm_notice *notice);
    /* by_force: ends the processes of all ranks; does not return then. */
    void (*leave)(struct dgm_env *env, void *self, int by_force, int exit_code);
};

/* The link of this build, or NULL (link_mpi.c, link_none.c). */
const struct dgm_link *dgm_link_here(void);

#endif
