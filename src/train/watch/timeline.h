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
#include "train/run.h"

/* All zero without --trace. */
struct dgm_timeline {
    struct dgm_trace trace;
    struct dgm_writer writer; /* rank 0's */
    int64_t left;             /* updates to come */
    int is_on;
};

/* Updates that it shows; 0: it is off. */
int64_t dgm_timeline_updates(const struct dgm_settings *settings);

/* DGM_USAGE where rank 0 would replace a file that is no timeline. */
dgm_status dgm_timeline_check(const struct dgm_run *run);
/* On all ranks at the same moment. DGM_FAILURE where the file cannot be written. */
dgm_status dgm_timeline_begin(const struct dgm_run *run, struct dgm_timeline *line);
/* After an update and all that follows it: whether that was the last one that it shows. */
int dgm_timeline_is_over(struct dgm_timeline *line);
/* Ends it, if it has not ended. Collective: rank 0 gets the events of all, and writes them. */
dgm_status dgm_timeline_end(const struct dgm_run *run, struct dgm_timeline *line);
/* After a failure, too, where rank 0 writes its own events alone. */
void dgm_timeline_clear(const struct dgm_run *run, struct dgm_timeline *line);

#endif
