/*
 * attention_probe.h: looks at attention weights while whole sentences go through a model.
 *
 * The core never stores weights (kernel/task/attention_list.h), but values may be as wide as one
 * likes: where key j of a sentence has the unit vector e_j as its value, z_i = sum_j A_ij e_j is
 * row i of A. So each layer that is watched is computed a second time with such values and without
 * value tables. Every term of the scores takes part, whatever variant it comes from; the kernels
 * know nothing of it. A recurrent decoder has its weights at hand and only says where they are.
 */
#ifndef DGM_MODEL_ATTENTION_PROBE_H
#define DGM_MODEL_ATTENTION_PROBE_H

#include "model/net.h"

/* Queries and keys: source and source, target and target, target and source. */
enum dgm_attention_kind {
    DGM_ATTENTION_ENCODER,
    DGM_ATTENTION_DECODER,
    DGM_ATTENTION_CROSS,
    DGM_ATTENTION_KINDS
};

struct dgm_attention_probe {
    uint64_t layers[DGM_ATTENTION_KINDS]; /* bit l - 1: layer l is watched */
    struct dgm_feed feed;
    /* Of the keys of each kind: values (rows, H width), width those of the longest sentence; 0: not
     * there. */
    dgm_slot values[DGM_ATTENTION_KINDS];
    int64_t rows[DGM_ATTENTION_KINDS], width[DGM_ATTENTION_KINDS];
    /* After the graph is built: kept nodes (rows of the queries, H width), or NULL. Head h has
     * columns h width ..; those from the number of keys on are 0. With several representations,
     * of the first. */
    struct dgm_node *weights[DGM_ATTENTION_KINDS][DGM_MAX_LAYERS];
};

void dgm_attention_probe_init(struct dgm_attention_probe *watch, struct dgm_device *device);
void dgm_attention_probe_clear(struct dgm_env *env, struct dgm_attention_probe *watch);

/* Layers and heads that a network has of a kind; no layers: there is no such attention. */
int dgm_attention_probe_layers(const struct dgm_net *net, enum dgm_attention_kind kind);
int64_t dgm_attention_probe_heads(const struct dgm_net *net, enum dgm_attention_kind kind);

/* Sends the values of the keys of a staged batch and forgets the nodes of the last one. Then the
 * watch of the step is set, and the graph built. */
dgm_status dgm_attention_probe_stage(struct dgm_env *env, struct dgm_attention_probe *watch,
                                     const struct dgm_net *net, const struct dgm_step *step,
                                     const struct dgm_batch *batch);

/* Called for every attention of layer `layer` (from 1) with its operands: adds its weights to the
 * graph, where they are wanted. NULL for a probe: nobody looks. */
void dgm_attention_probe_add(struct dgm_attention_probe *watch, struct dgm_graph *g, int layer,
                             enum dgm_attention_kind kind, struct dgm_columns q,
                             struct dgm_columns k, const struct dgm_attention_terms *terms);

/* For decoders that hand out their weights: where to put those of their one layer, (M, longest)
 * with zeros behind a sentence's rows, or absent; and the node that has them in the batch's
 * order. */
struct dgm_ref dgm_attention_probe_place(const struct dgm_attention_probe *watch);
void dgm_attention_probe_take(struct dgm_attention_probe *watch, struct dgm_graph *g,
                              struct dgm_node *weights);

#endif
