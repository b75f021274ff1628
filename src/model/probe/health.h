/*
 * health.h: how well a network is, as far as its states and its attention tell: figures of one
 * batch of whole sentence pairs, computed without dropout.
 *
 * An encoder whose states grow from word to word, and attention that has locked on one position of
 * every sentence, learn no more, however well the cost looks; train/watch/health.h has the limits.
 */
#ifndef DGM_MODEL_HEALTH_H
#define DGM_MODEL_HEALTH_H

#include "model/probe/attention_probe.h"

/* Of the layers of one kind of attention, from the first on: the mean over all heads and queries of
 * the entropy of the weights, in nats. 0: all weight on one position; ln n: spread over n. */
struct dgm_layer_entropies {
    int layers; /* 0: there is no such attention */
    double entropy[DGM_MAX_LAYERS];
};

struct dgm_health {
    /* Of the encoder's states, attended or not: the root mean square and the largest absolute value
     * of all numbers, and the root mean square of the largest state. */
    double state_rms, state_max, largest_state;
    /* The share of update and reset gates, of the encoder and of the decoder, that are below 0.05
     * or above 0.95; -1: there are none. */
    double saturated[2];
    /* Of the decoder's attention over the source, means over all layers, heads and target
     * positions: the largest weight, and the entropy in nats. */
    double peak, entropy;
    /* The share of target positions that attend most, by the mean over layers and heads, to the
     * position that most of their sentence do. Sentences of less than four positions on either
     * side do not count; -1: there are no others. */
    double same;
    struct dgm_layer_entropies source,
        cross; /* self-attention of the encoder; `entropy` by layer */
};

/* Computes them with a step and a graph that nobody else needs meanwhile; both may be used for
 * something else afterwards. The batch has at least one pair. */
dgm_status dgm_health_measure(struct dgm_env *env, struct dgm_health *health,
                              const struct dgm_net *net, struct dgm_step *step, struct dgm_graph *g,
                              const struct dgm_batch *batch);

#endif
