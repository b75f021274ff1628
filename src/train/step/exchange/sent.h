/*
 * sent.h: what this rank of a training run has sent, by kind.
 *
 * The ranks (base/ranks/ranks.h) count all that goes out. Whoever knows what it was says so
 * afterwards (dgm_sent_note): what was sent since the note before is of that kind.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_SENT_H
#define DGM_TRAIN_STEP_EXCHANGE_SENT_H

#include "base/ranks/ranks.h"

enum dgm_sent_kind {
    DGM_SENT_GRADIENTS,
    DGM_SENT_VALUES,
    DGM_SENT_CONTROL, /* of updates: orders, costs, sums of squares */
    DGM_SENT_BESIDE,  /* between updates: for checkpoints and logs */
    DGM_SENT_KINDS
};

struct dgm_sent {
    struct dgm_traffic kinds[DGM_SENT_KINDS];
    struct dgm_traffic noted;                 /* of all that was sent */
    int64_t updates;                          /* that were made since this call began */
    struct dgm_traffic shown[DGM_SENT_KINDS]; /* when metrics were written last */
    int64_t shown_updates;
};

/* "gradients", "values", "control", "beside". */
const char *dgm_sent_name(enum dgm_sent_kind kind);

/* What was sent since the note before. */
void dgm_sent_note(struct dgm_sent *sent, const struct dgm_ranks *ranks, enum dgm_sent_kind kind);
/* After an update: the rest of it was control. */
void dgm_sent_end_update(struct dgm_sent *sent, const struct dgm_ranks *ranks);

/* Bytes by kind that an update has sent since this was called last; 0: there was none. */
int dgm_sent_since(struct dgm_sent *sent, double bytes[DGM_SENT_BESIDE]);
/* At the end of a run: a line of what this rank has sent. */
void dgm_sent_log(struct dgm_env *env, const struct dgm_sent *sent);

#endif
