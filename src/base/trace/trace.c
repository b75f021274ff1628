/*
 * trace.c: events in the order in which they began, and their text.
 *
 * The format is "Trace Event Format" of the Chromium project, in its form of an array: complete
 * events (ph X) with times in microseconds, and metadata (ph M) that names processes and rows.
 */
#include "base/trace/trace.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "base/system/clock.h"

/* ---- events ---------------------------------------------------------------------------------- */

/* NULL: there is no room. An error that is recorded for want of it would end nothing, and hide the
 * next one. */
static struct dgm_trace_event *next_event(struct dgm_env *env)
{
    struct dgm_trace *trace = env->trace;
    struct dgm_env quiet = dgm_env_quiet(env);

    if (trace->count == DGM_TRACE_MOST || dgm_grow(&quiet, &trace->events, &trace->capacity,
                                                   trace->count, sizeof *trace->events) != DGM_OK) {
        trace->lost++;
        return NULL;
    }
    return &trace->events[trace->count++];
}

static void add(struct dgm_env *env, const struct dgm_trace_event *event)
{
    struct dgm_trace_event *next = next_event(env);

    if (next != NULL)
        *next = *event;
}

void dgm_trace_push(struct dgm_env *env, const char *name, const char *key, int64_t number)
{
    struct dgm_trace *trace = env->trace;
    const double now = dgm_clock();
    const struct dgm_trace_event event = { name, key, number, now, now - 1, DGM_TRACE_WORK };
    const size_t count = trace->count;

    add(env, &event);
    if (trace->depth < DGM_TRACE_DEPTH)
        trace->open[trace->depth] = trace->count > count ? count : DGM_TRACE_MOST;
    trace->depth++;
}

void dgm_trace_pop(struct dgm_env *env)
{
    struct dgm_trace *trace = env->trace;

    if (trace->depth == 0)
        return;
    trace->depth--;
    if (trace->depth < DGM_TRACE_DEPTH && trace->open[trace->depth] < trace->count)
        trace->events[trace->open[trace->depth]].ended = dgm_clock();
}

void dgm_trace_add(struct dgm_env *env, enum dgm_trace_row row, const char *name, const char *key,
                   int64_t number, double started, double ended)
{
    const struct dgm_trace_event event = { name, key, number, started, ended, row };

    if (env->trace != NULL)
        add(env, &event);
}

void dgm_trace_clear(struct dgm_env *env, struct dgm_trace *trace)
{
    dgm_release(env, trace->events);
    memset(trace, 0, sizeof *trace);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Names of hosts are the system's: what might end a string of JSON is none of them. */
static dgm_status add_plain(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    for (; *text != '\0'; text++)
        DGM_TRY(dgm_buf_add_char(env, out,
                                 *text >= ' ' && *text <= '~' && *text != '"' && *text != '\\'
                                     ? *text
                                     : '?'));
    return DGM_OK;
}

static dgm_status add_row_name(struct dgm_env *env, struct dgm_buf *out, int process,
                               enum dgm_trace_row row)
{
    static const char *const names[DGM_TRACE_ROWS] = { "work", "link" };

    return dgm_buf_add_format(env, out,
                              ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %d, "
                              "\"tid\": %d, \"args\": {\"name\": \"%s\"}}",
                              process, (int)row, names[row]);
}

/* With the clock at the origin: ranks of one machine have the same clock. */
static dgm_status add_title(struct dgm_env *env, struct dgm_buf *out, int process, double origin,
                            const char *name, const char *host)
{
    char clock[32];

    DGM_TRY(dgm_buf_add_format(env, out,
                               DGM_TRACE_KIND ", \"pid\": %d, \"tid\": 0, \"args\": {\"name\": \"",
                               process));
    DGM_TRY(add_plain(env, out, name));
    DGM_TRY(dgm_buf_add_text(env, out, " ("));
    DGM_TRY(add_plain(env, out, host));
    DGM_TRY(
        dgm_buf_add_format(env, out, ")\", \"clock\": %s}}", dgm_number_fixed(clock, origin, 9)));
    for (int row = 0; row < DGM_TRACE_ROWS; row++)
        DGM_TRY(add_row_name(env, out, process, (enum dgm_trace_row)row));
    return DGM_OK;
}

static dgm_status add_time(struct dgm_env *env, struct dgm_buf *out, const char *key,
                           double seconds)
{
    char text[32];

    return dgm_buf_add_format(env, out, ", \"%s\": %s", key,
                              dgm_number_fixed(text, seconds * 1e6, 3));
}

static dgm_status add_event(struct dgm_env *env, struct dgm_buf *out, int process, double origin,
                            const struct dgm_trace_event *event, double now)
{
    const double ended = event->ended < event->started ? now : event->ended;

    DGM_TRY(dgm_buf_add_format(env, out,
                               ",\n{\"name\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": %d",
                               event->name, process, (int)event->row));
    DGM_TRY(add_time(env, out, "ts", event->started - origin));
    DGM_TRY(add_time(env, out, "dur", ended - event->started));
    if (event->key != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, ", \"args\": {\"%s\": %lld}", event->key,
                                   (long long)event->number));
    return dgm_buf_add_char(env, out, '}');
}

dgm_status dgm_trace_print(struct dgm_env *env, const struct dgm_trace *trace, int process,
                           const char *name, const char *host, double now, struct dgm_buf *out)
{
    DGM_TRY(add_title(env, out, process, trace->origin, name, host));
    for (size_t i = 0; i < trace->count; i++)
        DGM_TRY(add_event(env, out, process, trace->origin, &trace->events[i], now));
    return DGM_OK;
}
