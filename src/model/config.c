/*
 * config.c: the options that shape a network: its kinds of encoder and decoder, Transformers, and
 * recurrent sides (specification, recurrent models; the names of its ambiguities' switches).
 */
#include "model/config.h"

#include <string.h>

#include "base/near.h"
#include "base/number/number.h"
#include "model/decoder.h"

/* clang-format off */
const struct dgm_opt dgm_model_options[] = {
    { .name = "encoder", .type = DGM_OPT_TEXT, .argument = "KIND", .fallback = "transformer",
      .help = "transformer, sequential, constituency, sequential-dependency or lexicalized",
      .section = "Model", .basic = 1 },
    { .name = "decoder", .type = DGM_OPT_TEXT, .argument = "KIND", .fallback = "auto",
      .help = "transformer, recurrent or ssru; auto: recurrent, unless the encoder is a "
              "Transformer" },
    { .name = "enc-depth", .type = DGM_OPT_INT, .argument = "N", .fallback = "6", .low = 1,
      .high = 64, .aliases = "encoder-layers", .help = "Encoder layers" },
    { .name = "dec-depth", .type = DGM_OPT_INT, .argument = "N", .fallback = "6", .low = 1,
      .high = 64, .aliases = "decoder-layers", .help = "Decoder layers" },
    { .name = "dim-emb", .type = DGM_OPT_INT, .argument = "N", .fallback = "512", .low = 1,
      .high = 65536, .aliases = "encoder-embed-dim", .help = "Width of the model" },
    { .name = "transformer-heads", .type = DGM_OPT_INT, .argument = "N", .fallback = "8", .low = 1,
      .high = 256, .aliases = "encoder-attention-heads",
      .help = "Attention heads; they divide the width" },
    { .name = "transformer-dim-ffn", .type = DGM_OPT_INT, .argument = "N", .fallback = "2048",
      .low = 1, .high = 262144, .aliases = "encoder-ffn-embed-dim",
      .help = "Width of the feed-forward layers" },
    { .name = "transformer-norm", .type = DGM_OPT_CHOICE, .argument = "ORDER", .fallback = "post",
      .choices = "post|pre",
      .help = "Layer norm after each residual sum, or before each sub-layer" },
    { .name = "positions", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "fairseq",
      .choices = "vaswani|fairseq|marian|tensor2tensor|opennmt-tf|none",
      .help = "Sinusoidal position encodings" },
    { .name = "ffn-activation", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "relu",
      .choices = "relu|swish|gelu", .unsaid = 1,
      .help = "Between the two matrices of a feed-forward layer" },
    { .name = "embedding-scale", .type = DGM_OPT_CHOICE, .argument = "SCALE", .fallback = "sqrt",
      .choices = "sqrt|one", .unsaid = 1,
      .help = "Times which embeddings count beside positions: the root of the width, or once" },
    { .name = "decoder-start", .type = DGM_OPT_CHOICE, .argument = "TOKEN", .fallback = "eos",
      .choices = "eos|bos|pad", .unsaid = 1,
      .help = "Token that the decoder reads first: </s>, <s> or <pad>" },
    { .name = "output-bias", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .unsaid = 1, .help = "A bias of the scores of the target's types" },
    { .name = "tied-embeddings", .type = DGM_OPT_CHOICE, .argument = "WHICH", .fallback = "all",
      .choices = "none|decoder|all",
      .help = "Embedding matrices that are one; all needs a joint vocabulary" },
    { .name = "attention-bias", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0,
      .high = 1, .help = "Biases in the projections of attention" },
    { .name = "norm-eps", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1e-5", .low = 1e-12,
      .high = 1, .help = "Added to the variance in layer norm" },
    { .name = "max-length", .type = DGM_OPT_INT, .argument = "N", .fallback = "1024", .low = 1,
      .high = 65536, .aliases = "max-positions", .help = "Longest sentence in tokens" },
    { .name = "syntax", .type = DGM_OPT_TEXT, .argument = "VARIANTS", .fallback = "none",
      .help = "Variants of self-attention, name(option=value,...)+name...: see `dragoman help "
              "syntax`", .basic = 1 },
    { .name = "dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.1", .low = 0,
      .high = 0.99, .aliases = "transformer-dropout",
      .help = "Dropout of embeddings and sub-layer outputs", .section = "Regularisation" },
    { .name = "attention-dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0", .low = 0,
      .high = 0.99, .aliases = "transformer-dropout-attention",
      .help = "Dropout of attention weights" },
    { .name = "activation-dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0",
      .low = 0, .high = 0.99, .aliases = "transformer-dropout-ffn",
      .help = "Dropout inside the feed-forward layers" },
    { .name = "label-smoothing", .type = DGM_OPT_REAL, .argument = "E", .fallback = "0.1", .low = 0,
      .high = 0.99, .help = "Probability spread over the vocabulary" },
    { .name = "label-smoothing-form", .type = DGM_OPT_CHOICE, .argument = "FORM", .fallback = "old",
      .choices = "old|t2t", .help = "Spread over all types, or over all but the target" },
    { .name = "guided-alignment-layer", .type = DGM_OPT_INT, .argument = "N", .low = 1, .high = 64,
      .help = "With --guided-alignment: the decoder layer that learns links; unset: the last",
      .section = "Trees and links", .needs = "guided-alignment" },
    DGM_OPT_END
};
/* clang-format on */

