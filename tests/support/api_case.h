/*
 * api_case.h: for tests of the public interface: contexts, files, and models that are written by
 * hand.
 */
#ifndef DGM_TEST_API_CASE_H
#define DGM_TEST_API_CASE_H

#include <dragoman.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/mem.h"
#include "gguf_more.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* A context on the counted memory of the test. */
static inline dgm_status new_context(dgm_context **context)
{
    dgm_context_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    return dgm_context_new(&options, context);
}

static inline dgm_status keep(void *user, const char *text, size_t bytes)
{
    return dgm_buf_add(test_env(), user, text, bytes);
}

static inline dgm_status refuse(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)text;
    (void)bytes;
    return DGM_FAILURE;
}

static inline void path_to(char *out, const char *name)
{
    sprintf(out, "%.400s/%.60s", test_dir(), name);
}

/* A file with this content in the scratch folder. */
static inline void put_file(char *path, const char *name, const char *text)
{
    struct dgm_writer writer;
    path_to(path, name);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, text, strlen(text)), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
}

/* The status of a call, if the context has recorded it with a message; the context is cleared. */
static inline dgm_status settle(dgm_context *context, dgm_status got)
{
    const dgm_error *error = dgm_context_error(context);
    int recorded = error->status == got && (got == DGM_OK || error->message[0] != '\0');
    dgm_context_clear(context);
    return recorded && error->status == DGM_OK ? got : DGM_STATUS_COUNT;
}

#define CHECK_FAILS(context, call, want) CHECK_STATUS(settle(context, call), want)

/* A model of one matrix, one vector of half numbers and one of whole numbers, and a state. */
static inline void put_model(char *path, const char *name, const char *config, double weight,
                             size_t cols, int update)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer;
    size_t dims[2], i;
    dgm_real matrix[6], vector[3], state[2] = { 9, 9 };
    int32_t whole[2] = { 4, 5 };
    memset(&writer, 0, sizeof writer);
    for (i = 0; i < 6; i++)
        matrix[i] = (dgm_real)(weight + (double)i);
    for (i = 0; i < 3; i++)
        vector[i] = (dgm_real)(weight / 2);
    path_to(path, name);
    dims[0] = 2;
    dims[1] = cols;
    CHECK_STATUS(dgm_gguf_add_text(env, &writer, "dragoman.config", config, strlen(config)),
                 DGM_OK);
    CHECK_STATUS(gguf_add_u32(env, &writer, "dragoman.state.update", (uint32_t)update), DGM_OK);
    CHECK_STATUS(gguf_add_u32(env, &writer, "general.number", (uint32_t)update), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "m", DGM_GGUF_F32, 2, dims, matrix), DGM_OK);
    dims[0] = 3;
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "v", DGM_GGUF_F16, 1, dims, vector), DGM_OK);
    dims[0] = 2;
    CHECK_STATUS(gguf_add_ints(env, &writer, "whole", 1, dims, whole), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "state.m", DGM_GGUF_F32, 1, dims, state), DGM_OK);
    CHECK_STATUS(dgm_gguf_write(env, &writer, path), DGM_OK);
    dgm_gguf_writer_clear(env, &writer);
}

#endif
