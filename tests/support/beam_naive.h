/*
 * beam_naive.h: the next token of a hypothesis, computed from the start.
 */
#ifndef DGM_TEST_BEAM_NAIVE_H
#define DGM_TEST_BEAM_NAIVE_H

#include <math.h>

#include "tiny.h"

enum { BEAM_REALS = 4096 };

/* Scores of the token after `tokens`, computed from the start. */
static inline dgm_status next_scores(struct tiny *tiny, const struct dgm_batch *source, int32_t s,
                                     const int32_t *tokens, int32_t count, dgm_real *scores)
{
    static const int32_t words[64] = { 0 };
    dgm_real encoded[BEAM_REALS], logits[BEAM_REALS];
    struct dgm_packed target;
    struct dgm_batch batch;
    int32_t ids[64];
    dgm_status status;

    memset(&target, 0, sizeof target);
    memset(&batch, 0, sizeof batch);
    if (count > 0)
        memcpy(ids, tokens, (size_t)count * sizeof *ids);
    ids[count] = TINY_EOS;
    status = dgm_batch_add(test_env(), &batch, &source->source, NULL, s, 0);
    if (status == DGM_OK)
        status = dgm_packed_add(test_env(), &batch.target, ids, words, count + 1, NULL, 1);
    if (status == DGM_OK)
        status = tiny_outputs(tiny, &batch, encoded, logits);
    if (status == DGM_OK)
        memcpy(scores, logits + count * TINY_VOCAB, TINY_VOCAB * sizeof *scores);
    dgm_batch_clear(test_env(), &batch);
    return status;
}

static inline double log_probability(const dgm_real *scores, int32_t id)
{
    double sum = 0;
    int i;

    for (i = 0; i < TINY_VOCAB; i++)
        sum += exp((double)scores[i] - (double)scores[id]);
    return -log(sum);
}

#endif
