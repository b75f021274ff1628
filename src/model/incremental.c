/*
 * incremental.c: decoding one token at a time (specification 1.4, 1.11; property G4).
 */
#include "model/incremental.h"

#include <string.h>

#include "base/mem.h"
#include "model/layers.h"

dgm_status dgm_incremental_init(struct dgm_env *env, struct dgm_incremental *state,
                                const struct dgm_transformer *model, struct dgm_device *device)
{
    memset(state, 0, sizeof *state);
    state->model = model;
    dgm_step_init(&state->source, device);
    dgm_feed_init(&state->feed, device);
    return dgm_graph_init(env, &state->graph, device);
}

void dgm_incremental_clear(struct dgm_env *env, struct dgm_incremental *state)
{
    int l;

    if (state->model == NULL)
        return;
    for (l = 0; l < state->model->config.dec_depth; l++) {
        dgm_device_release(env, state->graph.device, state->cross[l]);
        dgm_device_release(env, state->graph.device, state->self[l]);
    }
    dgm_graph_clear(&state->graph);
    dgm_step_clear(env, &state->source);
    dgm_feed_clear(env, &state->feed);
    dgm_release(env, state->source_starts);
    dgm_release(env, state->source_counts);
    dgm_release(env, state->past);
    dgm_release(env, state->next_past);
    dgm_release(env, state->sentence);
    memset(state, 0, sizeof *state);
}

static struct dgm_ref buffer_row(struct dgm_buffer *buffer, int64_t row, int64_t cols)
{
    struct dgm_ref ref;

    ref.buffer = buffer;
    ref.offset = (size_t)(row * cols) * sizeof(dgm_real);
    return ref;
}

/* Replaces every layer's cache by one of `capacity` rows that begins with the first `used`. */
static dgm_status resize_caches(struct dgm_env *env, struct dgm_incremental *state,
                                struct dgm_buffer **caches, int64_t used, int64_t capacity)
{
    struct dgm_device *device = state->graph.device;
    int64_t cols = 2 * state->model->config.dim;
    int l;