/* clang-format off */
const struct dgm_opt dgm_recurrent_options[] = {
    { .name = "dim-rnn", .type = DGM_OPT_INT, .argument = "N", .fallback = "500", .low = 1,
      .high = 65536, .help = "Width of the states of recurrent encoders and decoders",
      .section = "Recurrent and tree encoders" },
    { .name = "birnn", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0, .high = 1,
      .help = "A bidirectional GRU beneath tree encoders" },
    { .name = "dynamic-z", .type = DGM_OPT_INT, .argument = "K", .fallback = "0", .low = 0,
      .high = 65536,
      .help = "Width of the vector that generates a tree encoder's parameters; 0: static "
              "parameters" },
    { .name = "src-eos", .type = DGM_OPT_CHOICE, .argument = "WHETHER", .fallback = "auto",
      .choices = "auto|0|1",
      .help = "Recurrent encoders read the end of the sentence; auto: the sequential one does" },
    { .name = "attend-level", .type = DGM_OPT_TEXT, .argument = "LEVELS", .fallback = "all",
      .help = "Constituents to attend to: all, up to a level (leaves: 1), or >1" },
    { .name = "tree-cell", .type = DGM_OPT_CHOICE, .argument = "CELL", .fallback = "tg10",
      .choices = "tg10|tg12",
      .help = "How a constituent mixes its children: by a softmax, or by three gates" },
    { .name = "root-td", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "copy",
      .choices = "copy|lc0",
      .help = "The root on the way down: its state on the way up, or the left child of a zero "
              "parent" },
    { .name = "dec-init", .type = DGM_OPT_CHOICE, .argument = "FROM", .fallback = "lower",
      .choices = "lower|states",
      .help = "With constituents, the decoder starts from the mean of what is below the tree, or "
              "of all" },
    { .name = "carry", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "sum",
      .choices = "sum|mean",
      .help = "What a dependent's update gate carries on of its head and its sibling" },
    { .name = "projection", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "tanh",
      .choices = "tanh|linear", .help = "From the bidirectional layer into the tree" },
    { .name = "share-q", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "group",
      .choices = "group|matrix",
      .help = "Input factors of dynamic parameters: one for a group of gates, or one for each" },
    { .name = "no-parse", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "star",
      .choices = "star|chain|reject", .before = "chain",
      .help = "A sentence without a tree: all words are roots, each depends on the one before it, "
              "or an error" },
    DGM_OPT_END
};
/* clang-format on */

enum { MOST_LEVELS = 1000000 };

/* The enumerations have the order of the options' choices. */
static void read_choices(struct dgm_model_config *config, const struct dgm_settings *settings)
{
    static const enum dgm_positions positions[] = {
        DGM_POSITIONS_VASWANI,       DGM_POSITIONS_FAIRSEQ,    DGM_POSITIONS_MARIAN,
        DGM_POSITIONS_TENSOR2TENSOR, DGM_POSITIONS_OPENNMT_TF, DGM_POSITIONS_NONE
    };

    config->pre_norm = dgm_settings_choice(settings, "transformer-norm");
    config->positions = positions[dgm_settings_choice(settings, "positions")];
    config->tying = (enum dgm_tying)dgm_settings_choice(settings, "tied-embeddings");
    config->smoothing_form =
        (enum dgm_smoothing)dgm_settings_choice(settings, "label-smoothing-form");
    /* Those that models of other programs have. */
    config->ffn_activation =
        (enum dgm_ffn_activation)dgm_settings_choice(settings, "ffn-activation");
    config->decoder_start = (enum dgm_decoder_start)dgm_settings_choice(settings, "decoder-start");
    config->unscaled = dgm_settings_choice(settings, "embedding-scale");
    config->output_bias = (int)dgm_settings_int(settings, "output-bias");
}

/* Encoder or decoder i, or NULL behind the last. */
static const char *kind_name(enum dgm_side side, int i)
{
    if (side == DGM_SOURCE)
        return i < dgm_encoder_count() ? dgm_encoder_entry(i)->name : NULL;
    return i < dgm_decoder_count() ? dgm_decoder_entry(i)->name : NULL;
}

static dgm_status find_kind(struct dgm_env *env, int *kind, enum dgm_side side, const char *name)
{
    char quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;

    dgm_near_begin(&near, name, strlen(name));
    for (*kind = 0; kind_name(side, *kind) != NULL; ++*kind) {
        if (strcmp(kind_name(side, *kind), name) == 0)
            return DGM_OK;
        dgm_near_try(&near, kind_name(side, *kind), strlen(kind_name(side, *kind)));
    }
    dgm_near_suggest(&near, suggestion);
    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    return dgm_fail(env, DGM_USAGE,
                    "--%s %s; expected a kind of %s: `dragoman help encoders` lists them%s",
                    dgm_side_name(side), quoted, dgm_side_name(side), suggestion);
}

