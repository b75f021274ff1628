/*
 * opennmt.c: Transformers of OpenNMT-py, as scripts/export-checkpoint.py writes them: safetensors
 * under OpenNMT-py's names, the generator's behind "generator."; config.json, whose names are its
 * options; vocab.source.txt and vocab.target.txt, a token on a line.
 *
 * Its sources have no </s> behind them (onmt/inputters/text_utils.py). Its Transformer has norms
 * before sub-layers and at the top, an epsilon of 1e-6, sinusoids that alternate, and a decoder
 * that reads <s> first (onmt/encoders/transformer.py, onmt/modules).
 */
#include <stdio.h>
#include <string.h>

#include "model/foreign/import.h"

static const struct dgm_foreign_rule rules[] = {
    { "model_type", NULL },
    { "add_ffnbias", "true" },
    { "add_qkvbias", "true" },
    { "copy_attn", "false" },
    { "decoder_start_token", "<s>" },
    { "decoder_type", "transformer" },
    { "encoder_type", "transformer" },
    { "feat_merge", NULL }, /* of features, whose tables would have no place */
    { "generator_function", "softmax" },
    { "layer_norm", "standard" },
    { "max_relative_positions", "0" },
    { "multiquery", "false" },
    { "norm_eps", "1e-06|1e-6|0.000001" },
    { "num_experts", "0" },
    { "num_kv", "0" },
    { "parallel_residual", "false" },
    { "pos_ffn_activation_fn", "relu|gelu|silu" },
    { "position_encoding", "true" },
    { "position_encoding_type", "SinusoidalInterleaved" },
    { "relative_positions_buckets", "0" },
    { "self_attn_type", "scaled-dot|scaled-dot-flash" },
    { "share_embeddings", NULL },
    { "shared_layer_norm", "false" },
    { "sliding_window", "0" },
    { "src_vocab_size", NULL },
    { "tgt_vocab_size", NULL },
    { NULL, NULL },
};

/* The name of a size and an older one, of which one must be there. */
static dgm_status need_one(struct dgm_env *env, struct dgm_import *import, const char *name,
                           const char *older, int64_t *value)
{
    *value = 0;
    DGM_TRY(dgm_foreign_config_int(env, &import->config, older, 1, 65536, value));
    if (*value > 0)
        return dgm_foreign_config_int(env, &import->config, name, 1, 65536, value);
    return dgm_foreign_config_need(env, &import->config, name, 1, 65536, value);
}

static const struct dgm_import_size sizes[] = {
    { "heads", NULL, "transformer-heads", 1, 256, 8 },
    { "transformer_ff", NULL, "transformer-dim-ffn", 1, 262144, 2048 },
    { "enc_layers", NULL, "enc-depth", 1, 64, 0 },
    { "dec_layers", NULL, "dec-depth", 1, 64, 0 },
    { NULL, NULL, NULL, 0, 0, 0 },
};

static dgm_status set_sizes(struct dgm_env *env, struct dgm_import *import)
{
    struct dgm_foreign_config *config = &import->config;
    int64_t dim, words;

    DGM_TRY(need_one(env, import, "hidden_size", "enc_rnn_size", &dim));
    words = dim;
    DGM_TRY(dgm_foreign_config_int(env, config, "dec_rnn_size", dim, dim, &dim));
    DGM_TRY(dgm_foreign_config_int(env, config, "dec_hid_size", dim, dim, &dim));
    DGM_TRY(dgm_foreign_config_int(env, config, "enc_hid_size", dim, dim, &dim));
    DGM_TRY(dgm_foreign_config_int(env, config, "src_word_vec_size", dim, dim, &words));
    DGM_TRY(dgm_foreign_config_int(env, config, "tgt_word_vec_size", dim, dim, &words));
    DGM_TRY(dgm_import_set_int(env, import, "dim-emb", dim));
    return dgm_import_sizes(env, import, sizes);
}

static dgm_status set_forms(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const forms[][2] = {
        { "transformer-norm", "pre" }, { "norm-eps", "1e-6" }, { "positions", "vaswani" },
        { "decoder-start", "bos" },    { "source-end", "0" },  { "output-bias", "1" }
    };
    const char *activation = dgm_foreign_config_text(&import->config, "pos_ffn_activation_fn");

    activation = activation != NULL ? activation : "relu";
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        DGM_TRY(dgm_import_set(env, import, forms[i][0], forms[i][1]));
    return dgm_import_set(env, import, "ffn-activation",
                          strcmp(activation, "silu") == 0 ? "swish" : activation);
}

static dgm_status read_vocab(struct dgm_env *env, struct dgm_import *import, int side,
                             const char *name, struct dgm_foreign_specials *specials)
{
    const struct dgm_import_request *request = import->request;
    const struct dgm_foreign_vocab *vocab = &import->vocab[side];
    char path[1024];

    if (request->vocab_count > 0)
        snprintf(path, sizeof path, "%s",
                 request->vocabs[side < (int)request->vocab_count ? side : 0]);
    else if (!dgm_import_find(env, import, name, path))
        return dgm_fail_at(env, DGM_MODEL, import->folder, 0, 0,
                           "no %s here; expected it, or --vocabs", name);
    DGM_TRY(dgm_import_vocab(env, import, side, path));
    *specials = dgm_foreign_vocab_specials(vocab, "<blank>");
    if (specials->numbers[DGM_VOCAB_EOS] < 0 ||
        (side == DGM_TARGET && specials->numbers[DGM_VOCAB_BOS] < 0))
        return dgm_fail_at(env, DGM_MODEL, vocab->name, 0, 0,
                           "no token <s> or </s>; expected both");
    return DGM_OK;
}

