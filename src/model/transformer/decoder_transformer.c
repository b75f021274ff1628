/*
 * decoder_transformer.c: the decoder of a Transformer: whole packed sentences at once in training,
 * and one token at a time, with caches of keys and values, in a search (specification, sections 1
 * and 1.4).
 *
 * Both ways build the same sub-layers (sublayers.h) and give the same bits. A step appends one row
 * per hypothesis to the cache of every layer (key_cache.h). The keys and values of the source are
 * computed once per sentence; all hypotheses of a sentence read the same block.
 */
#include <string.h>

#include "base/mem.h"
#include "graph/segment.h"
#include "model/decoder.h"
#include "model/guided.h"
#include "model/transformer/key_cache.h"
#include "model/transformer/transformer.h"

/* ---- whole sentences ------------------------------------------------------------------------- */

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    return dgm_transformer_declare(env, net, DGM_TARGET);
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    return dgm_transformer_plan(env, net, step, DGM_TARGET, &batch->target, batch->numbers, draw);
}

static const struct dgm_layer_params *layer_params(const struct dgm_net *net, int layer)
{
    return &dgm_transformer_of(net, DGM_TARGET)->layers[DGM_TARGET][layer - 1];
}

static struct dgm_node *cross_attention(const struct dgm_layer_context *where,
                                        const struct dgm_step *step, struct dgm_node *x,
                                        struct dgm_node *encoded)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = &layer_params(net, where->layer)->cross;
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

static struct dgm_node *decode(struct dgm_graph *g, const struct dgm_net *net,
                               const struct dgm_step *step, const struct dgm_encoding *encoded,
                               struct dgm_parse_losses *losses)
{
    struct dgm_rows rows = dgm_step_rows(step, &step->target);
    struct dgm_layer_context where = { .g = g,
                                       .net = net,
                                       .side = DGM_TARGET,
                                       .rows = &rows,
                                       .losses = losses,
                                       .watch = step->watch };
    struct dgm_transformer_stream stream = { { NULL }, { NULL } };
    struct dgm_node *x = dgm_layers_embed(&where);

