/*
 * variants.c: --syntax against the encoder and the decoder of a network.
 */
#include "model/variants.h"

#include <string.h>

#include "model/probe/attention_probe.h"
#include "model/encoder.h"

dgm_status dgm_variants_read(struct dgm_env *env, const struct dgm_net *net,
                             struct dgm_syntax *syntax)
{
    const struct dgm_model_config *config = &net->config;
    struct dgm_attn_shape shape = { .dim = config->dim, .heads = config->heads };

    shape.head_dim = shape.dim / shape.heads;
    shape.depth[DGM_SOURCE] = dgm_attention_probe_layers(net, DGM_ATTENTION_ENCODER);
    shape.depth[DGM_TARGET] = dgm_attention_probe_layers(net, DGM_ATTENTION_DECODER);
    shape.pre_norm = config->pre_norm;
    memcpy(shape.features, config->features, sizeof shape.features);
    shape.stored = config->stored;
    DGM_TRY(dgm_syntax_init(env, syntax, config->syntax, &shape));
    if (syntax->count > 0 && !net->encoder->attends)
        return dgm_fail(env, DGM_USAGE,
                        "--syntax %s with --encoder %s; expected --encoder "
                        "transformer, or no --syntax",
                        config->syntax, net->encoder->name);
    return DGM_OK;
}

dgm_status dgm_variants_refuse(struct dgm_env *env, const struct dgm_net *net)
{
    struct dgm_syntax syntax;
    dgm_status status = dgm_variants_read(env, net, &syntax);

    dgm_syntax_clear(env, &syntax);
    return status;
}
