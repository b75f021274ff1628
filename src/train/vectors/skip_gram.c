/*
 * skip_gram.c: vectors of words, learned from plain text, the same on any number of threads.
 */
#include "train/vectors/skip_gram.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "base/system/clock.h"
#include "train/vectors/skip_gram_draws.h"

enum {
    STREAM_INITIAL = 0x71000003,
    BATCH = 128,      /* kept places of a batch, or a line more */
    LINE = 128,       /* kept places of a line, which is cut there */
    PLACES_CHUNK = 8, /* of a thread, at a time */
    STEPS = 16        /* that a vector takes in a batch at their full length */
};

/* A word of a batch: places first .. end-1 of the batch are its line. */
struct place {
    int32_t word, first, end;
    uint64_t at; /* in the text */
};

struct learner {
    const struct dgm_skip_gram_text *text;
    const struct dgm_skip_gram_options *options;
    struct dgm_skip_gram_draws draws;
    int64_t words, dim;
    dgm_real *in, *out; /* (words, dim): v and u */
    struct place *places;
    int count; /* of the batch */
    uint32_t epoch;
    dgm_real rate;             /* of the batch */
    int ins, outs;             /* most vectors v and u of a place */
    int32_t *in_ids, *out_ids; /* (places, ins), (places, outs): whose steps follow; -1: none */
    dgm_real *in_steps, *out_steps;
    int32_t *in_counts, *out_counts; /* (words) steps of a vector in the batch */
    dgm_real *scratch;               /* of each thread */
    size_t scratch_size;
    int threads;
    double started;
};

/* ---- memory ---------------------------------------------------------------------------------- */

static dgm_status take(struct dgm_env *env, void *items, size_t count, size_t width, size_t size)
{
    size_t all;

    if (!dgm_size_mul(&all, count, width))
        return dgm_fail(env, DGM_MEMORY, "vectors: too many words, or too many numbers of each");
    return dgm_new(env, items, all, size);
}

static dgm_status open_learner(struct dgm_env *env, struct learner *learner)
{
    const struct dgm_skip_gram_options *options = learner->options;
    const size_t dim = (size_t)options->dim, most = BATCH + LINE;
    size_t ins, outs;

    learner->ins = 2 * options->window;
    learner->outs = 1 + options->negatives;
    learner->threads = dgm_pool_threads(options->pool);
    ins = (size_t)learner->ins;
    outs = (size_t)learner->outs;
    learner->scratch_size = (ins + outs) * dim + ins * outs;
    DGM_TRY(take(env, &learner->out, (size_t)learner->words, dim, sizeof *learner->out));
    DGM_TRY(take(env, &learner->places, most, 1, sizeof *learner->places));
    DGM_TRY(take(env, &learner->in_ids, most, ins, sizeof *learner->in_ids));
    DGM_TRY(take(env, &learner->out_ids, most, outs, sizeof *learner->out_ids));
    DGM_TRY(take(env, &learner->in_steps, most * ins, dim, sizeof *learner->in_steps));
    DGM_TRY(take(env, &learner->out_steps, most * outs, dim, sizeof *learner->out_steps));
    DGM_TRY(take(env, &learner->in_counts, (size_t)learner->words, 1, sizeof *learner->in_counts));
    DGM_TRY(
        take(env, &learner->out_counts, (size_t)learner->words, 1, sizeof *learner->out_counts));
    DGM_TRY(take(env, &learner->scratch, (size_t)learner->threads, learner->scratch_size,
                 sizeof *learner->scratch));
    return dgm_skip_gram_draws_init(env, &learner->draws, learner->text, options->sample,
                                    options->seed, options->kernels);
}

static void close_learner(struct dgm_env *env, struct learner *learner)
{
    dgm_release(env, learner->out);
    dgm_release(env, learner->places);
    dgm_release(env, learner->in_ids);
    dgm_release(env, learner->out_ids);
    dgm_release(env, learner->in_steps);
    dgm_release(env, learner->out_steps);
    dgm_release(env, learner->in_counts);
    dgm_release(env, learner->out_counts);
    dgm_release(env, learner->scratch);
    dgm_skip_gram_draws_clear(env, &learner->draws);
}