    for (where.layer = 1; where.layer <= net->config.dec_depth; where.layer++) {
        dgm_begin_segment(g);
        stream.inputs[where.layer - 1] = x;
        x = dgm_transformer_self(&where, step, &stream);
        x = cross_attention(&where, step, x, encoded->rows);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

/* ---- one token at a time --------------------------------------------------------------------- */

/* What state->own is. */
struct caches {
    struct dgm_key_cache self;
    struct dgm_buffer *cross[DGM_MAX_LAYERS]; /* (K,2D) keys and values of the source */
    int64_t source_capacity;                  /* rows of cross that are allocated */
};

static void close_caches(struct dgm_env *env, struct dgm_incremental *state)
{
    struct caches *caches = state->own;

    dgm_key_cache_clear(env, &caches->self);
    for (int l = 0; l < state->net->config.dec_depth; l++)
        dgm_device_release(env, state->graph.device, caches->cross[l]);
}

static struct dgm_ref cross_rows(const struct caches *caches, int layer)
{
    struct dgm_ref ref = { caches->cross[layer - 1], 0 };

    return ref;
}

/* Room for keys and values of `rows` source tokens in each layer: of this batch, and of a little
 * larger ones. */
static dgm_status reserve_cross(struct dgm_env *env, const struct dgm_incremental *state,
                                struct caches *caches, int64_t rows)
{
    const size_t row_bytes = 2 * (size_t)state->net->config.dim * sizeof(dgm_real);
    struct dgm_device *device = state->graph.device;

    if (rows <= caches->source_capacity)
        return DGM_OK;
    rows += rows / 8;
    caches->source_capacity = 0;
    for (int l = 0; l < state->net->config.dec_depth; l++) {
        dgm_device_release(env, device, caches->cross[l]);
        caches->cross[l] = NULL;
        DGM_TRY(dgm_device_alloc(env, device, &caches->cross[l], (size_t)rows * row_bytes));
    }
    caches->source_capacity = rows;
    return DGM_OK;
}

static dgm_status begin(struct dgm_env *env, struct dgm_incremental *state,
                        const struct dgm_encoding *encoded)
{
    struct dgm_layer_context where = { .g = &state->graph, .net = state->net, .side = DGM_TARGET };
    struct caches *caches = state->own;
    const struct dgm_net *net = state->net;

    if (caches->self.layers == NULL)
        DGM_TRY(dgm_key_cache_init(env, &caches->self, state->graph.device,
                                   (int)net->config.dec_depth, 2 * net->config.dim));
    dgm_key_cache_begin(&caches->self, state->most_past);
    DGM_TRY(reserve_cross(env, state, caches, state->source.memory.rows));
    for (where.layer = 1; where.layer <= net->config.dec_depth; where.layer++) {
        const struct dgm_attention_params *cross = &layer_params(net, where.layer)->cross;
        dgm_place(where.g,
                  dgm_layers_project(&where, encoded->rows, cross->k_weight, cross->k_bias, 2),
                  cross_rows(caches, where.layer));
    }
    return DGM_OK;
}

static dgm_status select_rows(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *from, int64_t count)
{
    struct caches *caches = state->own;

    return dgm_key_cache_select(env, &caches->self, from, count, state->steps);
}

/* Index arrays of one step: every hypothesis is a packed sentence of one query. */
struct step_slots {
    dgm_slot ids, places, offsets, past_starts, past_counts, past, cross_starts, cross_counts;
};

static dgm_status stage_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                             struct step_slots *slots)
{
    const struct caches *caches = state->own;
    struct dgm_feed *feed = &state->feed;
    size_t rows = (size_t)state->rows, bytes = rows * sizeof(int32_t), r;
    size_t steps = (size_t)state->steps + 1;
    int32_t *offsets, *places, *starts, *counts;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_copy(env, feed, &slots->ids, ids, bytes));
    DGM_TRY(dgm_feed_copy(env, feed, &slots->past, caches->self.past, bytes * steps));
    DGM_TRY(dgm_feed_take(env, feed, &slots->offsets, &offsets, bytes + sizeof *offsets));
    for (r = 0; r <= rows; r++)
        offsets[r] = (int32_t)r;
    DGM_TRY(dgm_feed_take(env, feed, &slots->places, &places, 2 * bytes));
    for (r = 0; r < rows; r++) {
        places[2 * r] = state->sentence[r];
        places[2 * r + 1] = (int32_t)state->steps;
    }
    DGM_TRY(dgm_feed_take(env, feed, &slots->past_starts, &starts, bytes));
    for (r = 0; r < rows; r++)
        starts[r] = (int32_t)(r * steps);
    DGM_TRY(dgm_feed_take(env, feed, &slots->past_counts, &counts, bytes));
    for (r = 0; r < rows; r++)
        counts[r] = (int32_t)steps;
    DGM_TRY(dgm_incremental_stage_memory(env, state, &slots->cross_starts, &slots->cross_counts));
    return dgm_feed_send(env, feed);
}

