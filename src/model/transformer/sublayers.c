/*
 * sublayers.c: the sub-layers of a Transformer (specification 1.2, 1.4 to 1.6).
 */
#include "model/transformer/sublayers.h"

#include <math.h>
#include <string.h>

#include "model/probe/attention_probe.h"

uint32_t dgm_layers_stream(const struct dgm_layer_context *where, enum dgm_sublayer place)
{
    /* Bits 0 to 9 are left to heads and representations, bit 24 to dgm_syntax_represent. */
    return (uint32_t)where->side << 28 | (uint32_t)where->layer << 16 | (uint32_t)place << 10;
}

static const struct dgm_layer_params *layer_params(const struct dgm_layer_context *where)
{
    return &dgm_transformer_of(where->net, where->side)->layers[where->side][where->layer - 1];
}

static struct dgm_node *norm(const struct dgm_layer_context *where, struct dgm_node *x,
                             dgm_param_id gain, dgm_param_id bias)
{
    const struct dgm_net *net = where->net;

    return dgm_norm(where->g, x, dgm_params_node(where->g, &net->params, gain),
                    dgm_params_node(where->g, &net->params, bias), (dgm_real)net->config.norm_eps);
}

struct dgm_node *dgm_layers_enter(const struct dgm_layer_context *where, struct dgm_node *x,
                                  dgm_param_id gain, dgm_param_id bias)
{
    return where->net->config.pre_norm ? norm(where, x, gain, bias) : x;
}

struct dgm_node *dgm_layers_leave(const struct dgm_layer_context *where, struct dgm_node *x,
                                  struct dgm_node *out, enum dgm_sublayer place, int which,
                                  dgm_param_id gain, dgm_param_id bias)
{
    const struct dgm_model_config *config = &where->net->config;
    struct dgm_node *sum;

    if (x == NULL)
        return NULL;
    sum = dgm_residual(where->g, x, out, where->rows, (dgm_real)config->dropout,
                       dgm_layers_stream(where, place) + (uint32_t)which);
    return config->pre_norm ? sum : norm(where, sum, gain, bias);
}

struct dgm_node *dgm_layers_project(const struct dgm_layer_context *where, struct dgm_node *x,
                                    dgm_param_id weight, dgm_param_id bias, int count)
{
    const struct dgm_params *params = &where->net->params;

    return dgm_linear(where->g, x, dgm_params_stack(where->g, params, weight, count),
                      bias < 0 ? NULL : dgm_params_stack(where->g, params, bias, count));
}

struct dgm_columns dgm_layers_columns(struct dgm_node *node, int64_t column)
{
    struct dgm_columns columns = { .node = node, .column = column };

    return columns;
}

struct dgm_node *dgm_layers_cross(const struct dgm_layer_context *where, struct dgm_node *x,
                                  const struct dgm_attention_params *params, struct dgm_columns q,
                                  struct dgm_columns k, struct dgm_columns v,
                                  const struct dgm_attention_terms *terms)
{
    struct dgm_node *z = dgm_attention_node(where->g, q, k, v, terms);
    struct dgm_node *out = dgm_layers_project(where, z, params->out_weight, params->out_bias, 1);

    dgm_attention_probe_add(where->watch, where->g, where->layer, DGM_ATTENTION_CROSS, q, k, terms);
    return dgm_layers_leave(where, x, out, DGM_PLACE_CROSS, 0, params->norm_gain,
                            params->norm_bias);
}

void dgm_layers_open(const struct dgm_layer_context *where, struct dgm_attn_layer *layer)
{
    memset(layer, 0, sizeof *layer);
    layer->g = where->g;
    layer->params = &where->net->params;
    layer->shape = &dgm_transformer_of(where->net, where->side)->syntax.shape;
    layer->place.side = where->side;
    layer->place.layer = where->layer;
    layer->losses = where->losses;
}

/* O of representation r: (N,D); with `normed` added to x and normed. */
static struct dgm_node *represent(const struct dgm_layer_context *where, struct dgm_node *x,
                                  struct dgm_attn_layer *layer, int r, int normed)
{
    const struct dgm_attention_params *params = &layer_params(where)->self;
    struct dgm_node *z;

    dgm_syntax_represent(layer, r);
    if (r == 0)
        dgm_attention_probe_add(where->watch, where->g, where->layer,
                                where->side == DGM_SOURCE ? DGM_ATTENTION_ENCODER
                                                          : DGM_ATTENTION_DECODER,
                                layer->q, layer->k, &layer->terms);
    z = dgm_attention_node(where->g, layer->q, layer->k, layer->v, &layer->terms);
    z = dgm_layers_project(where, z, params->out_weight, params->out_bias, 1);
    return normed ? dgm_layers_leave(where, x, z, DGM_PLACE_SELF, r, params->norm_gain,
                                     params->norm_bias)
                  : z;
}

struct dgm_node *dgm_layers_self(const struct dgm_layer_context *where, struct dgm_node *x,
                                 struct dgm_attn_layer *layer)
{
    const struct dgm_syntax *syntax = &dgm_transformer_of(where->net, where->side)->syntax;
    const struct dgm_attention_params *params = &layer_params(where)->self;
    const struct dgm_attn_variant *fusion = dgm_syntax_fusion(syntax, layer->place);
    struct dgm_node *parts[DGM_REPRESENTATIONS], *out;
    int count = 1, normed = 0, r;

