/*
 * multitask.c: the parse pairs of a corpus.
 */
#include "data/multitask.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/philox.h"

enum { STREAM_PARSES = 50 };

/* What is at work while pairs are added. */
struct adding {
    struct dgm_packed pair; /* a source, alone: a side cannot be appended to itself */
    struct dgm_encoded target;
    struct dgm_hash hash;
    int32_t mark; /* the id of <PA> */
};

/* Source s once more, between the other marks. */
static dgm_status add_source(struct dgm_env *env, struct dgm_packed *source, struct adding *adding,
                             int32_t s)
{
    struct dgm_packed *pair = &adding->pair;

    dgm_packed_reset(pair);
    DGM_TRY(dgm_packed_append(env, pair, source, s));
    /* Marks stand first, and before the end of the sentence. */
    pair->ids[0] = pair->ids[pair->offsets[1] - 2] = adding->mark;
    return dgm_packed_append(env, source, pair, 0);
}

static dgm_status add_pair(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, const struct dgm_parses *parses,
                           int32_t max_length, struct adding *adding, int32_t s, long *too_long)
{
    struct dgm_encoded *target = &adding->target;
    long line = corpus->line_of[s];
    size_t bytes;
    const char *text = dgm_parses_line(parses, (size_t)line, &bytes);

    dgm_hash_add(&adding->hash, text, bytes);
    dgm_hash_add(&adding->hash, "\n", 1);
    if (bytes == 0)
        return DGM_OK;
    DGM_TRY(dgm_pipeline_encode_parse(env, pipeline, target, text, bytes));
    if (target->n > max_length) {
        ++*too_long;
        return DGM_OK;
    }
    DGM_TRY(add_source(env, &corpus->source, adding, s));
    DGM_TRY(dgm_packed_add(env, &corpus->target, target->ids, target->words, target->n, NULL,
                           target->n_words));
    DGM_TRY(dgm_reserve(env, &corpus->line_of, &corpus->line_capacity, (size_t)corpus->source.count,
                        sizeof *corpus->line_of));
    corpus->line_of[corpus->source.count - 1] = line;
    return DGM_OK;
}

dgm_status dgm_multitask_add(struct dgm_env *env, struct dgm_corpus *corpus,
                             struct dgm_pipeline *pipeline, const struct dgm_parses *parses,
                             int32_t max_length, long *too_long)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_SOURCE);
    const char *mark = dgm_task_marks[DGM_PARSING];
    int32_t count = corpus->source.count;
    struct adding adding = { 0 };
    dgm_status status;

    *too_long = 0;
    if (parses->count != (size_t)corpus->lines)
        return dgm_fail_at(env, DGM_DATA, parses->path, 0, 0,
                           "%zu trees; expected %ld, one for each line of the source [E_ALIGN]",
                           parses->count, corpus->lines);
    adding.mark = (int32_t)dgm_vocab_find(vocab, mark, strlen(mark));
    dgm_hash_init(&adding.hash, corpus->checksum);
    for (int32_t s = 0; s < count; s++)
        DGM_TRY_OUT(add_pair(env, corpus, pipeline, parses, max_length, &adding, s, too_long));
    status = DGM_OK;
out:
    corpus->checksum = dgm_hash_value(&adding.hash);
    corpus->parses = corpus->source.count - count;
    dgm_packed_clear(env, &adding.pair);
    dgm_encoded_clear(env, &adding.target);
    return status;
}

/* ---- those of an epoch ----------------------------------------------------------------------- */

int32_t dgm_multitask_count(const struct dgm_corpus *corpus, double ratio)
{
    double wanted = floor(ratio * (double)(corpus->source.count - corpus->parses) + 0.5);

    return wanted < (double)corpus->parses ? (int32_t)wanted : corpus->parses;
}

/* Epoch after epoch goes on in one random order of all of them, which follows from the seed. */
dgm_status dgm_multitask_choose(struct dgm_env *env, uint32_t *pairs,
                                const struct dgm_corpus *corpus, double ratio, uint64_t seed,
                                int64_t epoch)
{
    int64_t all = corpus->parses, count = dgm_multitask_count(corpus, ratio), i;
    uint32_t first = (uint32_t)(corpus->source.count - corpus->parses), *order;
    struct dgm_random random;

    if (count == 0)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &order, (size_t)all, sizeof *order));
    for (i = 0; i < all; i++)
        order[i] = first + (uint32_t)i;
    if (count < all) {
        dgm_random_init(&random, seed, STREAM_PARSES, 0, 0);
        dgm_random_shuffle(&random, order, (size_t)all);
    }
    for (i = 0; i < count; i++)
        pairs[i] = order[count < all ? (epoch % all * count + i) % all : i];
    dgm_release(env, order);
    return DGM_OK;
}
