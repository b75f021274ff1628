/*
 * transformer.c: encoder and decoder over whole packed sentences (specification, section 1).
 */
#include "model/net.h"

#include <string.h>

#include "base/mem.h"
#include "model/layers.h"

static dgm_status send_positions(struct dgm_env *env, struct dgm_net *model,
                                 struct dgm_device *device)
{
    int64_t rows = model->config.max_length + 1, dim = model->config.dim;
    size_t bytes = (size_t)(rows * dim) * sizeof(dgm_real);
    struct dgm_ref start = {NULL, 0};
    dgm_real *table;
    dgm_status status;

    if (model->config.positions == DGM_POSITIONS_NONE)
        return DGM_OK;
    table = dgm_alloc(env, (size_t)(rows * dim), sizeof *table);
    if (table == NULL)
        return DGM_MEMORY;
    dgm_position_table(table, rows, dim, model->config.positions);
    status = dgm_device_alloc(env, device, &model->positions, bytes);
    start.buffer = model->positions;
    if (status == DGM_OK)
        status = dgm_device_write(env, device, start, table, bytes);
    dgm_release(env, table);
    return status;
}

dgm_status dgm_net_allocate(struct dgm_env *env, struct dgm_net *model,
                                    struct dgm_device *device, int with_grads)
{
    DGM_TRY(dgm_params_allocate(env, &model->params, device, with_grads));
    return send_positions(env, model, device);
}

void dgm_net_clear(struct dgm_env *env, struct dgm_net *model)
{
    if (model->params.device != NULL)
        dgm_device_release(env, model->params.device, model->positions);
    dgm_params_clear(env, &model->params);
    dgm_syntax_clear(env, &model->syntax);
    memset(model, 0, sizeof *model);
}

dgm_status dgm_net_copy(struct dgm_env *env, struct dgm_net *copy,
                                const struct dgm_net *model, struct dgm_device *device)
{
    *copy = *model;
    copy->positions = copy->params.values = copy->params.grads = NULL;
    return dgm_net_allocate(env, copy, device, 1);
}

void dgm_net_clear_copy(struct dgm_env *env, struct dgm_net *copy)
{
    struct dgm_device *device = copy->params.device;

    if (device == NULL)
        return;
    dgm_device_release(env, device, copy->positions);
    dgm_device_release(env, device, copy->params.grads);
    dgm_device_release(env, device, copy->params.values);
    memset(copy, 0, sizeof *copy);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static struct dgm_rows side_rows(const struct dgm_step *step, const struct dgm_side_slots *side)
{
    struct dgm_rows rows;

    rows.count = side->rows;
    rows.ids = dgm_feed_ref(&step->feed, side->ids);
    rows.places = dgm_feed_ref(&step->feed, side->places);
    return rows;
}

/* Queries of one packed side, keys of another. */
static void set_spans(const struct dgm_step *step, const struct dgm_side_slots *queries,
                      const struct dgm_side_slots *keys, struct dgm_attention_terms *terms)
{
    terms->q_offsets = dgm_feed_ref(&step->feed, queries->offsets);
    terms->places = dgm_feed_ref(&step->feed, queries->places);
    terms->k_starts = dgm_feed_ref(&step->feed, keys->offsets);
    terms->k_counts = dgm_feed_ref(&step->feed, keys->counts);
    terms->squares = dgm_feed_ref(&step->feed, queries->squares);
}

/* The batch, as variants of self-attention want to know it. */
static void set_batch(const struct dgm_where *where, const struct dgm_step *step,
                      const struct dgm_side_slots *side, struct dgm_attn_layer *layer)
{
    layer->feed = &step->feed;
    layer->constants = step->constants[where->side][where->layer - 1];
    layer->owners = dgm_feed_ref(&step->feed, side->owners);
    layer->counts = dgm_feed_ref(&step->feed, side->counts);
    layer->spans.sentences = side->sentences;
    layer->spans.rows = side->rows;
    layer->spans.pairs = side->pairs;
    layer->spans.offsets = dgm_feed_ref(&step->feed, side->offsets);
    layer->spans.squares = dgm_feed_ref(&step->feed, side->squares);
}

/* What the layers of a side were given so far, and the means of it that variants asked for. */
struct stream {
    struct dgm_node *inputs[DGM_MAX_LAYERS], *means[DGM_MAX_LAYERS];
};

static struct dgm_node *self_attention(const struct dgm_where *where, const struct dgm_step *step,
                                       struct stream *stream)
{
    const struct dgm_net *model = where->model;
    const struct dgm_attention_params *params =
        &model->layers[where->side][where->layer - 1].self;
    const struct dgm_side_slots *side =
        where->side == DGM_ENCODER ? &step->source : &step->target;
    struct dgm_node *x = stream->inputs[where->layer - 1], *qkv;
    struct dgm_attn_layer layer;

    dgm_layers_open(where, &layer);
    set_batch(where, step, side, &layer);
    layer.inputs = stream->inputs;
    layer.means = stream->means;
    layer.x = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    qkv = dgm_layers_project(where, layer.x, params->q_weight, params->q_bias, 3);
    layer.q = dgm_layers_columns(qkv, 0);
    layer.k = dgm_layers_columns(qkv, model->config.dim);
    layer.v = dgm_layers_columns(qkv, 2 * model->config.dim);
    dgm_layers_core(where, DGM_PLACE_SELF_WEIGHTS, side->sentences, &layer.terms);
    set_spans(step, side, side, &layer.terms);
    layer.terms.core.causal = where->side == DGM_DECODER;
    return dgm_layers_self(where, x, &layer);
}

static struct dgm_node *cross_attention(const struct dgm_where *where,
                                        const struct dgm_step *step, struct dgm_node *x,
                                        struct dgm_node *encoded)
{
    const struct dgm_net *model = where->model;
    const struct dgm_attention_params *params =
        &model->layers[DGM_DECODER][where->layer - 1].cross;
    struct dgm_attention_terms terms;
    struct dgm_node *h, *q, *kv;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    kv = dgm_layers_project(where, encoded, params->k_weight, params->k_bias, 2);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, step->target.sentences, &terms);
    set_spans(step, &step->target, &step->source, &terms);
    terms.squares.buffer = NULL;
    return dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0), dgm_layers_columns(kv, 0),
                            dgm_layers_columns(kv, model->config.dim), &terms);
}

