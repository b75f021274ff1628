/*
 * context.h: what a public context holds, and how the functions of the interface begin.
 */
#ifndef DGM_API_CONTEXT_H
#define DGM_API_CONTEXT_H

#include "base/buf.h"
#include "base/env.h"
#include "base/file/report.h"
#include "base/flag.h"
#include "base/lines/reading.h"
#include "base/ranks/ranks.h"
#include "base/system/meter.h"
#include "device/choice.h"

struct dgm_context {
    struct dgm_env env;
    struct dgm_meter meter;     /* of env's memory */
    struct dgm_reading reading; /* env's */
    char isa[32];
    char devices[128];                /* which to compute with (choice.h); "": the CPU */
    struct dgm_device_options device; /* isa points to the text above, or is NULL */
    dgm_flag stop;                    /* dgm_context_stop was called */
    dgm_flag stop_reason;             /* a signal's number, or 0 */
    dgm_flag checkpoint;              /* dgm_context_checkpoint was called, and not yet obeyed */
    struct dgm_ranks *ranks;          /* that this process has joined for training, or NULL */
    int calling;                      /* how many of the caller's functions run now */
    int waiting;                      /* ... of those that may call back, but free nothing */
    int has_left;                     /* a thread was left that nothing can end */
    int told_uncut;                   /* a scorer has warned of text that it hardly cuts */
    int told_pieces;                  /* ... of text that is cut into pieces */
};

/* Opens the devices that this context trains with; dgm_devices_close closes them. */
dgm_status dgm_context_open_devices(dgm_context *context, struct dgm_devices *devices);
/* Opens the device that everything else computes with: the first. The log has a note if there are
 * more. */
dgm_status dgm_context_open_device(dgm_context *context, struct dgm_device **device);

/* As many threads as may work. */
int dgm_context_threads(const dgm_context *context);

/* The first line of a function of the interface: it ends the call if there is no context, if it
 * comes from a function of the caller's that another call waits for, whose error this would be, or
 * with an error that is not yet cleared. */
#define DGM_ENTER(context)                         \
    do {                                           \
        if ((context) == NULL)                     \
            return DGM_USAGE;                      \
        if ((context)->calling > 0)                \
            return DGM_USAGE;                      \
        if ((context)->env.error.status != DGM_OK) \
            return (context)->env.error.status;    \
    } while (0)

/* The same where something is made: a call that fails sets the handle to NULL, however it fails. */
#define DGM_ENTER_NEW(context, handle)                                   \
    do {                                                                 \
        if ((handle) != NULL)                                            \
            *(handle) = NULL;                                            \
        DGM_ENTER(context);                                              \
        DGM_TRY(dgm_argument_check(&(context)->env, (handle), #handle)); \
    } while (0)

/* The same for a handle, whose struct begins with `dgm_context *context`. */
#define DGM_ENTER_HANDLE(handle)      \
    do {                              \
        if ((handle) == NULL)         \
            return DGM_USAGE;         \
        DGM_ENTER((handle)->context); \
    } while (0)

/* Whether a handle cannot be freed: there is none, or a call that waits may need it. */
#define DGM_IS_HELD(handle) \
    ((handle) == NULL || (handle)->context->calling > 0 || (handle)->context->waiting > 0)

/*
 * Fills a structure of options of `size` bytes from the caller's, which may be NULL or an older,
 * shorter one. DGM_USAGE, with the name of the structure, if its struct_size cannot be right.
 */
dgm_status dgm_options_take(struct dgm_env *env, void *options, size_t size, const void *from,
                            const char *name);

/* Finds the value of an option among `count` words; NULL means the first. DGM_USAGE lists the
 * words. */
dgm_status dgm_options_choose(struct dgm_env *env, int *chosen, const char *option,
                              const char *value, const char *const *words, int count);

/* DGM_USAGE for a number outside its range, which NaN always is; `name` as in
 * "dgm_translator_options.beam". */
dgm_status dgm_range_int(struct dgm_env *env, const char *name, int64_t value, int64_t least,
                         int64_t most);
dgm_status dgm_range_real(struct dgm_env *env, const char *name, double value, double least,
                          double most);

/* DGM_USAGE if an array of texts, or one of its texts, is NULL. */
dgm_status dgm_texts_check(struct dgm_env *env, const char *const *texts, size_t count,
                           const char *name);

/* DGM_USAGE if the argument called `name` is NULL. */
dgm_status dgm_argument_check(struct dgm_env *env, const void *argument, const char *name);

/* The same of the function that takes the output. */
dgm_status dgm_write_check(struct dgm_env *env, dgm_write_fn write);

/* DGM_USAGE if a line of text holds an LF, or is NULL though it has bytes. NULL without any becomes
 * "", for nothing may be added to NULL, not even 0. */
dgm_status dgm_line_check(struct dgm_env *env, const char **line, size_t bytes);

#endif
