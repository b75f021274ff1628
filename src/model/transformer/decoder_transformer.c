/*
 * decoder_transformer.c: the decoder of a Transformer: whole packed sentences at once in training,
 * and one token at a time, with caches of keys and values, in a search (specification, sections 1
 * and 1.4).
 *
 * Both ways build the same sub-layers (sublayers.h, cross.h) and give the same bits. A step appends
 * one row per hypothesis to the cache of every layer (key_cache.h).
 */
#include <string.h>

#include "base/mem.h"
#include "graph/segment.h"
#include "model/decoder.h"
#include "model/transformer/cross.h"
#include "model/transformer/key_cache.h"
#include "model/transformer/transformer.h"

/* ---- whole sentences ------------------------------------------------------------------------- */

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    return dgm_transformer_declare(env, net, DGM_TARGET, dgm_declare_self_attention);
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    return dgm_transformer_plan(env, net, step, DGM_TARGET, &batch->target, batch->numbers, draw);
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
        x = dgm_cross_attend(&where, step, x, encoded->rows);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

/* ---- one token at a time --------------------------------------------------------------------- */

/* What state->own is. */
struct caches {
    struct dgm_key_cache self;
    struct dgm_cross_cache cross;
};

static void close_caches(struct dgm_env *env, struct dgm_incremental *state)
{
    struct caches *caches = state->own;

    dgm_key_cache_clear(env, &caches->self);
    dgm_cross_clear(env, state, &caches->cross);
}

static dgm_status begin(struct dgm_env *env, struct dgm_incremental *state,
                        const struct dgm_encoding *encoded)
{
    struct caches *caches = state->own;
    const struct dgm_net *net = state->net;

    if (caches->self.layers == NULL)
        DGM_TRY(dgm_key_cache_init(env, &caches->self, state->graph.device,
                                   (int)net->config.dec_depth, 2 * net->config.dim));
    dgm_key_cache_begin(&caches->self, state->most_past);
    return dgm_cross_begin(env, state, &caches->cross, encoded->rows);
}

static dgm_status select_rows(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *from, int64_t count)
{
    struct caches *caches = state->own;

    return dgm_key_cache_select(env, &caches->self, from, count, state->steps);
}

/* Index arrays of one step. */
struct step_slots {
    struct dgm_cross_slots cross;
    dgm_slot ids, past_starts, past_counts, past;
};

static dgm_status stage_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                             struct step_slots *slots)
{
    const struct caches *caches = state->own;
    struct dgm_feed *feed = &state->feed;
    size_t rows = (size_t)state->rows, bytes = rows * sizeof(int32_t), r;
    size_t steps = (size_t)state->steps + 1;
    int32_t *starts, *counts;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_copy(env, feed, &slots->ids, ids, bytes));
    DGM_TRY(dgm_feed_copy(env, feed, &slots->past, caches->self.past, bytes * steps));
    DGM_TRY(dgm_feed_take(env, feed, &slots->past_starts, &starts, bytes));
    for (r = 0; r < rows; r++)
        starts[r] = (int32_t)(r * steps);
    DGM_TRY(dgm_feed_take(env, feed, &slots->past_counts, &counts, bytes));
    for (r = 0; r < rows; r++)
        counts[r] = (int32_t)steps;
    DGM_TRY(dgm_cross_stage(env, state, &slots->cross));
    return dgm_feed_send(env, feed);
}

static struct dgm_node *step_self_attention(const struct dgm_layer_context *where,
                                            struct dgm_incremental *state,
                                            const struct step_slots *slots, struct dgm_node *x)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params =
        &dgm_transformer_of(net, DGM_TARGET)->layers[DGM_TARGET][where->layer - 1].self;
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
    terms->q_offsets = dgm_feed_ref(&state->feed, slots->cross.offsets);
    terms->places = dgm_feed_ref(&state->feed, slots->cross.places);
    terms->k_starts = dgm_feed_ref(&state->feed, slots->past_starts);
    terms->k_counts = dgm_feed_ref(&state->feed, slots->past_counts);
    terms->key_rows = dgm_feed_ref(&state->feed, slots->past);
    terms->core.causal = 1;
    return dgm_layers_self(where, x, &layer);
}

static struct dgm_node *build_step(struct dgm_incremental *state, const struct step_slots *slots)
{
    const struct caches *caches = state->own;
    struct dgm_rows rows =
        dgm_staged_rows(&state->feed, state->rows, slots->ids, slots->cross.places);
    struct dgm_layer_context where = {
        .g = &state->graph, .net = state->net, .side = DGM_TARGET, .rows = &rows
    };
    struct dgm_node *x = dgm_layers_embed(&where);

    for (where.layer = 1; where.layer <= state->net->config.dec_depth; where.layer++) {
        x = step_self_attention(&where, state, slots, x);
        x = dgm_cross_step(&where, state, &caches->cross, &slots->cross, x);
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
    .attends = 1,
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
