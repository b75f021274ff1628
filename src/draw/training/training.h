/*
 * training.h: curves of one or several runs of training: panels one above another over one axis.
 */
#ifndef DGM_DRAW_TRAINING_TRAINING_H
#define DGM_DRAW_TRAINING_TRAINING_H

#include "draw/chart/chart.h"
#include "draw/training/panel_kind.h"
#include "draw/training/run_log.h"

#define DGM_TRAINING_MOST_RUNS DGM_CHART_MOST_SERIES
#define DGM_TRAINING_MOST_PANELS 40

/* One number of the logs. Both charts have one series for each run; where a run has no such number,
 * it is empty. */
struct dgm_training_panel {
    struct dgm_panel_kind kind;
    struct dgm_chart raw;
    struct dgm_chart shown; /* smoothed, or the same as raw */
    int is_smoothed;
    double low, high; /* that the axis shows; a few spikes may lie beyond */
    long not_finite;  /* values that are none */
};

/* Zero-initialise, set what is not derived, make, draw, clear. */
struct dgm_training {
    const char *title; /* or NULL */
    enum dgm_training_axis axis;
    long smooth; /* lines of a log that the mean is over, about; below 2: not smoothed */
    struct dgm_run_log *logs; /* (runs) the caller's */
    const char *const *names; /* (runs) */
    size_t runs;
    /* derived */
    struct dgm_training_panel *panels;
    size_t panel_count, panel_capacity;
    double left, right; /* of the axis */
};

/* Adds a panel, with its points; without points in any log it is not added, and *added is 0. */
dgm_status dgm_training_add(struct dgm_env *env, struct dgm_training *training, const char *name,
                            int *added);
void dgm_training_clear(struct dgm_env *env, struct dgm_training *training);

/* The best point of a run's validations, or NULL where there is no better and worse. */
const struct dgm_chart_point *dgm_training_best(const struct dgm_training_panel *panel, size_t run);

/* Raw values outside of low..high. */
long dgm_training_beyond(const struct dgm_training_panel *panel, double low, double high);

#endif
