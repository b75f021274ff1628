/*
 * transformer.c: what the two sides of a Transformer have in common (specification, section 1).
 */
#include "model/transformer/transformer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/decoder.h"
#include "model/parameters.h"

/* Layers of self-attention that a side has: only Transformers attend to themselves. */
static int depth_of(const struct dgm_net *net, enum dgm_side side)
{
    if (side == DGM_SOURCE)
        return net->encoder->attends ? net->config.enc_depth : 0;
    return net->decoder->layers == 0 ? net->config.dec_depth : 0;
}

static int has_side(const struct dgm_net *net)
{
    return net->encoder->attends || net->decoder->layers == 0;
}

dgm_status dgm_transformer_open(struct dgm_env *env, struct dgm_net *net)
{
    const struct dgm_model_config *config = &net->config;
    struct dgm_attn_shape shape;

    memset(&shape, 0, sizeof shape);
    shape.dim = config->dim;
    shape.heads = config->heads;
    shape.head_dim = shape.dim / shape.heads;
    shape.depth[DGM_SOURCE] = depth_of(net, DGM_SOURCE);
    shape.depth[DGM_TARGET] = depth_of(net, DGM_TARGET);
    shape.pre_norm = config->pre_norm;
    shape.relations = config->relations;
    shape.stored = config->stored;
    DGM_TRY(dgm_syntax_init(env, &net->syntax, config->syntax, &shape));
    if (net->syntax.count > 0 && !net->encoder->attends)
        return dgm_fail(env, DGM_USAGE,
                        "--syntax %s with --encoder %s; expected --encoder "
                        "transformer, or no --syntax",
                        config->syntax, net->encoder->name);
    if ((dgm_syntax_needs(&net->syntax) & DGM_NEEDS_RELATIONS) &&
        shape.relations < DGM_RELATION_SPECIALS)
        return dgm_fail(env, DGM_USAGE, "--syntax %s without source tags", config->syntax);
    return DGM_OK;
}

dgm_status dgm_transformer_send_positions(struct dgm_env *env, struct dgm_net *net,
                                          struct dgm_device *device)
{
    int64_t rows = net->config.max_length + 1, dim = net->config.dim;
    size_t bytes = (size_t)(rows * dim) * sizeof(dgm_real);
    struct dgm_ref start = { NULL, 0 };
    dgm_real *table;
    dgm_status status;

    if (net->config.positions == DGM_POSITIONS_NONE || !has_side(net))
        return DGM_OK;
    table = dgm_alloc(env, (size_t)(rows * dim), sizeof *table);
    if (table == NULL)
        return DGM_MEMORY;
    dgm_position_table(table, rows, dim, net->config.positions);
    status = dgm_device_alloc(env, device, &net->positions, bytes);
    start.buffer = net->positions;
    if (status == DGM_OK)
        status = dgm_device_write(env, device, start, table, bytes);
    dgm_release(env, table);
    return status;
}

dgm_status dgm_transformer_plan(struct dgm_env *env, const struct dgm_net *net,
                                struct dgm_step *step, enum dgm_side side,
                                const struct dgm_packed *packed, const int32_t *numbers,
                                const struct dgm_mask_key *draw)
{
    struct dgm_transformer_slots *slots = step->plan[side];
    struct dgm_attn_plan plan;

    memset(&plan, 0, sizeof plan);
    plan.feed = &step->feed;
    plan.scratch = &step->scratch;
    plan.packed = packed;
    plan.place.side = side;
    plan.numbers = numbers;
    plan.squares = step->squares;
    plan.training = draw->training;
    plan.key[0] = draw->seed;
    plan.key[1] = draw->update;
    return dgm_syntax_plan(env, &net->syntax, &plan, slots->constants);
}

/* ---- parameters (specification 1.7; names are fairseq's) ------------------------------------- */

enum { TAIL_SIZE = 64 };

static dgm_status declare_norm(const struct dgm_scope *scope, dgm_param_id *gain,
                               dgm_param_id *bias, const char *which)
{
    int64_t dim = scope->net->config.dim;
    char tail[TAIL_SIZE];

    snprintf(tail, sizeof tail, "%s.weight", which);
    DGM_TRY(dgm_declare_vector(scope, gain, tail, dim, DGM_INIT_ONE, 0));
    snprintf(tail, sizeof tail, "%s.bias", which);
    return dgm_declare_vector(scope, bias, tail, dim, DGM_INIT_ZERO, 0);
}

/*
 * Projections with the initial scale of one stacked (3D,D) matrix: gain 1/sqrt(2). Keys and values
 * come from rows of `memory` columns.
 */
