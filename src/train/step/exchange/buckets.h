/*
 * buckets.h: gradients on their way to other ranks while a backward pass goes on.
 *
 * The flat array of gradients is cut into buckets. A bucket is sent as soon as no part of the pass
 * that is still to come adds to it; each rank gets what lies in its slice. Messages of a bucket
 * have its number for a channel, so that ranks whose batches have other graphs, and finish buckets
 * in another order, understand each other. What arrives lies apart by ranks until all is there: the
 * order of the sums stays that of the batches, and buckets change no bit.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_BUCKETS_H
#define DGM_TRAIN_STEP_EXCHANGE_BUCKETS_H

#include "base/ranks/ranks.h"
#include "graph/graph.h"
#include "nn/param.h"
#include "train/run.h"

struct dgm_buckets {
    struct dgm_env *env;
    struct dgm_ranks *ranks;
    const struct dgm_span *slices; /* (ranks) in bytes of the array of reals */
    struct dgm_buffer *grads;      /* the array, as passes name it */
    size_t size;                   /* bytes of an element as it is sent */
    size_t bytes, total;           /* of a bucket, the last may be shorter; of all */
    int count;
    int *expected;           /* (count) leaves that are not final yet */
    char *is_sent;           /* (count) */
    const char *gradient;    /* that is sent: total bytes; NULL: this rank has none */
    uint16_t *halves;        /* (elements) the same, rounded; NULL: it is not */
    int is_open;             /* receipts of this round are under way, or sums are about to begin */
    int leaves;              /* of the graph that are not final yet */
    int has_begun;           /* the pass has */
    struct dgm_graph *graph; /* whose pass is watched; NULL: none */
    struct dgm_grad_watch watch;
    dgm_status (*go_on)(void *user); /* what is done when buckets are complete; NULL: each is sent
                                        by itself */
    void *user;
    uint64_t early, sent; /* bytes that began to be sent while more of a pass was to come; all */
};

/* What bucket b and the slice of a rank have in common, in bytes of the array of reals. */
struct dgm_span dgm_buckets_common(const struct dgm_buckets *buckets, int b, int rank);
/* How large buckets are of a gradient of so many bytes, by --bucket. */
size_t dgm_buckets_bytes(const struct dgm_settings *settings, size_t total);
/* Of the gradients of `params`. Elements are sent as they are, or as halves (halves.h). */
dgm_status dgm_buckets_init(const struct dgm_run *run, struct dgm_buckets *buckets,
                            const struct dgm_params *params, const struct dgm_span *slices);
void dgm_buckets_clear(struct dgm_env *env, struct dgm_buckets *buckets);

/* Begins a round, collective: this rank will get its slice of the arrays of ranks 0 .. from - 1, in
 * `parts` (from, slice). */
dgm_status dgm_buckets_open(struct dgm_buckets *buckets, int from, char *parts);
/* The same for sums of the link (sums.h), to which buckets go by `go_on`. */
void dgm_buckets_open_sums(struct dgm_buckets *buckets, dgm_status (*go_on)(void *user),
                           void *user);
/* The array of this rank, which it will send, and the graph whose pass computes it, in the memory
 * of the process. */
void dgm_buckets_watch(struct dgm_buckets *buckets, const void *gradient, struct dgm_graph *graph);
void dgm_buckets_unwatch(struct dgm_buckets *buckets);
/* All buckets are complete, and the round is about to end. */
void dgm_buckets_close(struct dgm_buckets *buckets);
/* After that: sends what was not sent, and waits for all. */
dgm_status dgm_buckets_finish(struct dgm_buckets *buckets);

#endif
