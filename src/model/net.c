/*
 * net.c: encoder and decoder joined: their embeddings, their parameters, their loss.
 */
#include "model/net.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "graph/segment.h"
#include "model/decoder.h"
#include "model/parameters.h"
#include "model/variants.h"
#include "text/bpe/vocab.h"

#define ENCODER(name) extern const struct dgm_encoder_kind dgm_encoder_##name;
#include "model/encoder_list.h"
#undef ENCODER
#define DECODER(name) extern const struct dgm_decoder_kind dgm_decoder_##name;
#include "model/decoder_list.h"
#undef DECODER

static const struct dgm_encoder_kind *const encoders[] = {
#define ENCODER(name) &dgm_encoder_##name,
#include "model/encoder_list.h"
#undef ENCODER
};

static const struct dgm_decoder_kind *const decoders[] = {
#define DECODER(name) &dgm_decoder_##name,
#include "model/decoder_list.h"
#undef DECODER
};

int dgm_encoder_count(void)
{
    return (int)(sizeof encoders / sizeof *encoders);
}

const struct dgm_encoder_kind *dgm_encoder_entry(int i)
{
    return encoders[i];
}

int dgm_decoder_count(void)
{
    return (int)(sizeof decoders / sizeof *decoders);
}

const struct dgm_decoder_kind *dgm_decoder_entry(int i)
{
    return decoders[i];
}

/* ---- life ---------------------------------------------------------------------------------- */

/* NULL: the side's kind is of no family. */
static const struct dgm_family *family_of(const struct dgm_net *net, int side)
{
    return side == DGM_SOURCE ? net->encoder->family : net->decoder->family;
}

/* Whether the target's state and constants are those of the source. */
static int is_shared(const struct dgm_net *net)
{
    return net->encoder->family != NULL && net->encoder->family == net->decoder->family;
}

/* Room for what a side keeps; a family reads its options into it. */
static dgm_status open_side(struct dgm_env *env, struct dgm_net *net, int side)
{
    const struct dgm_family *family = family_of(net, side);
    size_t bytes = side == DGM_SOURCE ? net->encoder->own_bytes : net->decoder->own_bytes;

    if (side == DGM_TARGET && is_shared(net)) {
        net->own[DGM_TARGET] = net->own[DGM_SOURCE];
        return DGM_OK;
    }
    DGM_TRY(dgm_new(env, &net->own[side], 1, (family != NULL ? family->own_bytes : bytes) + 1));
    return family != NULL ? family->open(env, net, net->own[side]) : DGM_OK;
}

static dgm_status open_kinds(struct dgm_env *env, struct dgm_net *net)
{
    net->encoder = encoders[net->config.encoder];
    net->decoder = decoders[net->config.decoder];
    if (net->encoder->check != NULL)
        DGM_TRY(net->encoder->check(env, &net->config));
    if (!net->encoder->attends)
        DGM_TRY(dgm_variants_refuse(env, net));
    DGM_TRY(open_side(env, net, DGM_SOURCE));
    return open_side(env, net, DGM_TARGET);
}

static void close_side(struct dgm_env *env, struct dgm_net *net, int side)
{
    if (net->own[side] == NULL || (side == DGM_TARGET && is_shared(net)))
        return;
    if (family_of(net, side) != NULL)
        family_of(net, side)->clear(env, net->own[side]);
    dgm_release(env, net->own[side]);
}

static dgm_status declare_all(struct dgm_env *env, struct dgm_net *net)
{
    DGM_TRY(open_kinds(env, net));
    DGM_TRY(dgm_declare_embeddings(env, net));
    DGM_TRY(net->encoder->declare(env, net));
    return net->decoder->declare(env, net);
}

static int32_t start_of(const struct dgm_model_config *config, int32_t eos)
{
    switch (config->decoder_start) {
    case DGM_DECODER_START_BOS: return DGM_VOCAB_BOS;
    case DGM_DECODER_START_PAD: return DGM_VOCAB_PAD;
    default: return eos;
    }
}

dgm_status dgm_net_init(struct dgm_env *env, struct dgm_net *net,
                        const struct dgm_model_config *config, int64_t source_vocab,
                        int64_t target_vocab, int32_t eos)
{
    dgm_status status;

    memset(net, 0, sizeof *net);
    net->config = *config;
    net->vocab[DGM_SOURCE] = source_vocab;
    net->vocab[DGM_TARGET] = target_vocab;
    net->eos = eos;
    net->start = start_of(config, eos);
    status = declare_all(env, net);
    if (status != DGM_OK)
        dgm_net_clear(env, net);
    return status;
}

dgm_status dgm_net_allocate(struct dgm_env *env, struct dgm_net *net, struct dgm_device *device,
                            int with_grads)
{
    DGM_TRY(dgm_params_allocate(env, &net->params, device, with_grads));
    if (net->encoder->family != NULL)
        DGM_TRY(net->encoder->family->send(env, net, device, &net->constants[DGM_SOURCE]));
    if (is_shared(net))
        net->constants[DGM_TARGET] = net->constants[DGM_SOURCE];
    else if (net->decoder->family != NULL)
        DGM_TRY(net->decoder->family->send(env, net, device, &net->constants[DGM_TARGET]));
    return DGM_OK;
}

