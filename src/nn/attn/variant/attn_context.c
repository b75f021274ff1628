/*
 * attn_context.c: context-aware self-attention (Yang et al.: "Context-Aware Self-Attention
 * Networks", AAAI 2019); specification 3.8.
 *
 *   q' = (1 - l) q + l qc,  qc = U_q c + b,  l = sigmoid(v^H . q + v^C . qc + biases);  k' likewise
 *
 * The context c of layer l, with x^1 the embedding and x^l what layer l is given, is global: the
 * mean of x^l over the sentence; deep: x^1 .. x^(l-1) of the same row (layer 1 is plain, and owns
 * gates it does not use); or deep_global: the means of x^1 .. x^l. Each head sees its own share of
 * every x, and the heads of a layer share the networks. The released code scales q before mixing
 * (scale_first=1) and cuts the concatenation into one run per head (chunk=fork); its means count
 * padding (not offered).
 */
#include <math.h>
#include <stdio.h>

#include "nn/attn/attn.h"

enum context_type { CONTEXT_GLOBAL, CONTEXT_DEEP, CONTEXT_DEEP_GLOBAL };

enum { MOST_LAYERS = 64 };

struct context {
    enum context_type type;
    uint64_t layers;
    int scale_first, fork_chunks;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "type", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "deep_global",
      .choices = "global|deep|deep_global",
      .help = "The sentence's mean, the lower layers, or the means of all layers so far" },
    { .name = "layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "1-6",
      .help = "Encoder layers that have it" },
    { .name = "scale-first", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Scale queries before they are mixed, as a released code base does" },
    { .name = "chunk", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "own",
      .choices = "own|fork",
      .help = "A head's share of several layers: its own of each, or one run of their "
              "concatenation" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status context_configure(struct dgm_env *env, void *state,
                                    const struct dgm_settings *settings,
                                    const struct dgm_attn_shape *shape)
{
    struct context *context = state;

    context->type = dgm_attn_chose(settings, "type", "global") ? CONTEXT_GLOBAL
                    : dgm_attn_chose(settings, "type", "deep") ? CONTEXT_DEEP
                                                               : CONTEXT_DEEP_GLOBAL;
    context->scale_first = (int)dgm_settings_int(settings, "scale-first");
    context->fork_chunks = dgm_attn_chose(settings, "chunk", "fork");
    return dgm_attn_read_layers(env, settings, "layers", shape, shape->depth[DGM_SOURCE], "encoder",
                                "context", &context->layers);
}

static int is_on(const struct context *context, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE && dgm_layers_has(context->layers, place.layer);
}

static unsigned context_takes(const void *state, struct dgm_attn_place place)
{
    return is_on(state, place) ? DGM_TAKES_QUERIES : 0;
}

/* How many x the context of a layer is made of. */
static int part_count(const struct context *context, int layer)
{
    return context->type == CONTEXT_GLOBAL ? 1 : context->type == CONTEXT_DEEP ? layer - 1 : layer;
}

/* U_q and U_k lie below one another, and so do their biases: one product makes qc and kc. */
static dgm_status declare_networks(struct dgm_env *env, struct dgm_params *params,
                                   struct dgm_attn_place place, int64_t dk, int parts)
{
    char name[128];
    dgm_param_id id;

    dgm_attn_name(name, place, "context.query.weight");
    DGM_TRY(dgm_params_matrix(env, params, &id, name, dk, parts * dk, DGM_INIT_XAVIER, 1));
    dgm_attn_name(name, place, "context.key.weight");
    DGM_TRY(dgm_params_matrix_below(env, params, &id, name, dk, parts * dk, DGM_INIT_XAVIER, 1));
    dgm_attn_name(name, place, "context.query.bias");
    DGM_TRY(dgm_params_vector(env, params, &id, name, dk, DGM_INIT_ZERO));
    dgm_attn_name(name, place, "context.key.bias");
    return dgm_params_vector_below(env, params, &id, name, dk, DGM_INIT_ZERO);
}

static dgm_status context_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                                  struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    static const char *const gates[] = { "context.query_gate", "context.query_context_gate",
                                         "context.key_gate", "context.key_context_gate" };
    const struct context *context = state;
    int i;

    if (!is_on(context, place))
        return DGM_OK;
    if (part_count(context, place.layer) > 0)
        DGM_TRY(declare_networks(env, params, place, shape->head_dim,
                                 part_count(context, place.layer)));
    for (i = 0; i < 4; i++)
        DGM_TRY(dgm_attn_declare_linear(env, params, place, gates[i], 1, shape->head_dim, 1));
    return DGM_OK;
}

/* The mean of layer l's input over each sentence: made once, whichever layers ask. */
static struct dgm_node *mean_of(const struct dgm_attn_layer *layer, int l)
{
    struct dgm_columns x;

    x.node = layer->inputs[l - 1];
    x.column = 0;
    if (layer->means[l - 1] == NULL)
        layer->means[l - 1] = dgm_span_mean(layer->g, x, layer->shape->dim, layer->spans.offsets,
                                            layer->spans.sentences);
    return layer->means[l - 1];
}

/* c: (N, parts D), or (S, parts D) where it is the same for a whole sentence. */
static struct dgm_node *find_context(const struct context *context,
                                     const struct dgm_attn_layer *layer)
{
    int parts = part_count(context, layer->place.layer), i;
    struct dgm_node *part[MOST_LAYERS];

    if (context->type == CONTEXT_GLOBAL)
        return mean_of(layer, layer->place.layer);
    for (i = 0; i < parts; i++)
        part[i] = context->type == CONTEXT_DEEP ? layer->inputs[i] : mean_of(layer, i + 1);
    if (parts == 1)
        return part[0];
    return dgm_concat(layer->g, part, parts, context->fork_chunks ? 1 : layer->shape->heads);
}

/* [qc | kc] per head: (N, 2D). */
static struct dgm_node *project_context(const struct context *context,
                                        const struct dgm_attn_layer *layer)
{
    struct dgm_columns c;
    struct dgm_node *both;

    c.node = find_context(context, layer);
    c.column = 0;
    both = dgm_linear_heads(layer->g, c, layer->shape->heads,
                            dgm_attn_param_stack(layer, "context.query.weight", 2),
                            dgm_attn_param_stack(layer, "context.query.bias", 2), DGM_NT, 1);
    if (context->type == CONTEXT_DEEP)
        return both;
    return dgm_gather(layer->g, both, layer->owners, layer->spans.rows);
}

/* Mixes one of q and k, named "query" and "key", with the columns of the context that are its. */
static void mix_columns(const struct dgm_attn_layer *layer, struct dgm_columns *x,
                        struct dgm_node *context, int64_t column, double scale, const char *name)
{
    struct dgm_context_gate gate;
    char tail[64];

    gate.x = *x;
    gate.c.node = context;
    gate.c.column = column;
    gate.heads = layer->shape->heads;
    gate.width = layer->shape->head_dim;
    gate.c_step = 2 * layer->shape->head_dim;
    gate.scale = (dgm_real)scale;
    snprintf(tail, sizeof tail, "context.%s_gate.weight", name);
    gate.x_gate = dgm_attn_param(layer, tail);
    snprintf(tail, sizeof tail, "context.%s_gate.bias", name);
    gate.x_bias = dgm_attn_param(layer, tail);
    snprintf(tail, sizeof tail, "context.%s_context_gate.weight", name);
    gate.c_gate = dgm_attn_param(layer, tail);
    snprintf(tail, sizeof tail, "context.%s_context_gate.bias", name);
    gate.c_bias = dgm_attn_param(layer, tail);
    x->node = dgm_gated_mix(layer->g, &gate);
    x->column = 0;
}

static dgm_status context_mix(const void *state, struct dgm_attn_layer *layer)
{
    const struct context *context = state;
    double scale = context->scale_first ? 1 / sqrt((double)layer->shape->head_dim) : 1;
    struct dgm_node *both;

    if (!is_on(context, layer->place) || part_count(context, layer->place.layer) == 0)
        return DGM_OK;
    both = project_context(context, layer);
    mix_columns(layer, &layer->q, both, 0, scale, "query");
    mix_columns(layer, &layer->k, both, layer->shape->head_dim, 1, "key");
    if (context->scale_first)
        layer->terms.core.scale = 1;
    return layer->g->status;
}

static const char *const samples[] = { "type=global", "type=deep",
                                       "type=deep_global,scale-first=1,chunk=fork", NULL };

const struct dgm_attn_kind dgm_attn_context = {
    .name = "context",
    .cite = "Yang et al. 2019",
    .help = "a gate mixes the sentence or lower layers into queries and keys",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct context),
    .configure = context_configure,
    .takes = context_takes,
    .declare = context_declare,
    .mix = context_mix,
};
