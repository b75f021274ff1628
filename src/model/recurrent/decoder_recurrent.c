/*
 * decoder_recurrent.c: a conditional GRU with additive attention over whole packed sentences
 * (specification, recurrent models, 1.3; Bahdanau, Cho, Bengio, ICLR 2015, as the toolkit dl4mt
 * has it).
 *
 * With y the embedding of the word before, zeros before the first one:
 *
 *   s_0 = tanh(W mean + b)       mean: of the encoder's summary, or of its rows
 *   s_j, ctx_j = graph/recurrent/op_bahdanau.c
 *   o_j = tanh(L_s s_j + L_y y + L_d ctx_j + b), dropout; scores: L_o o_j + b_o
 */
#include "model/recurrent/decoder_recurrent.h"

#include <string.h>

#include "base/mem.h"
#include "device/reals.h"
#include "graph/segment.h"
#include "model/probe/attention_probe.h"
#include "model/guided.h"
#include "model/recurrent/recurrent.h"
#include "nn/schedule/time_major.h"

/* ---- parameters ------------------------------------------------------------------------------ */

/* What net->own[DGM_TARGET] is. */
struct recurrent_decoder {
    struct dgm_dense init;       /* (d,m) */
    struct dgm_gru first;        /* of the word before */
    dgm_param_id query;          /* (A,d) */
    struct dgm_dense key, score; /* (A,A); (1,A) and a bias that a softmax does not see */
    struct dgm_dense second;     /* (3d,d): recurrent, its bias inside the reset product */
    dgm_param_id context;        /* (3d,A) */
    struct dgm_dense of_state, of_previous, of_context; /* (e,d), (e,e), (e,A) */
};

static int64_t summary_width(const struct dgm_net *net)
{
    const struct dgm_encoder_kind *encoder = net->encoder;

    return encoder->summary != NULL ? encoder->summary(&net->config) : encoder->width(&net->config);
}

static dgm_status declare_attention(const struct dgm_scope *scope, struct recurrent_decoder *own,
                                    int64_t dim, int64_t width)
{
    DGM_TRY(dgm_declare_blocks(scope, &own->query, "attention.query.weight", 1, width, dim,
                               DGM_START_GATES, 0));
    DGM_TRY(dgm_declare_dense(scope, &own->key, "attention.key", 1, width, width, DGM_START_GATES));
    return dgm_declare_dense(scope, &own->score, "attention.score", 1, 1, width, DGM_START_SMALL);
}

