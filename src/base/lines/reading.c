/*
 * reading.c: how far the work is in the text that it reads.
 */
#include "base/lines/reading.h"

#include <stdio.h>

#include "base/system/clock.h"

/* Whether these are the lines that count. Their struct may have moved; the descriptor stays. */
static int is_it(const struct dgm_reading *reading, const struct dgm_lines *lines)
{
    return reading != NULL && reading->is_on && lines->is_open && reading->fd == lines->fd;
}

void dgm_reading_open(struct dgm_env *env, const struct dgm_lines *lines)
{
    struct dgm_reading *reading = env->reading;

    if (reading == NULL || reading->is_on)
        return;
    *reading = (struct dgm_reading){ .is_on = 1, .fd = lines->fd, .started = reading->started };
    snprintf(reading->name, sizeof reading->name, "%.250s", dgm_lines_name(lines->path));
}

void dgm_reading_next(struct dgm_env *env, const struct dgm_lines *lines)
{
    struct dgm_reading *reading = env->reading;

    if (!is_it(reading, lines))
        return;
    reading->line = lines->number;
    reading->taken = dgm_lines_taken(lines);
    reading->bytes = lines->bytes;
}

void dgm_reading_close(struct dgm_env *env, const struct dgm_lines *lines)
{
    if (is_it(env->reading, lines))
        env->reading->is_on = 0;
}

void dgm_reading_done(struct dgm_env *env, int64_t lines)
{
    if (env->reading != NULL)
        env->reading->done = lines;
}

void dgm_reading_tell(struct dgm_env *env)
{
    const struct dgm_reading *reading = env->reading;
    char after[32], share[32] = "", done[48] = "";

    dgm_clock_print(after, dgm_clock() - reading->started);
    if (!reading->is_on) {
        dgm_log(env, DGM_LOG_NOTE, "status: at work, no text is open, after %s", after);
        return;
    }
    if (reading->bytes > 0)
        snprintf(share, sizeof share, " (%lld %%)", 100 * reading->taken / reading->bytes);
    if (reading->done > 0)
        snprintf(done, sizeof done, ", %lld are done", (long long)reading->done);
    dgm_log(env, DGM_LOG_NOTE, "status: line %ld of %s%s%s, after %s", reading->line, reading->name,
            share, done, after);
}
