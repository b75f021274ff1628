/*
 * parser_config.c: the options that shape a parser.
 */
#include <string.h>

#include "model/parser/parser.h"

const struct dgm_opt dgm_parser_options[] = {
    { "encoder", 0, DGM_OPT_CHOICE, "KIND", "lstm", 0, 0, "lstm|transformer", NULL,
      "What reads the words in context" },
    { "enc-depth", 0, DGM_OPT_INT, "N", "3", 1, 64, NULL, "encoder-layers",
      "Layers that read the words in context" },
    { "pieces", 0, DGM_OPT_CHOICE, "KIND", "chars", 0, 0, "none|chars|subwords", NULL,
      "What a word is read as, beside its whole form" },
    { "tag-input", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Read the tags of the words too; where none are given, those of a first pass" },
    { "dim-emb", 0, DGM_OPT_INT, "N", "200", 4, 65536, NULL, "dim-word", "Width of a word" },
    { "dim-lstm", 0, DGM_OPT_INT, "N", "300", 1, 65536, NULL, NULL,
      "States of an LSTM in each direction" },
    { "dim-piece", 0, DGM_OPT_INT, "N", "50", 1, 65536, NULL, "dim-char", "Width of a piece" },
    { "dim-piece-lstm", 0, DGM_OPT_INT, "N", "100", 1, 65536, NULL, NULL,
      "States of the pieces' LSTM in each direction" },
    { "dim-arc", 0, DGM_OPT_INT, "N", "400", 1, 65536, NULL, NULL, "Width of the arcs' layers" },
    { "dim-label", 0, DGM_OPT_INT, "N", "100", 1, 65536, NULL, NULL,
      "Width of the labels' layers" },
    { "dim-tag", 0, DGM_OPT_INT, "N", "100", 1, 65536, NULL, NULL, "Width of the tagger's layer" },
    { "transformer-heads", 0, DGM_OPT_INT, "N", "8", 1, 256, NULL, NULL,
      "Attention heads of a Transformer; they divide dim-emb" },
    { "transformer-dim-ffn", 0, DGM_OPT_INT, "N", "800", 1, 262144, NULL, NULL,
      "Width of a Transformer's feed-forward layers" },
    { "transformer-norm", 0, DGM_OPT_CHOICE, "ORDER", "pre", 0, 0, "post|pre", NULL,
      "Layer norm after each residual sum of a Transformer, or before each sub-layer" },
    { "max-length", 0, DGM_OPT_INT, "N", "512", 1, 4096, NULL, NULL, "Longest sentence in words" },
    { "dropout", 0, DGM_OPT_REAL, "P", "0.33", 0, 0.99, NULL, NULL,
      "Dropout of rows, states and the layers behind them, the same all over a sentence" },
    { "word-dropout", 0, DGM_OPT_REAL, "P", "0.33", 0, 0.99, NULL, NULL,
      "Probability that a word's form, or its tag, is unknown to the parser in training" },
    { "recurrent-dropout", 0, DGM_OPT_REAL, "P", "0.33", 0, 0.99, NULL, NULL,
      "Dropout of an LSTM's state on its way to the next word" },
    DGM_OPT_END
};

static int is_choice(const struct dgm_settings *settings, const char *name, const char *choice)
{
    return strcmp(dgm_settings_text(settings, name), choice) == 0;
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
    net->pre_norm = is_choice(settings, "transformer-norm", "pre");
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
    config->reader =
        is_choice(settings, "encoder", "lstm") ? DGM_READER_LSTM : DGM_READER_TRANSFORMER;
    config->pieces = is_choice(settings, "pieces", "chars")      ? DGM_PIECES_CHARS
                     : is_choice(settings, "pieces", "subwords") ? DGM_PIECES_SUBWORDS
                                                                 : DGM_PIECES_NONE;
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
    read_net(config, settings);
    if (config->net.dim % config->net.heads != 0)
        return dgm_fail(env, DGM_USAGE,
                        "dim-emb must be divisible by transformer-heads (%lld / %lld)",
                        (long long)config->net.dim, (long long)config->net.heads);
    return DGM_OK;
}
