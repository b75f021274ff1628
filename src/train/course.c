/* course.c: where a run stands in its text, and the order of what comes next. */
#include "train/course.h"

void dgm_course_clear(struct dgm_env *env, struct dgm_course *course)
{
    dgm_batch_clear(env, &course->batch);
    dgm_order_clear(env, &course->order);
    dgm_windows_clear(env, &course->windows);
}

int64_t dgm_course_place(const struct dgm_course *course, const struct dgm_train_state *state)
{
    return state->batch - course->windows.batches;
}

static int is_used_up(const struct dgm_course *course, const struct dgm_train_state *state)
{
    return dgm_windows_is_last(&course->windows) &&
           dgm_course_place(course, state) >= course->order.batches;
}

int64_t dgm_course_epochs(const struct dgm_course *course, const struct dgm_train_state *state)
{
    return state->epoch - 1 + is_used_up(course, state);
}

double dgm_course_share(const struct dgm_course *course, const struct dgm_train_state *state)
{
    const struct dgm_windows *windows = &course->windows;
    double place = (double)dgm_course_place(course, state) / (double)course->order.batches;

    return ((double)windows->at + place) / (double)dgm_windows_count(windows);
}

int64_t dgm_course_batches(const struct dgm_course *course)
{
    return dgm_windows_is_last(&course->windows) ? course->windows.batches + course->order.batches
                                                 : 0;
}

int64_t dgm_course_guess_batches(const struct dgm_course *course)
{
    const struct dgm_windows *windows = &course->windows;

    return windows->batches + course->order.batches * (dgm_windows_count(windows) - windows->at);
}

dgm_status dgm_course_next_order(struct dgm_run *run, struct dgm_course *course,
                                 const struct dgm_corpus *corpus)
{
    struct dgm_train_state *state = &run->state;
    const struct dgm_order_options *options = &run->options.order;

    if (!dgm_windows_is_last(&course->windows))
        return dgm_windows_next(run->env, &course->windows, &course->order, corpus, options,
                                state->epoch);
    state->epoch++;
    state->batch = 0;
    state->sentences = 0;
    return dgm_windows_begin(run->env, &course->windows, &course->order, corpus, options,
                             state->epoch);
}
