/*
 * recurrent_dynamic.c: cells whose parameters follow from a vector z (specification, recurrent
 * models, 5; Yang, Wong, Chao, Zhang 2019; after Ha, Dai, Le, "HyperNetworks", ICLR 2017).
 *
 * A weight is P D(z) Q, a bias B z. P and Q begin with orthonormal columns and rows, B with zeros
 * and the bias of z with ones, so that states differ from the beginning (5.4).
 */
#include <stdio.h>

#include "model/recurrent/recurrent.h"

enum { TAIL_SIZE = 64, GATES = 3, COMPOSED = 5 };

dgm_status dgm_declare_factors(const struct dgm_scope *scope, struct dgm_factors *factors,
                               const char *name, int64_t in_blocks, int64_t out_blocks,
                               int64_t inputs)
{
    const struct dgm_recurrent_config *config = &scope->net->config.recurrent;
    char tail[TAIL_SIZE];

    snprintf(tail, sizeof tail, "%s.in.weight", name);
    DGM_TRY(dgm_declare_blocks(scope, &factors->in, tail, in_blocks, config->dynamic, inputs,
                               DGM_START_FACTOR, 0));
    snprintf(tail, sizeof tail, "%s.out.weight", name);
    return dgm_declare_blocks(scope, &factors->out, tail, out_blocks, config->dim, config->dynamic,
                              DGM_START_FACTOR, 0);
}

/*
 * B (blocks d, k) of the bias B z. z starts at ones and stays near them, so that the k gradients in
 * a row of B are alike, and an optimiser that gives every number a step of about one length would
 * move a bias k times as far as any other bias: gates would jump at every update. Its steps are
 * k times shorter.
 */
static dgm_status declare_bias_factor(const struct dgm_scope *scope, dgm_param_id *id,
                                      const char *name, int64_t blocks)
{
    const struct dgm_recurrent_config *config = &scope->net->config.recurrent;

    DGM_TRY(dgm_declare_blocks(scope, id, name, blocks, config->dim, config->dynamic,
                               DGM_START_ZERO, 0));
    dgm_params_rate(&scope->net->params, *id, 1 / (double)config->dynamic);
    return DGM_OK;
}

/* The network that makes z. */
static dgm_status declare_meta(const struct dgm_scope *scope, struct dgm_dynamic_side *side,
                               int64_t inputs)
{
    const struct dgm_recurrent_config *config = &scope->net->config.recurrent;
    int64_t k = config->dynamic;

    DGM_TRY(dgm_declare_blocks(scope, &side->meta_parent, "meta.parent.weight", GATES, k,
                               config->dim, DGM_START_FACTOR, 0));
    DGM_TRY(dgm_declare_blocks(scope, &side->meta_sibling, "meta.sibling.weight", GATES, k,
                               config->dim, DGM_START_FACTOR, 0));
    DGM_TRY(dgm_declare_dense(scope, &side->meta_word, "meta.word", GATES, k, inputs,
                              DGM_START_FACTOR));
    dgm_params_first_block(&scope->net->params, side->meta_word.bias, GATES,
                           dgm_carry_bias(&scope->net->config));
    return dgm_declare_z(scope, &side->z, "meta.z");
}

dgm_status dgm_declare_z(const struct dgm_scope *scope, struct dgm_dense *z, const char *name)
{
    int64_t k = scope->net->config.recurrent.dynamic;
    char tail[TAIL_SIZE];

    snprintf(tail, sizeof tail, "%s.weight", name);
    DGM_TRY(dgm_declare_blocks(scope, &z->weight, tail, 1, k, k, DGM_START_GATES, 0));
    snprintf(tail, sizeof tail, "%s.bias", name);
    return dgm_declare_vector(scope, &z->bias, tail, k, DGM_INIT_ONE, 0);
}

/* The cell stacks these for one product a step (out_factors below; op_gru_dynamic.c). */
static void hold_stacked_in_reals(struct dgm_params *params, const struct dgm_dynamic_side *side)
{
    const dgm_param_id stacked[] = { side->parent.in,   side->sibling.in,  side->parent.out,
                                     side->sibling.out, side->word.out,    side->bias,
                                     side->meta_parent, side->meta_sibling };

    for (size_t i = 0; i < sizeof stacked / sizeof *stacked; i++)
        dgm_params_real(params, stacked[i]);
}

