/*
 * sublayers.h: the sub-layers of a Transformer as graph nodes, shared by whole-sentence decoding
 * (transformer.c) and step-by-step decoding (decoder_transformer.c).
 */
#ifndef DGM_MODEL_TRANSFORMER_SUBLAYERS_H
#define DGM_MODEL_TRANSFORMER_SUBLAYERS_H

#include "model/transformer/family.h"

/* Where a random mask is drawn: part of its stream number. */
enum dgm_sublayer {
    DGM_PLACE_EMBED,
    DGM_PLACE_SELF,
    DGM_PLACE_SELF_WEIGHTS,
    DGM_PLACE_CROSS,
    DGM_PLACE_CROSS_WEIGHTS,
    DGM_PLACE_FFN,
    DGM_PLACE_ACTIVATION
};

/* One sub-layer's surroundings. */
struct dgm_layer_context {
    struct dgm_graph *g;
    const struct dgm_net *net;
    enum dgm_side side;
    int layer;                             /* from 1; 0 for the embedding */
    const struct dgm_rows *rows;           /* of the side's batch */
    struct dgm_parse_losses *losses;       /* of the step; NULL: not wanted */
    struct dgm_ref features[DGM_FEATURES]; /* int32 (N): of the encoder's rows, or absent */
    struct dgm_attention_probe *watch;     /* collects weights; NULL: nobody looks */
};

uint32_t dgm_layers_stream(const struct dgm_layer_context *where, enum dgm_sublayer place);

/* The input of a sub-layer: x, or its norm in pre-norm models. */
struct dgm_node *dgm_layers_enter(const struct dgm_layer_context *where, struct dgm_node *x,
                                  dgm_param_id gain, dgm_param_id bias);
/* x + dropout(out), then the norm in post-norm models. `which` tells several sub-layers of one
 * place apart: 0, or the representation. */
struct dgm_node *dgm_layers_leave(const struct dgm_layer_context *where, struct dgm_node *x,
                                  struct dgm_node *out, enum dgm_sublayer place, int which,
                                  dgm_param_id gain, dgm_param_id bias);

/* Projection of x by `count` matrices that lie below `weight` -> (N, count D). */
struct dgm_node *dgm_layers_project(const struct dgm_layer_context *where, struct dgm_node *x,
                                    dgm_param_id weight, dgm_param_id bias, int count);

/* Columns of a node, from `column` on, as an operand of attention. */
struct dgm_columns dgm_layers_columns(struct dgm_node *node, int64_t column);

/* The rest of a cross-attention once q, k and v exist: the core, the output projection, the
 * residual sum with x and its norm. */
struct dgm_node *dgm_layers_cross(const struct dgm_layer_context *where, struct dgm_node *x,
                                  const struct dgm_attention_params *params, struct dgm_columns q,
                                  struct dgm_columns k, struct dgm_columns v,
                                  const struct dgm_attention_terms *terms);

/* What variants have to know of a self-attention, but for its batch, columns and terms. */
void dgm_layers_open(const struct dgm_layer_context *where, struct dgm_attn_layer *layer);
/* The rest of a self-attention once layer->q, k, v and the plain terms exist: the variants' terms,
 * every representation, their fusion, the residual sum with x and its norm. */
struct dgm_node *dgm_layers_self(const struct dgm_layer_context *where, struct dgm_node *x,
                                 struct dgm_attn_layer *layer);

/* sqrt(D) times the embedding, or once, plus position, then dropout. */
struct dgm_node *dgm_layers_embed(const struct dgm_layer_context *where);

/* The whole feed-forward sub-layer. */
struct dgm_node *dgm_layers_ffn(const struct dgm_layer_context *where, struct dgm_node *x);

/* The final norm of pre-norm models; x itself otherwise. */
struct dgm_node *dgm_layers_finish(const struct dgm_layer_context *where, struct dgm_node *x);

/* Scale, heads and dropout of an attention core; the rest is zero. */
void dgm_layers_core(const struct dgm_layer_context *where, enum dgm_sublayer place,
                     int64_t sentences, struct dgm_attention_terms *terms);

#endif