    for (l = 0; l < state->model->config.dec_depth; l++) {
        struct dgm_buffer *larger = NULL;
        DGM_TRY(dgm_device_alloc(env, device, &larger,
                                 (size_t)(capacity * cols) * sizeof(dgm_real)));
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

static dgm_status reserve_rows(struct dgm_env *env, struct dgm_incremental *state, int64_t rows)
{
    return dgm_reserve(env, &state->sentence, &state->row_capacity, (size_t)rows,
                       sizeof *state->sentence);
}

/* Room for the pasts of `rows` hypotheses of `steps` tokens, in both copies. */
static dgm_status reserve_past(struct dgm_env *env, struct dgm_incremental *state, int64_t rows,
                               int64_t steps)
{
    size_t need = (size_t)(rows * steps), capacity = state->past_capacity;

    DGM_TRY(dgm_reserve(env, &state->past, &capacity, need, sizeof *state->past));
    return dgm_reserve(env, &state->next_past, &state->past_capacity, need,
                       sizeof *state->next_past);
}

static dgm_status note_sentences(struct dgm_env *env, struct dgm_incremental *state,
                                 const struct dgm_packed *source)
{
    size_t count = (size_t)source->count, capacity = state->sentence_capacity;
    int32_t s;

    DGM_TRY(dgm_reserve(env, &state->source_starts, &capacity, count,
                        sizeof *state->source_starts));
    DGM_TRY(dgm_reserve(env, &state->source_counts, &state->sentence_capacity, count,
                        sizeof *state->source_counts));
    DGM_TRY(reserve_rows(env, state, source->count));
    for (s = 0; s < source->count; s++) {
        state->source_starts[s] = source->offsets[s];
        state->source_counts[s] = dgm_packed_length(source, s);
        state->sentence[s] = s;
    }
    state->rows = source->count;
    state->steps = 0;
    state->cache_rows = 0;
    state->source_rows = source->offsets[source->count];
    return DGM_OK;
}

dgm_status dgm_incremental_begin(struct dgm_env *env, struct dgm_incremental *state,
                                 const struct dgm_batch *batch)
{
    const struct dgm_transformer *model = state->model;
    struct dgm_graph *g = &state->graph;
    struct dgm_where where = {NULL, NULL, DGM_DECODER, 0, NULL, NULL, {NULL, 0}, NULL};
    struct dgm_node *encoded;

    DGM_TRY(dgm_transformer_stage(env, model, &state->source, batch, 0, 0, 0));
    DGM_TRY(note_sentences(env, state, &batch->source));
    if (state->source_rows > state->source_capacity) {
        DGM_TRY(resize_caches(env, state, state->cross, 0, 2 * state->source_rows));
        state->source_capacity = 2 * state->source_rows;
    }
    dgm_graph_begin(g, 0, 0, 0);
    encoded = dgm_transformer_encode(g, model, &state->source);
    where.g = g;
    where.model = model;
    for (where.layer = 1; where.layer <= model->config.dec_depth; where.layer++) {
        const struct dgm_attention_params *cross =
            &model->layers[DGM_DECODER][where.layer - 1].cross;
        dgm_place(g, dgm_layers_project(&where, encoded, cross->k_weight, cross->k_bias, 2),
                  buffer_row(state->cross[where.layer - 1], 0, 0));
    }
    return dgm_graph_run(g);
}

dgm_status dgm_incremental_select(struct dgm_env *env, struct dgm_incremental *state,
                                  const int32_t *from, int64_t count)
{
    int64_t r, steps = state->steps;
    int32_t *swap, *sentences;

    DGM_TRY(reserve_rows(env, state, state->rows + count));
    DGM_TRY(reserve_past(env, state, count, steps + 1));
    sentences = state->sentence + state->rows; /* built behind the old ones, then moved */
    for (r = 0; r < count; r++) {
        sentences[r] = state->sentence[from[r]];
        memcpy(state->next_past + r * steps, state->past + from[r] * steps,
               (size_t)steps * sizeof *state->past);
    }
    memmove(state->sentence, sentences, (size_t)count * sizeof *sentences);
    swap = state->past;
    state->past = state->next_past;
    state->next_past = swap;
    state->rows = count;
    return DGM_OK;
}

/* Lengthens every past by the cache row that this step will write. */
static dgm_status extend_past(struct dgm_env *env, struct dgm_incremental *state)
{
    int64_t r, steps = state->steps;
    int32_t *swap;

    DGM_TRY(reserve_past(env, state, state->rows, steps + 1));
    for (r = 0; r < state->rows; r++) {
        memcpy(state->next_past + r * (steps + 1), state->past + r * steps,
               (size_t)steps * sizeof *state->past);
        state->next_past[r * (steps + 1) + steps] = (int32_t)(state->cache_rows + r);
    }
    swap = state->past;
    state->past = state->next_past;
    state->next_past = swap;
    return DGM_OK;
}

/* Index arrays of one step: every hypothesis is a packed sentence of one query. */
struct step_slots {
    dgm_slot ids, places, offsets, past_starts, past_counts, past, cross_starts, cross_counts;
};

static dgm_status stage_step(struct dgm_env *env, struct dgm_incremental *state,
                             const int32_t *ids, struct step_slots *slots)
{
    struct dgm_feed *feed = &state->feed;
    size_t rows = (size_t)state->rows, bytes = rows * sizeof(int32_t), r;
    size_t steps = (size_t)state->steps + 1;
    int32_t *offsets, *places, *starts, *counts;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_copy(env, feed, &slots->ids, ids, bytes));
    DGM_TRY(dgm_feed_copy(env, feed, &slots->past, state->past, bytes * steps));
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
    DGM_TRY(dgm_feed_take(env, feed, &slots->cross_starts, &starts, bytes));
    for (r = 0; r < rows; r++)
        starts[r] = state->source_starts[state->sentence[r]];
    DGM_TRY(dgm_feed_take(env, feed, &slots->cross_counts, &counts, bytes));
    for (r = 0; r < rows; r++)
        counts[r] = state->source_counts[state->sentence[r]];
    return dgm_feed_send(env, feed);
}

static struct dgm_node *self_attention(const struct dgm_where *where,
                                       struct dgm_incremental *state,
                                       const struct step_slots *slots, struct dgm_node *x)
{
    const struct dgm_transformer *model = where->model;
    const struct dgm_attention_params *params = &model->layers[DGM_DECODER][where->layer - 1].self;
    struct dgm_buffer *cache = state->self[where->layer - 1];
    int64_t dim = model->config.dim;
    struct dgm_attn_layer layer;
    struct dgm_attention_terms *terms = &layer.terms;
    struct dgm_node *keys;

    dgm_layers_open(where, &layer);
    layer.feed = &state->feed;
    layer.x = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    layer.q = dgm_layers_columns(
        dgm_layers_project(where, layer.x, params->q_weight, params->q_bias, 1), 0);
    dgm_place(where->g, dgm_layers_project(where, layer.x, params->k_weight, params->k_bias, 2),
              buffer_row(cache, state->cache_rows, 2 * dim));
    keys = dgm_constant(where->g, buffer_row(cache, 0, 0), state->cache_rows + state->rows,
                        2 * dim);
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

static struct dgm_node *cross_attention(const struct dgm_where *where,
                                        struct dgm_incremental *state,
                                        const struct step_slots *slots, struct dgm_node *x)
{
    const struct dgm_transformer *model = where->model;
    const struct dgm_attention_params *params =
        &model->layers[DGM_DECODER][where->layer - 1].cross;
    int64_t dim = model->config.dim;
    struct dgm_attention_terms terms;
    struct dgm_ref start = buffer_row(state->cross[where->layer - 1], 0, 0);
    struct dgm_node *h, *q, *keys;

    h = dgm_layers_enter(where, x, params->norm_gain, params->norm_bias);
    q = dgm_layers_project(where, h, params->q_weight, params->q_bias, 1);
    keys = dgm_constant(where->g, start, state->source_rows, 2 * dim);
    dgm_layers_core(where, DGM_PLACE_CROSS_WEIGHTS, state->rows, &terms);
    terms.q_offsets = dgm_feed_ref(&state->feed, slots->offsets);
    terms.places = dgm_feed_ref(&state->feed, slots->places);
    terms.k_starts = dgm_feed_ref(&state->feed, slots->cross_starts);
    terms.k_counts = dgm_feed_ref(&state->feed, slots->cross_counts);
    return dgm_layers_cross(where, x, params, dgm_layers_columns(q, 0),
                            dgm_layers_columns(keys, 0), dgm_layers_columns(keys, dim), &terms);
}

static struct dgm_node *decoder(struct dgm_incremental *state, const struct step_slots *slots)
{
    struct dgm_where where = {NULL, NULL, DGM_DECODER, 0, NULL, NULL, {NULL, 0}, NULL};
    struct dgm_rows rows;
    struct dgm_node *x;

    rows.count = state->rows;
    rows.ids = dgm_feed_ref(&state->feed, slots->ids);
    rows.places = dgm_feed_ref(&state->feed, slots->places);
    where.g = &state->graph;
    where.model = state->model;
    where.rows = &rows;
    x = dgm_layers_embed(&where);
    for (where.layer = 1; where.layer <= state->model->config.dec_depth; where.layer++) {
        x = self_attention(&where, state, slots, x);
        x = cross_attention(&where, state, slots, x);
        x = dgm_layers_ffn(&where, x);
    }
    return dgm_layers_finish(&where, x);
}

dgm_status dgm_incremental_step(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *ids, struct dgm_ref *logits)
{
    struct step_slots slots;
    struct dgm_node *scores;

    if (state->steps > state->model->config.max_length)
        return dgm_fail(env, DGM_FAILURE, "a translation longer than max-length = %lld tokens",
                        (long long)state->model->config.max_length);
    if (state->cache_rows + state->rows > state->cache_capacity) {
        int64_t capacity = 2 * (state->cache_rows + state->rows) + 256;
        DGM_TRY(resize_caches(env, state, state->self, state->cache_rows, capacity));
        state->cache_capacity = capacity;
    }
    DGM_TRY(extend_past(env, state));
    DGM_TRY(stage_step(env, state, ids, &slots));
    dgm_graph_begin(&state->graph, 0, 0, 0);
    scores = dgm_keep(&state->graph, dgm_transformer_logits(&state->graph, state->model,
                                                           decoder(state, &slots)));
    DGM_TRY(dgm_graph_run(&state->graph));
    *logits = dgm_node_value(scores);
    state->cache_rows += state->rows;
    state->steps++;
    return DGM_OK;
}
