/*
 * decoder_recurrent_steps.c: the recurrent decoder one token at a time. A hypothesis is one row of
 * states; the rows and keys of the source are computed once per sentence.
 */
#include <string.h>

#include "base/mem.h"
#include "model/recurrent/decoder_recurrent.h"

void dgm_recurrent_close(struct dgm_env *env, struct dgm_incremental *state)
{
    struct dgm_recurrent_caches *caches = state->own;
    struct dgm_device *device = state->graph.device;

    dgm_device_release(env, device, caches->rows);
    dgm_device_release(env, device, caches->keys);
    dgm_device_release(env, device, caches->start);
    dgm_device_release(env, device, caches->states);
    dgm_release(env, caches->from);
}

static struct dgm_ref begin_of(struct dgm_buffer *buffer)
{
    struct dgm_ref ref = { NULL, 0 };

    ref.buffer = buffer;
    return ref;
}

static dgm_status renew(struct dgm_env *env, const struct dgm_incremental *state,
                        struct dgm_buffer **buffer, int64_t rows, int64_t cols)
{
    struct dgm_device *device = state->graph.device;

    dgm_device_release(env, device, *buffer);
    *buffer = NULL;
    return dgm_device_alloc(env, device, buffer, (size_t)(rows * cols) * sizeof(dgm_real));
}

static dgm_status reserve_source(struct dgm_env *env, struct dgm_incremental *state, int64_t rows)
{
    struct dgm_recurrent_caches *caches = state->own;
    int64_t width = state->model->encoder->width(&state->model->config);

    if (rows <= caches->source_capacity)
        return DGM_OK;
    caches->source_capacity = 0;
    DGM_TRY(renew(env, state, &caches->rows, 2 * rows, width));
    DGM_TRY(renew(env, state, &caches->keys, 2 * rows, width));
    caches->source_capacity = 2 * rows;
    return DGM_OK;
}

/* Room for the states of so many hypotheses; what they hold is kept. */
static dgm_status reserve_rows(struct dgm_env *env, struct dgm_incremental *state, int64_t rows)
{
    struct dgm_recurrent_caches *caches = state->own;
    int64_t dim = state->model->config.recurrent.dim;
    int64_t width = dim + state->model->encoder->width(&state->model->config);
    struct dgm_buffer *states = NULL;
    struct dgm_axpby_args copy;
    dgm_status status;

    if (rows <= caches->row_capacity)
        return DGM_OK;
    DGM_TRY(renew(env, state, &states, 2 * rows, width));
    memset(&copy, 0, sizeof copy);
    copy.y.buffer = states;
    copy.x.buffer = caches->states;
    copy.count = caches->row_capacity * width;
    copy.a = 1;
    status =
        copy.count > 0 ? dgm_device_run(env, state->graph.device, DGM_TASK_axpby, &copy) : DGM_OK;
    dgm_device_release(env, state->graph.device, caches->states);
    caches->states = states;
    caches->row_capacity = 0;
    DGM_TRY(status);
    DGM_TRY(renew(env, state, &caches->start, 2 * rows, dim));
    caches->row_capacity = 2 * rows;
    return DGM_OK;
}

/* Row r goes on from row r. */
static dgm_status reset_from(struct dgm_env *env, struct dgm_recurrent_caches *caches, int64_t rows)
{
    DGM_TRY(dgm_reserve(env, &caches->from, &caches->from_capacity, (size_t)rows,
                        sizeof *caches->from));
    for (int64_t r = 0; r < rows; r++)
        caches->from[r] = (int32_t)r;
    return DGM_OK;
}

dgm_status dgm_recurrent_begin(struct dgm_env *env, struct dgm_incremental *state,
                               const struct dgm_encoding *encoding)
{
    struct dgm_recurrent_caches *caches = state->own;
    const struct dgm_net *net = state->model;
    struct dgm_graph *g = &state->graph;

    DGM_TRY(reserve_source(env, state, state->source.memory.rows));
    DGM_TRY(reserve_rows(env, state, state->rows));
    DGM_TRY(reset_from(env, caches, state->rows));
    dgm_place(g, dgm_recurrent_start(g, net, &state->source, encoding), begin_of(caches->start));
    dgm_place(g, dgm_recurrent_keys(g, net, encoding->rows), begin_of(caches->keys));
    dgm_place(g, encoding->rows, begin_of(caches->rows));
    return DGM_OK;
}

dgm_status dgm_recurrent_select(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *from, int64_t count)
{
    struct dgm_recurrent_caches *caches = state->own;

    DGM_TRY(reserve_rows(env, state, count));
    DGM_TRY(dgm_reserve(env, &caches->from, &caches->from_capacity, (size_t)count,
                        sizeof *caches->from));
    memcpy(caches->from, from, (size_t)count * sizeof *from);
    return DGM_OK;
}

