/*
 * run_log.h: what a run of training has logged, as series over its updates.
 *
 * A log is a file metrics.jsonl: one JSON object on each line, each with "update". Every other
 * number is a point of the series that has its name; {"metric": "bleu", "value": 41.2} is one of
 * `bleu`, and with "set": "news", the name of one of several validation texts, of `bleu:news`.
 */
#ifndef DGM_DRAW_TRAINING_RUN_LOG_H
#define DGM_DRAW_TRAINING_RUN_LOG_H

#include "draw/chart/chart.h"
#include "draw/training/panel_kind.h"

/* A series of a log: points of x = update. */
struct dgm_log_series {
    struct dgm_chart_series points;
    int is_smooth;        /* stands on the lines of the costs, one for each of --disp-freq */
    int is_metric;        /* of a validation */
    long not_finite;      /* values that are NaN or infinite; their points have y NaN */
    double first_of_them; /* update of the first of those */
};

/* How far a run had come at an update. */
struct dgm_log_place {
    double update, value;
};

/* In the order of the updates. */
struct dgm_log_places {
    struct dgm_log_place *at;
    size_t count, capacity;
};

/* Zero-initialise, read, clear. */
struct dgm_run_log {
    const char *path; /* the caller's */
    struct dgm_map names;
    struct dgm_log_series *series; /* one for each name */
    size_t series_capacity;
    struct dgm_log_places places[DGM_TRAINING_AXES]; /* none for updates */
    double last_update;
    long resumed; /* how often updates went back */
};

/*
 * Reads a log. Where updates go back, the run has been resumed: what stood behind is dropped. A
 * last line that is cut in the middle is left out with a warning. DGM_DATA for other lines that are
 * no objects with "update". An empty log is none.
 */
dgm_status dgm_run_log_read(struct dgm_env *env, struct dgm_run_log *log, const char *path);
void dgm_run_log_clear(struct dgm_env *env, struct dgm_run_log *log);

/* The series of a name, or NULL. */
const struct dgm_log_series *dgm_run_log_find(const struct dgm_run_log *log, const char *name);

/* How far a run had come at an update, in the unit of the axis; between two lines, by their
 * ratio. */
double dgm_run_log_place(const struct dgm_run_log *log, enum dgm_training_axis axis, double update);

#endif
