/*
 * attention_reader.c: one sentence pair through encoder and decoder, with a watch in place.
 */
#include "decode/attention_reader.h"

#include <string.h>

#include "base/mem.h"
#include "model/encoder.h"

dgm_status dgm_attention_reader_init(struct dgm_env *env, struct dgm_attention_reader *reader,
                                     const struct dgm_net *net, struct dgm_device *device)
{
    memset(reader, 0, sizeof *reader);
    reader->net = net;
    dgm_attention_probe_init(&reader->watch, device);
    dgm_step_init(&reader->step, device);
    reader->step.watch = &reader->watch;
    return dgm_graph_init(env, &reader->graph, device);
}

void dgm_attention_reader_clear(struct dgm_env *env, struct dgm_attention_reader *reader)
{
    if (reader->net == NULL)
        return;
    dgm_attention_probe_clear(env, &reader->watch);
    dgm_graph_clear(&reader->graph);
    dgm_step_clear(env, &reader->step);
    dgm_batch_clear(env, &reader->batch);
    dgm_release(env, reader->words);
    dgm_release(env, reader->values);
    memset(reader, 0, sizeof *reader);
}

/* The pair as a batch. Which tokens of a target are words does not matter to the model. */
static dgm_status fill_batch(struct dgm_env *env, struct dgm_attention_reader *reader,
                             const struct dgm_packed *source, int32_t s, const int32_t *tokens,
                             int32_t n)
{
    size_t count = (size_t)n;

    dgm_batch_reset(&reader->batch);
    DGM_TRY(dgm_batch_add(env, &reader->batch, source, NULL, s, s));
    if (n == 0)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &reader->words, &reader->word_capacity, count, sizeof *reader->words));
    memset(reader->words, 0, count * sizeof *reader->words);
    reader->words[n - 1] = -1;
    return dgm_packed_add(env, &reader->batch.target, tokens, reader->words, n, NULL, 1);
}

dgm_status dgm_attention_reader_look(struct dgm_env *env, struct dgm_attention_reader *reader,
                                     const struct dgm_packed *source, int32_t s,
                                     const int32_t *tokens, int32_t n)
{
    struct dgm_graph *g = &reader->graph;
    struct dgm_encoding encoded;

    DGM_TRY(fill_batch(env, reader, source, s, tokens, n));
    DGM_TRY(dgm_net_stage(env, reader->net, &reader->step, &reader->batch, 0, 0, 0));
    DGM_TRY(
        dgm_attention_probe_stage(env, &reader->watch, reader->net, &reader->step, &reader->batch));
    dgm_graph_begin(g, 0, 0, 0);
    /* Without training, dropout or a search: the weights are a function of the pair alone. */
    encoded = dgm_net_encode(g, reader->net, &reader->step);
    dgm_keep(g, encoded.rows);
    if (n > 0)
        dgm_keep(g, dgm_net_decode(g, reader->net, &reader->step, &encoded));
    return dgm_graph_run(g);
}

/* Columns of a row of `cross` that are positions of the source. */
static int64_t shown_positions(const struct dgm_attention_reader *reader)
{
    const struct dgm_net *net = reader->net;
    int64_t rows = reader->step.memory.rows;

    return net->encoder->positions != NULL
               ? net->encoder->positions(&net->config, reader->step.source.rows)
               : rows;
}

dgm_status dgm_attention_reader_read(struct dgm_env *env, struct dgm_attention_reader *reader,
                                     enum dgm_attention_kind kind, int layer,
                                     struct dgm_attention_weights *weights)
{
    const struct dgm_node *node = reader->watch.weights[kind][layer - 1];

    memset(weights, 0, sizeof *weights);
    if (node == NULL)
        return DGM_OK;
    weights->heads = dgm_attention_probe_heads(reader->net, kind);
    weights->rows = dgm_node_rows(node);
    weights->step = reader->watch.width[kind];
    weights->columns = kind == DGM_ATTENTION_CROSS ? shown_positions(reader) : weights->step;
    weights->ld = weights->heads * weights->step;
    DGM_TRY(dgm_reserve(env, &reader->values, &reader->value_capacity,
                        (size_t)(weights->rows * weights->ld), sizeof *reader->values));
    DGM_TRY(dgm_graph_read(&reader->graph, node, reader->values));
    weights->values = reader->values;
    return DGM_OK;
}