/* Index arrays of one step. */
struct step_slots {
    dgm_slot ids, places, none, from, starts, counts;
    int32_t longest;
};

static dgm_status stage_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                             struct step_slots *slots)
{
    const struct dgm_recurrent_caches *caches = state->own;
    const int32_t *memory = state->source.memory.starts;
    struct dgm_feed *feed = &state->feed;
    size_t rows = (size_t)state->rows, bytes = rows * sizeof *ids;
    int32_t *places, *none;

    dgm_feed_reset(feed);
    DGM_TRY(dgm_feed_copy(env, feed, &slots->ids, ids, bytes));
    DGM_TRY(dgm_feed_copy(env, feed, &slots->from, caches->from, bytes));
    DGM_TRY(dgm_feed_take(env, feed, &slots->places, &places, 2 * bytes));
    for (size_t r = 0; r < rows; r++) {
        places[2 * r] = state->sentence[r];
        places[2 * r + 1] = (int32_t)state->steps;
    }
    DGM_TRY(dgm_feed_take(env, feed, &slots->none, &none, bytes));
    for (size_t r = 0; r < rows; r++)
        none[r] = -1;
    DGM_TRY(dgm_incremental_stage_memory(env, state, &slots->starts, &slots->counts));
    slots->longest = 0;
    for (size_t r = 0; r < rows; r++) {
        int32_t s = state->sentence[r], count = memory[s + 1] - memory[s];
        if (count > slots->longest)
            slots->longest = count;
    }
    return dgm_feed_send(env, feed);
}

/* Row r of the states before the step: those of the row that it continues. */
static dgm_status take_states(struct dgm_env *env, struct dgm_incremental *state,
                              const struct step_slots *slots)
{
    const struct dgm_recurrent_caches *caches = state->own;
    int64_t dim = state->model->config.recurrent.dim;
    struct dgm_copy_rows_args copy;

    if (state->steps == 0)
        return DGM_OK; /* s_0 of every sentence lies there */
    memset(&copy, 0, sizeof copy);
    copy.y = begin_of(caches->start);
    copy.x = begin_of(caches->states);
    copy.index = dgm_feed_ref(&state->feed, slots->from);
    copy.rows = state->rows;
    copy.dim = copy.ldy = dim;
    copy.ldx = dim + state->model->encoder->width(&state->model->config);
    return dgm_device_run(env, state->graph.device, DGM_TASK_copy_rows, &copy);
}

/* The embeddings of the words that were read; zeros before the first one. */
static struct dgm_node *read_words(struct dgm_incremental *state, const struct step_slots *slots)
{
    const struct dgm_net *net = state->model;
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_graph *g = &state->graph;
    struct dgm_rows rows;
    struct dgm_node *words;

    rows.count = state->rows;
    rows.ids = dgm_feed_ref(&state->feed, slots->ids);
    rows.places = dgm_feed_ref(&state->feed, slots->places);
    words = dgm_embed(g, dgm_params_node(g, &net->params, net->embed[DGM_TARGET]), &rows, none, 1,
                      0, 0);
    return state->steps > 0
               ? words
               : dgm_gather(g, words, dgm_feed_ref(&state->feed, slots->none), rows.count);
}

static struct dgm_node *build_step(struct dgm_incremental *state, const struct step_slots *slots)
{
    struct dgm_recurrent_caches *caches = state->own;
    const struct dgm_net *net = state->model;
    struct dgm_graph *g = &state->graph;
    int64_t dim = net->config.recurrent.dim, width = net->encoder->width(&net->config);
    int64_t rows = state->source.memory.rows;
    struct dgm_recurrent_operands operands = { NULL, NULL, NULL, NULL, { NULL, 0 } };
    struct dgm_memory memory;
    struct dgm_steps steps;
    struct dgm_node *states;

    caches->active = (int32_t)state->rows;
    steps.count = 1;
    steps.active = &caches->active;
    memory.starts = dgm_feed_ref(&state->feed, slots->starts);
    memory.counts = dgm_feed_ref(&state->feed, slots->counts);
    memory.longest = slots->longest;
    operands.words = read_words(state, slots);
    operands.start = dgm_constant(g, begin_of(caches->start), state->rows, dim);
    operands.keys = dgm_constant(g, begin_of(caches->keys), rows, width);
    operands.rows = dgm_constant(g, begin_of(caches->rows), rows, width);
    states = dgm_recurrent_states(g, net, &operands, &steps, &memory);
    dgm_place(g, states, begin_of(caches->states));
    return dgm_recurrent_readout(g, net, operands.words, states);
}

dgm_status dgm_recurrent_step(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *ids, struct dgm_node **states)
{
    struct step_slots slots;

    DGM_TRY(stage_step(env, state, ids, &slots));
    DGM_TRY(take_states(env, state, &slots));
    *states = build_step(state, &slots);
    return DGM_OK;
}
