/*
 * dealer.h: a stream of pieces of work that rank 0 reads, all ranks work on, and rank 0 writes the
 * answers of, in the order of the pieces.
 *
 * Each other rank has a few pieces at a time, one that it works on and one that waits there; when
 * all have, rank 0 works on one itself. It looks after the others whenever its environment is
 * polled, also in the middle of that. A rank that is slow holds the others up once their answers
 * fill a window of pieces, which bounds the memory.
 */
#ifndef DGM_BASE_RANKS_DEALER_H
#define DGM_BASE_RANKS_DEALER_H

#include "base/buf.h"
#include "base/ranks/ranks.h"

enum dgm_supply {
    DGM_SUPPLY_PIECE, /* here is one */
    DGM_SUPPLY_LATER, /* none yet: reading would have to wait */
    DGM_SUPPLY_END    /* nor will there be another */
};

struct dgm_dealing {
    /* Rank 0: puts the next piece into a buffer, which is empty. */
    dgm_status (*read)(struct dgm_env *env, void *user, struct dgm_buf *piece,
                       enum dgm_supply *supply);
    /* Rank 0: the answer to the next piece. May be called while rank 0 is in `work`, as `read`. */
    dgm_status (*write)(struct dgm_env *env, void *user, const struct dgm_buf *answer);
    /* Any rank: what becomes of a piece goes into a buffer, which is empty. A rank meets its pieces
     * in their order. */
    dgm_status (*work)(struct dgm_env *env, void *user, const struct dgm_buf *piece,
                       struct dgm_buf *answer);
    void *user;
};

/*
 * Collective. Fails where a rank fails, with its status; on rank 0, DGM_INTERRUPTED where any rank
 * was asked to stop. What was written by then are the answers to the first pieces. The
 * ranks have settled then.
 */
dgm_status dgm_deal(struct dgm_env *env, struct dgm_ranks *ranks,
                    const struct dgm_dealing *dealing);

#endif
