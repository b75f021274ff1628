/*
 * cross.c: attention to the source, over whole sentences and one token at a time (specification,
 * sections 1.4 and 1.11). Both ways build the same nodes and give the same bits.
 */
#include "model/transformer/cross.h"

#include "model/guided.h"
#include "model/transformer/transformer.h"

static const struct dgm_attention_params *cross_params(const struct dgm_net *net, int layer)
{
    return &dgm_transformer_of(net, DGM_TARGET)->layers[DGM_TARGET][layer - 1].cross;
}

/* ---- whole sentences ------------------------------------------------------------------------- */

struct dgm_node *dgm_cross_attend(const struct dgm_layer_context *where,
                                  const struct dgm_step *step, struct dgm_node *x,
                                  struct dgm_node *encoded)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = cross_params(net, where->layer);
    struct dgm_attention_terms terms;
    struct dgm_node *h, *q, *kv;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    kv = dgm_layers_project(where, encoded, params->k_weight, params->k_bias, 2);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, step->target.sentences, &terms);
    terms.q_offsets = dgm_feed_ref(&step->feed, step->target.offsets);
    terms.places = dgm_feed_ref(&step->feed, step->target.places);
    terms.k_starts = dgm_feed_ref(&step->feed, step->memory.offsets);
    terms.k_counts = dgm_feed_ref(&step->feed, step->memory.counts);
    x = dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0), dgm_layers_columns(kv, 0),
                         dgm_layers_columns(kv, net->config.dim), &terms);
    if (dgm_guided_wants(net, step, where->losses, where->layer))
        dgm_guided_attend(where->g, step, where->losses, dgm_layers_columns(q, 0),
                          dgm_layers_columns(kv, 0), &terms);
    return x;
}

/* ---- one token at a time --------------------------------------------------------------------- */

void dgm_cross_clear(struct dgm_env *env, const struct dgm_incremental *state,
                     struct dgm_cross_cache *cache)
{
    for (int l = 0; l < state->net->config.dec_depth; l++)
        dgm_device_release(env, state->graph.device, cache->layers[l]);
}

static struct dgm_ref cached_rows(const struct dgm_cross_cache *cache, int layer)
{
    struct dgm_ref ref = { cache->layers[layer - 1], 0 };

    return ref;
}

/* Room for keys and values of `rows` source tokens in each layer: of this batch, and of a little
 * larger ones. */
static dgm_status reserve(struct dgm_env *env, const struct dgm_incremental *state,
                          struct dgm_cross_cache *cache, int64_t rows)
{
    const size_t row_bytes = 2 * (size_t)state->net->config.dim * sizeof(dgm_real);
    struct dgm_device *device = state->graph.device;

    if (rows <= cache->capacity)
        return DGM_OK;
    rows += rows / 8;
    cache->capacity = 0;
    for (int l = 0; l < state->net->config.dec_depth; l++) {
        dgm_device_release(env, device, cache->layers[l]);
        cache->layers[l] = NULL;
        DGM_TRY(dgm_device_alloc(env, device, &cache->layers[l], (size_t)rows * row_bytes));
    }
    cache->capacity = rows;
    return DGM_OK;
}

dgm_status dgm_cross_begin(struct dgm_env *env, struct dgm_incremental *state,
                           struct dgm_cross_cache *cache, struct dgm_node *encoded)
{
    struct dgm_layer_context where = { .g = &state->graph, .net = state->net, .side = DGM_TARGET };

    DGM_TRY(reserve(env, state, cache, state->source.memory.rows));
    for (where.layer = 1; where.layer <= state->net->config.dec_depth; where.layer++) {
        const struct dgm_attention_params *params = cross_params(state->net, where.layer);
        dgm_place(where.g, dgm_layers_project(&where, encoded, params->k_weight, params->k_bias, 2),
                  cached_rows(cache, where.layer));
    }
    return DGM_OK;
}

dgm_status dgm_cross_stage(struct dgm_env *env, struct dgm_incremental *state,
                           struct dgm_cross_slots *slots)
{
    struct dgm_feed *feed = &state->feed;
    size_t rows = (size_t)state->rows, bytes = rows * sizeof(int32_t), r;
    int32_t *offsets, *places;

    DGM_TRY(dgm_feed_take(env, feed, &slots->offsets, &offsets, bytes + sizeof *offsets));
    for (r = 0; r <= rows; r++)
        offsets[r] = (int32_t)r;
    DGM_TRY(dgm_feed_take(env, feed, &slots->places, &places, 2 * bytes));
    for (r = 0; r < rows; r++) {
        places[2 * r] = state->sentence[r];
        places[2 * r + 1] = (int32_t)state->steps;
    }
    return dgm_incremental_stage_memory(env, state, &slots->starts, &slots->counts);
}

struct dgm_node *dgm_cross_step(const struct dgm_layer_context *where,
                                struct dgm_incremental *state, const struct dgm_cross_cache *cache,
                                const struct dgm_cross_slots *slots, struct dgm_node *x)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = cross_params(net, where->layer);
    int64_t dim = net->config.dim;
    struct dgm_attention_terms terms;
    struct dgm_node *h, *q, *keys;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    keys = dgm_constant(where->g, cached_rows(cache, where->layer), state->source.memory.rows,
                        2 * dim);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, state->rows, &terms);
    terms.q_offsets = dgm_feed_ref(&state->feed, slots->offsets);
    terms.places = dgm_feed_ref(&state->feed, slots->places);
    terms.k_starts = dgm_feed_ref(&state->feed, slots->starts);
    terms.k_counts = dgm_feed_ref(&state->feed, slots->counts);
    return dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0), dgm_layers_columns(keys, 0),
                            dgm_layers_columns(keys, dim), &terms);
}