static dgm_status declare_readout(const struct dgm_scope *scope, struct recurrent_decoder *own,
                                  int64_t dim, int64_t width)
{
    int64_t words = scope->net->config.dim;

    DGM_TRY(
        dgm_declare_dense(scope, &own->of_state, "readout.state", 1, words, dim, DGM_START_SMALL));
    DGM_TRY(dgm_declare_dense(scope, &own->of_previous, "readout.previous", 1, words, words,
                              DGM_START_SMALL));
    return dgm_declare_dense(scope, &own->of_context, "readout.context", 1, words, width,
                             DGM_START_SMALL);
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    struct recurrent_decoder *own = net->own[DGM_TARGET];
    struct dgm_scope scope = { env, net, "decoder." };
    int64_t dim = net->config.recurrent.dim, width = net->encoder->width(&net->config);

    DGM_TRY(
        dgm_declare_dense(&scope, &own->init, "init", 1, dim, summary_width(net), DGM_START_GATES));
    DGM_TRY(dgm_declare_gru(&scope, &own->first, "gru1", net->config.dim, dim));
    DGM_TRY(declare_attention(&scope, own, dim, width));
    DGM_TRY(
        dgm_declare_dense(&scope, &own->second, "gru2.recurrent", 3, dim, dim, DGM_START_GATES));
    DGM_TRY(dgm_declare_blocks(&scope, &own->context, "gru2.input.weight", 3, dim, width,
                               DGM_START_GATES, 0));
    return declare_readout(&scope, own, dim, width);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The attended rows with their keys, and the states before a step. */
struct operands {
    struct dgm_node *words;       /* (M,e): the embedding of the word before */
    struct dgm_node *start;       /* (S,d) */
    struct dgm_node *keys, *rows; /* (K,A) both */
    struct dgm_ref weights;       /* where the attention weights go, or absent */
};

static struct dgm_node *param(struct dgm_graph *g, const struct dgm_net *net, dgm_param_id id)
{
    return dgm_params_node(g, &net->params, id);
}

struct dgm_node *dgm_recurrent_start(struct dgm_graph *g, const struct dgm_net *net,
                                     const struct dgm_step *step,
                                     const struct dgm_encoding *encoding)
{
    const struct recurrent_decoder *own = net->own[DGM_TARGET];
    struct dgm_columns rows = { encoding->rows, 0 };
    struct dgm_node *mean = encoding->summary;

    if (mean == NULL)
        mean =
            dgm_span_mean(g, rows, net->encoder->width(&net->config),
                          dgm_feed_ref(&step->feed, step->memory.offsets), step->memory.sentences);
    return dgm_dense_tanh(g, net, &own->init, mean);
}

static struct dgm_node *make_keys(struct dgm_graph *g, const struct dgm_net *net,
                                  struct dgm_node *rows)
{
    const struct recurrent_decoder *own = net->own[DGM_TARGET];

    return dgm_dense_node(g, net, &own->key, rows);
}

/* [s | ctx] (M, d + A). */
static struct dgm_node *make_states(struct dgm_graph *g, const struct dgm_net *net,
                                    const struct operands *operands, const struct dgm_steps *steps,
                                    const struct dgm_memory *memory)
{
    const struct recurrent_decoder *own = net->own[DGM_TARGET];
    struct dgm_bahdanau_decoder decoder = { 0 };

    decoder.x = dgm_dense_node(g, net, &own->first.input, operands->words);
    decoder.start = operands->start;
    decoder.keys = operands->keys;
    decoder.values = operands->rows;
    decoder.state1 = param(g, net, own->first.recurrent);
    decoder.query = param(g, net, own->query);
    decoder.v = param(g, net, own->score.weight);
    decoder.state2 = param(g, net, own->second.weight);
    decoder.bias2 = param(g, net, own->second.bias);
    decoder.context = param(g, net, own->context);
    decoder.steps = *steps;
    decoder.memory = *memory;
    decoder.weights = operands->weights;
    return dgm_bahdanau_gru(g, &decoder);
}

/* Columns of `states` from `column` on through a dense layer. */
static struct dgm_node *part(struct dgm_graph *g, const struct dgm_net *net,
                             const struct dgm_dense *dense, struct dgm_node *states, int64_t column)
{
    struct dgm_columns columns = { states, column };

    return dgm_linear_heads(g, columns, 1, param(g, net, dense->weight), param(g, net, dense->bias),
                            DGM_NT, 1);
}

static struct dgm_node *sum(struct dgm_graph *g, struct dgm_node *a, struct dgm_node *b)
{
    const struct dgm_rows no_rows = { 0, { NULL, 0 }, { NULL, 0 } };

    return dgm_residual(g, a, b, &no_rows, 0, 0);
}

/* The readout (M,e) of [s | ctx]. */
static struct dgm_node *read_out(struct dgm_graph *g, const struct dgm_net *net,
                                 struct dgm_node *words, struct dgm_node *states)
{
    const struct recurrent_decoder *own = net->own[DGM_TARGET];
    struct dgm_node *o = part(g, net, &own->of_state, states, 0);

    o = sum(g, o, dgm_dense_node(g, net, &own->of_previous, words));
    o = sum(g, o, part(g, net, &own->of_context, states, net->config.recurrent.dim));
    return dgm_activate(g, o, DGM_TANH);
}

/* ---- whole sentences ------------------------------------------------------------------------- */

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    (void)net;
    (void)draw;
    return dgm_time_major_stage(env, &step->feed, step->plan[DGM_TARGET], batch->target.offsets,
                                step->memory.starts, batch->target.count);
}

static void clear(struct dgm_env *env, void *plan)
{
    dgm_time_major_clear(env, plan);
}

/* The embedding of the word before each row, step after step. */
static struct dgm_node *previous_words(struct dgm_graph *g, const struct dgm_net *net,
                                       const struct dgm_step *step,
                                       const struct dgm_time_major *order)
{
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_rows rows =
        dgm_staged_rows(&step->feed, step->target.rows, step->expected, step->target.places);
    struct dgm_node *words =
        dgm_embed(g, param(g, net, net->embed[DGM_TARGET]), &rows, none, 1, 0, 0);

    return dgm_gather(g, words, order->previous, order->rows);
}

/* Back to the order of the batch, with the dropout of the readout. */
static struct dgm_node *packed_readout(struct dgm_graph *g, const struct dgm_net *net,
                                       const struct dgm_step *step,
                                       const struct dgm_time_major *order, struct dgm_node *o)
{
    struct dgm_rows rows =
        dgm_staged_rows(&step->feed, step->target.rows, step->expected, step->target.places);

    return dgm_residual(g, NULL, dgm_gather(g, o, order->place, step->target.rows), &rows,
                        (dgm_real)net->config.dropout, (uint32_t)DGM_TARGET << 28);
}

