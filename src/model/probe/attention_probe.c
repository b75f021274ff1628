/*
 * attention_probe.c: attention with unit vectors as values: its result is the weights.
 */
#include "model/probe/attention_probe.h"

#include <string.h>

#include "model/decoder.h"

void dgm_attention_probe_init(struct dgm_attention_probe *watch, struct dgm_device *device)
{
    memset(watch, 0, sizeof *watch);
    dgm_feed_init(&watch->feed, device);
}

void dgm_attention_probe_clear(struct dgm_env *env, struct dgm_attention_probe *watch)
{
    dgm_feed_clear(env, &watch->feed);
    memset(watch, 0, sizeof *watch);
}

int dgm_attention_probe_layers(const struct dgm_net *net, enum dgm_attention_kind kind)
{
    if (kind == DGM_ATTENTION_ENCODER)
        return net->encoder->attends ? net->config.enc_depth : 0;
    if (kind == DGM_ATTENTION_DECODER)
        return net->decoder->attends ? net->config.dec_depth : 0;
    return net->decoder->layers > 0 ? net->decoder->layers : net->config.dec_depth;
}

int64_t dgm_attention_probe_heads(const struct dgm_net *net, enum dgm_attention_kind kind)
{
    return kind != DGM_ATTENTION_ENCODER && net->decoder->layers > 0 ? 1 : net->config.heads;
}

/* Room for (rows, heads width) zeros, `width` the longest of the sentences. */
static dgm_status take_values(struct dgm_env *env, struct dgm_attention_probe *watch,
                              enum dgm_attention_kind kind, const int32_t *offsets, int32_t count,
                              int64_t rows, int64_t heads, dgm_real **values)
{
    int64_t width = 0;

    for (int32_t s = 0; s < count; s++)
        if (offsets[s + 1] - offsets[s] > width)
            width = offsets[s + 1] - offsets[s];
    watch->rows[kind] = rows;
    watch->width[kind] = width;
    watch->values[kind] = 0;
    *values = NULL;
    if (rows == 0)
        return DGM_OK;
    return dgm_feed_take(env, &watch->feed, &watch->values[kind], values,
                         (size_t)(rows * heads * width) * sizeof **values);
}

/* A unit vector for each of the keys offsets[s] .. offsets[s+1]-1, once for each head. */
static dgm_status stage_values(struct dgm_env *env, struct dgm_attention_probe *watch,
                               enum dgm_attention_kind kind, const int32_t *offsets, int32_t count,
                               int64_t heads)
{
    int64_t width, h;
    dgm_real *values;

    DGM_TRY(take_values(env, watch, kind, offsets, count, count > 0 ? offsets[count] : 0, heads,
                        &values));
    width = watch->width[kind];
    for (int32_t s = 0; s < count; s++)
        for (int32_t i = offsets[s]; i < offsets[s + 1]; i++)
            for (h = 0; h < heads; h++)
                values[(i * heads + h) * width + i - offsets[s]] = 1;
    return DGM_OK;
}

dgm_status dgm_attention_probe_stage(struct dgm_env *env, struct dgm_attention_probe *watch,
                                     const struct dgm_net *net, const struct dgm_step *step,
                                     const struct dgm_batch *batch)
{
    const struct dgm_packed *target = &batch->target;
    const struct dgm_memory_slots *memory = &step->memory;
    int64_t heads = net->config.heads,
            rows = target->count > 0 ? target->offsets[target->count] : 0;
    dgm_real *unused;

    dgm_feed_reset(&watch->feed);
    memset(watch->weights, 0, sizeof watch->weights);
    if (net->encoder->attends)
        DGM_TRY(stage_values(env, watch, DGM_ATTENTION_ENCODER, batch->source.offsets,
                             batch->source.count, heads));
    if (net->decoder->layers > 0) {
        DGM_TRY(take_values(env, watch, DGM_ATTENTION_CROSS, memory->starts, memory->sentences,
                            rows, 1, &unused));
        return dgm_feed_send(env, &watch->feed);
    }
    DGM_TRY(stage_values(env, watch, DGM_ATTENTION_DECODER, target->offsets, target->count, heads));
    DGM_TRY(
        stage_values(env, watch, DGM_ATTENTION_CROSS, memory->starts, memory->sentences, heads));
    return dgm_feed_send(env, &watch->feed);
}

void dgm_attention_probe_add(struct dgm_attention_probe *watch, struct dgm_graph *g, int layer,
                             enum dgm_attention_kind kind, struct dgm_columns q,
                             struct dgm_columns k, const struct dgm_attention_terms *terms)
{
    struct dgm_attention_terms plain = *terms;
    struct dgm_columns v = { NULL, 0 };

    if (watch == NULL || !dgm_layers_has(watch->layers[kind], layer))
        return;
    plain.value_table[0] = plain.value_table[1] = NULL;
    plain.core.value_dim = watch->width[kind];
    v.node = dgm_constant(g, dgm_feed_ref(&watch->feed, watch->values[kind]), watch->rows[kind],
                          plain.core.heads * watch->width[kind]);
    watch->weights[kind][layer - 1] = dgm_keep(g, dgm_attention_node(g, q, k, v, &plain));
}

struct dgm_ref dgm_attention_probe_place(const struct dgm_attention_probe *watch)
{
    struct dgm_ref none = { NULL, 0 };

    if (watch == NULL || watch->rows[DGM_ATTENTION_CROSS] == 0 ||
        !dgm_layers_has(watch->layers[DGM_ATTENTION_CROSS], 1))
        return none;
    return dgm_feed_ref(&watch->feed, watch->values[DGM_ATTENTION_CROSS]);
}

void dgm_attention_probe_take(struct dgm_attention_probe *watch, struct dgm_graph *g,
                              struct dgm_node *weights)
{
    watch->weights[DGM_ATTENTION_CROSS][0] = dgm_keep(g, weights);
}
