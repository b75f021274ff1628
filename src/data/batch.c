/*
 * batch.c: a batch is a packed side of sources, one of targets, and where the pairs came from.
 */
#include "data/batch.h"

#include <string.h>

#include "base/mem.h"

dgm_status dgm_batch_add(struct dgm_env *env, struct dgm_batch *batch,
                         const struct dgm_packed *source, const struct dgm_packed *target,
                         int32_t s, int32_t number)
{
    DGM_TRY(dgm_reserve(env, &batch->numbers, &batch->number_capacity,
                        (size_t)batch->source.count + 1, sizeof(int32_t)));
    batch->numbers[batch->source.count] = number;
    DGM_TRY(dgm_packed_append(env, &batch->source, source, s));
    if (target != NULL)
        DGM_TRY(dgm_packed_append(env, &batch->target, target, s));
    return DGM_OK;
}

void dgm_batch_reset(struct dgm_batch *batch)
{
    dgm_packed_reset(&batch->source);
    dgm_packed_reset(&batch->target);
}

void dgm_batch_clear(struct dgm_env *env, struct dgm_batch *batch)
{
    dgm_packed_clear(env, &batch->source);
    dgm_packed_clear(env, &batch->target);
    dgm_release(env, batch->numbers);
    memset(batch, 0, sizeof *batch);
}
