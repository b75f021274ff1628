/*
 * transformer_parameters.c: the parameters of a Transformer's layers (specification 1.7; names are
 * fairseq's).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/encoder.h"
#include "model/parameters.h"
#include "model/transformer/transformer.h"

enum { TAIL_SIZE = 64 };

static dgm_status norm(const struct dgm_scope *scope, dgm_param_id *gain, dgm_param_id *bias,
                       const char *which)
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
static dgm_status attention(const struct dgm_scope *scope, struct dgm_attention_params *out,
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
    return norm(scope, &out->norm_gain, &out->norm_bias, tail);
}

static dgm_status layer(struct dgm_scope *scope, enum dgm_side side, int number)
{
    const struct dgm_model_config *config = &scope->net->config;
    struct dgm_layer_params *out = &scope->net->layers[side][number - 1];
    struct dgm_attn_place place;

    snprintf(scope->prefix, sizeof scope->prefix, "%s.layers.%d.", dgm_side_name(side), number - 1);
    DGM_TRY(attention(scope, &out->self, "self_attn", config->dim));
    place.side = side;
    place.layer = number;
    DGM_TRY(dgm_syntax_declare(scope->env, &scope->net->syntax, &scope->net->params, place));
    if (side == DGM_TARGET)
        DGM_TRY(attention(scope, &out->cross, "encoder_attn", scope->net->encoder->width(config)));
    DGM_TRY(
        dgm_declare_matrix(scope, &out->fc1_weight, "fc1.weight", config->ffn, config->dim, 1, 0));
    DGM_TRY(dgm_declare_vector(scope, &out->fc1_bias, "fc1.bias", config->ffn, DGM_INIT_ZERO, 0));
    DGM_TRY(
        dgm_declare_matrix(scope, &out->fc2_weight, "fc2.weight", config->dim, config->ffn, 1, 0));
    DGM_TRY(dgm_declare_vector(scope, &out->fc2_bias, "fc2.bias", config->dim, DGM_INIT_ZERO, 0));
    return norm(scope, &out->norm_gain, &out->norm_bias, "final_layer_norm");
}

dgm_status dgm_transformer_declare(struct dgm_env *env, struct dgm_net *net, enum dgm_side side)
{
    struct dgm_scope scope;
    int number, depth = side == DGM_SOURCE ? net->config.enc_depth : net->config.dec_depth;

    scope.env = env;
    scope.net = net;
    for (number = 1; number <= depth; number++)
        DGM_TRY(layer(&scope, side, number));
    if (!net->config.pre_norm)
        return DGM_OK;
    snprintf(scope.prefix, sizeof scope.prefix, "%s.", dgm_side_name(side));
    return norm(&scope, &net->final_gain[side], &net->final_bias[side], "layer_norm");
}
