/*
 * encoder_constituency.c: a binary tree of constituents, composed from the words up and updated
 * from the root down (specification, recurrent models, 2 and 5.3; Yang, Wong, Xiao, Chao, Zhu,
 * "Towards bidirectional hierarchical representations for attention-based neural machine
 * translation", EMNLP 2017).
 *
 * A row is a state of the way down, d wide: of words, then of constituents, or of those levels that
 * --attend-level names.
 */
#include <string.h>

#include "graph/segment.h"
#include "model/recurrent/recurrent.h"
#include "nn/schedule/constituents.h"

struct own {
    struct dgm_birnn birnn;
    struct dgm_dense projection;             /* (d,2d), beneath a tree */
    dgm_param_id up_left, up_right, up_bias; /* (5d,d), (5d,d), (5d); 6d with tg12 */
    struct dgm_gru down[2];                  /* of left and of right children */
    struct dgm_dynamic_composition dynamic;
};

struct plan {
    struct dgm_source_slots reading;
    struct dgm_constituents constituents;
    struct dgm_wavefront chains;
    struct dgm_wavefront_tree tree;
};

static int64_t width(const struct dgm_model_config *config)
{
    return config->recurrent.dim;
}

/* Columns of what is below the tree. */
static int64_t lower_width(const struct dgm_model_config *config)
{
    return config->recurrent.birnn ? 2 * config->recurrent.dim : config->dim;
}

static int64_t summary(const struct dgm_model_config *config)
{
    return config->recurrent.init_states ? config->recurrent.dim : lower_width(config);
}

/* Words come first, unless only what is above them is attended to. */
static int64_t positions(const struct dgm_model_config *config, int64_t positions)
{
    /* The end of the sentence is in no tree. */
    return config->recurrent.attend_level < 0 ? 0 : positions - 1;
}

