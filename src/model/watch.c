/*
 * watch.c: attention with unit vectors as values: its result is the weights.
 */
#include "model/watch.h"

#include <string.h>

void dgm_watch_init(struct dgm_watch *watch, struct dgm_device *device)
{
    memset(watch, 0, sizeof *watch);
    dgm_feed_init(&watch->feed, device);
}

void dgm_watch_clear(struct dgm_env *env, struct dgm_watch *watch)
{
    dgm_feed_clear(env, &watch->feed);
    memset(watch, 0, sizeof *watch);
}

static dgm_status stage_values(struct dgm_env *env, struct dgm_watch *watch, enum dgm_side side,
                               const struct dgm_packed *packed, int64_t heads)
{
    int64_t rows = packed->count > 0 ? packed->offsets[packed->count] : 0, width = 0, h;
    dgm_real *values;
    int32_t s, i;

    for (s = 0; s < packed->count; s++)
        if (dgm_packed_length(packed, s) > width)
            width = dgm_packed_length(packed, s);
    watch->rows[side] = rows;
    watch->width[side] = width;
    watch->values[side] = 0;
    if (rows == 0)
        return DGM_OK;
    DGM_TRY(dgm_feed_take(env, &watch->feed, &watch->values[side], &values,
                          (size_t)(rows * heads * width) * sizeof *values));
    for (s = 0; s < packed->count; s++)
        for (i = packed->offsets[s]; i < packed->offsets[s + 1]; i++)
            for (h = 0; h < heads; h++)
                values[(i * heads + h) * width + i - packed->offsets[s]] = 1;
    return DGM_OK;
}

dgm_status dgm_watch_stage(struct dgm_env *env, struct dgm_watch *watch,
                           const struct dgm_batch *batch, int64_t heads)
{
    dgm_feed_reset(&watch->feed);
    memset(watch->weights, 0, sizeof watch->weights);
    DGM_TRY(stage_values(env, watch, DGM_ENCODER, &batch->source, heads));
    DGM_TRY(stage_values(env, watch, DGM_DECODER, &batch->target, heads));
    return dgm_feed_send(env, &watch->feed);
}

void dgm_watch_add(const struct dgm_where *where, enum dgm_attention_kind kind,
                   struct dgm_columns q, struct dgm_columns k,
                   const struct dgm_attention_terms *terms)
{
    enum dgm_side keys = kind == DGM_ATTENTION_DECODER ? DGM_DECODER : DGM_ENCODER;
    struct dgm_watch *watch = where->watch;
    struct dgm_attention_terms plain = *terms;
    struct dgm_columns v;

    if (watch == NULL || !dgm_layers_has(watch->layers[kind], where->layer))
        return;
    plain.value_table[0] = plain.value_table[1] = NULL;
    plain.core.value_dim = watch->width[keys];
    v = dgm_layers_columns(dgm_constant(where->g, dgm_feed_ref(&watch->feed, watch->values[keys]),
                                        watch->rows[keys],
                                        plain.core.heads * watch->width[keys]), 0);
    watch->weights[kind][where->layer - 1] =
        dgm_keep(where->g, dgm_attention_node(where->g, q, k, v, &plain));
}
