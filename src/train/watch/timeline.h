/*
 * timeline.h: --trace: what a training run does when, of its first updates, in a file for browsers.
 *
 * Each rank notes its own events (base/trace/trace.h); when the updates are over, or the run is,
 * rank 0 gathers them and writes the file, which is whole or not there.
 */
#ifndef DGM_TRAIN_WATCH_TIMELINE_H
#define DGM_TRAIN_WATCH_TIMELINE_H

#include "base/file/writer.h"
#include "base/trace/trace.h"

struct dgm_session;

/* All zero without --trace. */
struct dgm_timeline {
    struct dgm_trace trace;
    struct dgm_writer writer; /* rank 0's */
    int64_t left;             /* updates to come */
    int is_on;
};

/* DGM_USAGE for options that do not fit. */
dgm_status dgm_timeline_check(const struct dgm_session *session);
/* Updates that it shows; 0: it is off. */
int64_t dgm_timeline_updates(const struct dgm_session *session);

/* On all ranks at the same moment. DGM_FAILURE where the file cannot be written. */
dgm_status dgm_timeline_begin(struct dgm_session *session);
/* Rank 0, after an update and all that follows it: ends the timeline with its last update. */
dgm_status dgm_timeline_count(struct dgm_session *session);
/* Rank 0, between updates: ends it, if it has not ended. */
dgm_status dgm_timeline_end(struct dgm_session *session);
/* Collective, for rank 0's order: sends it this rank's events. */
dgm_status dgm_timeline_send(struct dgm_session *session);
/* After a failure, too, where rank 0 writes its own events alone. */
void dgm_timeline_clear(struct dgm_session *session);

#endif
