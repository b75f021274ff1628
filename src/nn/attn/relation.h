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
#define DGM_RELATION_OPTIONS                                                                    \
    { "layers", 0, DGM_OPT_TEXT, "LAYERS", "1-64", 0, 0, NULL, NULL, "Layers that use them" },  \
        { "use-k", 0, DGM_OPT_INT, "0|1", "1", 0, 1, NULL, NULL, "Add vectors to the keys" },   \
        { "use-v", 0, DGM_OPT_INT, "0|1", "1", 0, 1, NULL, NULL, "Add vectors to the values" }, \
        { "share-kv",  0,                                                                       \
          DGM_OPT_INT, "0|1",                                                                   \
          "0",         0,                                                                       \
          1,           NULL,                                                                    \
          NULL,        "One table for keys and values, as a released code base has it" },       \
    {                                                                                           \
        "init", 0, DGM_OPT_CHOICE, "KIND", "xavier", 0, 0, "xavier|normal", NULL,               \
            "Initial table values"                                                              \
    }

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
