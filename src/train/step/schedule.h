/*
 * schedule.h: the learning rate as a function of the update (specification 1.9).
 */
#ifndef DGM_TRAIN_STEP_SCHEDULE_H
#define DGM_TRAIN_STEP_SCHEDULE_H

#include "base/option/settings.h"

enum dgm_schedule_kind { DGM_SCHEDULE_CONSTANT, DGM_SCHEDULE_NOAM, DGM_SCHEDULE_INVERSE_SQRT };

struct dgm_schedule {
    enum dgm_schedule_kind kind;
    double rate;    /* peak; for noam a factor, 1 being the paper's */
    double warmup;  /* updates */
    double initial; /* inverse-sqrt: rate before the first update */
    double dim;     /* noam: width of the model */
};

void dgm_schedule_read(const struct dgm_settings *settings, struct dgm_schedule *schedule);

/*
 * The rate of the update that follows `completed` updates. Noam counts updates from 1,
 * inverse-sqrt counts completed updates from 0, as the two sources do (readings A12).
 */
double dgm_schedule_rate(const struct dgm_schedule *schedule, int64_t completed);

#endif
