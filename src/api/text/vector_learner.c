/*
 * vector_learner.c: files of text to vectors of words, written as text.
 */
#include <stdio.h>
#include <string.h>

#include "api/context.h"
#include "api/program.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "train/vectors/skip_gram.h"

enum { DIGITS = 6, FLUSH = 1 << 16 };

/* A line: a word and its numbers. */
static dgm_status add_vector(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_skip_gram_text *text, int64_t word,
                             const dgm_real *vector, int64_t dim)
{
    char number[32];
    int64_t times;
    size_t bytes;
    const char *name = dgm_skip_gram_text_word(text, word, &bytes, &times);

    DGM_TRY(dgm_buf_add(env, out, name, bytes));
    for (int64_t i = 0; i < dim; i++) {
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, number, dgm_number_print(number, (double)vector[i], DIGITS)));
    }
    return dgm_buf_add_char(env, out, '\n');
}

static dgm_status write_vectors(struct dgm_env *env, const struct dgm_skip_gram_text *text,
                                const dgm_real *vectors, int64_t dim, dgm_write_fn write,
                                void *user)
{
    const int64_t words = dgm_skip_gram_text_words(text);
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_format(env, &out, "%lld %lld\n", (long long)words, (long long)dim));
    for (int64_t i = 0; i < words; i++) {
        DGM_TRY_OUT(add_vector(env, &out, text, i, vectors + i * dim, dim));
        if (out.size < FLUSH && i + 1 < words)
            continue;
        DGM_TRY_OUT(dgm_report_write(env, write, user, &out));
        dgm_buf_reset(&out);
    }
out:
    dgm_buf_clear(env, &out);
    return status;
}

static dgm_status learn(dgm_context *context, const struct dgm_vectors_learning *learning,
                        const struct dgm_skip_gram_text *text, dgm_real *vectors)
{
    struct dgm_env *env = &context->env;
    struct dgm_skip_gram_options options = {
        .dim = learning->dim,
        .window = (int)learning->window,
        .negatives = (int)learning->negatives,
        .sample = learning->sample,
        .rate = learning->rate,
        .epochs = learning->epochs,
        .seed = (uint32_t)learning->seed,
        .progress = learning->progress,
        .progress_user = learning->progress_user,
    };
    dgm_status status;

    DGM_TRY(dgm_kernels_choose(env, &options.kernels, context->device.isa));
    DGM_TRY(dgm_pool_new(env, &options.pool, dgm_context_threads(context)));
    status = dgm_skip_gram_learn(env, vectors, text, &options);
    dgm_pool_free(env, options.pool);
    return status;
}

dgm_status dgm_vectors_learn(dgm_context *context, const struct dgm_vectors_learning *learning,
                             const char *const *paths, size_t count, dgm_write_fn write, void *user)
{
    const struct dgm_skip_gram_reading reading = { learning->min_count, learning->words,
                                                   learning->lower };
    struct dgm_skip_gram_text text;
    dgm_real *vectors = NULL;
    struct dgm_env *env;
    dgm_status status;
    size_t words, numbers;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_skip_gram_text_read(env, &text, paths, count, &reading));
    words = (size_t)dgm_skip_gram_text_words(&text);
    dgm_log(env, DGM_LOG_NOTE, "vectors: %zu words, which make up %lld of the text", words,
            (long long)text.tokens);
    DGM_TRY_OUT(dgm_size_mul(&numbers, words, (size_t)learning->dim)
                    ? DGM_OK
                    : dgm_fail(env, DGM_MEMORY, "%zu words of %lld numbers: no room", words,
                               (long long)learning->dim));
    DGM_TRY_OUT(dgm_new(env, &vectors, numbers, sizeof *vectors));
    DGM_TRY_OUT(learn(context, learning, &text, vectors));
    status = write_vectors(env, &text, vectors, learning->dim, write, user);
out:
    dgm_release(env, vectors);
    dgm_skip_gram_text_clear(env, &text);
    return status;
}
