/*
 * decoder_transformer.c: the decoder of a Transformer: whole packed sentences at once in training,
 * and one token at a time, with caches of keys and values, in a search (specification, sections 1
 * and 1.4).
 *
 * Both ways build the same sub-layers (sublayers.h) and give the same bits. A step appends one row
 * per hypothesis to the cache of every layer. A hypothesis is the list of cache rows of its past:
 * reordering hypotheses moves a few integers and no keys. The keys and values of the source are
 * computed once per sentence; all hypotheses of a sentence read the same block.
 */
#include <string.h>

#include "base/mem.h"
#include "model/decoder.h"
#include "model/transformer/transformer.h"

/* ---- whole sentences ------------------------------------------------------------------------- */

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    return dgm_transformer_declare(env, net, DGM_TARGET);
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    return dgm_transformer_plan(env, net, step, DGM_TARGET, &batch->target, batch->numbers, draw);
}

static const struct dgm_layer_params *layer_params(const struct dgm_net *net, int layer)
{
    return &dgm_transformer_of(net, DGM_TARGET)->layers[DGM_TARGET][layer - 1];
}

static struct dgm_node *cross_attention(const struct dgm_layer_context *where,
                                        const struct dgm_step *step, struct dgm_node *x,
                                        struct dgm_node *encoded)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = &layer_params(net, where->layer)->cross;
    struct dgm_attention_terms terms;
    struct dgm_node *h, *q, *kv;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    kv = dgm_layers_project(where, encoded, params->k_weight, params->k_bias, 2);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, step->target.sentences, &terms);
    terms.q_offsets = dgm_feed_ref(&step->feed, step->target.offsets);
    terms.places = dgm_feed_ref(&step->feed, step->target.places);
    terms.k_starts = dgm_feed_ref(&step->feed, step->memory.offsets);
    terms.k_counts = dgm_feed_ref(&step->feed, step->memory.counts);
    return dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0), dgm_layers_columns(kv, 0),
                            dgm_layers_columns(kv, net->config.dim), &terms);
}

static struct dgm_node *decode(struct dgm_graph *g, const struct dgm_net *net,
                               const struct dgm_step *step, const struct dgm_encoding *encoded,
                               struct dgm_parse_losses *losses)
{
    struct dgm_rows rows = dgm_transformer_rows(step, &step->target);
    struct dgm_layer_context where = { .g = g, .net = net, .side = DGM_TARGET };
    struct dgm_transformer_stream stream = { { NULL }, { NULL } };
    struct dgm_node *x;

