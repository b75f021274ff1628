/*
 * parser_config.c: the options that shape a parser.
 */
#include <string.h>

#include "model/parser/parser.h"

/* clang-format off */
const struct dgm_opt dgm_parser_options[] = {
    { .name = "encoder", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "lstm",
      .choices = "lstm|transformer", .help = "What reads the words in context",
      .section = "Model", .basic = 1 },
    { .name = "enc-depth", .type = DGM_OPT_INT, .argument = "N", .fallback = "3", .low = 1,
      .high = 64, .aliases = "encoder-layers", .help = "Layers that read the words in context" },
    { .name = "pieces", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "chars",
      .choices = "none|chars|subwords", .help = "What a word is read as, beside its whole form" },
    { .name = "tag-input", .type = DGM_OPT_FLAG,
      .help = "Read the tags of the words too; where none are given, those of a first pass" },
    { .name = "dim-emb", .type = DGM_OPT_INT, .argument = "N", .fallback = "200", .low = 4,
      .high = 65536, .aliases = "dim-word", .help = "Width of a word" },
    { .name = "dim-lstm", .type = DGM_OPT_INT, .argument = "N", .fallback = "300", .low = 1,
      .high = 65536, .help = "States of an LSTM in each direction",
      .needs = "~encoder=lstm, which has no such option" },
    { .name = "dim-piece", .type = DGM_OPT_INT, .argument = "N", .fallback = "50", .low = 1,
      .high = 65536, .aliases = "dim-char", .help = "Width of a piece",
      .needs = "~pieces=chars|subwords, which has no such option" },
    { .name = "dim-piece-lstm", .type = DGM_OPT_INT, .argument = "N", .fallback = "100", .low = 1,
      .high = 65536, .help = "States of the pieces' LSTM in each direction",
      .needs = "~pieces=chars|subwords, which has no such option" },
    { .name = "dim-arc", .type = DGM_OPT_INT, .argument = "N", .fallback = "400", .low = 1,
      .high = 65536, .help = "Width of the arcs' layers" },
    { .name = "dim-label", .type = DGM_OPT_INT, .argument = "N", .fallback = "100", .low = 1,
      .high = 65536, .help = "Width of the labels' layers" },
    { .name = "dim-tag", .type = DGM_OPT_INT, .argument = "N", .fallback = "100", .low = 1,
      .high = 65536, .help = "Width of the tagger's layer" },
    { .name = "transformer-heads", .type = DGM_OPT_INT, .argument = "N", .fallback = "8", .low = 1,
      .high = 256, .help = "Attention heads of a Transformer; they divide dim-emb",
      .needs = "~encoder=transformer, which has no such option" },
    { .name = "transformer-dim-ffn", .type = DGM_OPT_INT, .argument = "N", .fallback = "800",
      .low = 1, .high = 262144, .help = "Width of a Transformer's feed-forward layers",
      .needs = "~encoder=transformer, which has no such option" },
    { .name = "transformer-norm", .type = DGM_OPT_CHOICE, .argument = "ORDER", .fallback = "pre",
      .choices = "post|pre",
      .help = "Layer norm after each residual sum of a Transformer, or before each sub-layer",
      .needs = "~encoder=transformer, which has no such option" },
    { .name = "max-length", .type = DGM_OPT_INT, .argument = "N", .fallback = "512", .low = 1,
      .high = 4096, .help = "Longest sentence in words" },
    { .name = "dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.33", .low = 0,
      .high = 0.99,
      .help = "Dropout of rows, states and the layers behind them, the same all over a sentence",
      .section = "Regularisation" },
    { .name = "word-dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.33", .low = 0,
      .high = 0.99,
      .help = "Probability that a word's form, or its tag, is unknown to the parser in training" },
    { .name = "recurrent-dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.33",
      .low = 0, .high = 0.99, .help = "Dropout of an LSTM's state on its way to the next word",
      .needs = "~encoder=lstm, which has no such option" },
    { .name = "tokenizer", .type = DGM_OPT_FLAG,
      .help = "Learn to cut running text into words and sentences, too, from the treebank's text",
      .section = "What is learned", .basic = 1 },
    { .name = "columns", .type = DGM_OPT_CHOICES, .argument = "NAME...",
      .choices = "upos|xpos|feats|lemma|all",
      .help = "Columns of the treebank to learn beside HEAD, DEPREL and UPOS, which always are; "
              "all: those that it has; unset: no others", .basic = 1 },
    { .name = "columns-weight", .type = DGM_OPT_REAL, .argument = "W", .fallback = "1",
      .low = 0.001, .high = 1000, .unsaid = 1,
      .help = "What the losses of XPOS, FEATS and LEMMA count beside those of heads, relations and "
              "UPOS", .needs = "!~columns=xpos|feats|lemma|all" },
    { .name = "dim-tokenizer", .type = DGM_OPT_INT, .argument = "N", .low = 4, .high = 1024,
      .help = "Width of the layers of --tokenizer; 48 unless given", .needs = "!tokenizer" },
    { .name = "tokenizer-dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0",
      .low = 0, .high = 0.99, .unsaid = 1,
      .help = "Dropout of the layers of --tokenizer, which makes it 0.15 where it is not given",
      .needs = "!tokenizer" },
    DGM_OPT_END
};
/* clang-format on */

