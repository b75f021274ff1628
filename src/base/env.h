/*
 * env.h: what every fallible function is handed first: memory, files, log, and the first error.
 *
 * An environment has one owner at a time and hangs from a public context; there is no global
 * state. The first failure wins: later clean-up errors never overwrite it. Convention:
 *
 *     dgm_status dgm_noun_verb(struct dgm_env *env, outputs, inputs, sizes, options);
 *
 * A function that fails has recorded the reason in env->error and leaves its outputs untouched.
 */
#ifndef DGM_BASE_ENV_H
#define DGM_BASE_ENV_H

#include <dragoman.h>

struct dgm_meter;
struct dgm_trace;
struct dgm_vfs;

/* Lets compilers that can compare formats with arguments do so. */
#if defined(__GNUC__)
#define DGM_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DGM_FORMAT(text, first)
#endif

struct dgm_env;
struct dgm_reading;

/* Whether long work is to end: asked at every batch, and at every step of a search. What it
 * records and returns, unless DGM_OK, ends the work. */
typedef dgm_status (*dgm_poll_fn)(struct dgm_env *env, void *user);

/* Told, about once a second, of what the work has to wait for; text NULL: it is over. */
typedef void (*dgm_wait_fn)(void *user, const char *text);

struct dgm_env {
    dgm_allocator memory;
    struct dgm_meter *meter;   /* what counts it (meter.h), or NULL */
    const struct dgm_vfs *vfs; /* every file access goes through this table (vfs.h) */
    dgm_log_fn log;            /* NULL: silence */
    void *log_user;
    dgm_level log_level; /* messages above this level are dropped */
    int *calling;        /* how many of the caller's functions run now; NULL: nobody asks */
    dgm_poll_fn poll;    /* NULL: nothing ends work before its time */
    void *poll_user;
    dgm_wait_fn wait; /* NULL: silence */
    void *wait_user;
    int *has_left; /* set where a thread was left that nothing can end; NULL: nobody asks */
    struct dgm_reading *reading; /* the text that the work is in (lines/reading.h), or NULL */
    struct dgm_trace *trace;     /* what notes the times of its work (trace/trace.h), or NULL */
    dgm_error error;             /* status DGM_OK until something fails */
};

/* Fills env with the C allocator, the system's files and no log. */
void dgm_env_init(struct dgm_env *env);

/* Forgets the recorded error, so that the environment can serve the next call. */
void dgm_env_clear_error(struct dgm_env *env);

/* A copy without log, reading and error, for calls whose failure is no error of the caller's. */
struct dgm_env dgm_env_quiet(const struct dgm_env *env);

/*
 * Records an error unless one is recorded already, and returns its status, so that
 * `return dgm_fail(env, DGM_DATA, "...")` reads as it acts. Messages are one line, say what was
 * found, what was expected and, where it helps, what to do next. Formats: as printf, but only
 * %s %d %ld %lld %u %lu %llu %zu %c %x %% with plain widths: floats would follow the locale.
 * %.Ns and %.*s are known too. What does not fit is cut between two characters.
 */
dgm_status dgm_fail(struct dgm_env *env, dgm_status status, const char *format, ...)
    DGM_FORMAT(3, 4);

/* The same with a place in a text file (line and column from 1; 0 leaves either out). */
dgm_status dgm_fail_at(struct dgm_env *env, dgm_status status, const char *file, long line,
                       long column, const char *format, ...) DGM_FORMAT(6, 7);

/* The same with a byte offset in a binary file. */
dgm_status dgm_fail_byte(struct dgm_env *env, dgm_status status, const char *file, long long offset,
                         const char *format, ...) DGM_FORMAT(5, 6);

/* Around each call of a function of the caller's, who may not call back from it. */
void dgm_callback_begin(struct dgm_env *env);
void dgm_callback_end(struct dgm_env *env);
/* What it returned: DGM_OK, or this error with the status; DGM_FAILURE where it is none of
 * DGM_STATUS_LIST. */
dgm_status dgm_callback_check(struct dgm_env *env, dgm_status status, const char *message);

/* Asks env->poll. */
dgm_status dgm_poll(struct dgm_env *env);
/* The same; where the work is to end, the error says this. */
dgm_status dgm_poll_saying(struct dgm_env *env, const char *message);

/* One line to the log sink, if any. The same formats as dgm_fail. */
void dgm_log(struct dgm_env *env, dgm_level level, const char *format, ...) DGM_FORMAT(3, 4);

/*
 * Makes offending text fit to stand in a message: controls, overrides of direction and ill-formed
 * UTF-8 become \xHH, and after 40 characters it is cut with "...". `size` of 168 always suffices;
 * the quotation marks are the message's own.
 */
void dgm_quote(char *out, size_t size, const char *bytes, size_t count);
#define DGM_QUOTE_SIZE 168

/* Forwards a failure upwards. */
#define DGM_TRY(call)                        \
    do {                                     \
        dgm_status dgm_try_status_ = (call); \
        if (dgm_try_status_ != DGM_OK)       \
            return dgm_try_status_;          \
    } while (0)

/* Forwards a failure to the clean-up at `out:`; needs a local `dgm_status status`. */
#define DGM_TRY_OUT(call)     \
    do {                      \
        status = (call);      \
        if (status != DGM_OK) \
            goto out;         \
    } while (0)

#endif