    if (dgm_syntax_terms(syntax, layer) != DGM_OK)
        return NULL;
    if (fusion != NULL) {
        count += layer->constants->extra;
        normed = fusion->kind->fusion->normed(fusion->state);
    }
    for (r = 0; r < count; r++)
        parts[r] = represent(where, x, layer, r, normed);
    out =
        fusion != NULL ? fusion->kind->fusion->fuse(fusion->state, layer, parts, count) : parts[0];
    if (normed)
        return out;
    return dgm_layers_leave(where, x, out, DGM_PLACE_SELF, 0, params->norm_gain, params->norm_bias);
}

static dgm_real embedding_scale(const struct dgm_model_config *config)
{
    return config->unscaled ? 1 : (dgm_real)sqrt((double)config->dim);
}

/* The tables of features, in an encoder that reads any. */
static int find_features(const struct dgm_layer_context *where, struct dgm_embed_tags *tags)
{
    const struct dgm_net *net = where->net;
    const struct dgm_params *params = &net->params;
    struct dgm_attn_feature_input use;

    if (where->side != DGM_SOURCE ||
        !dgm_syntax_feature_input(&dgm_transformer_of(net, DGM_SOURCE)->syntax, &use))
        return 0;
    tags->count = 0;
    tags->scale = use.scaled ? embedding_scale(&net->config) : 1;
    tags->dim = net->config.dim;
    for (int kind = 0; kind < DGM_FEATURES; kind++) {
        if (use.dims[kind] == 0)
            continue;
        tags->kinds[tags->count].table =
            dgm_params_node(where->g, params,
                            dgm_params_find(params, dgm_attn_feature_tables[kind]));
        tags->kinds[tags->count++].ids = where->features[kind];
    }
    return 1;
}

struct dgm_node *dgm_layers_embed(const struct dgm_layer_context *where)
{
    const struct dgm_net *net = where->net;
    struct dgm_node *table = dgm_params_node(where->g, &net->params, net->embed[where->side]);
    dgm_real scale = embedding_scale(&net->config);
    dgm_real dropout = (dgm_real)net->config.dropout;
    uint32_t stream = dgm_layers_stream(where, DGM_PLACE_EMBED);
    struct dgm_ref positions = dgm_transformer_positions(net, where->side);
    struct dgm_embed_tags tags;

    if (find_features(where, &tags))
        return dgm_embed_tagged(where->g, table, &tags, where->rows, positions, scale, dropout,
                                stream);
    return dgm_embed(where->g, table, where->rows, positions, scale, dropout, stream);
}

/* The rows of the inner layer, before its dropout. */
static struct dgm_node *inner_layer(const struct dgm_layer_context *where, struct dgm_node *x)
{
    const struct dgm_params *params = &where->net->params;
    struct dgm_node *weight = dgm_params_node(where->g, params, layer_params(where)->fc1_weight);
    struct dgm_node *bias = dgm_params_node(where->g, params, layer_params(where)->fc1_bias);

    switch (where->net->config.ffn_activation) {
    case DGM_FFN_SWISH:
        return dgm_activate(where->g, dgm_linear(where->g, x, weight, bias), DGM_SWISH);
    case DGM_FFN_GELU:
        return dgm_activate(where->g, dgm_linear(where->g, x, weight, bias), DGM_GELU);
    default: return dgm_linear_relu(where->g, x, weight, bias);
    }
}

struct dgm_node *dgm_layers_ffn(const struct dgm_layer_context *where, struct dgm_node *x)
{
    const struct dgm_net *net = where->net;
    const struct dgm_layer_params *layer = layer_params(where);
    const struct dgm_params *params = &net->params;
    struct dgm_graph *g = where->g;
    struct dgm_node *h, *out;

    h = dgm_layers_enter(where, x, layer->norm_gain, layer->norm_bias);
    h = inner_layer(where, h);
    h = dgm_residual(g, NULL, h, where->rows, (dgm_real)net->config.activation_dropout,
                     dgm_layers_stream(where, DGM_PLACE_ACTIVATION));
    out = dgm_linear(g, h, dgm_params_node(g, params, layer->fc2_weight),
                     dgm_params_node(g, params, layer->fc2_bias));
    return dgm_layers_leave(where, x, out, DGM_PLACE_FFN, 0, layer->norm_gain, layer->norm_bias);
}

struct dgm_node *dgm_layers_finish(const struct dgm_layer_context *where, struct dgm_node *x)
{
    const struct dgm_transformer *own = dgm_transformer_of(where->net, where->side);

    if (!where->net->config.pre_norm)
        return x;
    return norm(where, x, own->final_gain[where->side], own->final_bias[where->side]);
}

void dgm_layers_core(const struct dgm_layer_context *where, enum dgm_sublayer place,
                     int64_t sentences, struct dgm_attention_terms *terms)
{
    const struct dgm_model_config *config = &where->net->config;
    int64_t head_dim = config->dim / config->heads;

    memset(terms, 0, sizeof *terms);
    terms->core.sentences = sentences;
    terms->core.heads = config->heads;
    terms->core.head_dim = head_dim;
    terms->core.scale = (dgm_real)(1 / sqrt((double)head_dim));
    terms->core.factor_heads[0] = terms->core.factor_heads[1] = config->heads;
    terms->core.drop.rate = (dgm_real)config->attention_dropout;
    terms->core.drop.stream = dgm_layers_stream(where, place);
}
