/*
 * dragoman.h: the public C interface of Dragoman, neural machine translation with syntax.
 *
 * Self-contained: needs nothing but the C library's headers, compiles as C99 and as C++.
 * The library never exits, aborts or prints: every fallible function returns a dgm_status, and
 * the context keeps the first error in full. Handles are opaque; each is freed by the function
 * named beside its constructor, and freeing NULL does nothing.
 */
#ifndef DRAGOMAN_H
#define DRAGOMAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define DGM_API
#else
#define DGM_API __attribute__((visibility("default")))
#endif

/*
 * Status codes, one line each: name, exit code of the command-line program, meaning.
 * The values are never renumbered.
 */
#define DGM_STATUS_LIST(S)                                                                \
    S(OK, 0, "no error")                                                                  \
    S(FAILURE, 1, "the run failed (system call, internal limit)")                         \
    S(USAGE, 2, "wrong use: option, argument or setting")                                 \
    S(DATA, 3, "bad or misaligned data: text, corpus, tree, codes")                       \
    S(MODEL, 4, "bad model, checkpoint or vocabulary file")                               \
    S(MEMORY, 5, "out of memory, or the device was lost")                                 \
    S(DIVERGED, 6, "training diverged: loss or gradient is not a number")                 \
    S(INTERRUPTED, 130, "stopped by a signal after a graceful save")                      \
    S(UNSUPPORTED, 1, "this build or device does not offer the operation")

typedef enum dgm_status {
#define DGM_STATUS_ENUM(name, code, text) DGM_##name,
    DGM_STATUS_LIST(DGM_STATUS_ENUM)
#undef DGM_STATUS_ENUM
    DGM_STATUS_COUNT
} dgm_status;

/* The first error of a context. Lines and columns count from 1; 0 or -1 means "does not apply". */
typedef struct dgm_error {
    dgm_status status;
    char file[256];       /* the input at fault, or "" */
    long line, column;    /* 0: none */
    long long offset;     /* byte offset in a binary file; -1: none */
    char message[512];    /* one line: what was found; what was expected; how to go on */
} dgm_error;

/*
 * Memory comes from one allocator per context. `resize` behaves as realloc: a NULL pointer
 * allocates, it returns NULL on failure and leaves the old block alone. `release` accepts NULL.
 */
typedef struct dgm_allocator {
    void *(*resize)(void *user, void *block, size_t bytes);
    void (*release)(void *user, void *block);
    void *user;
} dgm_allocator;

typedef enum dgm_level { DGM_LOG_ERROR, DGM_LOG_WARNING, DGM_LOG_NOTE, DGM_LOG_DEBUG } dgm_level;

/* Receives one line without its newline; the text is valid during the call only. */
typedef void (*dgm_log_fn)(void *user, dgm_level level, const char *text);

#ifdef __cplusplus
}
#endif

#endif