    where.rows = &rows;
    where.losses = losses;
    where.watch = step->watch;
    x = dgm_layers_embed(&where);
    for (where.layer = 1; where.layer <= net->config.dec_depth; where.layer++) {
        stream.inputs[where.layer - 1] = x;
        x = dgm_transformer_self(&where, step, &stream);
        x = cross_attention(&where, step, x, encoded->rows);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

/* ---- one token at a time --------------------------------------------------------------------- */

/* What state->own is. */
struct caches {
    struct dgm_buffer *cross[DGM_MAX_LAYERS]; /* (K,2D) keys and values of the source */
    struct dgm_buffer *self[DGM_MAX_LAYERS];  /* (row_capacity,2D) */
    int64_t source_capacity;                  /* rows of cross that are allocated */
    int64_t rows, row_capacity;               /* rows of self in use and allocated */
    int32_t *past, *next_past;                /* (R, steps) cache rows of each hypothesis */
    size_t past_capacity;
};

static void close_caches(struct dgm_env *env, struct dgm_incremental *state)
{
    struct caches *caches = state->own;
    int l;

    for (l = 0; l < state->net->config.dec_depth; l++) {
        dgm_device_release(env, state->graph.device, caches->cross[l]);
        dgm_device_release(env, state->graph.device, caches->self[l]);
    }
    dgm_release(env, caches->past);
    dgm_release(env, caches->next_past);
}

static struct dgm_ref buffer_row(struct dgm_buffer *buffer, int64_t row, int64_t cols)
{
    struct dgm_ref ref;

    ref.buffer = buffer;
    ref.offset = (size_t)(row * cols) * sizeof(dgm_real);
    return ref;
}

/* Replaces every layer's cache by one of `capacity` rows that begins with the first `used`. Where
 * these are none, there are never two of a layer. */
static dgm_status resize_caches(struct dgm_env *env, const struct dgm_incremental *state,
                                struct dgm_buffer **caches, int64_t used, int64_t capacity)
{
    struct dgm_device *device = state->graph.device;
    int64_t cols = 2 * state->net->config.dim;
    int l;

    for (l = 0; l < state->net->config.dec_depth; l++) {
        struct dgm_buffer *larger = NULL;
        if (used == 0) {
            dgm_device_release(env, device, caches[l]);
            caches[l] = NULL;
        }
        DGM_TRY(
            dgm_device_alloc(env, device, &larger, (size_t)(capacity * cols) * sizeof(dgm_real)));
        if (used > 0) {
            struct dgm_axpby_args copy;
            dgm_status status;
            memset(&copy, 0, sizeof copy);
            copy.y = buffer_row(larger, 0, cols);
            copy.x = buffer_row(caches[l], 0, cols);
            copy.count = used * cols;
            copy.a = 1;
            status = dgm_device_run(env, device, DGM_TASK_axpby, &copy);
            if (status != DGM_OK) {
                dgm_device_release(env, device, larger);
                return status;
            }
        }
        dgm_device_release(env, device, caches[l]);
        caches[l] = larger;
    }
    return DGM_OK;
}

/* Room for the pasts of `rows` hypotheses of `steps` tokens, in both copies. */
static dgm_status reserve_past(struct dgm_env *env, struct caches *caches, int64_t rows,
                               int64_t steps)
{
    size_t need = (size_t)(rows * steps), capacity = caches->past_capacity;

    DGM_TRY(dgm_reserve(env, &caches->past, &capacity, need, sizeof *caches->past));
    return dgm_reserve(env, &caches->next_past, &caches->past_capacity, need,
                       sizeof *caches->next_past);
}

static dgm_status begin(struct dgm_env *env, struct dgm_incremental *state,
                        const struct dgm_encoding *encoded)
{
    struct dgm_layer_context where = { .g = &state->graph, .net = state->net, .side = DGM_TARGET };
    struct caches *caches = state->own;
    const struct dgm_net *net = state->net;
    int64_t rows = state->source.memory.rows;

    caches->rows = 0;
    if (rows > caches->source_capacity) {
        caches->source_capacity = 0;
        DGM_TRY(resize_caches(env, state, caches->cross, 0, rows + rows / 8));
        caches->source_capacity = rows + rows / 8;
    }
    if (state->most_past > caches->row_capacity) {
        caches->row_capacity = 0;
        DGM_TRY(resize_caches(env, state, caches->self, 0, state->most_past));
        caches->row_capacity = state->most_past;
    }
    for (where.layer = 1; where.layer <= net->config.dec_depth; where.layer++) {
        const struct dgm_attention_params *cross = &layer_params(net, where.layer)->cross;
        dgm_place(where.g,
                  dgm_layers_project(&where, encoded->rows, cross->k_weight, cross->k_bias, 2),
                  buffer_row(caches->cross[where.layer - 1], 0, 0));
    }
    return DGM_OK;
}

static dgm_status select_rows(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *from, int64_t count)
{
    struct caches *caches = state->own;
    int64_t r, steps = state->steps;
    int32_t *swap;

    DGM_TRY(reserve_past(env, caches, count, steps + 1));
    for (r = 0; r < count; r++)
        memcpy(caches->next_past + r * steps, caches->past + from[r] * steps,
               (size_t)steps * sizeof *caches->past);
    swap = caches->past;
    caches->past = caches->next_past;
    caches->next_past = swap;
    return DGM_OK;
}

/* Lengthens every past by the cache row that this step will write. */
static dgm_status extend_past(struct dgm_env *env, struct dgm_incremental *state)
{
    struct caches *caches = state->own;
    int64_t r, steps = state->steps;
    int32_t *swap;

    DGM_TRY(reserve_past(env, caches, state->rows, steps + 1));
    for (r = 0; r < state->rows; r++) {
        memcpy(caches->next_past + r * (steps + 1), caches->past + r * steps,
               (size_t)steps * sizeof *caches->past);
        caches->next_past[r * (steps + 1) + steps] = (int32_t)(caches->rows + r);
    }
    swap = caches->past;
    caches->past = caches->next_past;
    caches->next_past = swap;
    return DGM_OK;
}

/* Index arrays of one step: every hypothesis is a packed sentence of one query. */
struct step_slots {
    dgm_slot ids, places, offsets, past_starts, past_counts, past, cross_starts, cross_counts;
};

static dgm_status stage_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                             struct step_slots *slots)
{
    const struct caches *caches = state->own;
    struct dgm_feed *feed = &state->feed;
    size_t rows = (size_t)state->rows, bytes = rows * sizeof(int32_t), r;
    size_t steps = (size_t)state->steps + 1;
    int32_t *offsets, *places, *starts, *counts;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_copy(env, feed, &slots->ids, ids, bytes));
    DGM_TRY(dgm_feed_copy(env, feed, &slots->past, caches->past, bytes * steps));
    DGM_TRY(dgm_feed_take(env, feed, &slots->offsets, &offsets, bytes + sizeof *offsets));
    for (r = 0; r <= rows; r++)
        offsets[r] = (int32_t)r;
    DGM_TRY(dgm_feed_take(env, feed, &slots->places, &places, 2 * bytes));
    for (r = 0; r < rows; r++) {
        places[2 * r] = state->sentence[r];
        places[2 * r + 1] = (int32_t)state->steps;
    }
    DGM_TRY(dgm_feed_take(env, feed, &slots->past_starts, &starts, bytes));
    for (r = 0; r < rows; r++)
        starts[r] = (int32_t)(r * steps);
    DGM_TRY(dgm_feed_take(env, feed, &slots->past_counts, &counts, bytes));
    for (r = 0; r < rows; r++)
        counts[r] = (int32_t)steps;
    DGM_TRY(dgm_incremental_stage_memory(env, state, &slots->cross_starts, &slots->cross_counts));
    return dgm_feed_send(env, feed);
}

