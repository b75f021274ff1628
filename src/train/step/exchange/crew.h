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

#include "nn/param.h"
#include "train/step/exchange/buckets.h"
#include "train/step/exchange/sent.h"
#include "train/step/exchange/slices.h"
#include "train/step/exchange/sums.h"
#include "train/step/exchange/waits.h"

/* A run of one process has none: NULL. */
struct dgm_crew {
    struct dgm_ranks *ranks;
    struct dgm_params *params;   /* on the first device */
    int64_t block;               /* slices are whole blocks of so many elements */
    struct dgm_slice own;        /* the slice of this rank */
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

/* Slices on a device are whole blocks of so many elements. */
int64_t dgm_crew_block(const struct dgm_device *device);
/* The slice of a rank, of any, of so many elements in all: all of them in a run of one process. */
struct dgm_slice dgm_crew_slice(const struct dgm_run *run, int64_t total, int rank);
/* Bytes on the host that a crew takes beside the optimizer. */
double dgm_crew_bytes(const struct dgm_run *run, int64_t total);

/* Once the parameters have memory; *crew stays NULL in a run of one process. dgm_crew_free takes
 * what is half made, or NULL. */
dgm_status dgm_crew_new(const struct dgm_run *run, struct dgm_params *params,
                        struct dgm_crew **crew);
void dgm_crew_free(struct dgm_env *env, struct dgm_crew *crew);

/* What was sent since the note before was of this kind. */
void dgm_crew_note(struct dgm_crew *crew, enum dgm_sent_kind kind);

/* All of these are collective. */

/* Batches of an update whose gradients are added up next: `count` of them, of ranks 0 .. count - 1
 * in that order. */
struct dgm_crew_round {
    int count;
    int is_first, is_last; /* of the update */
};

/* Before they are computed, where each rank has one device, whose memory is the process's: their
 * gradients, of `from`, go out while the pass of `graph` goes backward. Elsewhere, with `from`
 * NULL, they go out when dgm_crew_exchange comes. */
dgm_status dgm_crew_begin(struct dgm_crew *crew, const struct dgm_params *from,
                          struct dgm_graph *graph, const struct dgm_crew_round *round);
/* Ends the exchange of a round; `from` has this rank's gradients, or is NULL. */
dgm_status dgm_crew_exchange(struct dgm_env *env, struct dgm_crew *crew,
                             const struct dgm_params *from, const struct dgm_crew_round *round);
/* After that, what is to be added up, on the device: this rank's slice of batch k of the round. */
dgm_status dgm_crew_part(struct dgm_env *env, struct dgm_crew *crew, int k, struct dgm_ref *part);
/* With --reduce fast, after the last round: writes the sum of this rank's slice to `sum`. */
int dgm_crew_is_fast(const struct dgm_crew *crew);
dgm_status dgm_crew_take_sum(struct dgm_env *env, const struct dgm_crew *crew,
                             struct dgm_buffer *sum);

/* Where this rank's sums of squares of its blocks belong. From those of all, *squares is the sum of
 * all, in the order in which the device would add them. */
double *dgm_crew_own_squares(const struct dgm_crew *crew);
dgm_status dgm_crew_add_squares(struct dgm_env *env, struct dgm_crew *crew, double *squares);

/* Puts the update's whole gradient, of which `sum` has this rank's slice, into the parameters' own,
 * on all ranks. */
dgm_status dgm_crew_share_gradient(struct dgm_env *env, struct dgm_crew *crew,
                                   struct dgm_buffer *sum);
/* After a step: all ranks have all values. */
dgm_status dgm_crew_share_values(struct dgm_env *env, struct dgm_crew *crew);
/* All of a buffer of slices, such as a moment, on rank 0, which releases *out; NULL on others. */
dgm_status dgm_crew_collect(struct dgm_env *env, struct dgm_crew *crew, struct dgm_buffer *slice,
                            dgm_real **out);

#endif