static dgm_status declare_attention(const struct dgm_scope *scope, struct dgm_attention_params *out,
                                    const char *which, int64_t memory)
{
    static const char *const projections[3] = { "q_proj", "k_proj", "v_proj" };
    const struct dgm_model_config *config = &scope->net->config;
    dgm_param_id weight[3], bias[3] = { -1, -1, -1 };
    char tail[TAIL_SIZE];
    int i;

    for (i = 0; i < 3; i++) {
        snprintf(tail, sizeof tail, "%s.%s.weight", which, projections[i]);
        DGM_TRY(dgm_declare_matrix(scope, &weight[i], tail, config->dim,
                                   i == 0 ? config->dim : memory, sqrt(0.5),
                                   i == 2 || (i == 1 && memory == config->dim)));
    }
    for (i = 0; i < 3 && config->attention_bias; i++) {
        snprintf(tail, sizeof tail, "%s.%s.bias", which, projections[i]);
        DGM_TRY(dgm_declare_vector(scope, &bias[i], tail, config->dim, DGM_INIT_ZERO, i > 0));
    }
    out->q_weight = weight[0];
    out->k_weight = weight[1];
    out->q_bias = bias[0];
    out->k_bias = bias[1];
    out->out_bias = -1;
    snprintf(tail, sizeof tail, "%s.out_proj.weight", which);
    DGM_TRY(dgm_declare_matrix(scope, &out->out_weight, tail, config->dim, config->dim, 1, 0));
    if (config->attention_bias) {
        snprintf(tail, sizeof tail, "%s.out_proj.bias", which);
        DGM_TRY(dgm_declare_vector(scope, &out->out_bias, tail, config->dim, DGM_INIT_ZERO, 0));
    }
    snprintf(tail, sizeof tail, "%s_layer_norm", which);
    return declare_norm(scope, &out->norm_gain, &out->norm_bias, tail);
}

static dgm_status declare_layer(struct dgm_scope *scope, enum dgm_side side, int number)
{
    const struct dgm_model_config *config = &scope->net->config;
    struct dgm_layer_params *out = &scope->net->layers[side][number - 1];
    struct dgm_attn_place place;

    snprintf(scope->prefix, sizeof scope->prefix, "%s.layers.%d.", dgm_side_name(side), number - 1);
    DGM_TRY(declare_attention(scope, &out->self, "self_attn", config->dim));
    place.side = side;
    place.layer = number;
    DGM_TRY(dgm_syntax_declare(scope->env, &scope->net->syntax, &scope->net->params, place));
    if (side == DGM_TARGET)
        DGM_TRY(declare_attention(scope, &out->cross, "encoder_attn",
                                  scope->net->encoder->width(config)));
    DGM_TRY(
        dgm_declare_matrix(scope, &out->fc1_weight, "fc1.weight", config->ffn, config->dim, 1, 0));
    DGM_TRY(dgm_declare_vector(scope, &out->fc1_bias, "fc1.bias", config->ffn, DGM_INIT_ZERO, 0));
    DGM_TRY(
        dgm_declare_matrix(scope, &out->fc2_weight, "fc2.weight", config->dim, config->ffn, 1, 0));
    DGM_TRY(dgm_declare_vector(scope, &out->fc2_bias, "fc2.bias", config->dim, DGM_INIT_ZERO, 0));
    return declare_norm(scope, &out->norm_gain, &out->norm_bias, "final_layer_norm");
}

dgm_status dgm_transformer_declare(struct dgm_env *env, struct dgm_net *net, enum dgm_side side)
{
    struct dgm_scope scope;
    int number, depth = side == DGM_SOURCE ? net->config.enc_depth : net->config.dec_depth;

    scope.env = env;
    scope.net = net;
    for (number = 1; number <= depth; number++)
        DGM_TRY(declare_layer(&scope, side, number));
    if (!net->config.pre_norm)
        return DGM_OK;
    snprintf(scope.prefix, sizeof scope.prefix, "%s.", dgm_side_name(side));
    return declare_norm(&scope, &net->final_gain[side], &net->final_bias[side], "layer_norm");
}

/* ---- nodes --------------------------------------------------------------------------------- */

struct dgm_rows dgm_transformer_rows(const struct dgm_step *step, const struct dgm_side_slots *side)
{
    struct dgm_rows rows;

    rows.count = side->rows;
    rows.ids = dgm_feed_ref(&step->feed, side->ids);
    rows.places = dgm_feed_ref(&step->feed, side->places);
    return rows;
}

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
    const struct dgm_attention_params *params = &net->layers[where->side][where->layer - 1].self;
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
    struct dgm_rows rows = dgm_transformer_rows(step, &step->source);
    struct dgm_layer_context where = { .g = g, .net = net, .side = DGM_SOURCE };
    struct dgm_transformer_stream stream = { { NULL }, { NULL } };

    where.rows = &rows;
    where.losses = losses;
    where.watch = step->watch;
    for (where.layer = 1; where.layer <= net->config.enc_depth; where.layer++) {
        stream.inputs[where.layer - 1] = x;
        x = dgm_transformer_self(&where, step, &stream);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}
