/*
 * parameters.c: the parameters that every network has: names, shapes and initial values
 * (specification 1.7; names are fairseq's).
 */
#include "model/parameters.h"

#include <math.h>
#include <string.h>

#include "model/decoder.h"

/* The parts together are shorter than DGM_NAME_SIZE. */
void dgm_declare_name(const struct dgm_scope *scope, char *name, const char *tail)
{
    strcpy(name, scope->net->config.prefix);
    strcat(name, scope->prefix);
    strcat(name, tail);
}

dgm_status dgm_declare_matrix(const struct dgm_scope *scope, dgm_param_id *id, const char *tail,
                              int64_t rows, int64_t cols, double gain, int below)
{
    char name[DGM_NAME_SIZE];

    dgm_declare_name(scope, name, tail);
    DGM_TRY((below ? dgm_params_matrix_below : dgm_params_matrix)(scope->env, &scope->net->params,
                                                                  id, name, rows, cols,
                                                                  DGM_INIT_XAVIER, gain));
    dgm_params_plain(&scope->net->params, *id);
    return DGM_OK;
}

dgm_status dgm_declare_vector(const struct dgm_scope *scope, dgm_param_id *id, const char *tail,
                              int64_t count, enum dgm_init init, int below)
{
    char name[DGM_NAME_SIZE];

    dgm_declare_name(scope, name, tail);
    if (below)
        return dgm_params_vector_below(scope->env, &scope->net->params, id, name, count, init);
    return dgm_params_vector(scope->env, &scope->net->params, id, name, count, init);
}

/* deviation: of the kind of network that it is for; 0: that of a Transformer, 1 / sqrt(D). */
static dgm_status table(const struct dgm_scope *scope, dgm_param_id *id, const char *name,
                        int64_t rows, int64_t cols, double deviation)
{
    char full[DGM_NAME_SIZE];

    dgm_declare_name(scope, full, name);
    DGM_TRY(
        dgm_params_matrix(scope->env, &scope->net->params, id, full, rows, cols, DGM_INIT_NORMAL,
                          deviation > 0 ? deviation : 1 / sqrt((double)scope->net->config.dim)));
    dgm_params_plain(&scope->net->params, *id);
    return DGM_OK;
}

/* The matrix that scores are made with, and the decoder's own table, unless they are others. */
static dgm_status target_tables(const struct dgm_scope *scope)
{
    struct dgm_net *net = scope->net;
    int64_t types = net->vocab[DGM_TARGET], dim = net->config.dim;
    double deviation = net->decoder->deviation;

    DGM_TRY(table(scope, &net->embed[DGM_TARGET], "decoder.embed_tokens.weight", types, dim,
                  deviation));
    net->output = net->embed[DGM_TARGET];
    if (net->config.tying == DGM_TIED_NONE)
        DGM_TRY(
            table(scope, &net->output, "decoder.output_projection.weight", types, dim, deviation));
    return DGM_OK;
}

static dgm_status tie_all(const struct dgm_scope *scope)
{
    struct dgm_net *net = scope->net;

    if (net->vocab[DGM_SOURCE] != net->vocab[DGM_TARGET])
        return dgm_fail(scope->env, DGM_USAGE,
                        "tied-embeddings=all needs one joint vocabulary; source has %lld types and "
                        "target %lld",
                        (long long)net->vocab[DGM_SOURCE], (long long)net->vocab[DGM_TARGET]);
    net->embed[DGM_TARGET] = net->output = net->embed[DGM_SOURCE];
    return DGM_OK;
}

dgm_status dgm_declare_embeddings(struct dgm_env *env, struct dgm_net *net)
{
    struct dgm_scope scope = { env, net, "" };
    int64_t source = net->config.dim;

    net->output_bias = -1;
    if (net->encoder->table_columns != NULL)
        DGM_TRY(net->encoder->table_columns(env, net, &source));
    DGM_TRY(table(&scope, &net->embed[DGM_SOURCE], "encoder.embed_tokens.weight",
                  net->vocab[DGM_SOURCE], source, net->encoder->deviation));
    DGM_TRY(net->config.tying == DGM_TIED_ALL ? tie_all(&scope) : target_tables(&scope));
    if (!net->decoder->has_output_bias && !net->config.output_bias)
        return DGM_OK;
    return dgm_declare_vector(&scope, &net->output_bias, "decoder.output_projection.bias",
                              net->vocab[DGM_TARGET], DGM_INIT_ZERO, 0);
}