dgm_status dgm_declare_dynamic_side(struct dgm_scope *scope, struct dgm_dynamic_side *side,
                                    const char *name, int64_t inputs)
{
    const struct dgm_recurrent_config *config = &scope->net->config.recurrent;
    int64_t blocks = config->own_q ? GATES : 2;

    snprintf(scope->prefix, sizeof scope->prefix, "encoder.tree.%s.", name);
    DGM_TRY(dgm_declare_factors(scope, &side->parent, "parent", blocks, GATES, config->dim));
    DGM_TRY(dgm_declare_factors(scope, &side->sibling, "sibling", blocks, GATES, config->dim));
    DGM_TRY(dgm_declare_factors(scope, &side->word, "word", blocks, GATES, inputs));
    DGM_TRY(declare_bias_factor(scope, &side->bias, "bias.weight", GATES));
    /* z starts near ones: each of its k numbers gives an equal part of the bias. */
    dgm_params_first_block(&scope->net->params, side->bias, GATES,
                           dgm_carry_bias(&scope->net->config) / (double)config->dynamic);
    DGM_TRY(declare_meta(scope, side, inputs));
    hold_stacked_in_reals(&scope->net->params, side);
    return DGM_OK;
}

static struct dgm_node *param(struct dgm_graph *g, const struct dgm_net *net, dgm_param_id id)
{
    return dgm_params_node(g, &net->params, id);
}

/* [P of the parent | P of the sibling | P of the word | B], so that one product does for all. */
static struct dgm_node *out_factors(struct dgm_graph *g, const struct dgm_net *net,
                                    const struct dgm_dynamic_side *side)
{
    struct dgm_node *parts[4];

    parts[0] = param(g, net, side->parent.out);
    parts[1] = param(g, net, side->sibling.out);
    parts[2] = param(g, net, side->word.out);
    parts[3] = param(g, net, side->bias);
    return dgm_concat(g, parts, 4, 1);
}

struct dgm_node *dgm_dynamic_gru(struct dgm_graph *g, const struct dgm_net *net,
                                 const struct dgm_dynamic_side *sides, struct dgm_node *init,
                                 struct dgm_node *const *words, const struct dgm_gru_plan *plan,
                                 dgm_real carry)
{
    struct dgm_gru_dynamic cells[DGM_GRU_SIDES];

    for (int s = 0; s < plan->sides; s++) {
        const struct dgm_dynamic_side *side = &sides[s];
        cells[s].parent = param(g, net, side->parent.in);
        cells[s].sibling = param(g, net, side->sibling.in);
        cells[s].word = dgm_linear(g, words[s], param(g, net, side->word.in), NULL);
        cells[s].out = out_factors(g, net, side);
        cells[s].parent_meta = param(g, net, side->meta_parent);
        cells[s].sibling_meta = param(g, net, side->meta_sibling);
        cells[s].word_meta = dgm_dense_node(g, net, &side->meta_word, words[s]);
        cells[s].z = param(g, net, side->z.weight);
        cells[s].z_bias = param(g, net, side->z.bias);
    }
    return dgm_gru_dynamic(g, init, cells, plan, carry);
}

/* ---- composition ----------------------------------------------------------------------------- */

dgm_status dgm_declare_dynamic_composition(const struct dgm_scope *scope,
                                           struct dgm_dynamic_composition *composition)
{
    const struct dgm_recurrent_config *config = &scope->net->config.recurrent;
    int64_t blocks = config->own_q ? COMPOSED : 2;

    DGM_TRY(dgm_declare_factors(scope, &composition->left, "tree.up.left", blocks, COMPOSED,
                                config->dim));
    DGM_TRY(dgm_declare_factors(scope, &composition->right, "tree.up.right", blocks, COMPOSED,
                                config->dim));
    DGM_TRY(declare_bias_factor(scope, &composition->bias, "tree.up.bias.weight", COMPOSED));
    DGM_TRY(dgm_declare_dense(scope, &composition->meta, "tree.up.meta", GATES, config->dynamic,
                              config->dim, DGM_START_FACTOR));
    return dgm_declare_z(scope, &composition->z, "tree.up.meta.z");
}

struct dgm_node *dgm_dynamic_tree_cell(struct dgm_graph *g, const struct dgm_net *net,
                                       const struct dgm_dynamic_composition *composition,
                                       struct dgm_node *leaves,
                                       const struct dgm_tree_cell_plan *plan)
{
    struct dgm_tree_cell_dynamic weights;

    weights.left_in = param(g, net, composition->left.in);
    weights.right_in = param(g, net, composition->right.in);
    weights.left_out = param(g, net, composition->left.out);
    weights.right_out = param(g, net, composition->right.out);
    weights.bias = param(g, net, composition->bias);
    weights.meta = param(g, net, composition->meta.weight);
    weights.meta_bias = param(g, net, composition->meta.bias);
    weights.z = param(g, net, composition->z.weight);
    weights.z_bias = param(g, net, composition->z.bias);
    weights.leaf_meta = NULL;
    return dgm_tree_cell_dynamic(g, leaves, &weights, plan);
}
