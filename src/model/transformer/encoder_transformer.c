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

/* Narrower than D where features stand beside the words. */
static dgm_status table_columns(struct dgm_env *env, const struct dgm_net *net, int64_t *columns)
{
    struct dgm_attn_feature_input tags;

    if (!dgm_syntax_feature_input(&dgm_transformer_of(net, DGM_SOURCE)->syntax, &tags) ||
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
    return dgm_transformer_declare(env, net, DGM_SOURCE, dgm_declare_self_attention);
}

/* The number that row i, of sentence s, has of a feature: that of its word, and the end of a
 * sentence has its own. */
static int32_t number_of_row(const struct dgm_packed *packed, int kind, int32_t s, int32_t i)
{
    const int32_t word = packed->words[i];
    int32_t number;

    if (word < 0)
        return DGM_FEATURE_EOS;
    if (packed->features[kind] == NULL)
        return DGM_FEATURE_UNK;
    number = packed->features[kind][packed->word_offsets[s] + word];
    return number < 0 ? DGM_FEATURE_UNK : number;
}

/* Where a piece stands in its word: the marks of Sennrich and Haddow (2016), B I E O. */
static int32_t place_of_row(const struct dgm_packed *packed, int32_t s, int32_t i)
{
    const int32_t *words = packed->words;
    int begins, ends;

    if (words[i] < 0)
        return DGM_FEATURE_EOS;
    begins = i == packed->offsets[s] || words[i - 1] != words[i];
    ends = words[i + 1] != words[i]; /* behind the last piece is the end of the sentence */
    return begins && ends ? DGM_SUBWORD_WHOLE
           : begins       ? DGM_SUBWORD_BEGIN
           : ends         ? DGM_SUBWORD_END
                          : DGM_SUBWORD_INSIDE;
}

static dgm_status stage_feature(struct dgm_env *env, struct dgm_feed *feed,
                                const struct dgm_packed *packed, int kind, int64_t types,
                                dgm_slot *slot)
{
    int32_t *numbers, s, i;

    DGM_TRY(dgm_feed_take(env, feed, slot, &numbers,
                          (size_t)packed->offsets[packed->count] * sizeof *numbers));
    for (s = 0; s < packed->count; s++)
        for (i = packed->offsets[s]; i < packed->offsets[s + 1]; i++) {
            numbers[i] = kind == DGM_FEATURE_SUBWORD ? place_of_row(packed, s, i)
                                                     : number_of_row(packed, kind, s, i);
            if (numbers[i] >= types)
                return dgm_fail(env, DGM_DATA, "tag %d; expected at most %lld", (int)numbers[i],
                                (long long)types - 1);
        }
    return DGM_OK;
}

static dgm_status stage_features(struct dgm_env *env, const struct dgm_net *net,
                                 struct dgm_step *step, const struct dgm_packed *packed)
{
    struct dgm_transformer_slots *slots = step->plan[DGM_SOURCE];
    struct dgm_attn_feature_input use;

    if (!dgm_syntax_feature_input(&dgm_transformer_of(net, DGM_SOURCE)->syntax, &use))
        return DGM_OK;
    for (int kind = 0; kind < DGM_FEATURES; kind++) {
        int64_t types =
            kind == DGM_FEATURE_SUBWORD ? (int64_t)DGM_SUBWORDS : net->config.features[kind];

        if (use.dims[kind] > 0)
            DGM_TRY(stage_feature(env, &step->feed, packed, kind, types, &slots->features[kind]));
    }
    return DGM_OK;
}

static dgm_status stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw)
{
    DGM_TRY(stage_features(env, net, step, &batch->source));
    DGM_TRY(dgm_transformer_plan(env, net, step, DGM_SOURCE, &batch->source, batch->numbers, draw));
    return dgm_memory_is_source(env, step, &batch->source);
}

static struct dgm_encoding encode(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses)
{
    const struct dgm_transformer_slots *slots = step->plan[DGM_SOURCE];
    struct dgm_rows rows = dgm_step_rows(step, &step->source);
    struct dgm_layer_context where = { .g = g, .net = net, .side = DGM_SOURCE, .rows = &rows };
    struct dgm_encoding encoded = { .summary = NULL, .all = NULL };

    for (int kind = 0; kind < DGM_FEATURES; kind++)
        where.features[kind] = dgm_feed_ref(&step->feed, slots->features[kind]);
    encoded.rows = dgm_transformer_encode_rows(g, net, step, dgm_layers_embed(&where), losses);
    return encoded;
}

static const char *const samples[] = {
    "", "transformer-norm=pre",
    "ffn-activation=swish,positions=marian,decoder-start=pad,output-bias=1",
    "ffn-activation=gelu,embedding-scale=one,decoder-start=bos,transformer-norm=pre", NULL
};

const struct dgm_encoder_kind dgm_encoder_transformer = {
    .name = "transformer",
    .help = "layers of self-attention, with the variants of --syntax",
    .cite = "Vaswani et al. 2017",
    .options = "enc-depth dim-emb transformer-heads transformer-dim-ffn transformer-norm positions "
               "attention-bias norm-eps syntax dropout attention-dropout activation-dropout "
               "ffn-activation embedding-scale",
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
