/*
 * encoder_sequential_dependency.c: GRUs over the words in the pre-order and in the post-order of
 * their dependency tree, beside a bidirectional one (specification, recurrent models, 3; after Wu,
 * Zhou, Zhang, "Improved neural machine translation with source syntax", IJCAI 2017).
 *
 * A row is [forward | backward | pre-order | post-order], 4d wide; the last two without --birnn.
 */
#include <string.h>

#include "model/recurrent/recurrent.h"
#include "nn/schedule/position_trees.h"

struct own {
    struct dgm_gru gru[DGM_GRU_SIDES]; /* in the order of the columns of a row */
};

struct plan {
    struct dgm_source_slots reading;
    struct dgm_position_trees pieces;
    struct dgm_wavefront chains;
};

static int64_t width(const struct dgm_model_config *config)
{
    return (config->recurrent.birnn ? 4 : 2) * config->recurrent.dim;
}

static dgm_status check(struct dgm_env *env, const struct dgm_model_config *config)
{
    if (config->recurrent.dynamic > 0)
        return dgm_fail(env, DGM_USAGE,
                        "--dynamic-z with --encoder sequential-dependency; "
                        "expected lexicalized or constituency");
    return dgm_check_no_end(env, config);
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    static const char *const names[] = { "birnn.forward", "birnn.backward", "preorder",
                                         "postorder" };
    struct own *own = net->own[DGM_SOURCE];
    struct dgm_scope scope = { env, net, "encoder." };
    int first = net->config.recurrent.birnn ? 0 : 2;

    for (int i = first; i < DGM_GRU_SIDES; i++)
        DGM_TRY(dgm_declare_gru(&scope, &own->gru[i - first], names[i], net->config.dim,
                                net->config.recurrent.dim));
    return DGM_OK;
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    struct plan *plan = step->plan[DGM_SOURCE];
    struct dgm_position_trees *pieces = &plan->pieces;
    struct dgm_chain chains[DGM_GRU_SIDES] = { { NULL, 0 }, { NULL, 1 }, { NULL, 0 }, { NULL, 0 } };
    int first = net->config.recurrent.birnn ? 0 : 2;

    (void)draw;
    DGM_TRY(dgm_source_slots_stage(env, step, batch, 0, &plan->reading));
    DGM_TRY(dgm_position_trees_read(env, pieces, &batch->source, batch->numbers,
                                    net->config.recurrent.no_parse));
    DGM_TRY(dgm_position_trees_order(env, pieces, batch->numbers));
    chains[2].order = pieces->pre;
    chains[3].order = pieces->post;
    DGM_TRY(dgm_wavefront_chains(env, &step->feed, &plan->chains, plan->reading.starts,
                                 plan->reading.sentences, chains + first, DGM_GRU_SIDES - first));
    return dgm_memory_stage(env, step, plan->reading.starts, plan->reading.sentences);
}

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    const struct own *own = net->own[DGM_SOURCE];
    const struct plan *plan = step->plan[DGM_SOURCE];
    struct dgm_encoding encoding = { NULL, NULL, NULL };
    struct dgm_node *x = dgm_source_slots_embed(g, net, step, &plan->reading), *states;

    (void)losses;
    states = dgm_gru_chains(g, net, step, &plan->chains, own->gru, x);
    encoding.rows = dgm_chain_states(g, step, &plan->chains, states);
    return encoding;
}

static void clear(struct dgm_env *env, void *plan_)
{
    struct plan *plan = plan_;

    dgm_source_slots_clear(env, &plan->reading);
    dgm_position_trees_clear(env, &plan->pieces);
    dgm_wavefront_clear(env, &plan->chains);
}

static const char *const samples[] = { "", "birnn=0", NULL };

const struct dgm_encoder_kind dgm_encoder_sequential_dependency = {
    .name = "sequential-dependency",
    .help = "GRUs in sentence order and in two orders of the tree",
    .cite = "after Wu et al. 2017",
    .options = "dim-emb dim-rnn birnn no-parse",
    .samples = samples,
    .needs = DGM_NEEDS_TREES,
    .deviation = 0.01,
    .own_bytes = sizeof(struct own),
    .plan_bytes = sizeof(struct plan),
    .check = check,
    .width = width,
    .declare = declare,
    .stage = stage,
    .encode = encode,
    .clear = clear,
};
