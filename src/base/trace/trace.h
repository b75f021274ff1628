/*
 * trace.h: what a process did when: phases of its work with their times, kept in memory and written
 * as a timeline that browsers show (the trace-event format).
 *
 * Whoever works says what it does (dgm_trace_begin, dgm_trace_end); where env->trace is NULL that
 * costs a comparison. One thread of an environment speaks; memory that cannot be had costs events,
 * not the work.
 */
#ifndef DGM_BASE_TRACE_TRACE_H
#define DGM_BASE_TRACE_TRACE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/env.h"

/* Rows of the timeline. Events of one row nest. */
enum dgm_trace_row {
    DGM_TRACE_WORK, /* what the process does */
    DGM_TRACE_LINK, /* what is under way between ranks */
    DGM_TRACE_ROWS
};

struct dgm_trace_event {
    const char *name, *key; /* key: what `number` counts; NULL: there is none. They stay */
    int64_t number;
    double started, ended; /* seconds of the trace's clock; ended < started: not over */
    enum dgm_trace_row row;
};

enum { DGM_TRACE_DEPTH = 16, DGM_TRACE_MOST = 1 << 20 };

/* Zeroed at first. */
struct dgm_trace {
    struct dgm_trace_event *events;
    size_t count, capacity;
    size_t open[DGM_TRACE_DEPTH]; /* numbers of events that are not over, outermost first */
    int depth;
    double origin; /* of the times that are written */
    int64_t lost;  /* events without memory, or beyond DGM_TRACE_MOST */
};

/* Begins an event of the first row; `key` and `number` may be NULL and 0. */
void dgm_trace_push(struct dgm_env *env, const char *name, const char *key, int64_t number);
/* Ends the one that began last. */
void dgm_trace_pop(struct dgm_env *env);
/* Adds an event that is over, in any row: key and number as above. */
void dgm_trace_add(struct dgm_env *env, enum dgm_trace_row row, const char *name, const char *key,
                   int64_t number, double started, double ended);
void dgm_trace_clear(struct dgm_env *env, struct dgm_trace *trace);

/* How the first event begins, and so what is printed. */
#define DGM_TRACE_KIND "{\"name\": \"process_name\", \"ph\": \"M\""
/* Appends all events, those that are not over up to `now`, as members of a JSON array, with commas
 * between them and none behind the last. `process` is the number, `name` and `host` the title that
 * a browser shows. */
dgm_status dgm_trace_print(struct dgm_env *env, const struct dgm_trace *trace, int process,
                           const char *name, const char *host, double now, struct dgm_buf *out);

#define dgm_trace_begin(env, name)                  \
    do {                                            \
        if ((env)->trace != NULL)                   \
            dgm_trace_push((env), (name), NULL, 0); \
    } while (0)

#define dgm_trace_begin_at(env, name, key, number)          \
    do {                                                    \
        if ((env)->trace != NULL)                           \
            dgm_trace_push((env), (name), (key), (number)); \
    } while (0)

#define dgm_trace_end(env)        \
    do {                          \
        if ((env)->trace != NULL) \
            dgm_trace_pop(env);   \
    } while (0)

/* DGM_TRY of a call that is an event. After a failure it stays open, as does all around it. */
#define DGM_TRY_TRACED(env, name, call) \
    do {                                \
        dgm_trace_begin((env), (name)); \
        DGM_TRY(call);                  \
        dgm_trace_end(env);             \
    } while (0)

#endif
