/*
 * attn_shaw.c: relative position representations (Shaw, Uszkoreit, Vaswani: "Self-Attention with
 * Relative Position Representations", NAACL 2018); specification 3.1.
 *
 *   E_ij = s q_i . (k_j + a^K_r),  z_i = sum_j A_ij (v_j + a^V_r),  r = clip(j - i, -k, k) + k
 *
 * Tables (2k+1, d_k) are shared by the heads of a layer. With share_kv one table serves both.
 */
#include <string.h>

#include "nn/attn/relation.h"

struct shaw {
    struct dgm_attn_relation relation;
    int sides[2];
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "k", .type = DGM_OPT_INT, .argument = "N", .fallback = "16", .low = 0, .high = 1000,
      .help = "Largest relative offset told apart" },
    { .name = "sides", .type = DGM_OPT_CHOICE, .argument = "SIDES", .fallback = "enc+dec",
      .choices = "enc|dec|enc+dec", .help = "Where relative positions are used" },
    DGM_RELATION_OPTIONS,
    DGM_OPT_END
};
/* clang-format on */

/* A decoder that is asked for has self-attention. */
static dgm_status check_sides(struct dgm_env *env, const struct shaw *shaw,
                              const struct dgm_settings *settings,
                              const struct dgm_attn_shape *shape)
{
    int asked = dgm_settings_is_set(settings, "sides") && !shape->stored;

    if (!shaw->sides[DGM_TARGET] || shape->depth[DGM_TARGET] > 0 ||
        (shaw->sides[DGM_SOURCE] && !asked))
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "shaw: sides=%s, but the decoder has no self-attention",
                    dgm_settings_text(settings, "sides"));
}

static dgm_status shaw_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct shaw *shaw = state;

    shaw->sides[DGM_SOURCE] = !dgm_attn_chose(settings, "sides", "dec");
    shaw->sides[DGM_TARGET] = !dgm_attn_chose(settings, "sides", "enc");
    DGM_TRY(check_sides(env, shaw, settings, shape));
    return dgm_relation_read(env, &shaw->relation, settings, shape,
                             (unsigned)shaw->sides[DGM_SOURCE] << DGM_SOURCE |
                                 (unsigned)shaw->sides[DGM_TARGET] << DGM_TARGET,
                             dgm_settings_int(settings, "k"), "shaw");
}

static unsigned shaw_takes(const void *state, struct dgm_attn_place place)
{
    const struct shaw *shaw = state;

    return shaw->sides[place.side] && dgm_layers_has(shaw->relation.layers, place.layer)
               ? DGM_TAKES_OFFSETS
               : 0;
}

static dgm_status shaw_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                               struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    const struct shaw *shaw = state;

    if (!shaw->sides[place.side])
        return DGM_OK;
    return dgm_relation_declare(env, &shaw->relation, params, place, shape->head_dim, "shaw");
}

static dgm_status shaw_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct shaw *shaw = state;

    if (shaw->sides[layer->place.side])
        dgm_relation_terms(&shaw->relation, layer, DGM_RELATION_OFFSETS, "shaw");
    return layer->g->status;
}

static const char *const samples[] = { "k=2", "k=1,sides=dec,use-k=0", NULL };

const struct dgm_attn_kind dgm_attn_shaw = {
    .name = "shaw",
    .cite = "Shaw, Uszkoreit and Vaswani 2018",
    .help = "learned vectors for relative positions are added to keys and values",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct shaw),
    .configure = shaw_configure,
    .takes = shaw_takes,
    .declare = shaw_declare,
    .terms = shaw_terms,
};
