/*
 * parser_head.c: scores of a parsing head as terms of the core and as a loss.
 */
#include "nn/attn/parser_head.h"

#include <string.h>

#include "base/number/number.h"

enum { MOST_LAYERS = 64 };

int dgm_parser_head_over_target(const struct dgm_settings *settings)
{
    return dgm_attn_chose(settings, "loss-over", "target");
}

/* "4", or "2/3" of the depth; a half is rounded up. 0 if it is neither. */
static int read_layer(const char *text, int depth, int64_t *layer)
{
    const char *slash = strchr(text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text) : strlen(text);
    int64_t parts = 1;

    if (!dgm_number_int(layer, text, length) || *layer < 0 || *layer > MOST_LAYERS)
        return 0;
    if (slash == NULL)
        return 1;
    if (!dgm_number_int(&parts, slash + 1, strlen(slash + 1)) || parts < 1 || *layer < 1 ||
        *layer > parts || parts > MOST_LAYERS)
        return 0;
    *layer = (2 * depth * *layer + parts) / (2 * parts);
    *layer = *layer < 1 ? 1 : *layer;
    return 1;
}

dgm_status dgm_parser_head_layer(struct dgm_env *env, const struct dgm_settings *settings,
                                 const char *option, const struct dgm_attn_shape *shape,
                                 enum dgm_side side, const char *variant, int64_t *layer)
{
    const char *text = dgm_settings_text(settings, option);
    int depth = shape->depth[side];

    if (!read_layer(text, depth, layer))
        return dgm_fail(env, DGM_USAGE,
                        "%s: %s=%s; expected a layer from 1 on, 0 for none, or a part of the depth "
                        "such as 2/3",
                        variant, option, text);
    if (*layer <= depth)
        return DGM_OK;
    if (dgm_settings_is_set(settings, option) && !shape->stored)
        return dgm_attn_fail_layer(env, variant, option, dgm_settings_text(settings, option), depth,
                                   dgm_side_name(side));
    dgm_log(env, DGM_LOG_WARNING,
            "syntax: %s is to parse in layer %d of the %s, which has %d: "
            "nothing there parses",
            variant, (int)*layer, dgm_side_name(side), depth);
    *layer = 0;
    return DGM_OK;
}

/* The scores once more, as packed blocks, for the loss alone: one head of one layer. */
static void add_loss(struct dgm_attn_layer *layer, const struct dgm_parser_head *parser)
{
    struct dgm_parse_losses *losses = layer->losses;
    const struct dgm_attn_constants *constants = layer->constants;
    enum dgm_pair_mask mask = layer->terms.core.causal ? DGM_PAIRS_CAUSAL : DGM_PAIRS_ALL;
    int64_t of_update = losses->of.supervised[layer->place.side];
    int64_t supervised = of_update > 0 ? of_update : constants->supervised;
    int64_t mean_over = parser->over_target ? losses->rows : supervised;
    double scale = parser->lambda * losses->unit / (double)mean_over;
    struct dgm_node *scores;

    if (losses->count == DGM_PARSE_LOSSES) {
        layer->g->status = dgm_fail(layer->g->env, DGM_FAILURE, "more than %d heads that parse",
                                    (int)DGM_PARSE_LOSSES);
        return;
    }
    scores = dgm_pair_scores(layer->g, parser->q, parser->k, parser->dim, &layer->spans);
    losses->items[losses->count].node =
        dgm_pair_loss(layer->g, scores, &layer->spans,
                      dgm_feed_ref(layer->feed, constants->targets), mask, (dgm_real)scale);
    losses->items[losses->count].weight = parser->lambda;
    losses->items[losses->count].supervised = constants->supervised;
    losses->items[losses->count].mean_over = mean_over;
    losses->count++;
}

dgm_status dgm_parser_head_terms(struct dgm_attn_layer *layer, const struct dgm_parser_head *parser)
{
    struct dgm_attention_terms *terms = &layer->terms;
    const struct dgm_attn_constants *constants = layer->constants;

    terms->parser_q = parser->q;
    terms->parser_k = parser->k;
    terms->core.parser_head = parser->head;
    terms->core.parser_dim = parser->dim;
    if (constants == NULL || constants->supervised == 0)
        return layer->g->status;
    if (constants->forced)
        terms->forced = dgm_feed_ref(layer->feed, constants->targets);
    if (constants->learnt && layer->losses != NULL)
        add_loss(layer, parser);
    return layer->g->status;
}
