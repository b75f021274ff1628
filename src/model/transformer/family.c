/*
 * family.c: the state that both sides of a Transformer share: the variants of --syntax, the numbers
 * of their parameters, the table of positions.
 */
#include "model/transformer/family.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "device/reals.h"
#include "model/parameters.h"
#include "model/variants.h"

/* ---- life ------------------------------------------------------------------------------------ */

/* Every feature that the embedding reads has names. */
static dgm_status check_features(struct dgm_env *env, const struct dgm_net *net,
                                 const struct dgm_syntax *syntax)
{
    struct dgm_attn_feature_input use;

    if (!dgm_syntax_feature_input(syntax, &use))
        return DGM_OK;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (use.dims[kind] > 0 && syntax->shape.features[kind] < DGM_FEATURE_SPECIALS)
            return dgm_fail(env, DGM_USAGE, "--syntax %s without any %s of source words",
                            net->config.syntax, dgm_feature_titles[kind]);
    return DGM_OK;
}

static dgm_status open_state(struct dgm_env *env, const struct dgm_net *net, void *own)
{
    struct dgm_syntax *syntax = &((struct dgm_transformer *)own)->syntax;

    DGM_TRY(dgm_variants_read(env, net, syntax));
    return check_features(env, net, syntax);
}

static void clear_state(struct dgm_env *env, void *own)
{
    dgm_syntax_clear(env, &((struct dgm_transformer *)own)->syntax);
}

/* The table of position encodings. */
static dgm_status send_positions(struct dgm_env *env, const struct dgm_net *net,
                                 struct dgm_device *device, struct dgm_buffer **constants)
{
    int64_t rows = net->config.max_length + 1, dim = net->config.dim;
    size_t bytes = 0;
    struct dgm_ref start = { NULL, 0 };
    dgm_real *table;
    dgm_status status;

    if (net->config.positions == DGM_POSITIONS_NONE)
        return DGM_OK;
    DGM_TRY(dgm_reals_bytes(env, &bytes, rows, dim));
    DGM_TRY(dgm_new(env, &table, bytes, 1));
    dgm_position_table(table, rows, dim, net->config.positions);
    DGM_TRY_OUT(dgm_device_alloc(env, device, constants, bytes));
    start.buffer = *constants;
    DGM_TRY_OUT(dgm_device_write(env, device, start, table, bytes));
out:
    dgm_release(env, table);
    return status;
}

/* ---- parameters (specification 1.7; names are fairseq's) ------------------------------------- */

enum { TAIL_SIZE = 64 };

dgm_status dgm_declare_norm(const struct dgm_scope *scope, dgm_param_id *gain, dgm_param_id *bias,
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
static dgm_status declare_attention(const struct dgm_scope *scope, struct dgm_attention_params *out,
                                    const char *which, int64_t memory)
{
    static const char *const projections[3] = { "q_proj", "k_proj", "v_proj" };
    const struct dgm_model_config *config = &scope->net->config;
    dgm_param_id weight[3], bias[3] = { -1, -1, -1 };
    char tail[TAIL_SIZE];

    for (int i = 0; i < 3; i++) {
        snprintf(tail, sizeof tail, "%s.%s.weight", which, projections[i]);
        DGM_TRY(dgm_declare_matrix(scope, &weight[i], tail, config->dim,
                                   i == 0 ? config->dim : memory, sqrt(0.5),
                                   i == 2 || (i == 1 && memory == config->dim)));
    }
    for (int i = 0; i < 3 && config->attention_bias; i++) {
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
    return dgm_declare_norm(scope, &out->norm_gain, &out->norm_bias, tail);
}

dgm_status dgm_declare_self_attention(const struct dgm_scope *scope, enum dgm_side side, int number)
{
    struct dgm_transformer *own = scope->net->own[side];
    struct dgm_attn_place place = { side, number };

    DGM_TRY(declare_attention(scope, &own->layers[side][number - 1].self, "self_attn",
                              scope->net->config.dim));
    return dgm_syntax_declare(scope->env, &own->syntax, &scope->net->params, place);
}

static dgm_status declare_layer(struct dgm_scope *scope, enum dgm_side side, int number,
                                dgm_declare_first *first)
{
    const struct dgm_model_config *config = &scope->net->config;
    struct dgm_transformer *own = scope->net->own[side];
    struct dgm_layer_params *out = &own->layers[side][number - 1];

    snprintf(scope->prefix, sizeof scope->prefix, "%s.layers.%d.", dgm_side_name(side), number - 1);
    DGM_TRY(first(scope, side, number));
    if (side == DGM_TARGET)
        DGM_TRY(declare_attention(scope, &out->cross, "encoder_attn",
                                  scope->net->encoder->width(config)));
    DGM_TRY(
        dgm_declare_matrix(scope, &out->fc1_weight, "fc1.weight", config->ffn, config->dim, 1, 0));
    DGM_TRY(dgm_declare_vector(scope, &out->fc1_bias, "fc1.bias", config->ffn, DGM_INIT_ZERO, 0));
    DGM_TRY(
        dgm_declare_matrix(scope, &out->fc2_weight, "fc2.weight", config->dim, config->ffn, 1, 0));
    DGM_TRY(dgm_declare_vector(scope, &out->fc2_bias, "fc2.bias", config->dim, DGM_INIT_ZERO, 0));
    return dgm_declare_norm(scope, &out->norm_gain, &out->norm_bias, "final_layer_norm");
}

dgm_status dgm_transformer_declare(struct dgm_env *env, struct dgm_net *net, enum dgm_side side,
                                   dgm_declare_first *first)
{
    struct dgm_transformer *own = net->own[side];
    struct dgm_scope scope = { .env = env, .net = net };
    int number, depth = side == DGM_SOURCE ? net->config.enc_depth : net->config.dec_depth;

    for (number = 1; number <= depth; number++)
        DGM_TRY(declare_layer(&scope, side, number, first));
    if (!net->config.pre_norm)
        return DGM_OK;
    snprintf(scope.prefix, sizeof scope.prefix, "%s.", dgm_side_name(side));
    return dgm_declare_norm(&scope, &own->final_gain[side], &own->final_bias[side], "layer_norm");
}

/* ---- the head that is a parser --------------------------------------------------------------- */

static int parser_head(const struct dgm_net *net, enum dgm_side side, int *layer,
                       struct dgm_attn_parser *which)
{
    int depth = side == DGM_SOURCE ? net->config.enc_depth : net->config.dec_depth;
    struct dgm_attn_place place;

    place.side = side;
    for (place.layer = 1; place.layer <= depth; place.layer++)
        if (dgm_syntax_parser(&dgm_transformer_of(net, side)->syntax, place, which)) {
            *layer = place.layer;
            return 1;
        }
    return 0;
}

/* ---- the family ------------------------------------------------------------------------------ */

const struct dgm_family dgm_family_transformer = {
    .own_bytes = sizeof(struct dgm_transformer),
    .open = open_state,
    .clear = clear_state,
    .send = send_positions,
    .parser_head = parser_head,
};