static dgm_status read_kinds(struct dgm_env *env, struct dgm_model_config *config,
                             const struct dgm_settings *settings)
{
    const char *decoder = dgm_settings_text(settings, "decoder");

    DGM_TRY(find_kind(env, &config->encoder, DGM_SOURCE, dgm_settings_text(settings, "encoder")));
    if (strcmp(decoder, "auto") == 0)
        decoder = config->encoder == 0 ? "transformer" : "recurrent";
    return find_kind(env, &config->decoder, DGM_TARGET, decoder);
}

/* What only Transformers ask of the width. */
static dgm_status check_width(struct dgm_env *env, const struct dgm_model_config *config)
{
    if (dgm_encoder_entry(config->encoder)->family == NULL &&
        dgm_decoder_entry(config->decoder)->family == NULL)
        return DGM_OK;
    if (config->dim % config->heads != 0)
        return dgm_fail(env, DGM_USAGE,
                        "dim-emb must be divisible by transformer-heads (%lld / %lld)",
                        (long long)config->dim, (long long)config->heads);
    if (config->dim < dgm_position_width(config->positions))
        return dgm_fail(env, DGM_USAGE,
                        "positions spaced evenly (fairseq, tensor2tensor, opennmt-tf) need dim-emb "
                        "of at least 4, got %lld",
                        (long long)config->dim);
    return DGM_OK;
}

/* all, >1, or a level. */
static dgm_status read_level(struct dgm_env *env, const char *text, int *level)
{
    int64_t value;

    if (strcmp(text, "all") == 0) {
        *level = 0;
        return DGM_OK;
    }
    if (strcmp(text, ">1") == 0) {
        *level = -1;
        return DGM_OK;
    }
    if (!dgm_number_int(&value, text, strlen(text)) || value < 1 || value > MOST_LEVELS)
        return dgm_fail(env, DGM_USAGE, "--attend-level %s; expected all, >1, or a level from 1",
                        text);
    *level = (int)value;
    return DGM_OK;
}

static dgm_status read_recurrent(struct dgm_env *env, struct dgm_recurrent_config *config,
                                 const struct dgm_settings *settings)
{
    config->dim = dgm_settings_int(settings, "dim-rnn");
    config->dynamic = dgm_settings_int(settings, "dynamic-z");
    config->birnn = (int)dgm_settings_int(settings, "birnn");
    config->source_end = dgm_settings_choice(settings, "src-eos") - 1; /* auto is -1 */
    config->three_gates = dgm_settings_choice(settings, "tree-cell");
    config->root_lc0 = dgm_settings_choice(settings, "root-td");
    config->init_states = dgm_settings_choice(settings, "dec-init");
    config->carry_mean = dgm_settings_choice(settings, "carry");
    config->linear_projection = dgm_settings_choice(settings, "projection");
    config->own_q = dgm_settings_choice(settings, "share-q");
    config->no_parse = (enum dgm_no_parse)dgm_settings_choice(settings, "no-parse");
    return read_level(env, dgm_settings_text(settings, "attend-level"), &config->attend_level);
}

dgm_status dgm_model_config_read(struct dgm_env *env, struct dgm_model_config *config,
                                 const struct dgm_settings *settings)
{
    const char *syntax = dgm_settings_text(settings, "syntax");

    memset(config, 0, sizeof *config);
    config->dim = dgm_settings_int(settings, "dim-emb");
    config->heads = dgm_settings_int(settings, "transformer-heads");
    config->ffn = dgm_settings_int(settings, "transformer-dim-ffn");
    config->enc_depth = (int)dgm_settings_int(settings, "enc-depth");
    config->dec_depth = (int)dgm_settings_int(settings, "dec-depth");
    config->attention_bias = (int)dgm_settings_int(settings, "attention-bias");
    config->norm_eps = dgm_settings_real(settings, "norm-eps");
    config->max_length = dgm_settings_int(settings, "max-length");
    config->dropout = dgm_settings_real(settings, "dropout");
    config->attention_dropout = dgm_settings_real(settings, "attention-dropout");
    config->activation_dropout = dgm_settings_real(settings, "activation-dropout");
    if (dgm_settings_text(settings, "guided-alignment-layer") != NULL)
        config->guided_layer = (int)dgm_settings_int(settings, "guided-alignment-layer");
    config->smoothing = dgm_settings_real(settings, "label-smoothing");
    read_choices(config, settings);
    DGM_TRY(read_kinds(env, config, settings));
    DGM_TRY(check_width(env, config));
    DGM_TRY(read_recurrent(env, &config->recurrent, settings));
    if (strlen(syntax) >= sizeof config->syntax)
        return dgm_fail(env, DGM_USAGE, "syntax is longer than %zu bytes",
                        sizeof config->syntax - 1);
    strcpy(config->syntax, syntax);
    return DGM_OK;
}
