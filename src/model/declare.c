/*
 * declare.c: the parameters of a Transformer: names, shapes and initial values (specification
 * 1.7; names are fairseq's).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/transformer.h"

/* What a declaration needs, so that the functions below read as lists. */
struct scope {
    struct dgm_env *env;
    struct dgm_transformer *model;
    char prefix[64]; /* "encoder.layers.0." */
};

enum { NAME_SIZE = 160, TAIL_SIZE = 64 };

/* The parts together are shorter than NAME_SIZE. */
static void full_name(const struct scope *scope, char *name, const char *tail)
{
    strcpy(name, scope->model->config.prefix);
    strcat(name, scope->prefix);
    strcat(name, tail);
}

static dgm_status matrix(const struct scope *scope, dgm_param_id *id, const char *tail,
                         int64_t rows, int64_t cols, double gain, int below)
{
    char name[NAME_SIZE];

    full_name(scope, name, tail);
    if (below)
        return dgm_params_matrix_below(scope->env, &scope->model->params, id, name, rows, cols,
                                       DGM_INIT_XAVIER, gain);
    return dgm_params_matrix(scope->env, &scope->model->params, id, name, rows, cols,
                             DGM_INIT_XAVIER, gain);
}

static dgm_status vector(const struct scope *scope, dgm_param_id *id, const char *tail,
                         int64_t count, enum dgm_init init, int below)
{
    char name[NAME_SIZE];

    full_name(scope, name, tail);
    if (below)
        return dgm_params_vector_below(scope->env, &scope->model->params, id, name, count, init);
    return dgm_params_vector(scope->env, &scope->model->params, id, name, count, init);
}

static dgm_status norm(const struct scope *scope, dgm_param_id *gain, dgm_param_id *bias,
                       const char *which)
{
    int64_t dim = scope->model->config.dim;
    char tail[TAIL_SIZE];

    snprintf(tail, sizeof tail, "%s.weight", which);
    DGM_TRY(vector(scope, gain, tail, dim, DGM_INIT_ONE, 0));
    snprintf(tail, sizeof tail, "%s.bias", which);
    return vector(scope, bias, tail, dim, DGM_INIT_ZERO, 0);
}

/* Projections with the initial scale of one stacked (3D,D) matrix: gain 1/sqrt(2). */
static dgm_status attention(const struct scope *scope, struct dgm_attention_params *out,
                            const char *which)
{
    static const char *const projections[3] = {"q_proj", "k_proj", "v_proj"};
    const struct dgm_model_config *config = &scope->model->config;
    dgm_param_id weight[3], bias[3] = {-1, -1, -1};
    char tail[TAIL_SIZE];
    int i;

    for (i = 0; i < 3; i++) {
        snprintf(tail, sizeof tail, "%s.%s.weight", which, projections[i]);
        DGM_TRY(matrix(scope, &weight[i], tail, config->dim, config->dim, sqrt(0.5), i > 0));
    }
    for (i = 0; i < 3 && config->attention_bias; i++) {
        snprintf(tail, sizeof tail, "%s.%s.bias", which, projections[i]);
        DGM_TRY(vector(scope, &bias[i], tail, config->dim, DGM_INIT_ZERO, i > 0));
    }
    out->q_weight = weight[0];
    out->k_weight = weight[1];
    out->q_bias = bias[0];
    out->k_bias = bias[1];
    out->out_bias = -1;
    snprintf(tail, sizeof tail, "%s.out_proj.weight", which);
    DGM_TRY(matrix(scope, &out->out_weight, tail, config->dim, config->dim, 1, 0));
    if (config->attention_bias) {
        snprintf(tail, sizeof tail, "%s.out_proj.bias", which);
        DGM_TRY(vector(scope, &out->out_bias, tail, config->dim, DGM_INIT_ZERO, 0));
    }
    snprintf(tail, sizeof tail, "%s_layer_norm", which);
    return norm(scope, &out->norm_gain, &out->norm_bias, tail);
}

static dgm_status layer(struct scope *scope, enum dgm_side side, int number)
{
    const struct dgm_model_config *config = &scope->model->config;
    struct dgm_layer_params *out = &scope->model->layers[side][number - 1];
    struct dgm_attn_place place;

    snprintf(scope->prefix, sizeof scope->prefix, "%s.layers.%d.", dgm_side_name(side),
             number - 1);
    DGM_TRY(attention(scope, &out->self, "self_attn"));
    place.side = side;
    place.layer = number;
    DGM_TRY(dgm_syntax_declare(scope->env, &scope->model->syntax, &scope->model->params, place));
    if (side == DGM_DECODER)
        DGM_TRY(attention(scope, &out->cross, "encoder_attn"));
    DGM_TRY(matrix(scope, &out->fc1_weight, "fc1.weight", config->ffn, config->dim, 1, 0));
    DGM_TRY(vector(scope, &out->fc1_bias, "fc1.bias", config->ffn, DGM_INIT_ZERO, 0));
    DGM_TRY(matrix(scope, &out->fc2_weight, "fc2.weight", config->dim, config->ffn, 1, 0));
    DGM_TRY(vector(scope, &out->fc2_bias, "fc2.bias", config->dim, DGM_INIT_ZERO, 0));
    return norm(scope, &out->norm_gain, &out->norm_bias, "final_layer_norm");
}

