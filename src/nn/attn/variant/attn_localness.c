/*
 * attn_localness.c: localness (Yang et al.: "Modeling Localness for Self-Attention Networks",
 * EMNLP 2018); specification 3.7.
 *
 *   P_i = I sigmoid(U_p . tanh(W_p q_i + b_p) + c_p),  E_ij = S_ij - 2 (j - P_i)^2 / D_i^2
 *
 * I is the sentence's length. The window D is fixed, or of the layer: I sigmoid(U_d . tanh(W_d
 * kbar + b_d) + c_d) with kbar the mean key, or of each query: I sigmoid(U_d . tanh(W_p q_i + b_p)
 * + c_d). All per head, with networks that the heads of a layer share. The released code reads
 * scaled queries (scaled_q=1), and places and means that count padding (not offered).
 */
#include <math.h>

#include "nn/attn/attn.h"

enum window_type { WINDOW_FIXED, WINDOW_LAYER, WINDOW_QUERY };

/* Windows are no narrower: specification 3.7. */
#define NARROWEST ((dgm_real)1e-4)

struct localness {
    enum window_type type;
    uint64_t layers;
    double window;
    int scaled_q;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "type", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "query",
      .choices = "fixed|layer|query", .help = "What the window depends on" },
    { .name = "layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "1-3",
      .help = "Encoder layers that have it" },
    { .name = "window", .type = DGM_OPT_REAL, .argument = "D", .fallback = "10", .low = 1e-4,
      .high = 1e6, .help = "Window of type=fixed" },
    { .name = "scaled-q", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Predict from scaled queries, as a released code base does" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status localness_configure(struct dgm_env *env, void *state,
                                      const struct dgm_settings *settings,
                                      const struct dgm_attn_shape *shape)
{
    struct localness *localness = state;

    localness->type = dgm_attn_chose(settings, "type", "fixed")   ? WINDOW_FIXED
                      : dgm_attn_chose(settings, "type", "layer") ? WINDOW_LAYER
                                                                  : WINDOW_QUERY;
    localness->window = dgm_settings_real(settings, "window");
    localness->scaled_q = (int)dgm_settings_int(settings, "scaled-q");
    return dgm_attn_read_layers(env, settings, "layers", shape, shape->depth[DGM_SOURCE], "encoder",
                                "localness", &localness->layers);
}

static int is_on(const struct localness *localness, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE && dgm_layers_has(localness->layers, place.layer);
}

static unsigned localness_takes(const void *state, struct dgm_attn_place place)
{
    return is_on(state, place) ? DGM_TAKES_WINDOW : 0;
}

static dgm_status localness_declare(struct dgm_env *env, const void *state,
                                    struct dgm_params *params, struct dgm_attn_place place,
                                    const struct dgm_attn_shape *shape)
{
    const struct localness *localness = state;
    int64_t dk = shape->head_dim;

    if (!is_on(localness, place))
        return DGM_OK;
    DGM_TRY(dgm_attn_declare_linear(env, params, place, "localness.hidden", dk, dk, 1));
    DGM_TRY(dgm_attn_declare_linear(env, params, place, "localness.center", 1, dk, 1));
    if (localness->type == WINDOW_LAYER)
        DGM_TRY(dgm_attn_declare_linear(env, params, place, "localness.window_hidden", dk, dk, 1));
    if (localness->type != WINDOW_FIXED)
        DGM_TRY(dgm_attn_declare_linear(env, params, place, "localness.window", 1, dk, 1));
    return DGM_OK;
}

/* One small network for every head: scale x_h W^T + b. */
static struct dgm_node *small_linear(const struct dgm_attn_layer *layer, struct dgm_columns x,
                                     double scale, const char *weight, const char *bias)
{
    return dgm_linear_heads(layer->g, x, layer->shape->heads, dgm_attn_param(layer, weight),
                            dgm_attn_param(layer, bias), DGM_NT, (dgm_real)scale);
}

/* tanh(scale x_h W^T + b) as an operand. */
static struct dgm_columns hidden_of(const struct dgm_attn_layer *layer, struct dgm_columns x,
                                    double scale, const char *weight, const char *bias)
{
    struct dgm_columns hidden;

    hidden.node = dgm_activate(layer->g, small_linear(layer, x, scale, weight, bias), DGM_TANH);
    hidden.column = 0;
    return hidden;
}

/* The layer's windows, still before the sigmoid: (N,H). */
static struct dgm_node *layer_windows(const struct dgm_attn_layer *layer)
{
    const struct dgm_attn_shape *shape = layer->shape;
    struct dgm_columns mean;
    struct dgm_node *windows;

    mean.node = dgm_span_mean(layer->g, layer->k, shape->heads * shape->head_dim,
                              layer->spans.offsets, layer->spans.sentences);
    mean.column = 0;
    windows = small_linear(layer,
                           hidden_of(layer, mean, 1, "localness.window_hidden.weight",
                                     "localness.window_hidden.bias"),
                           1, "localness.window.weight", "localness.window.bias");
    return dgm_gather(layer->g, windows, layer->owners, layer->spans.rows);
}

static dgm_status localness_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct localness *localness = state;
    double scale = localness->scaled_q ? 1 / sqrt((double)layer->shape->head_dim) : 1;
    struct dgm_graph *g = layer->g;
    struct dgm_columns hidden;
    struct dgm_node *center, *window;

    if (!is_on(localness, layer->place))
        return DGM_OK;
    hidden = hidden_of(layer, layer->q, scale, "localness.hidden.weight", "localness.hidden.bias");
    center = small_linear(layer, hidden, 1, "localness.center.weight", "localness.center.bias");
    layer->terms.center = dgm_span_sigmoid(g, center, layer->owners, layer->counts, 0);
    layer->terms.core.window_size = (dgm_real)localness->window;
    if (localness->type == WINDOW_FIXED)
        return g->status;
    window =
        localness->type == WINDOW_LAYER
            ? layer_windows(layer)
            : small_linear(layer, hidden, 1, "localness.window.weight", "localness.window.bias");
    layer->terms.window = dgm_span_sigmoid(g, window, layer->owners, layer->counts, NARROWEST);
    return g->status;
}

static const char *const samples[] = { "type=fixed,window=3", "type=layer,layers=2",
                                       "type=query,scaled-q=1", NULL };

const struct dgm_attn_kind dgm_attn_localness = {
    .name = "localness",
    .cite = "Yang et al. 2018",
    .help = "each query predicts a place and a window, and attends less to what is outside",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct localness),
    .configure = localness_configure,
    .takes = localness_takes,
    .declare = localness_declare,
    .terms = localness_terms,
};