struct dgm_rows dgm_step_source_rows(const struct dgm_step *step)
{
    return side_rows(step, &step->source);
}

/* The encoder's layers over x. */
static struct dgm_node *encode_rows(struct dgm_graph *g, const struct dgm_net *model,
                                    const struct dgm_step *step, struct dgm_node *x,
                                    struct dgm_parse_losses *losses)
{
    struct dgm_rows rows = side_rows(step, &step->source);
    struct dgm_where where = {g, model, DGM_ENCODER, 0, NULL, NULL, {NULL, 0}, NULL};
    struct stream stream = {{NULL}, {NULL}};

    where.rows = &rows;
    where.losses = losses;
    where.watch = step->watch;
    for (where.layer = 1; where.layer <= model->config.enc_depth; where.layer++) {
        stream.inputs[where.layer - 1] = x;
        x = self_attention(&where, step, &stream);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

struct dgm_node *dgm_net_encode_rows(struct dgm_graph *g,
                                             const struct dgm_net *model,
                                             const struct dgm_step *step, struct dgm_node *x)
{
    return encode_rows(g, model, step, x, NULL);
}

static struct dgm_node *encode(struct dgm_graph *g, const struct dgm_net *model,
                               const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    struct dgm_rows rows = side_rows(step, &step->source);
    struct dgm_where where = {g, model, DGM_ENCODER, 0, NULL, NULL, {NULL, 0}, NULL};

    where.rows = &rows;
    where.tags = dgm_feed_ref(&step->feed, step->source_tags);
    return encode_rows(g, model, step, dgm_layers_embed(&where), losses);
}

struct dgm_node *dgm_net_encode(struct dgm_graph *g, const struct dgm_net *model,
                                        const struct dgm_step *step)
{
    return encode(g, model, step, NULL);
}

static struct dgm_node *decode(struct dgm_graph *g, const struct dgm_net *model,
                               const struct dgm_step *step, struct dgm_node *encoded,
                               struct dgm_parse_losses *losses)
{
    struct dgm_rows rows = side_rows(step, &step->target);
    struct dgm_where where = {g, model, DGM_DECODER, 0, NULL, NULL, {NULL, 0}, NULL};
    struct stream stream = {{NULL}, {NULL}};
    struct dgm_node *x;

    where.rows = &rows;
    where.losses = losses;
    where.watch = step->watch;
    x = dgm_layers_embed(&where);
    for (where.layer = 1; where.layer <= model->config.dec_depth; where.layer++) {
        stream.inputs[where.layer - 1] = x;
        x = self_attention(&where, step, &stream);
        x = cross_attention(&where, step, x, encoded);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

struct dgm_node *dgm_net_decode(struct dgm_graph *g, const struct dgm_net *model,
                                        const struct dgm_step *step, struct dgm_node *encoded)
{
    return decode(g, model, step, encoded, NULL);
}

struct dgm_node *dgm_net_logits(struct dgm_graph *g, const struct dgm_net *model,
                                        struct dgm_node *states)
{
    return dgm_linear(g, states, dgm_params_node(g, &model->params, model->output), NULL);
}

struct dgm_node *dgm_net_loss(struct dgm_graph *g, const struct dgm_net *model,
                                      const struct dgm_step *step, double smoothing,
                                      double grad_scale, struct dgm_parse_losses *losses)
{
    struct dgm_node *encoded, *states;

    if (losses != NULL) {
        losses->count = 0;
        losses->rows = losses->of.rows > 0 ? losses->of.rows : step->target.rows;
        losses->unit = grad_scale * (double)losses->rows;
    }
    encoded = encode(g, model, step, losses);
    states = decode(g, model, step, encoded, losses);
    return dgm_cross_entropy(g, dgm_net_logits(g, model, states),
                             dgm_feed_ref(&step->feed, step->expected), (dgm_real)smoothing,
                             model->config.smoothing_form, (dgm_real)grad_scale);
}
