/*
 * run.h: what is the same for the whole of a training run, and how far it has come.
 *
 * Everything but `state` is written once, before the run begins, and only read from then on. Who
 * counts takes the run as it is; who looks takes it as const.
 */
#ifndef DGM_TRAIN_RUN_H
#define DGM_TRAIN_RUN_H

#include "base/flag.h"
#include "base/option/settings.h"
#include "data/order.h"
#include "device/choice.h"
#include "train/state.h"

struct dgm_ranks;

/* Intervals and stop rules: a number with a unit (base/option/option.h). */
struct dgm_length {
    double value;
    char unit;
};

/* What the settings say about the loop. */
struct dgm_run_options {
    struct dgm_length after, display, save, validate;
    struct dgm_order_options order; /* how an epoch is cut into batches */
    int fits_memory;                /* --batch-tokens auto: its tokens are chosen, or those that
                                       were (train/plan/batch_size.h) */
    uint32_t seed;
    int64_t accumulate;  /* batches of an update */
    int64_t patience;    /* validations without a new best; 0: for ever */
    int by_sentence;     /* the cost is a mean over sentences, not over labels */
    size_t keep;         /* regular checkpoints in rotation */
    const char *decides; /* the metric that decides the best: the first of --valid-metrics */
};

struct dgm_run {
    struct dgm_env *env;
    const struct dgm_devices *devices;
    struct dgm_device *device; /* the first of them: validation, parsers, updates */
    const struct dgm_settings *settings;
    struct dgm_ranks *ranks; /* that train together, or NULL */
    const dgm_flag *stop;    /* set: the run is to end; NULL: nobody asks for it */
    struct dgm_run_options options;
    struct dgm_train_state state;
};

/* How many ranks the run has, and which this is; 1 and 0 in a run of one process. */
int dgm_run_count(const struct dgm_run *run);
int dgm_run_rank(const struct dgm_run *run);

/* Reads `options` from `settings`. DGM_USAGE for units that an interval cannot have. */
dgm_status dgm_run_read(struct dgm_run *run);

#endif
