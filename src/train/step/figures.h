/*
 * figures.h: what a log line says of the updates before it, beside what the state counts.
 */
#ifndef DGM_TRAIN_STEP_FIGURES_H
#define DGM_TRAIN_STEP_FIGURES_H

#include "train/step/batch_costs.h"
#include "train/step/exchange/sent.h"

struct dgm_figures {
    double norm, rate;              /* of the latest update: of its gradient, of its step */
    struct dgm_beside_costs beside; /* since the last log line */
    int has_sent;                   /* a run of several ranks */
    double sent[DGM_SENT_BESIDE];   /* bytes an update by kind, since the last log line */
    const double
        *waits; /* (ranks) of its time that each has waited for others; NULL: one process */
    int ranks;
};

#endif
