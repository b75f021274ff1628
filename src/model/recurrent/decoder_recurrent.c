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

#include "model/attention_probe.h"
#include "nn/schedule/time_major.h"

/* ---- parameters ------------------------------------------------------------------------------ */

static int64_t summary_width(const struct dgm_net *net)
{
    const struct dgm_encoder_kind *encoder = net->encoder;

    return encoder->summary != NULL ? encoder->summary(&net->config) : encoder->width(&net->config);
}

static dgm_status declare_attention(const struct dgm_scope *scope,
                                    struct dgm_recurrent_decoder *own, int64_t dim, int64_t width)
{
    DGM_TRY(dgm_declare_blocks(scope, &own->query, "attention.query.weight", 1, width, dim,
                               DGM_START_GATES, 0));
    DGM_TRY(dgm_declare_dense(scope, &own->key, "attention.key", 1, width, width, DGM_START_GATES));
    return dgm_declare_dense(scope, &own->score, "attention.score", 1, 1, width, DGM_START_SMALL);
}

static dgm_status declare_readout(const struct dgm_scope *scope, struct dgm_recurrent_decoder *own,
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
    struct dgm_recurrent_decoder *own = net->own[DGM_TARGET];
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

static struct dgm_node *param(struct dgm_graph *g, const struct dgm_net *net, dgm_param_id id)
{
    return dgm_params_node(g, &net->params, id);
}

struct dgm_node *dgm_recurrent_start(struct dgm_graph *g, const struct dgm_net *net,
                                     const struct dgm_step *step,
                                     const struct dgm_encoding *encoding)
{
    const struct dgm_recurrent_decoder *own = net->own[DGM_TARGET];
    struct dgm_columns rows = { encoding->rows, 0 };
    struct dgm_node *mean = encoding->summary;

    if (mean == NULL)
        mean =
            dgm_span_mean(g, rows, net->encoder->width(&net->config),
                          dgm_feed_ref(&step->feed, step->memory.offsets), step->memory.sentences);
    return dgm_dense_tanh(g, net, &own->init, mean);
}

struct dgm_node *dgm_recurrent_keys(struct dgm_graph *g, const struct dgm_net *net,
                                    struct dgm_node *rows)
{
    const struct dgm_recurrent_decoder *own = net->own[DGM_TARGET];

    return dgm_dense_node(g, net, &own->key, rows);
}

struct dgm_node *dgm_recurrent_states(struct dgm_graph *g, const struct dgm_net *net,
                                      const struct dgm_recurrent_operands *operands,
                                      const struct dgm_steps *steps,
                                      const struct dgm_memory *memory)
{
    const struct dgm_recurrent_decoder *own = net->own[DGM_TARGET];
    struct dgm_bahdanau_decoder decoder;

    memset(&decoder, 0, sizeof decoder);
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

struct dgm_node *dgm_recurrent_readout(struct dgm_graph *g, const struct dgm_net *net,
                                       struct dgm_node *words, struct dgm_node *states)
{
    const struct dgm_recurrent_decoder *own = net->own[DGM_TARGET];
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
    struct dgm_rows rows;
    struct dgm_node *words;

    rows.count = step->target.rows;
    rows.ids = dgm_feed_ref(&step->feed, step->expected);
    rows.places = dgm_feed_ref(&step->feed, step->target.places);
    words = dgm_embed(g, param(g, net, net->embed[DGM_TARGET]), &rows, none, 1, 0, 0);
    return dgm_gather(g, words, order->previous, order->rows);
}

/* Back to the order of the batch, with the dropout of the readout. */
static struct dgm_node *packed_readout(struct dgm_graph *g, const struct dgm_net *net,
                                       const struct dgm_step *step,
                                       const struct dgm_time_major *order, struct dgm_node *o)
{
    struct dgm_rows rows;

    rows.count = step->target.rows;
    rows.ids = dgm_feed_ref(&step->feed, step->expected);
    rows.places = dgm_feed_ref(&step->feed, step->target.places);
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

static struct dgm_node *decode(struct dgm_graph *g, const struct dgm_net *net,
                               const struct dgm_step *step, const struct dgm_encoding *encoding,
                               struct dgm_parse_losses *losses)
{
    struct dgm_time_major order = dgm_time_major_sent(&step->feed, step->plan[DGM_TARGET]);
    struct dgm_recurrent_operands operands;
    struct dgm_node *states;

    (void)losses;
    operands.weights = dgm_attention_probe_place(step->watch);
    operands.words = previous_words(g, net, step, &order);
    operands.start =
        dgm_gather(g, dgm_recurrent_start(g, net, step, encoding), order.sentence, order.sentences);
    operands.keys = dgm_recurrent_keys(g, net, encoding->rows);
    operands.rows = encoding->rows;
    states = dgm_recurrent_states(g, net, &operands, &order.steps, &order.memory);
    if (operands.weights.buffer != NULL)
        show_weights(g, step, &order, operands.weights);
    return packed_readout(g, net, step, &order,
                          dgm_recurrent_readout(g, net, operands.words, states));
}

const struct dgm_decoder_kind dgm_decoder_recurrent = {
    .name = "recurrent",
    .help = "two GRUs with additive attention between them",
    .cite = "Bahdanau, Cho, Bengio 2015, as in dl4mt",
    .options = "dim-emb dim-rnn dropout",
    .layers = 1,
    .deviation = 0.01,
    .own_bytes = sizeof(struct dgm_recurrent_decoder),
    .plan_bytes = sizeof(struct dgm_time_major_slots),
    .has_output_bias = 1,
    .declare = declare,
    .stage = stage,
    .decode = decode,
    .clear = clear,
    .state_bytes = sizeof(struct dgm_recurrent_caches),
    .close = dgm_recurrent_close,
    .begin = dgm_recurrent_begin,
    .select = dgm_recurrent_select,
    .step = dgm_recurrent_step,
};
