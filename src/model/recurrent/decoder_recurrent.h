/*
 * decoder_recurrent.h: the first state of the recurrent decoder.
 */
#ifndef DGM_MODEL_RECURRENT_DECODER_RECURRENT_H
#define DGM_MODEL_RECURRENT_DECODER_RECURRENT_H

#include "model/decoder.h"

/* s_0 (S,d) of all sentences in their order: tanh(W mean + b), where mean (S,m) is the encoder's
 * summary, or the mean of each sentence's rows. */
struct dgm_node *dgm_recurrent_start(struct dgm_graph *g, const struct dgm_net *net,
                                     const struct dgm_step *step,
                                     const struct dgm_encoding *encoding);

#endif
