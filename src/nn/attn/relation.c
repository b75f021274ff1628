/*
 * relation.c: tables of vectors for labelled pairs: their options, parameters and operands.
 */
#include "nn/attn/relation.h"

#include <stdio.h>

/* The deeper one of these sides. */
static enum dgm_side deepest(const struct dgm_attn_shape *shape, unsigned sides)
{
    if (!(sides & 1u << DGM_TARGET))
        return DGM_SOURCE;
    return !(sides & 1u << DGM_SOURCE) || shape->depth[DGM_TARGET] > shape->depth[DGM_SOURCE]
               ? DGM_TARGET
               : DGM_SOURCE;
}

dgm_status dgm_relation_read(struct dgm_env *env, struct dgm_attn_relation *relation,
                             const struct dgm_settings *settings,
                             const struct dgm_attn_shape *shape, unsigned sides, int64_t clip,
                             const char *name)
{
    enum dgm_side side = deepest(shape, sides);

    relation->clip = clip;
    relation->labels = 2 * clip + 1;
    relation->use_k = (int)dgm_settings_int(settings, "use-k");
    relation->use_v = (int)dgm_settings_int(settings, "use-v");
    relation->share_kv = (int)dgm_settings_int(settings, "share-kv");
    relation->normal = dgm_attn_chose(settings, "init", "normal");
    if (relation->share_kv && !(relation->use_k && relation->use_v))
        return dgm_fail(env, DGM_USAGE, "%s: share_kv=1 needs use_k=1 and use_v=1", name);
    return dgm_attn_read_layers(env, settings, "layers", shape, shape->depth[side],
                                dgm_side_name(side), name, &relation->layers);
}

static dgm_status declare_table(struct dgm_env *env, const struct dgm_attn_relation *relation,
                                struct dgm_params *params, struct dgm_attn_place place,
                                int64_t head_dim, const char *name, const char *which)
{
    char tail[64], full[128];
    dgm_param_id id;

    snprintf(tail, sizeof tail, "%s.%s.weight", name, which);
    dgm_attn_name(full, place, tail);
    return dgm_params_matrix(env, params, &id, full, relation->labels, head_dim,
                             relation->normal ? DGM_INIT_NORMAL : DGM_INIT_XAVIER, 1);
}

dgm_status dgm_relation_declare(struct dgm_env *env, const struct dgm_attn_relation *relation,
                                struct dgm_params *params, struct dgm_attn_place place,
                                int64_t head_dim, const char *name)
{
    if (!dgm_layers_has(relation->layers, place.layer))
        return DGM_OK;
    if (relation->use_k)
        DGM_TRY(declare_table(env, relation, params, place, head_dim, name, "key"));
    if (relation->use_v && !relation->share_kv)
        DGM_TRY(declare_table(env, relation, params, place, head_dim, name, "value"));
    return DGM_OK;
}

static struct dgm_node *table(const struct dgm_attn_layer *layer, const char *name,
                              const char *which)
{
    char tail[64];

    snprintf(tail, sizeof tail, "%s.%s.weight", name, which);
    return dgm_attn_param(layer, tail);
}

void dgm_relation_terms(const struct dgm_attn_relation *relation, struct dgm_attn_layer *layer,
                        int which, const char *name)
{
    struct dgm_attention_terms *terms = &layer->terms;

    if (!dgm_layers_has(relation->layers, layer->place.layer))
        return;
    terms->core.clip[which] = relation->clip;
    terms->core.label_count[which] = relation->labels;
    if (relation->use_k)
        terms->key_table[which] = table(layer, name, "key");
    if (relation->use_v)
        terms->value_table[which] =
            relation->share_kv ? terms->key_table[which] : table(layer, name, "value");
}
