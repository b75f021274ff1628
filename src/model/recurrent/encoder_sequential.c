/*
 * encoder_sequential.c: a bidirectional GRU over the words (specification, recurrent models, 1.2;
 * Bahdanau, Cho, Bengio, ICLR 2015).
 *
 * A row is [forward | backward], 2d wide.
 */
#include <string.h>

#include "model/recurrent/recurrent.h"

struct plan {
    struct dgm_source_slots reading;
    struct dgm_wavefront chains;
};

static int64_t width(const struct dgm_model_config *config)
{
    return 2 * config->recurrent.dim;
}

static dgm_status check(struct dgm_env *env, const struct dgm_model_config *config)
{
    if (config->recurrent.dynamic > 0)
        return dgm_fail(env, DGM_USAGE,
                        "--dynamic-z with --encoder sequential; expected "
                        "lexicalized or constituency");
    if (!config->recurrent.birnn)
        return dgm_fail(env, DGM_USAGE,
                        "--birnn 0 with --encoder sequential, which is nothing "
                        "else; expected --birnn 1");
    return DGM_OK;
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    struct dgm_scope scope = { env, net, "encoder." };

    return dgm_declare_birnn(&scope, net->own[DGM_SOURCE], net->config.dim,
                             net->config.recurrent.dim);
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    struct plan *plan = step->plan[DGM_SOURCE];

    (void)draw;
    DGM_TRY(dgm_source_slots_stage(env, step, batch, net->config.recurrent.source_end != 0,
                                   &plan->reading));
    DGM_TRY(dgm_birnn_stage(env, step, &plan->chains, &plan->reading));
    return dgm_memory_stage(env, step, plan->reading.starts, plan->reading.sentences);
}

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    const struct plan *plan = step->plan[DGM_SOURCE];
    struct dgm_encoding encoding = { NULL, NULL, NULL };
    struct dgm_node *x = dgm_source_slots_embed(g, net, step, &plan->reading);

    (void)losses;
    encoding.rows = dgm_birnn_node(g, net, step, net->own[DGM_SOURCE], &plan->chains, x);
    return encoding;
}

static void clear(struct dgm_env *env, void *plan_)
{
    struct plan *plan = plan_;

    dgm_source_slots_clear(env, &plan->reading);
    dgm_wavefront_clear(env, &plan->chains);
}

static const char *const samples[] = { "", "src-eos=0", NULL };

const struct dgm_encoder_kind dgm_encoder_sequential = {
    .name = "sequential",
    .help = "a bidirectional GRU",
    .cite = "Bahdanau, Cho, Bengio 2015",
    .options = "dim-emb dim-rnn src-eos",
    .samples = samples,
    .deviation = 0.01,
    .own_bytes = sizeof(struct dgm_birnn),
    .plan_bytes = sizeof(struct plan),
    .check = check,
    .width = width,
    .declare = declare,
    .stage = stage,
    .encode = encode,
    .clear = clear,
};