static dgm_status check(struct dgm_env *env, const struct dgm_model_config *config)
{
    const struct dgm_recurrent_config *recurrent = &config->recurrent;

    if (!recurrent->birnn && config->dim != recurrent->dim)
        return dgm_fail(env, DGM_USAGE,
                        "--encoder constituency --birnn 0 composes embeddings: "
                        "expected --dim-emb equal to --dim-rnn, got %lld and %lld",
                        (long long)config->dim, (long long)recurrent->dim);
    if (recurrent->dynamic > 0 && recurrent->three_gates)
        return dgm_fail(env, DGM_USAGE, "--tree-cell tg12 with --dynamic-z; expected tg10");
    return dgm_check_no_end(env, config);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static dgm_status declare_composition(const struct dgm_scope *scope, struct own *own)
{
    const struct dgm_recurrent_config *config = &scope->net->config.recurrent;
    int64_t blocks = config->three_gates ? 6 : 5, dim = config->dim;

    if (config->dynamic > 0)
        return dgm_declare_dynamic_composition(scope, &own->dynamic);
    DGM_TRY(dgm_declare_blocks(scope, &own->up_left, "tree.up.left.weight", blocks, dim, dim,
                               DGM_START_GATES, 0));
    DGM_TRY(dgm_declare_blocks(scope, &own->up_right, "tree.up.right.weight", blocks, dim, dim,
                               DGM_START_GATES, 0));
    return dgm_declare_vector(scope, &own->up_bias, "tree.up.bias", blocks * dim, DGM_INIT_ZERO, 0);
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    const struct dgm_model_config *config = &net->config;
    struct own *own = net->own[DGM_SOURCE];
    struct dgm_scope scope = { env, net, "encoder." };
    int64_t dim = config->recurrent.dim;

    if (config->recurrent.birnn) {
        DGM_TRY(dgm_declare_birnn(&scope, &own->birnn, config->dim, dim));
        DGM_TRY(dgm_declare_dense(&scope, &own->projection, "projection", 1, dim, 2 * dim,
                                  DGM_START_FACTOR));
    }
    DGM_TRY(declare_composition(&scope, own));
    DGM_TRY(dgm_declare_gru(&scope, &own->down[0], "tree.down.left", dim, dim));
    return dgm_declare_gru(&scope, &own->down[1], "tree.down.right", dim, dim);
}

/* ---- one step -------------------------------------------------------------------------------- */

static struct dgm_tree_choice choice_of(const struct dgm_recurrent_config *config)
{
    struct dgm_tree_choice choice;

    choice.root = config->root_lc0 ? DGM_ROOT_LEFT : DGM_ROOT_COPY;
    choice.lowest = config->attend_level < 0 ? 2 : 1;
    choice.highest = config->attend_level > 0 ? config->attend_level : 0;
    return choice;
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    struct plan *plan = step->plan[DGM_SOURCE];
    struct dgm_tree_choice choice = choice_of(&net->config.recurrent);
    struct dgm_tree_batch trees;

    (void)draw;
    DGM_TRY(dgm_source_slots_stage(env, step, batch, 0, &plan->reading));
    DGM_TRY(dgm_constituents_read(env, &plan->constituents, &batch->source, batch->numbers,
                                  net->config.recurrent.no_parse));
    if (net->config.recurrent.birnn)
        DGM_TRY(dgm_birnn_stage(env, step, &plan->chains, &plan->reading));
    trees = dgm_constituents_batch(&plan->constituents);
    DGM_TRY(dgm_wavefront_tree_stage(env, &step->feed, &plan->tree, &trees, &choice));
    return dgm_memory_stage(env, step, dgm_feed_host(&step->feed, plan->tree.attended_offsets),
                            plan->reading.sentences);
}

static struct dgm_node *compose(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_tree_cell_plan *up, struct dgm_node *leaves)
{
    const struct own *own = net->own[DGM_SOURCE];

    dgm_begin_segment(g);
    if (net->config.recurrent.dynamic > 0)
        return dgm_dynamic_tree_cell(g, net, &own->dynamic, leaves, up);
    return dgm_tree_cell(g, leaves, dgm_params_node(g, &net->params, own->up_left),
                         dgm_params_node(g, &net->params, own->up_right),
                         dgm_params_node(g, &net->params, own->up_bias), up);
}

/* The states of the way down, from those of the way up. */
static struct dgm_node *descend(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_gru_plan *down, const struct dgm_tree_lists *lists,
                                struct dgm_node *composed)
{
    const struct own *own = net->own[DGM_SOURCE];
    struct dgm_node *inputs[2], *weights[2], *init = NULL;

    dgm_begin_segment(g);
    for (int side = 0; side < 2; side++) {
        inputs[side] =
            dgm_dense_node(g, net, &own->down[side].input,
                           dgm_gather(g, composed, lists->source[side], lists->side_rows[side]));
        weights[side] = dgm_params_node(g, &net->params, own->down[side].recurrent);
    }
    if (!net->config.recurrent.root_lc0)
        init = dgm_gather(g, composed, lists->roots, lists->root_count);
    return dgm_gru(g, init, inputs, weights, NULL, down, 1);
}

/* What the decoder starts from. */
static struct dgm_node *summarise(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_node *lower,
                                  struct dgm_node *all)
{
    const struct plan *plan = step->plan[DGM_SOURCE];
    struct dgm_columns columns = { all, 0 };

    if (!net->config.recurrent.init_states)
        return dgm_source_slots_mean(g, step, &plan->reading, lower, lower_width(&net->config));
    return dgm_span_mean(g, columns, net->config.recurrent.dim,
                         dgm_feed_ref(&step->feed, plan->tree.output_offsets),
                         plan->reading.sentences);
}

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    const struct own *own = net->own[DGM_SOURCE];
    const struct plan *plan = step->plan[DGM_SOURCE];
    struct dgm_tree_cell_plan up = dgm_wavefront_tree_up(&step->feed, &plan->tree);
    struct dgm_gru_plan down = dgm_wavefront_tree_down(&step->feed, &plan->tree);
    struct dgm_tree_lists lists = dgm_wavefront_tree_lists(&step->feed, &plan->tree);
    struct dgm_node *lower = dgm_source_slots_embed(g, net, step, &plan->reading), *leaves, *states;
    struct dgm_encoding encoding;

    (void)losses;
    if (net->config.recurrent.birnn)
        lower = dgm_birnn_node(g, net, step, &own->birnn, &plan->chains, lower);
    leaves = net->config.recurrent.birnn ? dgm_project(g, net, &own->projection, lower) : lower;
    states = descend(g, net, &down, &lists, compose(g, net, &up, leaves));
    encoding.all = dgm_gather(g, states, lists.output, lists.all);
    encoding.rows = net->config.recurrent.attend_level == 0
                        ? encoding.all
                        : dgm_gather(g, states, lists.attended, lists.attended_count);
    encoding.summary = summarise(g, net, step, lower, encoding.all);
    return encoding;
}

static void clear(struct dgm_env *env, void *plan_)
{
    struct plan *plan = plan_;

    dgm_source_slots_clear(env, &plan->reading);
    dgm_constituents_clear(env, &plan->constituents);
    dgm_wavefront_clear(env, &plan->chains);
    dgm_wavefront_tree_clear(env, &plan->tree);
}

static const char *const samples[] = { "", "dynamic-z=3,attend-level=>1",
                                       "birnn=0,dim-rnn=8,tree-cell=tg12", NULL };

const struct dgm_encoder_kind dgm_encoder_constituency = {
    .name = "constituency",
    .help = "a binary tree of constituents, up and down",
    .cite = "Yang et al. 2017; dynamic: 2019",
    .options = "dim-emb dim-rnn birnn projection tree-cell root-td attend-level dec-init dynamic-z "
               "share-q no-parse",
    .samples = samples,
    .needs = DGM_NEEDS_TREES | DGM_READS_CONSTITUENTS,
    .deviation = 0.01,
    .own_bytes = sizeof(struct own),
    .plan_bytes = sizeof(struct plan),
    .check = check,
    .width = width,
    .summary = summary,
    .positions = positions,
    .declare = declare,
    .stage = stage,
    .encode = encode,
    .clear = clear,
};
