/*
 * course.h: the way of a run through its text: windows, the order of their batches, the batch that
 * is learned from.
 */
#ifndef DGM_TRAIN_COURSE_H
#define DGM_TRAIN_COURSE_H

#include "data/windows.h"

struct dgm_course {
    struct dgm_windows windows; /* of a text that is larger than memory; zeroed where it is not */
    struct dgm_order order;     /* of the batches of this epoch, or of its present window */
    struct dgm_batch batch;     /* that was packed last */
};

#endif
