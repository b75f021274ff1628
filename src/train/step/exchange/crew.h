/*
 * crew.h: what the ranks of a training run send each other: gradients, values, moments.
 *
 * Every rank has the whole model, and computes some batches of an update. Of the optimizer it has
 * one slice: the sum of gradients, both moments and the step. So an update deals the gradient of
 * each batch out by slices, each rank adds its slices in the order of the batches, as one process
 * would, steps its own slice, and all share the new values. The number of ranks changes no bit.
 * With --reduce fast (sums.h) the sums are another's work, and the rest is the same.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_CREW_H
#define DGM_TRAIN_STEP_EXCHANGE_CREW_H

#include "base/ranks/ranks.h"
#include "nn/param.h"
#include "train/step/exchange/buckets.h"
#include "train/step/exchange/reduce.h"
#include "train/step/exchange/sent.h"
#include "train/step/exchange/slices.h"
#include "train/step/exchange/sums.h"
#include "train/step/exchange/waits.h"

struct dgm_replica;
struct dgm_session;

/* All zero in a run of one process. */
struct dgm_crew {
    struct dgm_span *spans;      /* (ranks) bytes of the slices */
    char *host;                  /* arrays on their way: one of all elements, such as the sum of
                                    this rank's gradients, or a slice for each rank */
    struct dgm_buffer *incoming; /* (slice) a gradient that is about to be added */
    dgm_real *wide;              /* (slice) the same, from halves; NULL: there are none */
    double *squares;             /* (blocks) sums of squares of the gradient's blocks */
    struct dgm_buckets buckets;  /* of gradients */
    struct dgm_sums sums;        /* of gradients, with --reduce fast */
    struct dgm_sent sent;        /* counted by kind */
    struct dgm_waits waits;      /* of ranks for each other */
};

/* Slices are whole blocks of so many elements. */
int64_t dgm_crew_block(const struct dgm_session *session);
/* The slice of a rank, of any. */
struct dgm_slice dgm_crew_slice(const struct dgm_session *session, int rank);

/* Once the parameters are there. */
dgm_status dgm_crew_init(struct dgm_session *session);
void dgm_crew_clear(struct dgm_session *session);
/* Bytes on the host that it takes beside the optimizer. */
double dgm_crew_bytes(const struct dgm_session *session);

/* All of these are collective. */

/* Rank 0 goes ahead: it calls this when it has done what the others are to do after it, and they
 * before that. */
dgm_status dgm_crew_follow_lead(struct dgm_session *session);
/* Batches of an update whose gradients are added up next: `count` of them, of ranks 0 .. count - 1
 * in that order. */
struct dgm_crew_round {
    int count;
    int is_first, is_last; /* of the update */
};

/* Before they are computed, where each rank has one device, whose memory is the process's: their
 * gradients go out while the backward pass goes on. Elsewhere they go out when dgm_crew_add
 * comes. */
dgm_status dgm_crew_begin(struct dgm_session *session, const struct dgm_crew_round *round);
/* Adds the gradients; `replica` has this rank's, or is NULL. With --reduce fast the sum is there
 * after the last round. */
dgm_status dgm_crew_add(struct dgm_session *session, const struct dgm_replica *replica,
                        const struct dgm_crew_round *round);
/* The sum of squares of the update's whole gradient, the same on all ranks, with the bits that the
 * device has for it. */
dgm_status dgm_crew_squares(struct dgm_session *session, double *squares);
/* Puts the update's whole gradient into the parameters' own, on all ranks. */
dgm_status dgm_crew_share_gradient(struct dgm_session *session);
/* After a step: all ranks have all values. */
dgm_status dgm_crew_share_values(struct dgm_session *session);
/* All of a moment on rank 0, which releases *out; NULL on others. */
dgm_status dgm_crew_collect(struct dgm_session *session, struct dgm_buffer *moment, dgm_real **out);

#endif