static void release_constants(struct dgm_env *env, struct dgm_net *net)
{
    struct dgm_device *device = net->params.device;

    if (device == NULL)
        return;
    if (net->constants[DGM_TARGET] != net->constants[DGM_SOURCE])
        dgm_device_release(env, device, net->constants[DGM_TARGET]);
    dgm_device_release(env, device, net->constants[DGM_SOURCE]);
}

void dgm_net_clear(struct dgm_env *env, struct dgm_net *net)
{
    release_constants(env, net);
    dgm_params_clear(env, &net->params);
    close_side(env, net, DGM_TARGET);
    close_side(env, net, DGM_SOURCE);
    memset(net, 0, sizeof *net);
}

dgm_status dgm_net_copy(struct dgm_env *env, struct dgm_net *copy, const struct dgm_net *net,
                        struct dgm_device *device)
{
    *copy = *net;
    copy->params.values = copy->params.grads = NULL;
    copy->constants[DGM_SOURCE] = copy->constants[DGM_TARGET] = NULL;
    return dgm_net_allocate(env, copy, device, 1);
}

void dgm_net_clear_copy(struct dgm_env *env, struct dgm_net *copy)
{
    struct dgm_device *device = copy->params.device;

    if (device == NULL)
        return;
    release_constants(env, copy);
    dgm_device_release(env, device, copy->params.grads);
    dgm_device_release(env, device, copy->params.values);
    memset(copy, 0, sizeof *copy);
}

unsigned dgm_net_needs(const struct dgm_net *net)
{
    const struct dgm_encoder_kind *encoder = net->encoder;

    return encoder->needs | (encoder->option_needs != NULL ? encoder->option_needs(net) : 0);
}

void dgm_net_needs_text(const struct dgm_net *net, char *out, size_t size)
{
    if (net->encoder->needs != 0)
        snprintf(out, size, "--encoder %s", net->encoder->name);
    else
        snprintf(out, size, "--syntax %s", net->config.syntax);
}

int dgm_net_parser_head(const struct dgm_net *net, enum dgm_side side, int *layer,
                        struct dgm_attn_parser *which)
{
    const struct dgm_family *family =
        side == DGM_SOURCE ? net->encoder->family : net->decoder->family;

    return family != NULL && family->parser_head != NULL &&
           family->parser_head(net, side, layer, which);
}

/* ---- size ---------------------------------------------------------------------------------- */

/* An encoder's size as papers on recurrent encoders count it (specification, recurrent models,
 * 6.1): all its matrices but its embeddings, and the one from which a recurrent decoder starts;
 * some papers count vectors too. */

static int has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static int is_counted(const char *name)
{
    if (has_prefix(name, "decoder.init."))
        return 1;
    return has_prefix(name, "encoder.") && !has_prefix(name, "encoder.embed_tokens.");
}

struct dgm_encoder_size dgm_net_encoder_size(const struct dgm_net *net)
{
    struct dgm_encoder_size size = { 0, 0 };

    for (size_t i = 0; i < net->params.count; i++) {
        const struct dgm_param *param = &net->params.items[i];
        if (!is_counted(param->name))
            continue;
        size.with_vectors += param->rows * param->cols;
        if (param->rank == 2)
            size.weights += param->rows * param->cols;
    }
    return size;
}

/* ---- one step ------------------------------------------------------------------------------ */

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    struct dgm_encoding encoded = net->encoder->encode(g, net, step, losses);

    if (encoded.all == NULL)
        encoded.all = encoded.rows;
    return encoded;
}

struct dgm_encoding dgm_net_encode(struct dgm_graph *g, const struct dgm_net *net,
                                   const struct dgm_step *step)
{
    return encode(g, net, step, NULL);
}

struct dgm_node *dgm_net_decode(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_step *step, const struct dgm_encoding *encoded)
{
    return net->decoder->decode(g, net, step, encoded, NULL);
}

struct dgm_node *dgm_net_logits(struct dgm_graph *g, const struct dgm_net *net,
                                struct dgm_node *states)
{
    return dgm_linear(g, states, dgm_params_node(g, &net->params, net->output),
                      dgm_params_node(g, &net->params, net->output_bias));
}

struct dgm_node *dgm_net_loss(struct dgm_graph *g, const struct dgm_net *net,
                              const struct dgm_step *step, double smoothing, double grad_scale,
                              struct dgm_parse_losses *losses)
{
    const struct dgm_row_weights weights = { step->weights.offsets, step->weights.values,
                                             step->weights.count };
    struct dgm_encoding encoded;
    struct dgm_node *states, *loss;

    if (losses != NULL) {
        losses->count = 0;
        losses->guided = NULL;
        losses->rows = losses->of.rows > 0 ? losses->of.rows : step->target.rows;
        /* grad_scale is for one row: a mean of 1 over all rows is a sum of `rows`. */
        losses->unit = grad_scale * (double)losses->rows;
    }
    encoded = encode(g, net, step, losses);
    states = net->decoder->decode(g, net, step, &encoded, losses);
    dgm_begin_segment(g); /* the logits are gone before the last layer is made again */
    loss = dgm_output_loss(g, states, dgm_params_node(g, &net->params, net->output),
                           dgm_params_node(g, &net->params, net->output_bias),
                           dgm_feed_ref(&step->feed, step->expected), (dgm_real)smoothing,
                           net->config.smoothing_form, (dgm_real)grad_scale);
    if (weights.count > 0)
        dgm_output_loss_weigh(loss, &weights);
    return loss;
}
