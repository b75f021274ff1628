/*
 * transformer.h: the Transformer (Vaswani et al. 2017) as section 1 of the specification has it,
 * with the variants of self-attention that `syntax` names: what its encoder, its decoder and its
 * decoding by steps have in common.
 */
#ifndef DGM_MODEL_TRANSFORMER_TRANSFORMER_H
#define DGM_MODEL_TRANSFORMER_TRANSFORMER_H

#include "model/transformer/family.h"
#include "model/transformer/sublayers.h"

/* Stages the variants' constants of the side that was staged last, in step->plan of that side. */
dgm_status dgm_transformer_plan(struct dgm_env *env, const struct dgm_net *net,
                                struct dgm_step *step, enum dgm_side side,
                                const struct dgm_packed *packed, const int32_t *numbers,
                                const struct dgm_mask_key *draw);

/* What the layers of a side were given so far, and the means of it that variants asked for. */
struct dgm_transformer_stream {
    struct dgm_node *inputs[DGM_MAX_LAYERS], *means[DGM_MAX_LAYERS];
};

/* The self-attention of layer where->layer, whose input is the stream's last. */
struct dgm_node *dgm_transformer_self(const struct dgm_layer_context *where,
                                      const struct dgm_step *step,
                                      struct dgm_transformer_stream *stream);

/* The layers of the encoder over rows x (N,D) that stand for its embeddings. `losses`: of heads
 * that are parsers, or NULL. */
struct dgm_node *dgm_transformer_encode_rows(struct dgm_graph *g, const struct dgm_net *net,
                                             const struct dgm_step *step, struct dgm_node *x,
                                             struct dgm_parse_losses *losses);

#endif
