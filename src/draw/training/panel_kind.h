/*
 * panel_kind.h: what is known of the numbers of a log: their names for readers, and which of two is
 * the better one.
 */
#ifndef DGM_DRAW_TRAINING_PANEL_KIND_H
#define DGM_DRAW_TRAINING_PANEL_KIND_H

enum dgm_training_axis {
    DGM_AXIS_UPDATES,
    DGM_AXIS_EPOCHS,
    DGM_AXIS_WORDS,
    DGM_AXIS_SECONDS,
    DGM_TRAINING_AXES
};

extern const char *const dgm_training_axes[DGM_TRAINING_AXES];       /* as --x takes them */
extern const char *const dgm_training_axis_texts[DGM_TRAINING_AXES]; /* below the axis */

struct dgm_panel_kind {
    const char *name; /* in the log */
    const char *text; /* above the panel, with the unit */
    int better;       /* 1: the higher, -1: the lower; 0: neither, no best one is marked */
    int keeps_raw;    /* never smoothed */
    int is_schedule;  /* a curve that is set, not measured */
};

/* Of a name that is not known, its text is the name itself. */
struct dgm_panel_kind dgm_panel_kind_of(const char *name);

#endif
