/*
 * order.c: which sentence pairs make up which batch.
 *
 * All is drawn from (seed, epoch) by a counter-based generator, so a training that was interrupted
 * finds the order of its epoch again without running through the ones before.
 */
#include "data/order.h"

#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "data/multitask.h"

enum { STREAM_ORDER = 2, STREAM_BATCHES = 3, STREAM_BESIDE = 51 };

/* Marks of the task do not count beside parses: the batches are those of a text without them. */
static int64_t pair_tokens(const struct dgm_corpus *corpus, const struct dgm_order_options *options,
                           uint32_t pair)
{
    int32_t marks = options->parses_beside ? DGM_MULTITASK_MARKS : 0;
    int32_t source = dgm_packed_length(&corpus->source, (int32_t)pair) - marks;
    int32_t target = dgm_packed_length(&corpus->target, (int32_t)pair);

    return source > target ? source : target;
}

/* By target length, then by source length; of equal ones neither comes after the other. */
static int comes_after(const struct dgm_corpus *corpus, uint32_t a, uint32_t b)
{
    int32_t ta = dgm_packed_length(&corpus->target, (int32_t)a);
    int32_t tb = dgm_packed_length(&corpus->target, (int32_t)b);

    if (ta != tb)
        return ta > tb;
    return dgm_packed_length(&corpus->source, (int32_t)a) >
           dgm_packed_length(&corpus->source, (int32_t)b);
}

/* Merge sort of pairs[0..count) by length, bottom-up; `scratch` has the same size. It is stable, so
 * that equal lengths keep their random order; qsort would leave that to the C library. */
static void sort_by_length(const struct dgm_corpus *corpus, uint32_t *pairs, uint32_t *scratch,
                           size_t count)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = start + 2 * width < count ? start + 2 * width : count;
            size_t i = start, j = middle;
            for (size_t k = start; k < end; k++) {
                int right = i == middle || (j < end && comes_after(corpus, pairs[i], pairs[j]));
                scratch[k] = right ? pairs[j++] : pairs[i++];
            }
        }
        memcpy(pairs, scratch, count * sizeof *pairs);
    }
}

/* Sorts runs of about window * batch_tokens tokens: sentences of a batch are then about equally
 * long, while a run as a whole is still a random sample of the corpus. */
static dgm_status sort_windows(struct dgm_env *env, struct dgm_order *order,
                               const struct dgm_corpus *corpus,
                               const struct dgm_order_options *options)
{
    uint32_t *scratch;
    int64_t start = 0, i, tokens = 0;

    DGM_TRY(dgm_new(env, &scratch, (size_t)order->pair_count, sizeof *scratch));
    for (i = 0; i < order->pair_count; i++) {
        tokens += pair_tokens(corpus, options, order->pairs[i]);
        if (tokens >= options->window * options->batch_tokens || i + 1 == order->pair_count) {
            sort_by_length(corpus, order->pairs + start, scratch, (size_t)(i + 1 - start));
            start = i + 1;
            tokens = 0;
        }
    }
    dgm_release(env, scratch);
    return DGM_OK;
}

/* Batch b begins at pair `start`; behind the last batch stands the number of pairs. */
static dgm_status push_start(struct dgm_env *env, struct dgm_order *order, int64_t count,
                             uint32_t start)
{
    const struct dgm_parallel arrays[] = { { &order->starts, sizeof *order->starts },
                                           { &order->batch_order, sizeof *order->batch_order },
                                           { NULL, 0 } };

    DGM_TRY(dgm_reserve_parallel(env, arrays, &order->batch_capacity, (size_t)count + 1));
    order->starts[count] = start;
    return DGM_OK;
}

/* A batch ends before the pair that would exceed its tokens; a pair that is longer than that has a
 * batch of its own. */
