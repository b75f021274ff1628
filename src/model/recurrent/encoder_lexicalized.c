/*
 * encoder_lexicalized.c: the lexicalized dependency encoder (specification, recurrent models, 4
 * and 5; Yang, Wong, Chao, Zhang 2019): a state for each word, from that of its head and that of
 * the nearer sibling on its side of the head, all the way down from a state of the whole sentence.
 *
 * With --dynamic-z its parameters follow from a vector z that a smaller network of the same form
 * computes beside it. A row is a state, d wide.
 */
#include <stdio.h>

#include "graph/segment.h"
#include "model/recurrent/recurrent.h"
#include "nn/schedule/position_trees.h"

enum { SIDES = 2 };

/* The static cell of one side: (3d,d), (3d,d), (3d,x) and (3d). */
struct side {
    dgm_param_id parent, sibling;
    struct dgm_dense word;
};

struct own {
    struct dgm_birnn birnn;
    struct dgm_dense projection; /* (d,2d), beneath a tree */
    struct dgm_dense init;       /* the state above the roots */
    struct side side[SIDES];
    struct dgm_dynamic_side dynamic[SIDES];
};

struct plan {
    struct dgm_source_slots reading;
    struct dgm_position_trees pieces;
    struct dgm_wavefront chains, tree;
};

static int64_t width(const struct dgm_model_config *config)
{
    return config->recurrent.dim;
}

/* Columns of what the tree reads. */
static int64_t input_width(const struct dgm_model_config *config)
{
    return config->recurrent.birnn ? config->recurrent.dim : config->dim;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static dgm_status declare_side(struct dgm_scope *scope, struct side *side, const char *name)
{
    const struct dgm_model_config *config = &scope->net->config;
    int64_t dim = config->recurrent.dim;

    snprintf(scope->prefix, sizeof scope->prefix, "encoder.tree.%s.", name);
    DGM_TRY(
        dgm_declare_blocks(scope, &side->parent, "parent.weight", 3, dim, dim, DGM_START_GATES, 0));
    DGM_TRY(dgm_declare_blocks(scope, &side->sibling, "sibling.weight", 3, dim, dim,
                               DGM_START_GATES, 0));
    DGM_TRY(dgm_declare_dense(scope, &side->word, "word", 3, dim, input_width(config),
                              DGM_START_GATES));
    dgm_params_first_block(&scope->net->params, side->word.bias, 3, dgm_carry_bias(config));
    return DGM_OK;
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    static const char *const names[SIDES] = { "left", "right" };
    const struct dgm_model_config *config = &net->config;
    struct own *own = net->own[DGM_SOURCE];
    struct dgm_scope scope = { env, net, "encoder." };
    int64_t dim = config->recurrent.dim, below = config->recurrent.birnn ? 2 * dim : config->dim;

    if (config->recurrent.birnn) {
        DGM_TRY(dgm_declare_birnn(&scope, &own->birnn, config->dim, dim));
        DGM_TRY(dgm_declare_dense(&scope, &own->projection, "projection", 1, dim, 2 * dim,
                                  DGM_START_FACTOR));
    }
    DGM_TRY(dgm_declare_dense(&scope, &own->init, "init", 1, dim, below, DGM_START_FACTOR));
    for (int s = 0; s < SIDES; s++) {
        if (config->recurrent.dynamic > 0)
            DGM_TRY(
                dgm_declare_dynamic_side(&scope, &own->dynamic[s], names[s], input_width(config)));
        else
            DGM_TRY(declare_side(&scope, &own->side[s], names[s]));
    }
    return DGM_OK;
}

/* ---- one step -------------------------------------------------------------------------------- */

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    struct plan *plan = step->plan[DGM_SOURCE];
    const struct dgm_source_slots *reading = &plan->reading;

    (void)draw;
    DGM_TRY(dgm_source_slots_stage(env, step, batch, 0, &plan->reading));
    DGM_TRY(dgm_position_trees_read(env, &plan->pieces, &batch->source, batch->numbers,
                                    net->config.recurrent.no_parse));
    if (net->config.recurrent.birnn)
        DGM_TRY(dgm_birnn_stage(env, step, &plan->chains, reading));
    DGM_TRY(dgm_wavefront_dependency(env, &step->feed, &plan->tree, reading->starts,
                                     reading->sentences, plan->pieces.heads));
    return dgm_memory_stage(env, step, reading->starts, reading->sentences);
}

