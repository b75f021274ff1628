/*
 * syntax.c: serving the model with all variants that --syntax names, at once.
 */
#include "nn/attn/syntax.h"

#include <string.h>

unsigned dgm_syntax_needs(const struct dgm_syntax *syntax)
{
    unsigned needs = 0;
    int i;

    for (i = 0; i < syntax->count; i++)
        if (syntax->variants[i].kind->needs != NULL)
            needs |= syntax->variants[i].kind->needs(syntax->variants[i].state);
    return needs;
}

int dgm_syntax_feature_input(const struct dgm_syntax *syntax, struct dgm_attn_feature_input *use)
{
    int i;

    for (i = 0; i < syntax->count; i++)
        if (syntax->variants[i].kind->feature_input != NULL)
            return syntax->variants[i].kind->feature_input(syntax->variants[i].state, use);
    return 0;
}

dgm_status dgm_syntax_declare(struct dgm_env *env, const struct dgm_syntax *syntax,
                              struct dgm_params *params, struct dgm_attn_place place)
{
    int i;

    for (i = 0; i < syntax->count; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->declare != NULL)
            DGM_TRY(variant->kind->declare(env, variant->state, params, place, &syntax->shape));
    }
    return DGM_OK;
}

/* ---- planning ------------------------------------------------------------------------------ */

/* The variants that serve a layer, as bits; *varies: their constants are this layer's own. */
static unsigned serving(const struct dgm_syntax *syntax, struct dgm_attn_place place, int training,
                        int *varies)
{
    unsigned set = 0;
    int i;

    *varies = 0;
    for (i = 0; i < syntax->count; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->plan == NULL || !variant->kind->serves(variant->state, place))
            continue;
        set |= 1u << i;
        *varies |= variant->kind->varies != NULL && variant->kind->varies(variant->state, training);
    }
    return set;
}

/* An earlier layer whose constants serve this one too, or 0. */
static int twin_layer(const struct dgm_syntax *syntax, struct dgm_attn_place place, int training)
{
    struct dgm_attn_place other = place;
    int varies, other_varies;
    unsigned set = serving(syntax, place, training, &varies);

    for (other.layer = 1; other.layer < place.layer && !varies; other.layer++)
        if (serving(syntax, other, training, &other_varies) == set)
            return other.layer;
    return 0;
}

static int extra_representations(const struct dgm_syntax *syntax, struct dgm_attn_place place,
                                 int training)
{
    const struct dgm_attn_variant *variant = dgm_syntax_fusion(syntax, place);

    return variant == NULL ? 0
                           : variant->kind->fusion->extra(variant->state, place.layer, training);
}

/* Labels and targets of parsers hold for every representation; the core reads the first's. */
static int holds_for_all(const struct dgm_attn_variant *variant, struct dgm_attn_place place)
{
    const unsigned once = DGM_TAKES_LABELS | DGM_TAKES_PARSER;

    return variant->kind->takes != NULL &&
           (variant->kind->takes(variant->state, place) & once) != 0;
}

/* Every representation of one layer. */
static dgm_status plan_layer(struct dgm_env *env, const struct dgm_syntax *syntax,
                             struct dgm_attn_plan *plan, struct dgm_attn_constants *constants)
{
    int extra = extra_representations(syntax, plan->place, plan->training), varies, i;
    unsigned set = serving(syntax, plan->place, plan->training, &varies);

    constants->extra = extra;
    for (plan->representation = 0; plan->representation <= extra; plan->representation++) {
        plan->constants = &constants[plan->representation];
        for (i = 0; i < syntax->count; i++)
            if ((set >> i & 1) &&
                (plan->representation == 0 || !holds_for_all(&syntax->variants[i], plan->place)))
                DGM_TRY(syntax->variants[i].kind->plan(env, syntax->variants[i].state, plan));
    }
    return DGM_OK;
}

dgm_status dgm_syntax_plan(struct dgm_env *env, const struct dgm_syntax *syntax,
                           struct dgm_attn_plan *plan, dgm_attn_layer_constants *constants)
{
    int layer, twin;

    plan->shape = &syntax->shape;
    for (layer = 1; layer <= syntax->shape.depth[plan->place.side]; layer++) {
        plan->place.layer = layer;
        memset(constants[layer - 1], 0, sizeof constants[layer - 1]);
        twin = twin_layer(syntax, plan->place, plan->training);
        if (twin > 0)
            memcpy(constants[layer - 1], constants[twin - 1], sizeof constants[layer - 1]);
        else
            DGM_TRY(plan_layer(env, syntax, plan, constants[layer - 1]));
    }
    return DGM_OK;
}

/* ---- a layer being built ------------------------------------------------------------------- */

dgm_status dgm_syntax_terms(const struct dgm_syntax *syntax, struct dgm_attn_layer *layer)
{
    int i;

    for (i = 0; i < syntax->count; i++)
        if (syntax->variants[i].kind->mix != NULL)
            DGM_TRY(syntax->variants[i].kind->mix(syntax->variants[i].state, layer));
    for (i = 0; i < syntax->count; i++)
        if (syntax->variants[i].kind->terms != NULL)
            DGM_TRY(syntax->variants[i].kind->terms(syntax->variants[i].state, layer));
    return layer->g->status;
}

const struct dgm_attn_variant *dgm_syntax_fusion(const struct dgm_syntax *syntax,
                                                 struct dgm_attn_place place)
{
    int i;

    for (i = 0; i < syntax->count && place.side == DGM_SOURCE; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->fusion != NULL &&
            variant->kind->fusion->fuses(variant->state, place.layer))
            return variant;
    }
    return NULL;
}

int dgm_syntax_parser(const struct dgm_syntax *syntax, struct dgm_attn_place place,
                      struct dgm_attn_parser *parser)
{
    int i;

    for (i = 0; i < syntax->count; i++) {
        const struct dgm_attn_variant *variant = &syntax->variants[i];
        if (variant->kind->parser != NULL && variant->kind->parser(variant->state, place, parser))
            return 1;
    }
    return 0;
}

void dgm_syntax_represent(struct dgm_attn_layer *layer, int r)
{
    enum { REPRESENTATION_BIT = 24 }; /* of dropout streams: above layers, below sides */
    struct dgm_attention_terms *terms = &layer->terms;
    const struct dgm_attn_constants *constants;

    if (r > 0)
        terms->core.drop.stream += (uint32_t)1 << REPRESENTATION_BIT;
    if (layer->constants == NULL)
        return;
    constants = &layer->constants[r];
    terms->factor[0] = dgm_feed_ref(layer->feed, constants->factor[0]);
    terms->factor[1] = dgm_feed_ref(layer->feed, constants->factor[1]);
    terms->ignored = dgm_feed_ref(layer->feed, constants->ignored);
    terms->addend = dgm_feed_ref(layer->feed, constants->addend);
    terms->hidden = dgm_feed_ref(layer->feed, constants->hidden);
}
