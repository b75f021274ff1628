/*
 * validate.c: the validation set: cross-entropy, and BLEU by translating it.
 */
#include <string.h>

#include "train/session.h"

/* Batches of the validation set in corpus order, about batch-tokens each. */
static dgm_status fill_batch(struct dgm_session *session, int32_t *next)
{
    const struct dgm_corpus *valid = &session->valid;
    int64_t tokens = 0;

    dgm_batch_reset(&session->batch);
    while (*next < valid->source.count) {
        int32_t source = dgm_packed_length(&valid->source, *next);
        int32_t target = dgm_packed_length(&valid->target, *next);
        tokens += source > target ? source : target;
        if (session->batch.source.count > 0 && tokens > session->order_options.batch_tokens)
            break;
        DGM_TRY(dgm_batch_add(session->env, &session->batch, &valid->source, &valid->target,
                              *next, *next));
        (*next)++;
    }
    return DGM_OK;
}

dgm_status dgm_session_cross_entropy(struct dgm_session *session, double *mean)
{
    double sums[2], total = 0;
    int64_t labels, all_labels = 0;
    int32_t next = 0;

    while (next < session->valid.source.count) {
        DGM_TRY(fill_batch(session, &next));
        DGM_TRY(dgm_session_forward(session, 0, 0, sums, &labels));
        total += sums[1];
        all_labels += labels;
    }
    *mean = total / (double)all_labels;
    return DGM_OK;
}
