/*
 * schedule.c: the learning rate as a function of the update (specification 1.9).
 */
#include "train/step/schedule.h"

#include <math.h>
#include <string.h>

void dgm_schedule_read(const struct dgm_settings *settings, struct dgm_schedule *schedule)
{
    const char *kind = dgm_settings_text(settings, "lr-schedule");

    schedule->kind = strcmp(kind, "noam") == 0       ? DGM_SCHEDULE_NOAM
                     : strcmp(kind, "constant") == 0 ? DGM_SCHEDULE_CONSTANT
                                                     : DGM_SCHEDULE_INVERSE_SQRT;
    schedule->rate = dgm_settings_real(settings, "lr");
    schedule->dim = (double)dgm_settings_int(settings, "dim-emb");
    schedule->warmup = (double)dgm_settings_int(settings, "warmup");
    schedule->initial = dgm_settings_real(settings, "warmup-init-lr");
}

/* rate dim^-0.5 min(t^-0.5, t warmup^-1.5): Vaswani et al. 2017, section 5.3. */
static double noam(const struct dgm_schedule *schedule, double t)
{
    double rising = t / (schedule->warmup * sqrt(schedule->warmup));
    double falling = 1 / sqrt(t);

    return schedule->rate / sqrt(schedule->dim) * (rising < falling ? rising : falling);
}

/* As fairseq: a straight line from `initial` to `rate`, then rate sqrt(warmup / t). */
static double inverse_sqrt(const struct dgm_schedule *schedule, double t)
{
    if (t < schedule->warmup)
        return schedule->initial + t * (schedule->rate - schedule->initial) / schedule->warmup;
    return schedule->rate * sqrt(schedule->warmup / t);
}

double dgm_schedule_rate(const struct dgm_schedule *schedule, int64_t completed)
{
    switch (schedule->kind) {
    case DGM_SCHEDULE_NOAM: return noam(schedule, (double)completed + 1);
    case DGM_SCHEDULE_INVERSE_SQRT: return inverse_sqrt(schedule, (double)completed);
    case DGM_SCHEDULE_CONSTANT: break;
    }
    return schedule->rate;
}