/* What the cells of a side read, in the order of its rows. */
static struct dgm_node *side_inputs(struct dgm_graph *g, const struct dgm_step *step,
                                    const struct dgm_wavefront *tree, int side, struct dgm_node *x)
{
    return dgm_gather(g, x, dgm_feed_ref(&step->feed, tree->side[side].source),
                      tree->side[side].rows);
}

static dgm_real carry_of(const struct dgm_net *net)
{
    return net->config.recurrent.carry_mean ? (dgm_real)0.5 : 1;
}

/* The states of all words and, before them, of the sentences. */
static struct dgm_node *static_tree(struct dgm_graph *g, const struct dgm_net *net,
                                    const struct dgm_step *step, const struct dgm_wavefront *tree,
                                    struct dgm_node *x, struct dgm_node *init)
{
    const struct own *own = net->own[DGM_SOURCE];
    struct dgm_gru_plan schedule = dgm_wavefront_sent(&step->feed, tree);
    struct dgm_node *inputs[SIDES], *parents[SIDES], *siblings[SIDES];

    for (int s = 0; s < SIDES; s++) {
        inputs[s] = dgm_dense_node(g, net, &own->side[s].word, side_inputs(g, step, tree, s, x));
        parents[s] = dgm_params_node(g, &net->params, own->side[s].parent);
        siblings[s] = dgm_params_node(g, &net->params, own->side[s].sibling);
    }
    return dgm_gru(g, init, inputs, parents, siblings, &schedule, carry_of(net));
}

static struct dgm_node *dynamic_tree(struct dgm_graph *g, const struct dgm_net *net,
                                     const struct dgm_step *step, const struct dgm_wavefront *tree,
                                     struct dgm_node *x, struct dgm_node *init)
{
    const struct own *own = net->own[DGM_SOURCE];
    struct dgm_gru_plan schedule = dgm_wavefront_sent(&step->feed, tree);
    struct dgm_node *inputs[SIDES];

    for (int s = 0; s < SIDES; s++)
        inputs[s] = side_inputs(g, step, tree, s, x);
    return dgm_dynamic_gru(g, net, own->dynamic, init, inputs, &schedule, carry_of(net));
}

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    const struct own *own = net->own[DGM_SOURCE];
    const struct plan *plan = step->plan[DGM_SOURCE];
    const struct dgm_recurrent_config *config = &net->config.recurrent;
    struct dgm_encoding encoding = { NULL, NULL, NULL };
    struct dgm_node *below = dgm_source_slots_embed(g, net, step, &plan->reading), *x, *init,
                    *states;

    (void)losses;
    if (config->birnn)
        below = dgm_birnn_node(g, net, step, &own->birnn, &plan->chains, below);
    dgm_begin_segment(g);
    init = dgm_dense_tanh(g, net, &own->init,
                          dgm_source_slots_mean(g, step, &plan->reading, below,
                                                config->birnn ? 2 * config->dim : net->config.dim));
    x = config->birnn ? dgm_project(g, net, &own->projection, below) : below;
    states = (config->dynamic > 0 ? dynamic_tree : static_tree)(g, net, step, &plan->tree, x, init);
    encoding.rows =
        dgm_gather(g, states, dgm_feed_ref(&step->feed, plan->tree.where[0]), plan->reading.rows);
    return encoding;
}

static void clear(struct dgm_env *env, void *plan_)
{
    struct plan *plan = plan_;

    dgm_source_slots_clear(env, &plan->reading);
    dgm_position_trees_clear(env, &plan->pieces);
    dgm_wavefront_clear(env, &plan->chains);
    dgm_wavefront_clear(env, &plan->tree);
}

static const char *const samples[] = { "", "dynamic-z=3", "birnn=0,carry=mean", NULL };

const struct dgm_encoder_kind dgm_encoder_lexicalized = {
    .name = "lexicalized",
    .help = "down the dependency tree, from heads to dependents",
    .cite = "Yang et al. 2019",
    .options = "dim-emb dim-rnn birnn projection carry dynamic-z share-q no-parse",
    .samples = samples,
    .needs = DGM_NEEDS_TREES,
    .deviation = 0.01,
    .own_bytes = sizeof(struct own),
    .plan_bytes = sizeof(struct plan),
    .check = dgm_check_no_end,
    .width = width,
    .declare = declare,
    .stage = stage,
    .encode = encode,
    .clear = clear,
};
