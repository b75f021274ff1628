/*
 * ranks.h: several processes, on one machine or many, that do one piece of work together.
 *
 * A launcher (mpirun, srun) starts `count` processes; each is a rank, numbered from 0. What they
 * hand each other goes through a link (link.h); programs that were built without one always work
 * alone, and then there is no struct dgm_ranks: NULL means one process.
 *
 * Calls of this header that move data are collective, but for those of two ranks: all ranks make
 * the same calls in the same order. They end when this rank's part is done. A rank that fails tells
 * the others (dgm_ranks_settle), whose calls then end, too; a rank that does not answer within
 * `patience` seconds is named.
 */
#ifndef DGM_BASE_RANKS_RANKS_H
#define DGM_BASE_RANKS_RANKS_H

#include <stdint.h>

#include "base/env.h"
#include "base/flag.h"
#include "base/real.h"
#include "base/system/cpu.h"

struct dgm_link;

enum { DGM_HOST_SIZE = 64 };

/* Bytes of data that were handed to the link, and in how many messages; what the link itself adds
 * is not known. */
struct dgm_traffic {
    uint64_t bytes, messages;
};

/* What all ranks know of each. */
struct dgm_place {
    char host[DGM_HOST_SIZE]; /* the name of its machine */
    int32_t machine;          /* the lowest rank of that machine */
    struct dgm_cpu_set cpus;  /* that it may use */
};

/* How far another rank is in parting (dgm_ranks_settle), and whether it is there at all. */
struct dgm_farewell {
    int has_parted;        /* it will take no more part in calls */
    int is_gone;           /* nothing of it is under way */
    int is_same;           /* it parted with the message that this rank has */
    int told, to_tell;     /* notices that it has had from this rank, and that it should have */
    int to_ask, to_answer; /* a notice is to be told; */
    int is_here;           /* it has answered the latest question */
};

struct dgm_ranks {
    const struct dgm_link *link;
    void *self; /* the link's own */
    int rank, count;
    int local, locals;        /* number among the ranks of this machine; how many those are */
    int machine;              /* the lowest rank of this machine */
    struct dgm_place *places; /* (count) */
    double patience;         /* seconds that a call waits for other ranks; 0: as long as it takes */
    double grace;            /* seconds in which all must hear that one has failed; 0: 10 */
    const dgm_flag *stop;    /* what asks this rank to stop: rank 0 is told; may be NULL */
    const dgm_flag *reason;  /* a number of the caller's for it, such as a signal's; may be NULL */
    dgm_flag *save;          /* the same, to save; set back when rank 0 is told */
    struct dgm_traffic sent; /* by this rank since it joined, without notices */
    int stop_told;
    int stop_asked, save_asked; /* rank 0: another rank was asked */
    int stop_reason;            /* that another rank was given, or 0 */
    int failed;                 /* a rank whose failure was heard of, or -1 */
    dgm_status failure;         /* and what it was */
    char failure_text[512];
    int is_stuck;  /* a rank does not answer: what is left of the job must be ended by force */
    int is_unsafe; /* transfers or sums are under way, though the call has failed: their memory
                      must stay */
    int is_told;   /* the error of this rank is another rank's to tell */
    int has_ended; /* by a failure or a stop: ranks may not be at the same place any more */
    struct dgm_farewell *farewells; /* (count) */
    double *waited;                 /* (count) seconds that calls have waited for each rank, */
    int is_timed;                   /* while this is set */
    int is_posted;                  /* transfers are under way, which began at */
    double posted_at;               /* this time of env->trace, */
    uint64_t posted_bytes;          /* when so much had been sent */
};

/*
 * Joins the other ranks, for which it waits `patience` seconds, or without a limit with 0. *out
 * NULL: this process is alone. DGM_UNSUPPORTED where a launcher has started several and this build
 * has no link. The caller leaves, also after a failure.
 */
dgm_status dgm_ranks_join(struct dgm_env *env, double patience, struct dgm_ranks **out);
/* The same by this link, of `launched` ranks. */
dgm_status dgm_ranks_join_by(struct dgm_env *env, const struct dgm_link *link, int launched,
                             double patience, struct dgm_ranks **out);