enum { CUTTER_WIDTH = 48 };

/* ---- reading --------------------------------------------------------------------------------- */

/* Asked for by name, a column is needed; `all` takes what there is. */
static void read_columns(struct dgm_parser_config *config, const struct dgm_settings *settings)
{
    for (size_t i = 0; i < dgm_settings_count(settings, "columns"); i++) {
        const char *name = dgm_settings_item(settings, "columns", i);

        config->morphs |= strcmp(name, "all") == 0 ? DGM_MORPH_ALL : 0;
        for (int m = 0; m < DGM_MORPHS; m++)
            if (strcmp(name, dgm_morph_names[m]) == 0)
                config->needed_morphs |= 1u << m;
    }
    config->morphs |= config->needed_morphs;
    config->morph_weight = dgm_settings_real(settings, "columns-weight");
}

/* The Transformer that reads the rows; without layers it still holds the table of words. */
static void read_net(struct dgm_parser_config *config, const struct dgm_settings *settings)
{
    struct dgm_model_config *net = &config->net;

    net->dim = config->dim;
    net->heads = config->reader == DGM_READER_TRANSFORMER
                     ? dgm_settings_int(settings, "transformer-heads")
                     : 1;
    net->ffn = dgm_settings_int(settings, "transformer-dim-ffn");
    net->enc_depth = config->reader == DGM_READER_TRANSFORMER ? config->depth : 0;
    net->pre_norm = dgm_settings_choice(settings, "transformer-norm");
    net->attention_bias = 1;
    net->positions =
        config->reader == DGM_READER_TRANSFORMER ? DGM_POSITIONS_FAIRSEQ : DGM_POSITIONS_NONE;
    net->tying = DGM_TIED_ALL;
    net->dropout = config->dropout;
    net->norm_eps = 1e-5;
    net->max_length = config->max_words;
    strcpy(net->syntax, "none");
    strcpy(net->prefix, DGM_PARSER_PREFIX);
}

dgm_status dgm_parser_config_read(struct dgm_env *env, struct dgm_parser_config *config,
                                  const struct dgm_settings *settings)
{
    memset(config, 0, sizeof *config);
    config->reader = (enum dgm_reader)dgm_settings_choice(settings, "encoder");
    config->pieces = (enum dgm_piece_kind)dgm_settings_choice(settings, "pieces");
    config->tag_input = dgm_settings_flag(settings, "tag-input");
    config->depth = (int)dgm_settings_int(settings, "enc-depth");
    config->dim = dgm_settings_int(settings, "dim-emb");
    config->lstm = dgm_settings_int(settings, "dim-lstm");
    config->piece = dgm_settings_int(settings, "dim-piece");
    config->piece_lstm = dgm_settings_int(settings, "dim-piece-lstm");
    config->arc = dgm_settings_int(settings, "dim-arc");
    config->label = dgm_settings_int(settings, "dim-label");
    config->tag = dgm_settings_int(settings, "dim-tag");
    config->max_words = dgm_settings_int(settings, "max-length");
    config->dropout = dgm_settings_real(settings, "dropout");
    config->word_dropout = dgm_settings_real(settings, "word-dropout");
    config->recurrent_dropout = dgm_settings_real(settings, "recurrent-dropout");
    config->cutter_dropout = dgm_settings_real(settings, "tokenizer-dropout");
    if (dgm_settings_flag(settings, "tokenizer"))
        config->cutter = dgm_settings_text(settings, "dim-tokenizer") != NULL
                             ? dgm_settings_int(settings, "dim-tokenizer")
                             : CUTTER_WIDTH;
    read_columns(config, settings);
    read_net(config, settings);
    if (config->net.dim % config->net.heads != 0)
        return dgm_fail(env, DGM_USAGE,
                        "dim-emb must be divisible by transformer-heads (%lld / %lld)",
                        (long long)config->net.dim, (long long)config->net.heads);
    return DGM_OK;
}
