/*
 * tiny_steps.h: the scores of a toy model's decoder one token at a time, to be compared with those
 * of whole sentences.
 */
#ifndef DGM_TEST_TINY_STEPS_H
#define DGM_TEST_TINY_STEPS_H

#include "model/search/incremental.h"
#include "tiny.h"

enum { TINY_STEP_ROWS = 8 }; /* sentences, at most */

/* One step of the `rows` sentences `live`: scores (rows, TINY_VOCAB). */
static inline dgm_status tiny_one_step(struct tiny *tiny, struct dgm_incremental *state,
                                       const struct dgm_packed *target, const int32_t *live,
                                       int32_t rows, int32_t step, dgm_real *scores)
{
    int32_t ids[TINY_STEP_ROWS];
    struct dgm_ref where;

    for (int32_t r = 0; r < rows; r++)
        ids[r] = step == 0 ? TINY_EOS : target->ids[target->offsets[live[r]] + step - 1];
    DGM_TRY(dgm_incremental_step(test_env(), state, ids, &where));
    return dgm_device_read(test_env(), tiny->device, scores, where,
                           (size_t)(rows * TINY_VOCAB) * sizeof *scores);
}

/* All sentences of a batch, each as long as it lasts; scores (target rows, TINY_VOCAB) in the order
 * of the batch. */
static inline dgm_status tiny_steps(struct tiny *tiny, const struct dgm_batch *batch,
                                    dgm_real *scores)
{
    const struct dgm_packed *target = &batch->target;
    int32_t live[TINY_STEP_ROWS], from[TINY_STEP_ROWS], rows = target->count, left;
    dgm_real now[TINY_STEP_ROWS * TINY_VOCAB];
    struct dgm_incremental state;
    dgm_status status;

    for (int32_t r = 0; r < rows; r++)
        live[r] = r;
    DGM_TRY(dgm_incremental_init(test_env(), &state, &tiny->model, tiny->device));
    DGM_TRY_OUT(dgm_incremental_begin(test_env(), &state, batch));
    for (int32_t step = 0; rows > 0; step++) {
        DGM_TRY_OUT(tiny_one_step(tiny, &state, target, live, rows, step, now));
        left = 0;
        for (int32_t r = 0; r < rows; r++) {
            memcpy(scores + (target->offsets[live[r]] + step) * TINY_VOCAB, now + r * TINY_VOCAB,
                   TINY_VOCAB * sizeof *now);
            if (step + 1 < dgm_packed_length(target, live[r])) {
                live[left] = live[r];
                from[left++] = r;
            }
        }
        rows = left;
        DGM_TRY_OUT(dgm_incremental_select(test_env(), &state, from, rows));
    }
    status = DGM_OK;
out:
    dgm_incremental_clear(test_env(), &state);
    return status;
}

#endif
