/* due.c: intervals and ends, in updates, labels, epochs or time. */
#include "train/due.h"

int dgm_due_is(const struct dgm_run *run, const struct dgm_course *course, struct dgm_length length,
               int64_t epochs_before)
{
    int64_t every = (int64_t)length.value;

    if (length.unit == 'e')
        return dgm_course_epochs(course, &run->state) / every > epochs_before / every;
    return run->state.updates % every == 0;
}

double dgm_due_share(const struct dgm_run *run, const struct dgm_course *course, double seconds)
{
    const struct dgm_train_state *state = &run->state;
    double limit = run->options.after.value;

    switch (run->options.after.unit) {
    case 'u': return (double)state->updates / limit;
    case 't': return (double)state->labels / limit;
    case 'e': return ((double)state->epoch - 1 + dgm_course_share(course, state)) / limit;
    case 'h': return seconds / (3600 * limit);
    case 'm': return seconds / (60 * limit);
    default: return seconds / limit;
    }
}

int dgm_due_end(const struct dgm_run *run, const struct dgm_course *course, double seconds)
{
    const struct dgm_train_state *state = &run->state;
    double limit = run->options.after.value;

    switch (run->options.after.unit) {
    case 'u': return (double)state->updates >= limit;
    case 't': return (double)state->labels >= limit;
    case 'e': return (double)dgm_course_epochs(course, state) >= limit;
    case 'h': return seconds >= 3600 * limit;
    case 'm': return seconds >= 60 * limit;
    default: return seconds >= limit;
    }
}

int dgm_due_early_end(const struct dgm_run *run)
{
    return run->options.patience > 0 && run->state.stalled >= run->options.patience;
}
