/*
 * attn_shaw.c: relative position representations (Shaw, Uszkoreit, Vaswani: "Self-Attention with
 * Relative Position Representations", NAACL 2018); specification 3.1.
 *
 *   E_ij = s q_i . (k_j + a^K_r),  z_i = sum_j A_ij (v_j + a^V_r),  r = clip(j - i, -k, k) + k
 *
 * Tables (2k+1, d_k) are shared by the heads of a layer. With share_kv one table serves both.
 */
#include <math.h>
#include <string.h>

#include "nn/attn/attn.h"

struct shaw {
    int64_t k;
    int sides[2];
    uint64_t layers;
    int use_k, use_v, share_kv, normal;
};

static const struct dgm_opt options[] = {
    {"k", 0, DGM_OPT_INT, "N", "16", 0, 1000, NULL, NULL, "Largest relative offset told apart"},
    {"sides", 0, DGM_OPT_CHOICE, "SIDES", "enc+dec", 0, 0, "enc|dec|enc+dec", NULL,
     "Where relative positions are used"},
    {"layers", 0, DGM_OPT_TEXT, "LAYERS", "1-64", 0, 0, NULL, NULL, "Layers that use them"},
    {"use-k", 0, DGM_OPT_INT, "0|1", "1", 0, 1, NULL, NULL, "Add vectors to the keys"},
    {"use-v", 0, DGM_OPT_INT, "0|1", "1", 0, 1, NULL, NULL, "Add vectors to the values"},
    {"share-kv", 0, DGM_OPT_INT, "0|1", "0", 0, 1, NULL, NULL,
     "One table for keys and values, as a released code base has it"},
    {"init", 0, DGM_OPT_CHOICE, "KIND", "xavier", 0, 0, "xavier|normal", NULL,
     "Initial table values"},
    DGM_OPT_END
};

static dgm_status shaw_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct shaw *shaw = state;
    const char *sides = dgm_settings_text(settings, "sides");

    (void)shape;
    shaw->k = dgm_settings_int(settings, "k");
    shaw->sides[DGM_ENCODER] = strncmp(sides, "enc", 3) == 0;
    shaw->sides[DGM_DECODER] = strcmp(sides, "enc") != 0;
    shaw->use_k = (int)dgm_settings_int(settings, "use-k");
    shaw->use_v = (int)dgm_settings_int(settings, "use-v");
    shaw->share_kv = (int)dgm_settings_int(settings, "share-kv");
    shaw->normal = strcmp(dgm_settings_text(settings, "init"), "normal") == 0;
    if (shaw->share_kv && !(shaw->use_k && shaw->use_v))
        return dgm_fail(env, DGM_USAGE, "shaw: share_kv=1 needs use_k=1 and use_v=1");
    return dgm_layers_parse(env, dgm_settings_text(settings, "layers"), &shaw->layers);
}

static int is_on(const struct shaw *shaw, enum dgm_side side, int layer)
{
    return shaw->sides[side] && dgm_layers_has(shaw->layers, layer);
}

static dgm_status declare_table(struct dgm_env *env, const struct shaw *shaw,
                                struct dgm_params *params, enum dgm_side side, int layer,
                                const char *tail, int64_t head_dim)
{
    char name[128];
    dgm_param_id id;

    dgm_attn_name(name, side, layer, tail);
    return dgm_params_matrix(env, params, &id, name, 2 * shaw->k + 1, head_dim,
                             shaw->normal ? DGM_INIT_NORMAL : DGM_INIT_XAVIER, 1);
}

static dgm_status shaw_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                               enum dgm_side side, int layer, const struct dgm_attn_shape *shape)
{
    const struct shaw *shaw = state;

    if (!is_on(shaw, side, layer))
        return DGM_OK;
    if (shaw->use_k)
        DGM_TRY(declare_table(env, shaw, params, side, layer, "shaw.key.weight",
                              shape->head_dim));
    if (shaw->use_v && !shaw->share_kv)
        DGM_TRY(declare_table(env, shaw, params, side, layer, "shaw.value.weight",
                              shape->head_dim));
    return DGM_OK;
}

static dgm_status shaw_terms(struct dgm_graph *g, const void *state,
                             const struct dgm_params *params, enum dgm_side side, int layer,
                             const struct dgm_attn_shape *shape,
                             struct dgm_attention_terms *terms)
{
    const struct shaw *shaw = state;
    int t = terms->core.label_count[0] > 0; /* the first relation that is free */
    char name[128];

    (void)shape;
    if (!is_on(shaw, side, layer))
        return DGM_OK;
    terms->core.clip[t] = shaw->k;
    terms->core.label_count[t] = 2 * shaw->k + 1;
    if (shaw->use_k) {
        dgm_attn_name(name, side, layer, "shaw.key.weight");
        terms->key_table[t] = dgm_params_node(g, params, dgm_params_find(params, name));
    }
    if (shaw->share_kv) {
        terms->value_table[t] = terms->key_table[t];
    } else if (shaw->use_v) {
        dgm_attn_name(name, side, layer, "shaw.value.weight");
        terms->value_table[t] = dgm_params_node(g, params, dgm_params_find(params, name));
    }
    return g->status;
}

const struct dgm_attn_kind dgm_attn_shaw = {
    "shaw", "Shaw, Uszkoreit and Vaswani 2018",
    "learned vectors for relative positions are added to keys and values",
    options, sizeof(struct shaw), 0,
    shaw_configure, shaw_declare, NULL, NULL, NULL, shaw_terms
};
