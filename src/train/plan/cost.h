/*
 * cost.h: how long an update takes on several ranks, from what they send each other and how long
 * one process computes.
 *
 * What they send is counted exactly, message by message (train/step/exchange/crew.c). How long that
 * takes follows the usual model of alpha and beta (Hockney 1994), with a rank's work for each
 * message as in LogP (Culler et al. 1993): an exchange takes
 *
 *     hops latency + messages message + bytes / rate
 *
 * with `bytes` those of the rank that sends most. A message that MPI does not send before it is
 * asked for (DGM_COST_EAGER) takes three hops: a question, an answer, the data. Sums of the link
 * (--reduce fast) are supposed to go up a tree of ranks, log2 of them high, in which each sends
 * every sum but its own once; MPI's own ways may be others.
 */
#ifndef DGM_TRAIN_PLAN_COST_H
#define DGM_TRAIN_PLAN_COST_H

#include <stdint.h>

#include "train/plan/link_speed.h"
#include "train/step/exchange/sent.h"

#define DGM_COST_EAGER 65536

struct dgm_cost_job {
    uint64_t bucket;      /* bytes of a bucket of gradients (train/step/exchange/buckets.h) */
    int64_t total, block; /* elements of the model; of a block (train/step/exchange/slices.h) */
    int real_bytes;       /* of an element */
    int is_half;          /* of gradients two bytes are sent (train/step/exchange/halves.h) */
    int is_fast; /* the link adds gradients up, once an update (train/step/exchange/sums.h) */
    int has_block_sums; /* the norm is added from sums of blocks; 0: from the whole gradient */
    int ranks;
    int64_t accumulate;   /* batches of an update */
    double batch_seconds; /* that one process computes for each */
    double early;         /* the share of a gradient that leaves before its batch is over */
    double behind;        /* and the share of a batch's time behind which it travels */
};

/* What a rank sends in an update, by kind, those before DGM_SENT_BESIDE. */
void dgm_cost_sent(const struct dgm_cost_job *job, int rank,
                   struct dgm_traffic sent[DGM_SENT_BESIDE]);

/* Seconds of an update. */
struct dgm_cost {
    double compute;   /* of the rank with most batches */
    double gradients; /* they are under way */
    double hidden;    /* of that, while ranks compute */
    double values;
    double control;
    double update;     /* all of it: compute + gradients - hidden + values + control */
    double efficiency; /* one process's time / (ranks update) */
};

struct dgm_cost dgm_cost_of(const struct dgm_cost_job *job, const struct dgm_link_speed *link);

/* The least multiple of the ranks, up to `most`, that has this efficiency as `accumulate`; 0: there
 * is none. */
int64_t dgm_cost_accumulate(const struct dgm_cost_job *job, const struct dgm_link_speed *link,
                            double efficiency, int64_t most);
/* How many times as long batches must take, for the same job to have this efficiency; 0: a million
 * times does not do. */
double dgm_cost_stretch(const struct dgm_cost_job *job, const struct dgm_link_speed *link,
                        double efficiency);

#endif
