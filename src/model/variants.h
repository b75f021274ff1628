/*
 * variants.h: the variants of self-attention that --syntax asks of a network.
 */
#ifndef DGM_MODEL_VARIANTS_H
#define DGM_MODEL_VARIANTS_H

#include "model/net.h"
#include "nn/attn/syntax.h"

/* Parses --syntax for the sides that attend to themselves; cleared by the caller, also after a
 * failure. DGM_USAGE where it names variants and the encoder does not attend to itself. */
dgm_status dgm_variants_read(struct dgm_env *env, const struct dgm_net *net,
                             struct dgm_syntax *syntax);

/* For an encoder that does not: DGM_USAGE where --syntax is faulty or names any variant. */
dgm_status dgm_variants_refuse(struct dgm_env *env, const struct dgm_net *net);

#endif
