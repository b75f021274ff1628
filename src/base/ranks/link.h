/*
 * link.h: what ranks need of whatever connects them: small, so that it is one file for each.
 */
#ifndef DGM_BASE_RANKS_LINK_H
#define DGM_BASE_RANKS_LINK_H

#include "base/ranks/ranks.h"

/* Bytes between this rank and another. Those from one rank to another arrive in their order. */
struct dgm_transfer {
    int peer, is_send;
    void *data; /* of a send, only read */
    size_t bytes;
};

enum dgm_notice_kind { DGM_NOTICE_FAILED, DGM_NOTICE_LEAVING, DGM_NOTICE_STOP, DGM_NOTICE_SAVE };

/* What a rank says out of turn. */
struct dgm_notice {
    int32_t kind, rank, status;
    char text[512];
};

struct dgm_link {
    /* Fills self, rank, count, local and locals. */
    dgm_status (*join)(struct dgm_env *env, struct dgm_ranks *ranks);
    /* Starts transfers; those of the call before have ended. */
    dgm_status (*start)(struct dgm_env *env, void *self, const struct dgm_transfer *transfers,
                        int count);
    /* Without waiting: how many of them have not ended, and the peer of one. */
    dgm_status (*test)(struct dgm_env *env, void *self, int *left, int *peer);
    /* After a failure: calls receipts off; how many may still write to their memory. */
    int (*abandon)(void *self);
    /* Without waiting; a notice that cannot be sent is lost. */
    void (*tell)(void *self, int peer, const struct dgm_notice *notice);
    int (*hear)(void *self, struct dgm_notice *notice);
    /* by_force: ends the processes of all ranks; does not return then. */
    void (*leave)(struct dgm_env *env, void *self, int by_force, int exit_code);
};

/* The link of this build, or NULL (link_mpi.c, link_none.c). */
const struct dgm_link *dgm_link_here(void);

#endif
