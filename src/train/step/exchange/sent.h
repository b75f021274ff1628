/*
 * sent.h: what this rank of a training run has sent, by kind.
 *
 * The ranks (base/ranks/ranks.h) count all that goes out. Whoever knows what it was says so
 * afterwards (dgm_sent_note): what was sent since the note before is of that kind.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_SENT_H
#define DGM_TRAIN_STEP_EXCHANGE_SENT_H

#include "base/ranks/ranks.h"

struct dgm_session;

enum dgm_sent_kind {
    DGM_SENT_GRADIENTS,
    DGM_SENT_VALUES,
    DGM_SENT_CONTROL, /* of updates: orders, costs, sums of squares */
    DGM_SENT_BESIDE,  /* between updates: for checkpoints and logs */
    DGM_SENT_KINDS
};

/* All zero in a run of one process. */
struct dgm_sent {
    struct dgm_traffic kinds[DGM_SENT_KINDS];
    struct dgm_traffic noted;                 /* of all that was sent */
    int64_t updates;                          /* that were made since this call began */
    struct dgm_traffic shown[DGM_SENT_KINDS]; /* when metrics were written last */
    int64_t shown_updates;
};

/* "gradients", "values", "control", "beside". */
const char *dgm_sent_name(enum dgm_sent_kind kind);

/* What was sent since the note before. Nothing in a run of one process. */
void dgm_sent_note(struct dgm_session *session, enum dgm_sent_kind kind);
/* Before and after an update of a run of several ranks. */
void dgm_sent_begin_update(struct dgm_session *session);
void dgm_sent_end_update(struct dgm_session *session);

/* Tells session->report what an update has sent since this was called last. */
void dgm_sent_fill(struct dgm_session *session);
/* At the end of a run of several ranks: a line of what this rank has sent. */
void dgm_sent_log(const struct dgm_session *session);

#endif