static dgm_status table(const struct scope *scope, dgm_param_id *id, const char *name,
                        int64_t rows, int64_t cols)
{
    char full[NAME_SIZE];

    full_name(scope, full, name);
    return dgm_params_matrix(scope->env, &scope->model->params, id, full, rows, cols,
                             DGM_INIT_NORMAL, 1 / sqrt((double)scope->model->config.dim));
}

/* Columns of the source's table: narrower where labels stand beside the words. */
static dgm_status source_columns(const struct scope *scope, int64_t *cols)
{
    const struct dgm_model_config *config = &scope->model->config;
    struct dgm_attn_tags tags;

    *cols = config->dim;
    if (!dgm_syntax_tags(&scope->model->syntax, &tags) || !tags.narrow)
        return DGM_OK;
    if (config->tying == DGM_TIED_ALL)
        return dgm_fail(scope->env, DGM_USAGE, "tags(mode=concat_narrow) makes the source's table "
                        "narrower; expected tied-embeddings none or decoder, or mode=overwrite");
    *cols -= tags.dim;
    return DGM_OK;
}

/* One matrix, two or three, as tied-embeddings says. */
static dgm_status embeddings(const struct scope *scope)
{
    struct dgm_transformer *model = scope->model;
    enum dgm_tying tying = model->config.tying;
    int64_t dim = model->config.dim, source;

    DGM_TRY(source_columns(scope, &source));
    DGM_TRY(table(scope, &model->embed[DGM_ENCODER], "encoder.embed_tokens.weight",
                  model->vocab[DGM_ENCODER], source));
    if (tying == DGM_TIED_ALL) {
        if (model->vocab[DGM_ENCODER] != model->vocab[DGM_DECODER])
            return dgm_fail(scope->env, DGM_USAGE,
                            "tied-embeddings=all needs one joint vocabulary; source has %lld "
                            "types and target %lld",
                            (long long)model->vocab[DGM_ENCODER],
                            (long long)model->vocab[DGM_DECODER]);
        model->embed[DGM_DECODER] = model->output = model->embed[DGM_ENCODER];
        return DGM_OK;
    }
    DGM_TRY(table(scope, &model->embed[DGM_DECODER], "decoder.embed_tokens.weight",
                  model->vocab[DGM_DECODER], dim));
    model->output = model->embed[DGM_DECODER];
    if (tying == DGM_TIED_NONE)
        DGM_TRY(table(scope, &model->output, "decoder.output_projection.weight",
                      model->vocab[DGM_DECODER], dim));
    return DGM_OK;
}

static dgm_status side(struct scope *scope, enum dgm_side which, int depth)
{
    struct dgm_transformer *model = scope->model;
    int number;

    for (number = 1; number <= depth; number++)
        DGM_TRY(layer(scope, which, number));
    if (!model->config.pre_norm)
        return DGM_OK;
    snprintf(scope->prefix, sizeof scope->prefix, "%s.", dgm_side_name(which));
    return norm(scope, &model->final_gain[which], &model->final_bias[which], "layer_norm");
}

static dgm_status declare_all(struct dgm_env *env, struct dgm_transformer *model)
{
    struct dgm_attn_shape shape;
    struct dgm_attn_place embedding = {DGM_ENCODER, 0};
    struct scope scope;

    memset(&shape, 0, sizeof shape);
    shape.dim = model->config.dim;
    shape.heads = model->config.heads;
    shape.head_dim = shape.dim / shape.heads;
    shape.depth[DGM_ENCODER] = model->config.enc_depth;
    shape.depth[DGM_DECODER] = model->config.dec_depth;
    shape.pre_norm = model->config.pre_norm;
    shape.tags = model->config.tags;
    DGM_TRY(dgm_syntax_init(env, &model->syntax, model->config.syntax, &shape));
    if ((dgm_syntax_needs(&model->syntax) & DGM_NEEDS_TAGS) && shape.tags < DGM_TAG_SPECIALS)
        return dgm_fail(env, DGM_USAGE, "--syntax %s without source tags", model->config.syntax);
    scope.env = env;
    scope.model = model;
    scope.prefix[0] = '\0';
    DGM_TRY(embeddings(&scope));
    DGM_TRY(dgm_syntax_declare(env, &model->syntax, &model->params, embedding));
    DGM_TRY(side(&scope, DGM_ENCODER, model->config.enc_depth));
    return side(&scope, DGM_DECODER, model->config.dec_depth);
}

dgm_status dgm_transformer_init(struct dgm_env *env, struct dgm_transformer *model,
                                const struct dgm_model_config *config, int64_t source_vocab,
                                int64_t target_vocab, int32_t eos)
{
    dgm_status status;

    memset(model, 0, sizeof *model);
    model->config = *config;
    model->vocab[DGM_ENCODER] = source_vocab;
    model->vocab[DGM_DECODER] = target_vocab;
    model->eos = eos;
    status = declare_all(env, model);
    if (status != DGM_OK)
        dgm_transformer_clear(env, model);
    return status;
}
