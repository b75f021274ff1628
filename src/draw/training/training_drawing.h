/* training_drawing.h: curves of runs of training, from their logs. */
#ifndef DGM_DRAW_TRAINING_TRAINING_DRAWING_H
#define DGM_DRAW_TRAINING_TRAINING_DRAWING_H

#include "draw/picture.h"
#include "draw/training/training.h"

/* Zero-initialise, but for what is wanted, and the axis of the training. */
struct dgm_training_drawing {
    struct dgm_picture picture;
    const char *metrics; /* names between commas; NULL: what every training has */
    const char *title;   /* or NULL */
    int64_t smooth;      /* a mean is over so many updates; 0: a part of the longest log */
    struct dgm_training training;
    struct dgm_run_log *logs; /* (count) */
    char **paths, **names;    /* (count) of the logs */
    size_t count;
    char *metric_names; /* a copy, whose commas become NUL */
    struct dgm_buf title_text;
};

/* Draws 1..DGM_TRAINING_MOST_RUNS logs, or what stands beside them (`draw training`), and clears
 * all. */
dgm_status dgm_training_drawing_run(struct dgm_training_drawing *drawing, const char *const *runs,
                                    size_t count);

#endif