/* The weights, once the states are there, in the order of the batch. */
static void show_weights(struct dgm_graph *g, const struct dgm_step *step,
                         const struct dgm_time_major *order, struct dgm_ref weights)
{
    struct dgm_node *rows = dgm_constant(g, weights, order->rows, order->memory.longest);

    dgm_attention_probe_take(step->watch, g, dgm_gather(g, rows, order->place, step->target.rows));
}

/* Values whose contexts have the attention weights behind them. */
static struct dgm_node *beside_units(struct dgm_graph *g, const struct dgm_step *step,
                                     struct dgm_node *rows)
{
    struct dgm_node *parts[2] = { rows, dgm_guided_units(g, step) };

    return parts[0] != NULL && parts[1] != NULL ? dgm_concat(g, parts, 2, 1) : NULL;
}

static void learn_links(struct dgm_graph *g, const struct dgm_net *net, const struct dgm_step *step,
                        const struct dgm_time_major *order, struct dgm_node *states,
                        struct dgm_parse_losses *losses)
{
    const struct dgm_columns weights = { states, net->config.recurrent.dim +
                                                     net->encoder->width(&net->config) };

    dgm_guided_learn(g, step, losses, weights, order->place);
}

static struct dgm_node *decode(struct dgm_graph *g, const struct dgm_net *net,
                               const struct dgm_step *step, const struct dgm_encoding *encoding,
                               struct dgm_parse_losses *losses)
{
    struct dgm_time_major order = dgm_time_major_sent(&step->feed, step->plan[DGM_TARGET]);
    const int is_guided = dgm_guided_wants(net, step, losses, 1);
    struct operands operands;
    struct dgm_node *states;

    dgm_begin_segment(g);
    operands.weights = dgm_attention_probe_place(step->watch);
    operands.words = previous_words(g, net, step, &order);
    operands.start =
        dgm_gather(g, dgm_recurrent_start(g, net, step, encoding), order.sentence, order.sentences);
    operands.keys = make_keys(g, net, encoding->rows);
    operands.rows = is_guided ? beside_units(g, step, encoding->rows) : encoding->rows;
    states = make_states(g, net, &operands, &order.steps, &order.memory);
    if (is_guided)
        learn_links(g, net, step, &order, states, losses);
    if (operands.weights.buffer != NULL)
        show_weights(g, step, &order, operands.weights);
    return packed_readout(g, net, step, &order, read_out(g, net, operands.words, states));
}

/* ---- one token at a time: a hypothesis is one row of states ---------------------------------- */

/* What state->own is. */
struct caches {
    struct dgm_buffer *rows, *keys; /* (K,A) of the source */
    struct dgm_buffer *start;       /* (R,d) states before the step */
    struct dgm_buffer *states;      /* (R, d + A) what the last step made */
    int64_t source_capacity, row_capacity;
    int32_t *from; /* (R) the row of `states` that each row continues */
    size_t from_capacity;
    int32_t active; /* R, for the schedule of the step */
};

static void close_caches(struct dgm_env *env, struct dgm_incremental *state)
{
    struct caches *caches = state->own;
    struct dgm_device *device = state->graph.device;

    dgm_device_release(env, device, caches->rows);
    dgm_device_release(env, device, caches->keys);
    dgm_device_release(env, device, caches->start);
    dgm_device_release(env, device, caches->states);
    dgm_release(env, caches->from);
}

static struct dgm_ref begin_of(struct dgm_buffer *buffer)
{
    const struct dgm_ref ref = { buffer, 0 };

    return ref;
}

static dgm_status renew(struct dgm_env *env, const struct dgm_incremental *state,
                        struct dgm_buffer **buffer, int64_t rows, int64_t cols)
{
    struct dgm_device *device = state->graph.device;

    dgm_device_release(env, device, *buffer);
    *buffer = NULL;
    return dgm_reals_alloc(env, device, buffer, rows, cols);
}