/* v: uniform, of a length that does not grow with dim; u: zeros. */
static void draw_initial(struct learner *learner)
{
    struct dgm_random random;

    dgm_random_init(&random, learner->options->seed, STREAM_INITIAL, 0, 0);
    for (int64_t i = 0; i < learner->words * learner->dim; i++)
        learner->in[i] = (dgm_real)((dgm_random_unit(&random) - 0.5) / (double)learner->dim);
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Places from `at` of the text on, up to the end of a line; returns where the next batch begins. */
static size_t fill_batch(struct learner *learner, size_t at)
{
    const struct dgm_skip_gram_text *text = learner->text;
    int first = 0, count = 0;

    for (; at < text->count && count < BATCH; first = count) {
        for (; at < text->count && text->ids[at] >= 0 && count - first < LINE; at++)
            if (dgm_skip_gram_keeps(&learner->draws, text->ids[at], at, learner->epoch)) {
                learner->places[count].word = text->ids[at];
                learner->places[count++].at = at;
            }
        for (int i = first; i < count; i++) {
            learner->places[i].first = first;
            learner->places[i].end = count;
        }
        at += at < text->count && text->ids[at] < 0;
    }
    learner->count = count;
    return at;
}

/* Which vectors a place moves: *ins words of its window; itself, then what is drawn. */
static void choose(struct learner *learner, int p, int32_t *in, int *ins, int32_t *out, int *outs)
{
    const struct dgm_skip_gram_options *options = learner->options;
    const struct place *place = &learner->places[p];
    int32_t negatives[DGM_SKIP_GRAM_NEGATIVES];
    const int radius = dgm_skip_gram_window(&learner->draws, options->window, negatives,
                                            options->negatives, place->at, learner->epoch);
    const int low = p - radius > place->first ? p - radius : place->first;
    const int high = p + radius < place->end - 1 ? p + radius : place->end - 1;

    *ins = *outs = 0;
    for (int i = low; i <= high; i++)
        if (i != p)
            in[(*ins)++] = learner->places[i].word;
    out[(*outs)++] = place->word;
    for (int k = 0; k < options->negatives; k++)
        if (negatives[k] != place->word)
            out[(*outs)++] = negatives[k];
    for (int i = *ins; i < learner->ins; i++)
        in[i] = -1;
    for (int i = *ins > 0 ? *outs : 0; i < learner->outs; i++)
        out[i] = -1;
}

static void gather(const struct learner *learner, dgm_real *to, const dgm_real *from,
                   const int32_t *ids, int count)
{
    const size_t dim = (size_t)learner->dim;

    for (int i = 0; i < count; i++)
        memcpy(to + (size_t)i * dim, from + (size_t)ids[i] * dim, dim * sizeof *to);
}

/* scores (ins,outs) = a b^T, a (ins,dim), b (outs,dim). */
static void multiply(const struct learner *learner, dgm_real *scores, const dgm_real *a,
                     const dgm_real *b, int ins, int outs)
{
    const struct dgm_gemm_kernels *gemm = learner->options->kernels->gemm;
    struct dgm_gemm_tile tile = {
        .a_row = learner->dim, .a_step = 1, .ldb = learner->dim, .ldc = outs, .alpha = 1
    };

    for (int i = 0; i < ins; i += gemm->thin_rows)
        for (int j = 0; j < outs; j += gemm->thin_cols)
            for (int64_t t = 0; t < learner->dim; t += DGM_GEMM_K) {
                tile.rows = ins - i < gemm->thin_rows ? ins - i : gemm->thin_rows;
                tile.cols = outs - j < gemm->thin_cols ? outs - j : gemm->thin_cols;
                tile.steps = learner->dim - t < DGM_GEMM_K ? learner->dim - t : DGM_GEMM_K;
                tile.a = a + i * learner->dim + t;
                tile.b = b + j * learner->dim + t;
                tile.c = scores + (int64_t)i * outs + j;
                tile.beta = t > 0;
                gemm->thin(&tile);
            }
}

/* Scores become what the slope of the loss makes of them, times the rate: column 0 should be 1, the
 * others 0. */
static void slopes(const struct learner *learner, dgm_real *scores, int ins, int outs)
{
    learner->options->kernels->math->sigmoid(scores, scores, (int64_t)ins * outs);
    for (int i = 0; i < ins; i++)
        for (int j = 0; j < outs; j++)
            scores[i * outs + j] = learner->rate * ((j == 0) - scores[i * outs + j]);
}

/* The steps of the vectors of one place. */
static void compute_place(struct learner *learner, int p, dgm_real *scratch)
{
    const struct dgm_math_kernels *math = learner->options->kernels->math;
    const int64_t dim = learner->dim;
    int32_t *in = learner->in_ids + (int64_t)p * learner->ins;
    int32_t *out = learner->out_ids + (int64_t)p * learner->outs;
    dgm_real *in_steps = learner->in_steps + (int64_t)p * learner->ins * dim;
    dgm_real *out_steps = learner->out_steps + (int64_t)p * learner->outs * dim;
    dgm_real *a = scratch, *b = a + learner->ins * dim, *scores = b + learner->outs * dim;
    int ins, outs;

    choose(learner, p, in, &ins, out, &outs);
    if (ins == 0)
        return;
    gather(learner, a, learner->in, in, ins);
    gather(learner, b, learner->out, out, outs);
    multiply(learner, scores, a, b, ins, outs);
    slopes(learner, scores, ins, outs);
    for (int i = 0; i < ins; i++)
        for (int j = 0; j < outs; j++) {
            const dgm_real slope = scores[i * outs + j];

            math->axpby(in_steps + i * dim, slope, b + j * dim, j > 0, dim);
            math->axpby(out_steps + j * dim, slope, a + i * dim, i > 0, dim);
        }
}

static void compute_chunk(void *job, int64_t chunk, int worker)
{
    struct learner *learner = job;
    const int first = (int)chunk * PLACES_CHUNK;
    dgm_real *scratch = learner->scratch + (size_t)worker * learner->scratch_size;

    for (int p = first; p < first + PLACES_CHUNK && p < learner->count; p++)
        compute_place(learner, p, scratch);
}

/* Steps of one batch are all from where a vector stood before it. Many of them together would go
 * beyond where they lead to, the further the more often: they are made shorter. */
static dgm_real length_of(int32_t steps)
{
    return steps > STEPS ? (dgm_real)STEPS / (dgm_real)steps : 1;
}

/* Of `count` steps, in their order, those of the vectors that are this thread's. counts: zeros,
 * before and after. */
static void apply(const struct learner *learner, dgm_real *vectors, int32_t *counts,
                  const int32_t *ids, const dgm_real *steps, int64_t count, int64_t share)
{
    const struct dgm_math_kernels *math = learner->options->kernels->math;
    const int64_t dim = learner->dim;

    for (int64_t i = 0; i < count; i++)
        if (ids[i] >= 0 && ids[i] % learner->threads == share)
            counts[ids[i]]++;
    for (int64_t i = 0; i < count; i++)
        if (ids[i] >= 0 && ids[i] % learner->threads == share)
            math->axpby(vectors + ids[i] * dim, length_of(counts[ids[i]]), steps + i * dim, 1, dim);
    for (int64_t i = 0; i < count; i++)
        if (ids[i] >= 0 && ids[i] % learner->threads == share)
            counts[ids[i]] = 0;
}

/* A vector's steps come in their order, whoever takes them: here alone the work may be cut by the
 * number of threads. */
static void apply_share(void *job, int64_t share, int worker)
{
    struct learner *learner = job;

    (void)worker;
    apply(learner, learner->in, learner->in_counts, learner->in_ids, learner->in_steps,
          (int64_t)learner->count * learner->ins, share);
    apply(learner, learner->out, learner->out_counts, learner->out_ids, learner->out_steps,
          (int64_t)learner->count * learner->outs, share);
}

static void learn_batch(struct learner *learner)
{
    struct dgm_pool *pool = learner->options->pool;

    dgm_pool_run(pool, compute_chunk, learner, (learner->count + PLACES_CHUNK - 1) / PLACES_CHUNK);
    dgm_pool_run(pool, apply_share, learner, learner->threads);
}

/* ---- the text -------------------------------------------------------------------------------- */

static void report(struct dgm_env *env, const struct learner *learner, int64_t done, int64_t all)
{
    const struct dgm_skip_gram_options *options = learner->options;
    const double seconds = dgm_clock() - learner->started;
    char text[64];

    if (options->progress == NULL)
        return;
    snprintf(text, sizeof text, "epoch %lu, %lld/s", (unsigned long)learner->epoch + 1,
             (long long)(seconds > 0 ? (double)done / seconds : 0));
    dgm_callback_begin(env);
    options->progress(options->progress_user, done, all, text);
    dgm_callback_end(env);
}

/* One pass. done: words of the passes before; all: of all passes. */
static dgm_status learn_epoch(struct dgm_env *env, struct learner *learner, int64_t done,
                              int64_t all)
{
    const struct dgm_skip_gram_text *text = learner->text;

    for (size_t at = 0; at < text->count;) {
        const double left = 1 - (double)done / (double)all;
        const size_t start = at;

        DGM_TRY(dgm_poll(env));
        learner->rate = (dgm_real)(learner->options->rate * (left > 1e-4 ? left : 1e-4));
        at = fill_batch(learner, at);
        learn_batch(learner);
        for (size_t i = start; i < at; i++)
            done += text->ids[i] >= 0;
        report(env, learner, done, all);
    }
    return DGM_OK;
}

static dgm_status learn(struct dgm_env *env, struct learner *learner)
{
    const int64_t words = learner->text->tokens, epochs = learner->options->epochs;

    DGM_TRY(open_learner(env, learner));
    draw_initial(learner);
    for (int64_t e = 0; e < epochs; e++) {
        learner->epoch = (uint32_t)e;
        DGM_TRY(learn_epoch(env, learner, e * words, epochs * words));
    }
    for (int64_t i = 0; i < learner->words * learner->dim; i++)
        if (!isfinite((double)learner->in[i]))
            return dgm_fail(env, DGM_FAILURE,
                            "the vectors have grown beyond all numbers; expected a smaller --lr");
    return DGM_OK;
}

dgm_status dgm_skip_gram_learn(struct dgm_env *env, dgm_real *vectors,
                               const struct dgm_skip_gram_text *text,
                               const struct dgm_skip_gram_options *options)
{
    struct learner learner = { .text = text, .options = options };
    dgm_status status;

    learner.words = dgm_skip_gram_text_words(text);
    learner.dim = options->dim;
    learner.in = vectors;
    learner.started = dgm_clock();
    status = learn(env, &learner);
    close_learner(env, &learner);
    return status;
}