static const char *const source_table = "encoder.embeddings.make_embedding.emb_luts.0.weight";
static const char *const target_table = "decoder.embeddings.make_embedding.emb_luts.0.weight";

static dgm_status read_opennmt(struct dgm_env *env, struct dgm_import *import)
{
    const char *const tables[2][2] = { { source_table, NULL }, { target_table, NULL } };
    struct dgm_foreign_specials specials[2];
    char paths[2][1024];
    const char *spm[2];
    size_t rows[2];
    int is_shared = 0, is_tied = 0;

    DGM_TRY(dgm_foreign_config_check(env, &import->config, rules));
    DGM_TRY(set_sizes(env, import));
    DGM_TRY(set_forms(env, import));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "share_embeddings", &is_shared));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "share_decoder_embeddings", &is_tied));
    DGM_TRY(dgm_import_tie(env, import, is_tied && is_shared, is_tied));
    for (int side = 0; side < 2; side++)
        DGM_TRY(dgm_import_rows(env, import, tables[side], &rows[side]));
    DGM_TRY(read_vocab(env, import, DGM_SOURCE, "vocab.source.txt", &specials[DGM_SOURCE]));
    if (!is_tied || !is_shared)
        DGM_TRY(read_vocab(env, import, DGM_TARGET, "vocab.target.txt", &specials[DGM_TARGET]));
    DGM_TRY(dgm_import_guess_spm(env, import, paths, spm));
    return dgm_import_text(env, import, specials, rows, spm);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Entries that their model has not: never chosen, and nothing in a sum of probabilities. */
static const dgm_real never = -1000;

/* Ours of a layer without ".weight" or ".bias", and theirs, in the encoder and in the decoder. */
static const char *const tails[][3] = {
    { "self_attn.q_proj", "self_attn.linear_query", "self_attn.linear_query" },
    { "self_attn.k_proj", "self_attn.linear_keys", "self_attn.linear_keys" },
    { "self_attn.v_proj", "self_attn.linear_values", "self_attn.linear_values" },
    { "self_attn.out_proj", "self_attn.final_linear", "self_attn.final_linear" },
    { "self_attn_layer_norm", "layer_norm", "layer_norm_1" },
    { "encoder_attn.q_proj", NULL, "context_attn.linear_query" },
    { "encoder_attn.k_proj", NULL, "context_attn.linear_keys" },
    { "encoder_attn.v_proj", NULL, "context_attn.linear_values" },
    { "encoder_attn.out_proj", NULL, "context_attn.final_linear" },
    { "encoder_attn_layer_norm", NULL, "layer_norm_2" },
    { "fc1", "feed_forward.w_1", "feed_forward.w_1" },
    { "fc2", "feed_forward.w_2", "feed_forward.w_2" },
    { "final_layer_norm", "feed_forward.layer_norm", "feed_forward.layer_norm" },
};

static int place_tail(enum dgm_side side, int layer, const char *tail,
                      struct dgm_import_place *place)
{
    const char *end = strrchr(tail, '.'); /* .weight or .bias */

    for (size_t i = 0; end != NULL && i < sizeof tails / sizeof tails[0]; i++)
        if (strlen(tails[i][0]) == (size_t)(end - tail) &&
            strncmp(tails[i][0], tail, (size_t)(end - tail)) == 0) {
            dgm_import_name(place, "%s.%d.%s%s",
                            side == DGM_SOURCE ? "encoder.transformer"
                                               : "decoder.transformer_layers",
                            layer, tails[i][side == DGM_SOURCE ? 1 : 2], end);
            return 1;
        }
    return 0;
}

/* The matrix and the bias of the scores: a list of modules in older versions. */
static void place_generator(struct dgm_import_place *place, const char *what)
{
    dgm_import_name(place, "generator.%s", what);
    dgm_import_name(place, "generator.0.%s", what);
}

static int place(const struct dgm_import *import, const char *name, struct dgm_import_place *place)
{
    const enum dgm_tying tying = import->model.net.config.tying;
    enum dgm_side side;
    const char *tail;
    int layer;

    if (dgm_import_split(name, &side, &layer, &tail))
        return place_tail(side, layer, tail, place);
    if (strstr(name, "layer_norm.") != NULL) {
        dgm_import_name(place, "%s", name);
        return 1;
    }
    place->is_table = 1;
    place->side = strncmp(name, "encoder.", 8) == 0 ? DGM_SOURCE : DGM_TARGET;
    if (strcmp(name, "decoder.output_projection.bias") == 0) {
        place->missing = never;
        place_generator(place, "bias");
    } else if (strcmp(name, "decoder.output_projection.weight") == 0) {
        place_generator(place, "weight");
    } else {
        if (place->side == DGM_SOURCE)
            dgm_import_name(place, "%s", source_table);
        if (place->side == DGM_TARGET || tying == DGM_TIED_ALL)
            dgm_import_name(place, "%s", target_table);
        if (tying == DGM_TIED_ALL || (tying == DGM_TIED_DECODER && place->side == DGM_TARGET))
            place_generator(place, "weight");
    }
    return 1;
}

static const char *const positions[] = { "encoder.embeddings.make_embedding.pe.pe",
                                         "decoder.embeddings.make_embedding.pe.pe", NULL };

const struct dgm_import_kind dgm_import_opennmt = {
    .family = "opennmt",
    .format = "safetensors",
    .type = "opennmt",
    .read = read_opennmt,
    .place = place,
    .positions = positions,
};