static struct dgm_node *step_self_attention(const struct dgm_layer_context *where,
                                            struct dgm_incremental *state,
                                            const struct step_slots *slots, struct dgm_node *x)
{
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = &layer_params(net, where->layer)->self;
    const struct caches *caches = state->own;
    struct dgm_buffer *cache = caches->self[where->layer - 1];
    int64_t dim = net->config.dim;
    struct dgm_attn_layer layer;
    struct dgm_attention_terms *terms = &layer.terms;
    struct dgm_node *keys;

    dgm_layers_open(where, &layer);
    layer.feed = &state->feed;
    layer.x = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    layer.q =
        dgm_layers_columns(dgm_layers_project(where, layer.x, params->q_weight, params->q_bias, 1),
                           0);
    dgm_place(where->g, dgm_layers_project(where, layer.x, params->k_weight, params->k_bias, 2),
              buffer_row(cache, caches->rows, 2 * dim));
    keys = dgm_constant(where->g, buffer_row(cache, 0, 0), caches->rows + state->rows, 2 * dim);
    layer.k = dgm_layers_columns(keys, 0);
    layer.v = dgm_layers_columns(keys, dim);
    dgm_layers_core(where, DGM_PLACE_SELF_WEIGHTS, state->rows, terms);
    terms->q_offsets = dgm_feed_ref(&state->feed, slots->offsets);
    terms->places = dgm_feed_ref(&state->feed, slots->places);
    terms->k_starts = dgm_feed_ref(&state->feed, slots->past_starts);
    terms->k_counts = dgm_feed_ref(&state->feed, slots->past_counts);
    terms->key_rows = dgm_feed_ref(&state->feed, slots->past);
    terms->core.causal = 1;
    return dgm_layers_self(where, x, &layer);
}

static struct dgm_node *step_cross_attention(const struct dgm_layer_context *where,
                                             struct dgm_incremental *state,
                                             const struct step_slots *slots, struct dgm_node *x)
{
    const struct caches *caches = state->own;
    const struct dgm_net *net = where->net;
    const struct dgm_attention_params *params = &layer_params(net, where->layer)->cross;
    int64_t dim = net->config.dim;
    struct dgm_attention_terms terms;
    struct dgm_ref start = buffer_row(caches->cross[where->layer - 1], 0, 0);
    struct dgm_node *h, *q, *keys;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    keys = dgm_constant(where->g, start, state->source.memory.rows, 2 * dim);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, state->rows, &terms);
    terms.q_offsets = dgm_feed_ref(&state->feed, slots->offsets);
    terms.places = dgm_feed_ref(&state->feed, slots->places);
    terms.k_starts = dgm_feed_ref(&state->feed, slots->cross_starts);
    terms.k_counts = dgm_feed_ref(&state->feed, slots->cross_counts);
    return dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0), dgm_layers_columns(keys, 0),
                            dgm_layers_columns(keys, dim), &terms);
}

static struct dgm_node *build_step(struct dgm_incremental *state, const struct step_slots *slots)
{
    struct dgm_layer_context where = { .g = &state->graph, .net = state->net, .side = DGM_TARGET };
    struct dgm_rows rows;
    struct dgm_node *x;

    rows.count = state->rows;
    rows.ids = dgm_feed_ref(&state->feed, slots->ids);
    rows.places = dgm_feed_ref(&state->feed, slots->places);
    where.rows = &rows;
    x = dgm_layers_embed(&where);
    for (where.layer = 1; where.layer <= state->net->config.dec_depth; where.layer++) {
        x = step_self_attention(&where, state, slots, x);
        x = step_cross_attention(&where, state, slots, x);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

static dgm_status read_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                            struct dgm_node **states)
{
    struct caches *caches = state->own;
    struct step_slots slots;

    if (caches->rows + state->rows > caches->row_capacity) {
        int64_t capacity = 2 * (caches->rows + state->rows) + 256;
        DGM_TRY(resize_caches(env, state, caches->self, caches->rows, capacity));
        caches->row_capacity = capacity;
    }
    DGM_TRY(extend_past(env, state));
    DGM_TRY(stage_step(env, state, ids, &slots));
    *states = build_step(state, &slots);
    caches->rows += state->rows;
    return DGM_OK;
}

/* ---- the kind -------------------------------------------------------------------------------- */

const struct dgm_decoder_kind dgm_decoder_transformer = {
    .name = "transformer",
    .help = "self-attention and attention to the encoder, layer by layer",
    .cite = "Vaswani et al. 2017",
    .options = "dec-depth dim-emb transformer-heads transformer-dim-ffn transformer-norm positions "
               "attention-bias norm-eps syntax dropout attention-dropout activation-dropout",
    .family = &dgm_family_transformer,
    .plan_bytes = sizeof(struct dgm_transformer_slots),
    .declare = declare,
    .stage = stage,
    .decode = decode,
    .state_bytes = sizeof(struct caches),
    .keeps_past = 1,
    .close = close_caches,
    .begin = begin,
    .select = select_rows,
    .step = read_step,
};