static dgm_status cut_batches(struct dgm_env *env, struct dgm_order *order,
                              const struct dgm_corpus *corpus,
                              const struct dgm_order_options *options)
{
    int64_t i, tokens = 0, sentences = 0, count = 0;

    for (i = 0; i < order->pair_count; i++) {
        int64_t more = pair_tokens(corpus, options, order->pairs[i]);
        if (sentences == 0 || tokens + more > options->batch_tokens ||
            (options->batch_sentences > 0 && sentences == options->batch_sentences)) {
            DGM_TRY(push_start(env, order, count++, (uint32_t)i));
            tokens = sentences = 0;
        }
        tokens += more;
        sentences++;
    }
    order->batches = count;
    return push_start(env, order, count, (uint32_t)order->pair_count);
}

/* The translations, each as often as it comes. */
static dgm_status take_translations(struct dgm_env *env, struct dgm_order *order,
                                    const struct dgm_corpus *corpus, const uint16_t *times,
                                    int32_t parses)
{
    const int64_t pairs = corpus->source.count - corpus->parses;
    int64_t count = times == NULL ? pairs : 0, i, at = 0;

    for (i = 0; times != NULL && i < pairs; i++)
        count += times[i];
    DGM_TRY(dgm_reserve(env, &order->pairs, &order->pair_capacity, (size_t)(count + parses),
                        sizeof *order->pairs));
    for (i = 0; i < pairs; i++)
        for (int copies = times != NULL ? times[i] : 1; copies > 0; copies--)
            order->pairs[at++] = (uint32_t)i;
    order->pair_count = count;
    return DGM_OK;
}

/* The translations and, unless they stand beside, the parse pairs of the epoch. */
static dgm_status take_pairs(struct dgm_env *env, struct dgm_order *order,
                             const struct dgm_corpus *corpus, const uint16_t *times,
                             const struct dgm_order_options *options, int64_t epoch)
{
    int32_t parses = dgm_multitask_count(corpus, options->parse_ratio);
    int64_t translations;

    DGM_TRY(take_translations(env, order, corpus, times, parses));
    translations = order->pair_count;
    if (options->parses_beside)
        return DGM_OK;
    order->pair_count += parses;
    return dgm_multitask_choose(env, order->pairs + translations, corpus, options->parse_ratio,
                                options->seed, epoch);
}

/* Moves the batches apart, the last one first, so that each has its share of the parses behind its
 * translations. */
static void deal(struct dgm_order *order, const uint32_t *parses, int64_t count)
{
    int64_t end = order->pair_count, b;

    order->pair_count += count;
    order->starts[order->batches] = (uint32_t)order->pair_count;
    for (b = order->batches - 1; b >= 0; b--) {
        int64_t start = order->starts[b];
        int64_t from = count * b / order->batches, to = count * (b + 1) / order->batches;
        memmove(order->pairs + start + from, order->pairs + start,
                (size_t)(end - start) * sizeof *order->pairs);
        memcpy(order->pairs + end + from, parses + from, (size_t)(to - from) * sizeof *parses);
        order->starts[b] = (uint32_t)(start + from);
        end = start;
    }
}

/* In another order in each epoch, so that other parses stand in one batch. */
static dgm_status put_beside(struct dgm_env *env, struct dgm_order *order,
                             const struct dgm_corpus *corpus,
                             const struct dgm_order_options *options, int64_t epoch)
{
    int32_t count = dgm_multitask_count(corpus, options->parse_ratio);
    struct dgm_random random;
    uint32_t *parses;
    dgm_status status;

    if (!options->parses_beside || count == 0)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &parses, (size_t)count, sizeof *parses));
    DGM_TRY_OUT(
        dgm_multitask_choose(env, parses, corpus, options->parse_ratio, options->seed, epoch));
    dgm_random_init(&random, options->seed, STREAM_BESIDE, (uint32_t)epoch, 0);
    dgm_random_shuffle(&random, parses, (size_t)count);
    deal(order, parses, count);
out:
    dgm_release(env, parses);
    return status;
}