static dgm_status reserve_source(struct dgm_env *env, struct dgm_incremental *state, int64_t rows)
{
    struct caches *caches = state->own;
    int64_t width = state->net->encoder->width(&state->net->config);

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
    struct caches *caches = state->own;
    int64_t dim = state->net->config.recurrent.dim;
    int64_t width = dim + state->net->encoder->width(&state->net->config);
    struct dgm_buffer *states = NULL;
    struct dgm_axpby_args copy = { 0 };
    dgm_status status;

    if (rows <= caches->row_capacity)
        return DGM_OK;
    DGM_TRY(renew(env, state, &states, 2 * rows, width));
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
static dgm_status reset_from(struct dgm_env *env, struct caches *caches, int64_t rows)
{
    DGM_TRY(dgm_reserve(env, &caches->from, &caches->from_capacity, (size_t)rows,
                        sizeof *caches->from));
    for (int64_t r = 0; r < rows; r++)
        caches->from[r] = (int32_t)r;
    return DGM_OK;
}

static dgm_status begin(struct dgm_env *env, struct dgm_incremental *state,
                        const struct dgm_encoding *encoding)
{
    struct caches *caches = state->own;
    const struct dgm_net *net = state->net;
    struct dgm_graph *g = &state->graph;

    DGM_TRY(reserve_source(env, state, state->source.memory.rows));
    DGM_TRY(reserve_rows(env, state, state->rows));
    DGM_TRY(reset_from(env, caches, state->rows));
    dgm_place(g, dgm_recurrent_start(g, net, &state->source, encoding), begin_of(caches->start));
    dgm_place(g, make_keys(g, net, encoding->rows), begin_of(caches->keys));
    dgm_place(g, encoding->rows, begin_of(caches->rows));
    return DGM_OK;
}

static dgm_status select_rows(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *from, int64_t count)
{
    struct caches *caches = state->own;

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
    const struct caches *caches = state->own;
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
    const struct caches *caches = state->own;
    int64_t dim = state->net->config.recurrent.dim;
    struct dgm_copy_rows_args copy = { 0 };

    if (state->steps == 0)
        return DGM_OK; /* s_0 of every sentence lies there */
    copy.y = begin_of(caches->start);
    copy.x = begin_of(caches->states);
    copy.index = dgm_feed_ref(&state->feed, slots->from);
    copy.rows = state->rows;
    copy.dim = copy.ldy = dim; /* the first d columns of [s | ctx] */
    copy.ldx = dim + state->net->encoder->width(&state->net->config);
    return dgm_device_run(env, state->graph.device, DGM_TASK_copy_rows, &copy);
}

/* The embeddings of the words that were read; zeros before the first one. */
static struct dgm_node *read_words(struct dgm_incremental *state, const struct step_slots *slots)
{
    const struct dgm_net *net = state->net;
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_graph *g = &state->graph;
    struct dgm_rows rows = dgm_staged_rows(&state->feed, state->rows, slots->ids, slots->places);
    struct dgm_node *words =
        dgm_embed(g, param(g, net, net->embed[DGM_TARGET]), &rows, none, 1, 0, 0);

    return state->steps > 0
               ? words
               : dgm_gather(g, words, dgm_feed_ref(&state->feed, slots->none), rows.count);
}

static struct dgm_node *build_step(struct dgm_incremental *state, const struct step_slots *slots)
{
    struct caches *caches = state->own;
    const struct dgm_net *net = state->net;
    struct dgm_graph *g = &state->graph;
    int64_t dim = net->config.recurrent.dim, width = net->encoder->width(&net->config);
    int64_t rows = state->source.memory.rows;
    struct operands operands = { .weights = { NULL, 0 } };
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
    states = make_states(g, net, &operands, &steps, &memory);
    dgm_place(g, states, begin_of(caches->states));
    return read_out(g, net, operands.words, states);
}

static dgm_status read_step(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                            struct dgm_node **states)
{
    struct step_slots slots;

    DGM_TRY(stage_step(env, state, ids, &slots));
    DGM_TRY(take_states(env, state, &slots));
    *states = build_step(state, &slots);
    return DGM_OK;
}

/* ---- the kind -------------------------------------------------------------------------------- */

const struct dgm_decoder_kind dgm_decoder_recurrent = {
    .name = "recurrent",
    .help = "two GRUs with additive attention between them",
    .cite = "Bahdanau, Cho, Bengio 2015, as in dl4mt",
    .options = "dim-emb dim-rnn dropout",
    .layers = 1,
    .deviation = 0.01,
    .own_bytes = sizeof(struct recurrent_decoder),
    .plan_bytes = sizeof(struct dgm_time_major_slots),
    .has_output_bias = 1,
    .declare = declare,
    .stage = stage,
    .decode = decode,
    .clear = clear,
    .state_bytes = sizeof(struct caches),
    .close = close_caches,
    .begin = begin,
    .select = select_rows,
    .step = read_step,
};
