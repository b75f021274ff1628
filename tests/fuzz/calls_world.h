/*
 * calls_world.h: for fuzz_calls.c: the handles of an input, what holds after every call, and the
 * functions that the library calls, which call back.
 */
#ifndef DGM_FUZZ_CALLS_WORLD_H
#define DGM_FUZZ_CALLS_WORLD_H

#include "calls_input.h"

enum { MOST_DEPTH = 2 };

static struct {
    dgm_context *context;
    dgm_tokenizer *tokenizer;
    dgm_sentences *sentences;
    dgm_words *words;
    dgm_segmenter *segmenter;
    dgm_truecaser *truecaser;
    dgm_cleaner *cleaner;
    dgm_splitter *splitter;
    dgm_scorer *scorers[2];
    dgm_model *model;
    dgm_translator *translator;
    dgm_rescorer *rescorer;
    dgm_annotator *annotator;
    size_t blocks; /* of memory that the library has */
    int depth;     /* of callbacks */
} world;

enum { MOST_BYTES = 64 << 20 };

static void *resize(void *user, void *block, size_t bytes)
{
    void *moved = bytes <= MOST_BYTES ? realloc(block, bytes) : NULL;

    (void)user;
    world.blocks += block == NULL && moved != NULL;
    return moved;
}

static void release(void *user, void *block)
{
    (void)user;
    world.blocks -= block != NULL;
    free(block);
}

/* What a call has returned. A handle that is NULL, which has no context, is DGM_USAGE unsaid. */
static void check(dgm_status status)
{
    const dgm_error *error = dgm_context_error(world.context);

    require((unsigned)status < DGM_STATUS_COUNT);
    if (world.depth > 0) {
        require(status == DGM_USAGE);
        return;
    }
    require(error->status == status || status == DGM_USAGE);
    require((error->message[0] == '\0') == (error->status == DGM_OK));
    require(memchr(error->message, '\0', sizeof error->message) != NULL);
    if (!seldom(8))
        dgm_context_clear(world.context);
}

/* The same of one that makes a handle, which it does if it returns DGM_OK. */
static void check_new(dgm_status status, int is_made)
{
    require((status == DGM_OK) == is_made);
    check(status);
}

/* Calls `function`, a _new, where there is no such handle. */
#define MAKE(function, options, handle)                                          \
    do {                                                                         \
        if ((handle) == NULL) {                                                  \
            const dgm_status made = function(world.context, options, &(handle)); \
            check_new(made, (handle) != NULL);                                   \
        }                                                                        \
    } while (0)

#define FREE(function, handle) \
    do {                       \
        function(handle);      \
        if (world.depth == 0)  \
            (handle) = NULL;   \
    } while (0)

static void call_one(void);

static void call_back(void)
{
    if (world.depth >= MOST_DEPTH || !seldom(3))
        return;
    world.depth++;
    call_one();
    dgm_context_clear(world.context);
    dgm_context_free(world.context);
    world.depth--;
}

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    require(level <= DGM_LOG_DEBUG && strlen(text) < 100000);
    call_back();
}

static dgm_status write_piece(void *user, const char *text, size_t bytes)
{
    static const int answers[] = { DGM_DATA, DGM_INTERRUPTED, DGM_STATUS_COUNT, -1 };
    dgm_status answer = DGM_OK;

    (void)user;
    require(bytes > 0 && memchr(text, text[bytes - 1], bytes) != NULL);
    call_back();
    if (seldom(8))
        memcpy(&answer, &ONE_OF(answers), sizeof answer);
    return answer;
}

static void show(void *user, int64_t done, int64_t total, const char *text)
{
    (void)user;
    require(done <= total && text != NULL);
    call_back();
}

/* It may use the scorers, and free nothing. */
static dgm_status hear_line(void *user, long line)
{
    double value;

    (void)user;
    require(line > 0);
    dgm_scorer_value(world.scorers[0], &value, NULL);
    dgm_scorer_free(world.scorers[take(2)]);
    dgm_context_free(world.context);
    return seldom(8) ? DGM_DATA : DGM_OK;
}

#endif
