/*
 * transformer.c: what the two sides of a Transformer have in common (specification, section 1).
 */
#include "model/transformer/transformer.h"

#include <string.h>

#include "graph/segment.h"

dgm_status dgm_transformer_plan(struct dgm_env *env, const struct dgm_net *net,
                                struct dgm_step *step, enum dgm_side side,
                                const struct dgm_packed *packed, const int32_t *numbers,
                                const struct dgm_mask_key *draw)
{
    struct dgm_transformer_slots *slots = step->plan[side];
    struct dgm_attn_plan plan = { .feed = &step->feed,
                                  .scratch = &step->scratch,
                                  .packed = packed,
                                  .place.side = side,
                                  .numbers = numbers,
                                  .squares = step->squares,
                                  .training = draw->training,
                                  .key[0] = draw->seed,
                                  .key[1] = draw->update };

    return dgm_syntax_plan(env, &dgm_transformer_of(net, side)->syntax, &plan, slots->constants);
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* The rows of one packed side, as queries and as keys. */
static void set_spans(const struct dgm_step *step, const struct dgm_side_slots *side,
                      struct dgm_attention_terms *terms)
{
    terms->q_offsets = terms->k_starts = dgm_feed_ref(&step->feed, side->offsets);
    terms->places = dgm_feed_ref(&step->feed, side->places);
    terms->k_counts = dgm_feed_ref(&step->feed, side->counts);
    terms->squares = dgm_feed_ref(&step->feed, side->squares);
}

/* The batch, as variants of self-attention want to know it. */
static void set_batch(const struct dgm_layer_context *where, const struct dgm_step *step,
                      const struct dgm_side_slots *side, struct dgm_attn_layer *layer)
{
    const struct dgm_transformer_slots *slots = step->plan[where->side];

    layer->feed = &step->feed;
    /* A parser stages its rows itself, without a plan: no variant serves it. */
    layer->constants = slots != NULL ? slots->constants[where->layer - 1] : NULL;
    layer->owners = dgm_feed_ref(&step->feed, side->owners);
    layer->counts = dgm_feed_ref(&step->feed, side->counts);
    layer->spans.sentences = side->sentences;
    layer->spans.rows = side->rows;
    layer->spans.pairs = side->pairs;
    layer->spans.offsets = dgm_feed_ref(&step->feed, side->offsets);
    layer->spans.squares = dgm_feed_ref(&step->feed, side->squares);
}

struct dgm_node *dgm_transformer_self(const struct dgm_layer_context *where,
                                      const struct dgm_step *step,
                                      struct dgm_transformer_stream *stream)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params =
        &dgm_transformer_of(net, where->side)->layers[where->side][where->layer - 1].self;
    const struct dgm_side_slots *side = where->side == DGM_SOURCE ? &step->source : &step->target;
    struct dgm_node *x = stream->inputs[where->layer - 1], *qkv;
    struct dgm_attn_layer layer;

    dgm_layers_open(where, &layer);
    set_batch(where, step, side, &layer);
    layer.inputs = stream->inputs;
    layer.means = stream->means;
    layer.x = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    qkv = dgm_layers_project(where, layer.x, params->q_weight, params->q_bias, 3);
    layer.q = dgm_layers_columns(qkv, 0);
    layer.k = dgm_layers_columns(qkv, net->config.dim);
    layer.v = dgm_layers_columns(qkv, 2 * net->config.dim);
    dgm_layers_core(where, DGM_PLACE_SELF_WEIGHTS, side->sentences, &layer.terms);
    set_spans(step, side, &layer.terms);
    layer.terms.core.causal = where->side == DGM_TARGET;
    return dgm_layers_self(where, x, &layer);
}

struct dgm_node *dgm_transformer_encode_rows(struct dgm_graph *g, const struct dgm_net *net,
                                             const struct dgm_step *step, struct dgm_node *x,
                                             struct dgm_parse_losses *losses)
{
    struct dgm_rows rows = dgm_step_rows(step, &step->source);
    struct dgm_layer_context where = { .g = g,
                                       .net = net,
                                       .side = DGM_SOURCE,
                                       .rows = &rows,
                                       .losses = losses,
                                       .watch = step->watch };
    struct dgm_transformer_stream stream = { { NULL }, { NULL } };

    for (where.layer = 1; where.layer <= net->config.enc_depth; where.layer++) {
        dgm_begin_segment(g);
        stream.inputs[where.layer - 1] = x;
        x = dgm_transformer_self(&where, step, &stream);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}
