/*
 * relation.h: learned vectors for labelled pairs of positions, added to keys and values: what
 * relative positions (Shaw et al. 2018) and relative depths (Omote et al. 2019) have in common.
 */
#ifndef DGM_NN_ATTN_RELATION_H
#define DGM_NN_ATTN_RELATION_H

#include "nn/attn/attn.h"

/* The core has two relations: one by offset, one by label. */
enum { DGM_RELATION_OFFSETS, DGM_RELATION_LABELS };

/* Tables (labels, d_k) of every layer that is on, shared by its heads. */
struct dgm_attn_relation {
    int64_t clip, labels; /* labels: 2 clip + 1, and those that a variant adds */
    uint64_t layers;
    int use_k, use_v; /* at least one table, but for experiments with none */
    int share_kv;     /* one table serves both */
    int normal;       /* initial values N(0,1) instead of Xavier's */
};

/* The options that both variants have, besides the clip. */
/* clang-format off */
#define DGM_RELATION_OPTIONS                                                                 \
    { .name = "layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "1-64",      \
      .help = "Layers that use them" },                                                      \
    { .name = "use-k", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0,    \
      .high = 1, .help = "Add vectors to the keys" },                                        \
    { .name = "use-v", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0,    \
      .high = 1, .help = "Add vectors to the values" },                                      \
    { .name = "share-kv", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0, \
      .high = 1, .help = "One table for keys and values, as a released code base has it" },  \
    { .name = "init", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "xavier",      \
      .choices = "xavier|normal", .help = "Initial table values" }
/* clang-format on */

/* Reads them; `sides` of the model have them, as bits 1 << side; `name` is the variant's, for
 * messages. */
dgm_status dgm_relation_read(struct dgm_env *env, struct dgm_attn_relation *relation,
                             const struct dgm_settings *settings,
                             const struct dgm_attn_shape *shape, unsigned sides, int64_t clip,
                             const char *name);

/* "<name>.key.weight" and "<name>.value.weight" of one layer. */
dgm_status dgm_relation_declare(struct dgm_env *env, const struct dgm_attn_relation *relation,
                                struct dgm_params *params, struct dgm_attn_place place,
                                int64_t head_dim, const char *name);

/* Fills relation `which` of the layer's terms. */
void dgm_relation_terms(const struct dgm_attn_relation *relation, struct dgm_attn_layer *layer,
                        int which, const char *name);

#endif
