/*
 * recurrent.c: dense layers and gated recurrent units as parameters and as nodes.
 */
#include "model/recurrent/recurrent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/segment.h"

enum { TAIL_SIZE = 64 };

/* Where a matrix has no better start (specification 1.4). */
static const double small_deviation = 0.01;

/* ---- parameters ------------------------------------------------------------------------------ */

static enum dgm_init init_of(enum dgm_start start, int64_t rows, int64_t cols)
{
    if (start == DGM_START_ZERO)
        return DGM_INIT_ZERO;
    if (start == DGM_START_FACTOR || (start == DGM_START_GATES && rows == cols))
        return DGM_INIT_ORTHOGONAL;
    return DGM_INIT_NORMAL;
}

dgm_status dgm_declare_blocks(const struct dgm_scope *scope, dgm_param_id *id, const char *tail,
                              int64_t blocks, int64_t rows, int64_t cols, enum dgm_start start,
                              int below)
{
    enum dgm_init init = init_of(start, rows, cols);
    char name[DGM_NAME_SIZE];
    double scale = init == DGM_INIT_ORTHOGONAL ? 1 : small_deviation;

    dgm_declare_name(scope, name, tail);
    DGM_TRY((below ? dgm_params_matrix_below : dgm_params_matrix)(scope->env, &scope->net->params,
                                                                  id, name, blocks * rows, cols,
                                                                  init, scale));
    if (init == DGM_INIT_ORTHOGONAL)
        dgm_params_blocks(&scope->net->params, *id, blocks);
    dgm_params_plain(&scope->net->params, *id);
    return DGM_OK;
}

dgm_status dgm_declare_dense(const struct dgm_scope *scope, struct dgm_dense *dense,
                             const char *name, int64_t blocks, int64_t rows, int64_t cols,
                             enum dgm_start start)
{
    char tail[TAIL_SIZE];

    snprintf(tail, sizeof tail, "%s.weight", name);
    DGM_TRY(dgm_declare_blocks(scope, &dense->weight, tail, blocks, rows, cols, start, 0));
    snprintf(tail, sizeof tail, "%s.bias", name);
    return dgm_declare_vector(scope, &dense->bias, tail, blocks * rows, DGM_INIT_ZERO, 0);
}

double dgm_carry_bias(const struct dgm_model_config *config)
{
    /* u (p + w), a sum over two states, then carries as much as u of 1/2 carries of one. */
    return config->recurrent.carry_mean ? 0 : -log(3.0); /* sigmoid(-log 3) = 1/4 */
}

dgm_status dgm_declare_gru(const struct dgm_scope *scope, struct dgm_gru *gru, const char *name,
                           int64_t inputs, int64_t dim)
{
    char tail[TAIL_SIZE];

    snprintf(tail, sizeof tail, "%s.input", name);
    DGM_TRY(dgm_declare_dense(scope, &gru->input, tail, 3, dim, inputs, DGM_START_GATES));
    snprintf(tail, sizeof tail, "%s.recurrent.weight", name);
    return dgm_declare_blocks(scope, &gru->recurrent, tail, 3, dim, dim, DGM_START_GATES, 0);
}

dgm_status dgm_declare_birnn(const struct dgm_scope *scope, struct dgm_birnn *birnn, int64_t inputs,
                             int64_t dim)
{
    DGM_TRY(dgm_declare_gru(scope, &birnn->gru[0], "birnn.forward", inputs, dim));
    return dgm_declare_gru(scope, &birnn->gru[1], "birnn.backward", inputs, dim);
}

/* ---- options -------------------------------------------------------------------------------- */

dgm_status dgm_check_no_end(struct dgm_env *env, const struct dgm_model_config *config)
{
    if (config->recurrent.source_end > 0)
        return dgm_fail(env, DGM_USAGE,
                        "--src-eos 1 with an encoder that reads trees, which have "
                        "no place for it; expected --src-eos 0 or auto");
    return DGM_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct dgm_node *dgm_dense_node(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_dense *dense, struct dgm_node *x)
{
    return dgm_linear(g, x, dgm_params_node(g, &net->params, dense->weight),
                      dgm_params_node(g, &net->params, dense->bias));
}

struct dgm_node *dgm_dense_tanh(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_dense *dense, struct dgm_node *x)
{
    return dgm_activate(g, dgm_dense_node(g, net, dense, x), DGM_TANH);
}

struct dgm_node *dgm_project(struct dgm_graph *g, const struct dgm_net *net,
                             const struct dgm_dense *dense, struct dgm_node *x)
{
    return net->config.recurrent.linear_projection ? dgm_dense_node(g, net, dense, x)
                                                   : dgm_dense_tanh(g, net, dense, x);
}

struct dgm_node *dgm_gru_chains(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_step *step, const struct dgm_wavefront *w,
                                const struct dgm_gru *grus, struct dgm_node *x)
{
    struct dgm_gru_plan plan = dgm_wavefront_sent(&step->feed, w);
    struct dgm_node *inputs[DGM_GRU_SIDES], *weights[DGM_GRU_SIDES];
    struct dgm_node *none[DGM_GRU_SIDES] = { NULL };

    dgm_begin_segment(g);
    for (int side = 0; side < w->sides; side++) {
        struct dgm_ref source = dgm_feed_ref(&step->feed, w->side[side].source);
        inputs[side] =
            dgm_dense_node(g, net, &grus[side].input, dgm_gather(g, x, source, w->side[side].rows));
        weights[side] = dgm_params_node(g, &net->params, grus[side].recurrent);
    }
    return dgm_gru(g, NULL, inputs, weights, none, &plan, 1);
}

struct dgm_node *dgm_chain_states(struct dgm_graph *g, const struct dgm_step *step,
                                  const struct dgm_wavefront *w, struct dgm_node *states)
{
    struct dgm_node *parts[DGM_GRU_SIDES];

    for (int side = 0; side < w->sides; side++)
        parts[side] =
            dgm_gather(g, states, dgm_feed_ref(&step->feed, w->where[side]), w->positions);
    return w->sides == 1 ? parts[0] : dgm_concat(g, parts, w->sides, 1);
}

dgm_status dgm_birnn_stage(struct dgm_env *env, struct dgm_step *step, struct dgm_wavefront *w,
                           const struct dgm_source_slots *reading)
{
    static const struct dgm_chain chains[2] = { { NULL, 0 }, { NULL, 1 } };

    return dgm_wavefront_chains(env, &step->feed, w, reading->starts, reading->sentences, chains,
                                2);
}

struct dgm_node *dgm_birnn_node(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_step *step, const struct dgm_birnn *birnn,
                                const struct dgm_wavefront *w, struct dgm_node *x)
{
    return dgm_chain_states(g, step, w, dgm_gru_chains(g, net, step, w, birnn->gru, x));
}