void dgm_ranks_leave(struct dgm_env *env, struct dgm_ranks *ranks, int exit_code);

/* Processors for this rank: those that it may use, shared with the ranks of its machine that may
 * use some of them, too. At least 1. */
int dgm_ranks_cpus(const struct dgm_ranks *ranks);

/* ---- calls of two ranks ---------------------------------------------------------------------- */

/* Bytes between this rank and another. Those of one channel from one rank to another arrive in
 * their order; what is sent on a channel is received on it, in as many pieces of the same sizes. */
struct dgm_transfer {
    int peer, is_send;
    int channel; /* 0..DGM_CHANNELS - 1 */
    void *data;  /* of a send, only read */
    size_t bytes;
};

enum { DGM_CHANNELS = 16384 };

/* Starts transfers; more may be under way. Their memory must stay until dgm_ranks_wait. */
dgm_status dgm_ranks_post(struct dgm_env *env, struct dgm_ranks *ranks,
                          const struct dgm_transfer *list, int count);
/*
 * Starts a sum, beside transfers, in whatever order the link has for it: afterwards `values`
 * (count) of rank `root` are the sums of those of all ranks. All ranks call this in the same order.
 * The memory must stay until dgm_ranks_wait. A sum cannot be called off: where a call fails while
 * one is under way, is_unsafe is set, and the processes of all ranks end by force. It counts as
 * sent once, by all but the root; what the link sends is its own affair.
 */
dgm_status dgm_ranks_sum(struct dgm_env *env, struct dgm_ranks *ranks, dgm_real *values,
                         size_t count, int root);
/* Between: lets them go on, without waiting. */
dgm_status dgm_ranks_poke(struct dgm_env *env, struct dgm_ranks *ranks);
/* Waits until all have ended; `patience` as that of the ranks. After a failure none of them touches
 * its memory any more, unless is_unsafe. */
dgm_status dgm_ranks_wait(struct dgm_env *env, struct dgm_ranks *ranks, double patience);

/* ---- calls of all ---------------------------------------------------------------------------- */

/* Bytes first .. first + count - 1 of an array. */
struct dgm_span {
    size_t first, count;
};

/* Every rank gets all records, (count) of `bytes` each; its own is records[rank] already. */
dgm_status dgm_ranks_gather(struct dgm_env *env, struct dgm_ranks *ranks, void *records,
                            size_t bytes);
/* Rank 0's bytes go to all. `patience`: as that of the ranks, for this call alone. */
dgm_status dgm_ranks_broadcast(struct dgm_env *env, struct dgm_ranks *ranks, void *data,
                               size_t bytes, double patience);
/* Each rank s has span s of an array: afterwards all have all of it. */
dgm_status dgm_ranks_share(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                           const struct dgm_span *spans);
/* The same, but rank 0 alone has it; `array` of others: their own span stands in its place. */
dgm_status dgm_ranks_collect(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                             const struct dgm_span *spans);

/* Hears what other ranks say, and tells rank 0 what this one was asked to do, without waiting.
 * Fails if a rank has failed. Calls that wait do the same. */
dgm_status dgm_ranks_listen(struct dgm_env *env, struct dgm_ranks *ranks);
/* Asks all others whether they are there, who answer when they listen. */
void dgm_ranks_ask(struct dgm_ranks *ranks);
/* The first that has not answered; -1: all have. */
int dgm_ranks_silent(const struct dgm_ranks *ranks);
/*
 * After the work, with its status, and before memory is released that transfers may use: where that
 * is a failure, tells the other ranks, hears their failures, and takes what is on its way, for some
 * seconds. Sets is_told, unless this is the lowest rank with this error, and puts rank and machine
 * before a message that not all ranks have. is_unsafe: the memory must not be released, and the
 * process ends with dgm_ranks_leave. A second call does nothing.
 */
void dgm_ranks_settle(struct dgm_env *env, struct dgm_ranks *ranks, dgm_status status);

#endif