static struct dgm_node *step_self_attention(const struct dgm_layer_context *where,
                                            struct dgm_incremental *state,
                                            const struct step_slots *slots, struct dgm_node *x)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = &layer_params(net, where->layer)->self;
    const struct caches *caches = state->own;
    const struct dgm_key_cache *cache = &caches->self;
    int64_t dim = net->config.dim;
    struct dgm_attn_layer layer;
    struct dgm_attention_terms *terms = &layer.terms;
    struct dgm_node *keys;

    dgm_layers_open(where, &layer);
    layer.feed = &state->feed;
    layer.x = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    layer.q =
        dgm_layers_columns(dgm_layers_project(where, layer.x, params->q_weight, params->q_bias, 1),
                           0);
    dgm_place(where->g, dgm_layers_project(where, layer.x, params->k_weight, params->k_bias, 2),
              dgm_key_cache_row(cache, where->layer - 1, cache->rows));
    keys = dgm_constant(where->g, dgm_key_cache_row(cache, where->layer - 1, 0),
                        cache->rows + state->rows, 2 * dim);
    layer.k = dgm_layers_columns(keys, 0);
    layer.v = dgm_layers_columns(keys, dim);
    dgm_layers_core(where, DGM_PLACE_SELF_WEIGHTS, state->rows, terms);
    terms->q_offsets = dgm_feed_ref(&state->feed, slots->offsets);
    terms->places = dgm_feed_ref(&state->feed, slots->places);
    terms->k_starts = dgm_feed_ref(&state->feed, slots->past_starts);
    terms->k_counts = dgm_feed_ref(&state->feed, slots->past_counts);
    terms->key_rows = dgm_feed_ref(&state->feed, slots->past);
    terms->core.causal = 1;
    return dgm_layers_self(where, x, &layer);
}

static struct dgm_node *step_cross_attention(const struct dgm_layer_context *where,
                                             struct dgm_incremental *state,
                                             const struct step_slots *slots, struct dgm_node *x)
{
    const struct caches *caches = state->own;
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = &layer_params(net, where->layer)->cross;
    int64_t dim = net->config.dim;
    struct dgm_attention_terms terms;
    struct dgm_ref start = cross_rows(caches, where->layer);
    struct dgm_node *h, *q, *keys;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    keys = dgm_constant(where->g, start, state->source.memory.rows, 2 * dim);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, state->rows, &terms);
    terms.q_offsets = dgm_feed_ref(&state->feed, slots->offsets);
    terms.places = dgm_feed_ref(&state->feed, slots->places);
    terms.k_starts = dgm_feed_ref(&state->feed, slots->cross_starts);
    terms.k_counts = dgm_feed_ref(&state->feed, slots->cross_counts);
    return dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0), dgm_layers_columns(keys, 0),
                            dgm_layers_columns(keys, dim), &terms);
}

static struct dgm_node *build_step(struct dgm_incremental *state, const struct step_slots *slots)
{
    struct dgm_rows rows = dgm_staged_rows(&state->feed, state->rows, slots->ids, slots->places);
    struct dgm_layer_context where = {
        .g = &state->graph, .net = state->net, .side = DGM_TARGET, .rows = &rows
    };
    struct dgm_node *x = dgm_layers_embed(&where);

    for (where.layer = 1; where.layer <= state->net->config.dec_depth; where.layer++) {
        x = step_self_attention(&where, state, slots, x);
        x = step_cross_attention(&where, state, slots, x);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

static dgm_status read_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                            struct dgm_node **states)
{
    struct caches *caches = state->own;
    struct step_slots slots;

    DGM_TRY(dgm_key_cache_extend(env, &caches->self, &state->feed, state->rows, state->steps));
    DGM_TRY(stage_step(env, state, ids, &slots));
    *states = build_step(state, &slots);
    caches->self.rows += state->rows;
    return DGM_OK;
}

/* ---- the kind -------------------------------------------------------------------------------- */

const struct dgm_decoder_kind dgm_decoder_transformer = {
    .name = "transformer",
    .help = "self-attention and attention to the encoder, layer by layer",
    .cite = "Vaswani et al. 2017",
    .options = "dec-depth dim-emb transformer-heads transformer-dim-ffn transformer-norm positions "
               "attention-bias norm-eps syntax dropout attention-dropout activation-dropout "
               "ffn-activation embedding-scale decoder-start output-bias",
    .family = &dgm_family_transformer,
    .plan_bytes = sizeof(struct dgm_transformer_slots),
    .declare = declare,
    .stage = stage,
    .decode = decode,
    .state_bytes = sizeof(struct caches),
    .keeps_past = 1,
    .close = close_caches,
    .begin = begin,
    .select = select_rows,
    .step = read_step,
};
