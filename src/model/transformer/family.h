/*
 * family.h: what a network and a step keep of their Transformers. Both sides of a network share one
 * state where both are Transformers.
 */
#ifndef DGM_MODEL_TRANSFORMER_FAMILY_H
#define DGM_MODEL_TRANSFORMER_FAMILY_H

#include "model/encoder.h"
#include "model/parameters.h"
#include "nn/attn/syntax.h"

/* Parameters of one attention: query, key and value matrices lie below one another. */
struct dgm_attention_params {
    dgm_param_id q_weight, q_bias, k_weight, k_bias, out_weight, out_bias;
    dgm_param_id norm_gain, norm_bias;
};

/* Parameters of a simple recurrent unit (decoder_ssru.c). */
struct dgm_ssru_params {
    dgm_param_id candidate, forget_weight, forget_bias;
    dgm_param_id norm_gain, norm_bias;
};

struct dgm_layer_params {
    struct dgm_attention_params self, cross; /* cross: decoder only */
    struct dgm_ssru_params unit;             /* in place of self, in a decoder that has units */
    dgm_param_id fc1_weight, fc1_bias, fc2_weight, fc2_bias, norm_gain, norm_bias;
};

/* What net->own of a side is. */
struct dgm_transformer {
    struct dgm_syntax syntax;
    struct dgm_layer_params layers[2][DGM_MAX_LAYERS];
    dgm_param_id final_gain[2], final_bias[2]; /* pre-norm only */
};

/* What step->plan of a side is. */
struct dgm_transformer_slots {
    dgm_slot features[DGM_FEATURES]; /* int32 (N) each, those that the source's embedding reads */
    dgm_attn_layer_constants constants[DGM_MAX_LAYERS];
};

extern const struct dgm_family dgm_family_transformer;

/* The state of a side that is a Transformer. */
static inline const struct dgm_transformer *dgm_transformer_of(const struct dgm_net *net,
                                                               enum dgm_side side)
{
    return net->own[side];
}

/* Position encodings of a side that is a Transformer, (max_length + 1, D), or absent. */
static inline struct dgm_ref dgm_transformer_positions(const struct dgm_net *net,
                                                       enum dgm_side side)
{
    struct dgm_ref positions = { net->constants[side], 0 };

    return positions;
}

/* Declares the parameters of the first sub-layer of layer `number`, from 1: the one in which a row
 * learns of others of its side. */
typedef dgm_status dgm_declare_first(const struct dgm_scope *scope, enum dgm_side side, int number);

dgm_declare_first dgm_declare_self_attention;

/* Gain and bias of the norm that is called `which`. */
dgm_status dgm_declare_norm(const struct dgm_scope *scope, dgm_param_id *gain, dgm_param_id *bias,
                            const char *which);

/* Declares the parameters of a side's layers. */
dgm_status dgm_transformer_declare(struct dgm_env *env, struct dgm_net *net, enum dgm_side side,
                                   dgm_declare_first *first);

#endif