dgm_status dgm_order_make(struct dgm_env *env, struct dgm_order *order,
                          const struct dgm_corpus *corpus, const struct dgm_order_options *options,
                          int64_t epoch)
{
    return dgm_order_make_part(env, order, corpus, NULL, options, epoch, 0);
}

dgm_status dgm_order_make_part(struct dgm_env *env, struct dgm_order *order,
                               const struct dgm_corpus *corpus, const uint16_t *times,
                               const struct dgm_order_options *options, int64_t epoch,
                               uint32_t part)
{
    struct dgm_random random;

    order->epoch = epoch;
    DGM_TRY(take_pairs(env, order, corpus, times, options, epoch));
    dgm_random_init(&random, options->seed, STREAM_ORDER, (uint32_t)epoch, part);
    dgm_random_shuffle(&random, order->pairs, (size_t)order->pair_count);
    if (options->window > 1)
        DGM_TRY(sort_windows(env, order, corpus, options));
    DGM_TRY(cut_batches(env, order, corpus, options));
    DGM_TRY(put_beside(env, order, corpus, options, epoch));
    for (int64_t i = 0; i < order->batches; i++)
        order->batch_order[i] = (uint32_t)i;
    /* Sorted runs have their short batches first: without a shuffle, lengths would go in waves. */
    if (options->window > 1) {
        dgm_random_init(&random, options->seed, STREAM_BATCHES, (uint32_t)epoch, part);
        dgm_random_shuffle(&random, order->batch_order, (size_t)order->batches);
    }
    return DGM_OK;
}

void dgm_order_clear(struct dgm_env *env, struct dgm_order *order)
{
    dgm_release(env, order->pairs);
    dgm_release(env, order->starts);
    dgm_release(env, order->batch_order);
    memset(order, 0, sizeof *order);
}

int64_t dgm_order_pairs(const struct dgm_order *order, int64_t count)
{
    int64_t b, pairs = 0;

    for (b = 0; b < count; b++)
        pairs += dgm_order_batch_pairs(order, b);
    return pairs;
}

int64_t dgm_order_batch_pairs(const struct dgm_order *order, int64_t b)
{
    const uint32_t batch = order->batch_order[b];

    return order->starts[batch + 1] - order->starts[batch];
}

int64_t dgm_order_batch_rows(const struct dgm_order *order, const struct dgm_corpus *corpus,
                             int64_t b)
{
    const uint32_t batch = order->batch_order[b];
    int64_t rows = 0;

    for (uint32_t i = order->starts[batch]; i < order->starts[batch + 1]; i++)
        rows += dgm_packed_length(&corpus->source, (int32_t)order->pairs[i]) +
                dgm_packed_length(&corpus->target, (int32_t)order->pairs[i]);
    return rows;
}

dgm_status dgm_order_batch(struct dgm_env *env, const struct dgm_order *order,
                           const struct dgm_corpus *corpus, int64_t b, struct dgm_batch *batch)
{
    uint32_t chosen, i;

    if (b < 0 || b >= order->batches)
        return dgm_fail(env, DGM_FAILURE, "batch %lld of an epoch of %lld", (long long)b,
                        (long long)order->batches);
    chosen = order->batch_order[b];
    dgm_batch_reset(batch);
    for (i = order->starts[chosen]; i < order->starts[chosen + 1]; i++) {
        const int32_t pair = (int32_t)order->pairs[i];

        DGM_TRY(dgm_batch_add(env, batch, &corpus->source, &corpus->target, pair,
                              corpus->numbers != NULL ? corpus->numbers[pair] : pair));
        if (corpus->augment != NULL)
            DGM_TRY(dgm_augment_last(env, corpus->augment, order->epoch, batch));
        if (corpus->resample != NULL)
            DGM_TRY(dgm_resample_last(env, corpus->resample, order->epoch, batch));
    }
    return DGM_OK;
}
