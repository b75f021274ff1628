/*
 * encoder_transformer.c: the encoder of a Transformer over whole packed sentences (specification,
 * section 1).
 */
#include <string.h>

#include "model/transformer/transformer.h"

static int64_t width(const struct dgm_model_config *config)
{
    return config->dim;
}

static unsigned option_needs(const struct dgm_net *net)
{
    return dgm_syntax_needs(&dgm_transformer_of(net, DGM_SOURCE)->syntax);
}

/* Narrower than D where relations stand beside the words. */
static dgm_status table_columns(struct dgm_env *env, const struct dgm_net *net, int64_t *columns)
{
    struct dgm_attn_relation_input tags;

    if (!dgm_syntax_relation_input(&dgm_transformer_of(net, DGM_SOURCE)->syntax, &tags) ||
        !tags.narrow)
        return DGM_OK;
    if (net->config.tying == DGM_TIED_ALL)
        return dgm_fail(env, DGM_USAGE,
                        "tags(mode=concat_narrow) makes the source's table "
                        "narrower; expected tied-embeddings none or decoder, or mode=overwrite");
    *columns -= tags.dim;
    return DGM_OK;
}

static dgm_status declare(struct dgm_env *env, struct dgm_net *net)
{
    struct dgm_attn_place embedding = { DGM_SOURCE, 0 };

    DGM_TRY(dgm_syntax_declare(env, &dgm_transformer_of(net, DGM_SOURCE)->syntax, &net->params,
                               embedding));
    return dgm_transformer_declare(env, net, DGM_SOURCE);
}

/* The relation of every source row: that of its word, and the end of a sentence has its own. */
static dgm_status stage_relations(struct dgm_env *env, struct dgm_feed *feed,
                                  const struct dgm_packed *packed, int64_t types, dgm_slot *slot)
{
    int32_t *relations, s, i;

    DGM_TRY(dgm_feed_take(env, feed, slot, &relations,
                          (size_t)packed->offsets[packed->count] * sizeof *relations));
    for (s = 0; s < packed->count; s++)
        for (i = packed->offsets[s]; i < packed->offsets[s + 1]; i++) {
            int32_t word = packed->words[i], relation = word < 0 ? DGM_RELATION_EOS : -1;
            if (word >= 0 && packed->relations != NULL)
                relation = packed->relations[packed->word_offsets[s] + word];
            if (relation >= types)
                return dgm_fail(env, DGM_DATA, "tag %d; expected at most %lld", (int)relation,
                                (long long)types - 1);
            relations[i] = relation < 0 ? DGM_RELATION_UNK : relation;
        }
    return DGM_OK;
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    struct dgm_transformer_slots *slots = step->plan[DGM_SOURCE];

    if (option_needs(net) & DGM_NEEDS_RELATIONS)
        DGM_TRY(stage_relations(env, &step->feed, &batch->source, net->config.relations,
                                &slots->relations));
    DGM_TRY(dgm_transformer_plan(env, net, step, DGM_SOURCE, &batch->source, batch->numbers, draw));
    return dgm_memory_is_source(env, step, &batch->source);
}

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    const struct dgm_transformer_slots *slots = step->plan[DGM_SOURCE];
    struct dgm_rows rows = dgm_step_source_rows(step);
    struct dgm_layer_context where = { .g = g, .net = net, .side = DGM_SOURCE };
    struct dgm_encoding encoded = { .summary = NULL, .all = NULL };

    where.rows = &rows;
    where.relations = dgm_feed_ref(&step->feed, slots->relations);
    encoded.rows = dgm_transformer_encode_rows(g, net, step, dgm_layers_embed(&where), losses);
    return encoded;
}

static const char *const samples[] = { "", "transformer-norm=pre", NULL };

const struct dgm_encoder_kind dgm_encoder_transformer = {
    .name = "transformer",
    .help = "layers of self-attention, with the variants of --syntax",
    .cite = "Vaswani et al. 2017",
    .options = "enc-depth dim-emb transformer-heads transformer-dim-ffn transformer-norm positions "
               "attention-bias norm-eps syntax dropout attention-dropout activation-dropout",
    .samples = samples,
    .attends = 1,
    .family = &dgm_family_transformer,
    .plan_bytes = sizeof(struct dgm_transformer_slots),
    .width = width,
    .option_needs = option_needs,
    .table_columns = table_columns,
    .declare = declare,
    .stage = stage,
    .encode = encode,
};
