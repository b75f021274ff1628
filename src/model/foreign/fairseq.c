/*
 * fairseq.c: Transformers of fairseq, as scripts/export-checkpoint.py writes them: safetensors
 * under fairseq's names, which are ours; config.json, whose names are fairseq's options;
 * dict.source.txt and dict.target.txt.
 */
#include <string.h>

#include "model/foreign/import.h"

static const struct dgm_foreign_rule rules[] = {
    { "model_type", NULL },
    { "arch", NULL },
    { "adaptive_input", "false|" },
    { "adaptive_softmax_cutoff", "" },
    { "cross_self_attention", "false" },
    { "decoder_layers_to_keep", "" },
    { "decoder_learned_pos", "false" },
    { "encoder_layers_to_keep", "" },
    { "encoder_learned_pos", "false" },
    { "layernorm_embedding", "false" },
    { "no_cross_attention", "false" },
    { "no_token_positional_embeddings", "false" },
    { "quant_noise_pq", "0|0.0" },
    { "tie_adaptive_weights", NULL },
    { NULL, NULL },
};

static const struct dgm_import_size sizes[] = {
    { "encoder_embed_dim", "decoder_embed_dim", "dim-emb", 0, 65536, 0 },
    { "encoder_ffn_embed_dim", "decoder_ffn_embed_dim", "transformer-dim-ffn", 0, 262144, 0 },
    { "encoder_attention_heads", "decoder_attention_heads", "transformer-heads", 0, 256, 0 },
    { "encoder_layers", NULL, "enc-depth", 1, 64, 0 },
    { "decoder_layers", NULL, "dec-depth", 1, 64, 0 },
    { "max_source_positions", NULL, "max-length", 1, 65536, 1024 },
    { NULL, NULL, NULL, 0, 0, 0 },
};

static dgm_status set_forms(struct dgm_env *env, struct dgm_import *import)
{
    static const struct dgm_foreign_rule activations[] = { { "activation_fn", "relu|gelu|swish" },
                                                           { NULL, NULL } };
    struct dgm_foreign_config *config = &import->config;
    int encoder = 0, decoder = 0, unscaled = 0;
    const char *activation;

    DGM_TRY(dgm_foreign_config_check(env, config, activations));
    activation = dgm_foreign_config_text(config, "activation_fn");
    DGM_TRY(dgm_foreign_config_flag(env, config, "encoder_normalize_before", &encoder));
    DGM_TRY(dgm_foreign_config_flag(env, config, "decoder_normalize_before", &decoder));
    DGM_TRY(dgm_foreign_config_flag(env, config, "no_scale_embedding", &unscaled));
    if (encoder != decoder)
        return dgm_fail_at(env, DGM_MODEL, config->name, 0, 0,
                           "encoder_normalize_before and decoder_normalize_before differ, which no "
                           "network of ours has; expected the same");
    DGM_TRY(dgm_import_set(env, import, "transformer-norm", encoder ? "pre" : "post"));
    DGM_TRY(dgm_import_set(env, import, "embedding-scale", unscaled ? "one" : "sqrt"));
    DGM_TRY(dgm_import_set(env, import, "positions", "fairseq"));
    return dgm_import_set(env, import, "ffn-activation", activation != NULL ? activation : "relu");
}

static dgm_status set_tying(struct dgm_env *env, struct dgm_import *import, int *is_joint)
{
    int decoder = 0;

    *is_joint = 0;
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "share_all_embeddings", is_joint));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "share_decoder_input_output_embed",
                                    &decoder));
    return dgm_import_tie(env, import, *is_joint, decoder);
}

/* fairseq's dictionaries have our special entries, in our order, and so every number stays. */
static dgm_status read_dictionary(struct dgm_env *env, struct dgm_import *import, int side,
                                  const char *name)
{
    const struct dgm_import_request *request = import->request;
    struct dgm_vocab vocab = { 0 };
    char path[1024];
    dgm_status status = DGM_OK;

    if (!dgm_import_find(env, import, name, path) && request->vocab_count == 0)
        return dgm_fail_at(env, DGM_MODEL, import->folder, 0, 0,
                           "no %s here; expected it, or --vocabs", name);
    if (request->vocab_count > 0)
        strcpy(path, request->vocabs[side < (int)request->vocab_count ? side : 0]);
    DGM_TRY_OUT(dgm_vocab_load(env, &vocab, path));
    strcpy(import->vocab[side].name, path);
    import->vocab[side].most = DGM_VOCAB_LIMIT;
    for (size_t i = 0; i < dgm_vocab_size(&vocab); i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(&vocab, (uint32_t)i, &bytes);

        DGM_TRY_OUT(dgm_foreign_vocab_add(env, &import->vocab[side], (int64_t)i, token, bytes));
    }
out:
    dgm_vocab_clear(env, &vocab);
    return status;
}

static dgm_status read_fairseq(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const tables[2][2] = { { "encoder.embed_tokens.weight", NULL },
                                              { "decoder.embed_tokens.weight", NULL } };
    static const struct dgm_foreign_specials specials[2] = { { { 0, 1, 2, 3 } },
                                                             { { 0, 1, 2, 3 } } };
    char paths[2][1024];
    const char *spm[2];
    size_t rows[2];
    int is_joint;

    DGM_TRY(dgm_foreign_config_check(env, &import->config, rules));
    DGM_TRY(dgm_import_sizes(env, import, sizes));
    DGM_TRY(set_forms(env, import));
    DGM_TRY(set_tying(env, import, &is_joint));
    for (int side = 0; side < 2; side++)
        DGM_TRY(dgm_import_rows(env, import, tables[side], &rows[side]));
    DGM_TRY(read_dictionary(env, import, DGM_SOURCE, "dict.source.txt"));
    if (!is_joint)
        DGM_TRY(read_dictionary(env, import, DGM_TARGET, "dict.target.txt"));
    DGM_TRY(dgm_import_guess_spm(env, import, paths, spm));
    return dgm_import_text(env, import, specials, rows, spm);
}

static int place(const struct dgm_import *import, const char *name, struct dgm_import_place *place)
{
    const enum dgm_tying tying = import->model.net.config.tying;
    const int is_source = strncmp(name, "encoder.", 8) == 0;

    dgm_import_name(place, "%s", name);
    if (strstr(name, "embed_tokens") == NULL && strstr(name, "output_projection") == NULL)
        return 1;
    place->is_table = 1;
    place->side = is_source ? DGM_SOURCE : DGM_TARGET;
    if (is_source && tying == DGM_TIED_ALL)
        dgm_import_name(place, "decoder.embed_tokens.weight");
    if (tying == DGM_TIED_ALL || (!is_source && tying == DGM_TIED_DECODER))
        dgm_import_name(place, "decoder.output_projection.weight");
    return 1;
}

static const char *const spares[] = { "encoder.version", "decoder.version",
                                      "encoder.embed_positions._float_tensor",
                                      "decoder.embed_positions._float_tensor", NULL };

const struct dgm_import_kind dgm_import_fairseq = {
    .family = "fairseq",
    .format = "safetensors",
    .type = "fairseq",
    .read = read_fairseq,
    .place = place,
    .spares = spares,
};
