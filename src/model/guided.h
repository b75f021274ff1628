/*
 * guided.h: guided alignment: attention of the decoder to the source that learns the links between
 * words that an aligner found (Chen, Matusov, Khadivi, Peter, "Guided alignment training for
 * topic-aware neural machine translation", 2016; for Transformers Garg, Peitz, Nallasamy, Paulik,
 * "Jointly learning to align and translate with Transformer models", 2019).
 *
 * With a_ij the attention of target row i to source row j, G_i the rows of pieces of the words that
 * the word of row i is linked to, and M the target rows that gradients are divided by, it adds
 *
 *     weight / M  sum over i  1 / |G_i|  sum over j in G_i  -log a_ij
 *
 * to the loss. A row without links adds nothing; links of a word count for each of its pieces; the
 * weight of a sentence (--sentence-weights) multiplies its rows. Row i is what predicts position i.
 * As in Marian, one head of one decoder layer learns, the first one, without dropout of its
 * weights, and the layer is the last unless another is chosen. A recurrent decoder has one layer.
 *
 * Attention is computed a second time for that head, with unit vectors as values, as in
 * attention_probe.h: its result is the weights, and it has the gradient of any attention.
 */
#ifndef DGM_MODEL_GUIDED_H
#define DGM_MODEL_GUIDED_H

#include "model/net.h"

/* The head that learns, and that is looked at. */
enum { DGM_GUIDED_HEAD = 0 };

/* The decoder's layer that learns, from 1. */
int dgm_guided_layer(const struct dgm_net *net);
/* Whether the network has that layer, which attends to words. */
int dgm_guided_can(const struct dgm_net *net);
/* DGM_USAGE where the network has no such layer, or attends to no words. */
dgm_status dgm_guided_check(struct dgm_env *env, const struct dgm_net *net);

/* Stages the links of a batch whose memory is staged, where it has any. */
dgm_status dgm_guided_stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                            const struct dgm_batch *batch);

/* Whether attention of this layer learns in this step. */
int dgm_guided_wants(const struct dgm_net *net, const struct dgm_step *step,
                     const struct dgm_parse_losses *losses, int layer);
/* Called where dgm_guided_wants says so, for an attention with these operands. */
void dgm_guided_attend(struct dgm_graph *g, const struct dgm_step *step,
                       struct dgm_parse_losses *losses, struct dgm_columns q, struct dgm_columns k,
                       const struct dgm_attention_terms *terms);

/* For a decoder that hands out its weights: unit vectors of the memory's rows, (K,width), to be put
 * beside its values; then their columns of the contexts, (M,width), rows in the order of
 * `places`. */
struct dgm_node *dgm_guided_units(struct dgm_graph *g, const struct dgm_step *step);
void dgm_guided_learn(struct dgm_graph *g, const struct dgm_step *step,
                      struct dgm_parse_losses *losses, struct dgm_columns weights,
                      struct dgm_ref places);

#endif
