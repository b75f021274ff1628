/*
 * decoder_transformer.c: the decoder of a Transformer over whole packed sentences (specification,
 * section 1).
 */
#include "model/transformer/decoder_transformer.h"

#include <string.h>

#include "model/transformer/transformer.h"

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    return dgm_transformer_declare(env, net, DGM_TARGET);
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    return dgm_transformer_plan(env, net, step, DGM_TARGET, &batch->target, batch->numbers, draw);
}

static struct dgm_node *cross_attention(const struct dgm_layer_context *where,
                                        const struct dgm_step *step, struct dgm_node *x,
                                        struct dgm_node *encoded)
{
    const struct dgm_net *net = where->model;
    const struct dgm_attention_params *params = &net->layers[DGM_TARGET][where->layer - 1].cross;
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
    struct dgm_layer_context where = { g, net, DGM_TARGET, 0, NULL, NULL, { NULL, 0 }, NULL };
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

const struct dgm_decoder_kind dgm_decoder_transformer = {
    .name = "transformer",
    .help = "self-attention and attention to the encoder, layer by layer",
    .cite = "Vaswani et al. 2017",
    .options = "dec-depth dim-emb transformer-heads transformer-dim-ffn transformer-norm positions "
               "attention-bias norm-eps syntax dropout attention-dropout activation-dropout",
    .declare = declare,
    .stage = stage,
    .decode = decode,
    .state_bytes = sizeof(struct dgm_transformer_caches),
    .keeps_past = 1,
    .close = dgm_transformer_close,
    .begin = dgm_transformer_begin,
    .select = dgm_transformer_select,
    .step = dgm_transformer_step,
};
