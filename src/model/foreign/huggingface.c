/*
 * huggingface.c: models of Hugging Face's transformers: MarianMT (OPUS-MT), and M2M-100, whose
 * network NLLB-200 is, too.
 *
 * Names of tensors are fairseq's behind "model.", as ours are. What the settings mean was read off
 * transformers 5 (models/marian, models/m2m_100) and is compared with it by
 * scripts/peers/import.py.
 */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "model/foreign/hf_languages.h"
#include "model/foreign/import.h"
#include "text/json.h"

/* ---- settings that both have ----------------------------------------------------------------- */

/* What changes no number that we compute: training, search (whose options ours has), other tasks,
 * book-keeping. A setting that stands neither here nor among those asked for is refused. */
static const struct dgm_foreign_rule harmless[] = {
    { "_attn_implementation_autoset", NULL },
    { "_commit_hash", NULL },
    { "_name_or_path", NULL },
    { "_num_labels", NULL },
    { "add_bias_logits", NULL }, /* the tensor says whether there is one */
    { "add_cross_attention", NULL },
    { "architectures", NULL },
    { "attn_implementation", NULL },
    { "bad_words_ids", NULL }, /* padding, which we never choose */
    { "begin_suppress_tokens", NULL },
    { "bos_token_id", NULL },            /* no model of these kinds reads it */
    { "chunk_size_feed_forward", NULL }, /* saves memory */
    { "classif_dropout", NULL },
    { "classifier_dropout", NULL },
    { "cross_attention_hidden_size", "" },
    { "decoder_layerdrop", NULL },
    { "diversity_penalty", NULL },
    { "do_blenderbot_90_layernorm", "false" },
    { "do_sample", NULL },
    { "dtype", NULL },
    { "early_stopping", NULL },
    { "encoder_layerdrop", NULL },
    { "encoder_no_repeat_ngram_size", NULL },
    { "exponential_decay_length_penalty", NULL },
    { "extra_pos_embeddings", NULL },
    { "finetuning_task", NULL },
    { "force_bos_token_to_be_generated", "false|" },
    { "forced_eos_token_id", NULL }, /* only where a translation is cut */
    { "gradient_checkpointing", NULL },
    { "id2label", NULL },
    { "init_std", NULL },
    { "initializer_range", NULL },
    { "is_decoder", "false" },
    { "is_encoder_decoder", "true" },
    { "label2id", NULL },
    { "layer_norm_eps", "1e-05|1e-5|0.00001" },
    { "length_penalty", NULL },
    { "max_length", NULL },
    { "min_length", NULL },
    { "model_type", NULL },
    { "no_repeat_ngram_size", NULL },
    { "normalize_embedding", "false" },
    { "num_beam_groups", NULL },
    { "num_beams", NULL },
    { "num_hidden_layers", NULL },
    { "num_labels", NULL },
    { "num_return_sequences", NULL },
    { "output_attentions", NULL },
    { "output_hidden_states", NULL },
    { "output_past", NULL },
    { "output_scores", NULL },
    { "prefix", NULL },
    { "problem_type", NULL },
    { "pruned_heads", "{}|" },
    { "remove_invalid_values", NULL },
    { "repetition_penalty", NULL },
    { "return_dict", NULL },
    { "return_dict_in_generate", NULL },
    { "sep_token_id", NULL },
    { "static_position_embeddings", "true" },
    { "suppress_tokens", NULL },
    { "task_specific_params", NULL },
    { "temperature", NULL },
    { "tf_legacy_loss", NULL },
    { "tie_encoder_decoder", "false" },
    { "tokenizer_class", NULL },
    { "top_k", NULL },
    { "top_p", NULL },
    { "torch_dtype", NULL },
    { "torchscript", NULL },
    { "transformers_version", NULL },
    { "typical_p", NULL },
    { "use_bfloat16", NULL },
    { "use_cache", NULL },
    { "xla_device", NULL },
    { NULL, NULL },
};

/* Rates of dropout, for training that goes on. */
static dgm_status set_dropout(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const names[][2] = { { "dropout", "dropout" },
                                            { "attention_dropout", "attention-dropout" },
                                            { "activation_dropout", "activation-dropout" } };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = dgm_foreign_config_text(&import->config, names[i][0]);

        if (text != NULL && text[0] != '\0')
            DGM_TRY(dgm_import_set(env, import, names[i][1], text));
    }
    return DGM_OK;
}

static dgm_status set_activation(struct dgm_env *env, struct dgm_import *import,
                                 const char *fallback)
{
    static const struct dgm_foreign_rule rules[] = {
        { "activation_function", "relu|swish|silu|gelu" }, { NULL, NULL }
    };
    const char *text;

    DGM_TRY(dgm_foreign_config_check(env, &import->config, rules));
    text = dgm_foreign_config_text(&import->config, "activation_function");
    text = text != NULL ? text : fallback;
    return dgm_import_set(env, import, "ffn-activation",
                          strcmp(text, "silu") == 0 ? "swish" : text);
}

static const struct dgm_import_size sizes[] = {
    { "d_model", NULL, "dim-emb", 1, 65536, 0 },
    { "encoder_attention_heads", "decoder_attention_heads", "transformer-heads", 1, 256, 0 },
    { "encoder_ffn_dim", "decoder_ffn_dim", "transformer-dim-ffn", 1, 262144, 0 },
    { "encoder_layers", NULL, "enc-depth", 1, 64, 0 },
    { "decoder_layers", NULL, "dec-depth", 1, 64, 0 },
    { "max_position_embeddings", NULL, "max-length", 1, 65536, 1024 },
    { NULL, NULL, NULL, 0, 0, 0 },
};

static dgm_status set_scale(struct dgm_env *env, struct dgm_import *import, int fallback)
{
    int scale = fallback;

    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "scale_embedding", &scale));
    return dgm_import_set(env, import, "embedding-scale", scale ? "sqrt" : "one");
}

/* ---- vocabularies ---------------------------------------------------------------------------- */

static const char *const source_tables[] = { "model.shared.weight",
                                             "model.encoder.embed_tokens.weight",
                                             "model.decoder.embed_tokens.weight", "lm_head.weight",
                                             NULL };
static const char *const target_tables[] = { "model.decoder.embed_tokens.weight", "lm_head.weight",
                                             "model.shared.weight", NULL };

/* Rows of the tables, which the configuration has, too. */
static dgm_status find_rows(struct dgm_env *env, struct dgm_import *import, int is_shared,
                            size_t rows[2])
{
    int64_t said[2];

    DGM_TRY(dgm_import_rows(env, import, is_shared ? source_tables : source_tables + 1, &rows[0]));
    DGM_TRY(dgm_import_rows(env, import, is_shared ? source_tables : target_tables, &rows[1]));
    said[0] = (int64_t)rows[0];
    said[1] = (int64_t)rows[1];
    DGM_TRY(dgm_foreign_config_int(env, &import->config, "vocab_size", 1, INT32_MAX, &said[0]));
    DGM_TRY(
        dgm_foreign_config_int(env, &import->config, "decoder_vocab_size", 1, INT32_MAX, &said[1]));
    for (int side = 0; side < 2; side++)
        if ((size_t)said[side] != rows[side])
            return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                               "%s is %lld, but the embeddings have %zu rows; expected the same",
                               side == 0 ? "vocab_size" : "decoder_vocab_size",
                               (long long)said[side], rows[side]);
    return DGM_OK;
}

/* Their numbers of our special entries; what the decoder reads first must be one of them. */
static dgm_status find_specials(struct dgm_env *env, struct dgm_import *import, int side,
                                struct dgm_foreign_specials *specials)
{
    const struct dgm_foreign_vocab *vocab = &import->vocab[side];
    int64_t *pad = &specials->numbers[DGM_VOCAB_PAD], *eos = &specials->numbers[DGM_VOCAB_EOS];
    int64_t start;

    *specials = dgm_foreign_vocab_specials(vocab, "<pad>");
    DGM_TRY(dgm_foreign_config_int(env, &import->config, "pad_token_id", 0, INT32_MAX, pad));
    DGM_TRY(dgm_foreign_config_int(env, &import->config, "eos_token_id", 0, INT32_MAX, eos));
    if (*eos < 0)
        return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                           "eos_token_id is missing, and the vocabulary has no </s>");
    DGM_TRY(dgm_foreign_config_need(env, &import->config, "decoder_start_token_id", 0, INT32_MAX,
                                    &start));
    if (start != *eos && start != *pad)
        return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                           "decoder_start_token_id is %lld, which no network of ours has; expected "
                           "%lld (eos_token_id) or %lld (pad_token_id)",
                           (long long)start, (long long)*eos, (long long)*pad);
    return dgm_import_set(env, import, "decoder-start", start == *eos ? "eos" : "pad");
}

static dgm_status need_file(struct dgm_env *env, const struct dgm_import *import, const char *name,
                            char path[1024])
{
    if (dgm_import_find(env, import, name, path))
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, import->folder, 0, 0, "no %s here; expected it", name);
}

/* A vocabulary of the user's, or the one beside the model. */
static dgm_status read_vocab(struct dgm_env *env, struct dgm_import *import, int side,
                             const char *name)
{
    const struct dgm_import_request *request = import->request;
    char path[1024];

    if (request->vocab_count > 0)
        return dgm_import_vocab(env, import, side,
                                request->vocabs[side < (int)request->vocab_count ? side : 0]);
    DGM_TRY(need_file(env, import, name, path));
    return dgm_import_vocab(env, import, side, path);
}

/* The models of SentencePiece of both sides, without which their tokenizers cannot cut text. */
static dgm_status find_spm(struct dgm_env *env, const struct dgm_import *import,
                           const char *const names[2], char paths[2][1024], const char *spm[2])
{
    DGM_TRY(dgm_import_find_spm(env, import, names, paths, spm));
    if (spm[0] == NULL && dgm_import_needs_spm(import))
        return need_file(env, import, names[0], paths[0]);
    return dgm_import_choose_spm(env, import, spm);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Entries that their model has not: never chosen, and nothing in a sum of probabilities. */
static const dgm_real never = -1000;

static void place_table(const struct dgm_import *import, const char *name,
                        struct dgm_import_place *place)
{
    const int is_shared = import->vocab[DGM_TARGET].count == 0;
    const int is_output = strstr(name, "output_projection") != NULL;
    const int is_source = strncmp(name, "encoder.", 8) == 0;

    place->is_table = 1;
    place->side = is_source ? DGM_SOURCE : DGM_TARGET;
    if (is_output) {
        dgm_import_name(place, "lm_head.weight");
        return;
    }
    if (!is_source || is_shared)
        dgm_import_name(place, "model.decoder.embed_tokens.weight");
    if (is_source)
        dgm_import_name(place, "model.encoder.embed_tokens.weight");
    if (is_shared)
        dgm_import_name(place, "model.shared.weight");
    if (import->model.net.config.tying != DGM_TIED_NONE && (!is_source || is_shared))
        dgm_import_name(place, "lm_head.weight");
}

static int place(const struct dgm_import *import, const char *name, struct dgm_import_place *place)
{
    if (strcmp(name, "decoder.output_projection.bias") == 0) {
        dgm_import_name(place, "final_logits_bias");
        place->is_table = 1;
        place->side = DGM_TARGET;
        place->missing = never;
    } else if (strstr(name, "embed_tokens") != NULL || strstr(name, "output_projection") != NULL) {
        place_table(import, name, place);
    } else {
        dgm_import_name(place, "model.%s", name);
    }
    return 1;
}

/* ---- Marian ---------------------------------------------------------------------------------- */

/* Keys without a tensor of their own in transformers; their values must be what its code does. */
static const struct dgm_foreign_rule marian_rules[] = { { "normalize_before", "false" },
                                                        { "add_final_layer_norm", "false" },
                                                        { "forced_bos_token_id", "" },
                                                        { NULL, NULL } };

static dgm_status read_marian_network(struct dgm_env *env, struct dgm_import *import)
{
    DGM_TRY(dgm_foreign_config_check(env, &import->config, harmless));
    DGM_TRY(dgm_foreign_config_check(env, &import->config, marian_rules));
    DGM_TRY(dgm_import_sizes(env, import, sizes));
    DGM_TRY(set_dropout(env, import));
    DGM_TRY(set_activation(env, import, "gelu"));
    DGM_TRY(set_scale(env, import, 0));
    DGM_TRY(dgm_import_set(env, import, "positions", "marian"));
    DGM_TRY(dgm_import_set(env, import, "transformer-norm", "post"));
    return dgm_import_set(env, import, "output-bias", "1");
}

static dgm_status read_tying(struct dgm_env *env, struct dgm_import *import, int *is_shared)
{
    int is_tied = 1;

    *is_shared = 1;
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "share_encoder_decoder_embeddings",
                                    is_shared));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "tie_word_embeddings", &is_tied));
    if (*is_shared && !is_tied)
        return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                           "tie_word_embeddings is false beside shared embeddings, which no "
                           "network of ours has; expected true");
    return dgm_import_tie(env, import, *is_shared, is_tied);
}

static dgm_status read_marian(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const names[2] = { "source.spm", "target.spm" };
    struct dgm_foreign_specials specials[2];
    char paths[2][1024];
    const char *spm[2];
    size_t rows[2];
    int is_shared;

    DGM_TRY(read_marian_network(env, import));
    DGM_TRY(read_tying(env, import, &is_shared));
    DGM_TRY(find_rows(env, import, is_shared, rows));
    DGM_TRY(read_vocab(env, import, DGM_SOURCE, "vocab.json"));
    DGM_TRY(find_specials(env, import, DGM_SOURCE, &specials[DGM_SOURCE]));
    if (!is_shared) {
        DGM_TRY(read_vocab(env, import, DGM_TARGET, "target_vocab.json"));
        DGM_TRY(find_specials(env, import, DGM_TARGET, &specials[DGM_TARGET]));
    }
    DGM_TRY(find_spm(env, import, names, paths, spm));
    return dgm_import_text(env, import, specials, rows, spm);
}

static const char *const marian_positions[] = { "model.encoder.embed_positions.weight",
                                                "model.decoder.embed_positions.weight", NULL };

const struct dgm_import_kind dgm_import_hf_marian = {
    .family = "huggingface",
    .format = "safetensors",
    .type = "marian",
    .read = read_marian,
    .place = place,
    .tag_open = ">>",
    .tag_close = "<<",
    .positions = marian_positions,
};

/* ---- M2M-100 --------------------------------------------------------------------------------- */

/* What the user has to type: the tags of a source and of its translation. */
static dgm_status tell_tags(struct dgm_env *env, struct dgm_import *import)
{
    const struct dgm_map *tags = &import->pipeline.tags;
    const char *source, *target, *said;
    int64_t forced = -1;

    if (tags->count == 0)
        return DGM_OK;
    DGM_TRY(
        dgm_foreign_config_int(env, &import->config, "forced_bos_token_id", 0, INT32_MAX, &forced));
    source = dgm_map_key(tags, &tags->entries[0]);
    target = dgm_map_key(tags, &tags->entries[tags->count > 1]);
    said = forced >= 0 ? dgm_foreign_vocab_token(&import->vocab[DGM_SOURCE], (size_t)forced) : NULL;
    if (said != NULL && dgm_map_find(tags, said, strlen(said)) != NULL)
        target = said;
    dgm_log(env, DGM_LOG_NOTE,
            "%s: the model has tags of %zu languages: from %s to %s it is translate --tag '%s' "
            "--target-tag '%s'",
            import->folder, tags->count, source, target, source, target);
    return DGM_OK;
}

static dgm_status read_m2m(struct dgm_env *env, struct dgm_import *import)
{
    static const struct dgm_foreign_rule rules[] = { { "tie_word_embeddings", "true" },
                                                     { "forced_bos_token_id", NULL },
                                                     { NULL, NULL } };
    static const char *const names[2] = { "sentencepiece.bpe.model", NULL };
    struct dgm_foreign_specials specials[2];
    char paths[2][1024];
    const char *spm[2];
    size_t rows[2];

    DGM_TRY(dgm_foreign_config_check(env, &import->config, harmless));
    DGM_TRY(dgm_foreign_config_check(env, &import->config, rules));
    DGM_TRY(dgm_import_sizes(env, import, sizes));
    DGM_TRY(set_dropout(env, import));
    DGM_TRY(set_activation(env, import, "relu"));
    DGM_TRY(set_scale(env, import, 1));
    DGM_TRY(dgm_import_set(env, import, "positions", "fairseq"));
    DGM_TRY(dgm_import_set(env, import, "transformer-norm", "pre"));
    DGM_TRY(dgm_import_set(env, import, "tied-embeddings", "all"));
    DGM_TRY(find_rows(env, import, 1, rows));
    DGM_TRY(dgm_hf_languages_read(env, import));
    DGM_TRY(find_specials(env, import, DGM_SOURCE, &specials[DGM_SOURCE]));
    DGM_TRY(dgm_import_need_specials(env, import, DGM_SOURCE, &specials[DGM_SOURCE]));
    DGM_TRY(find_spm(env, import, names, paths, spm));
    DGM_TRY(dgm_import_text(env, import, specials, rows, spm));
    return tell_tags(env, import);
}

/* Sinusoids that the code makes anyhow. */
static const char *const m2m_spares[] = { "model.encoder.embed_positions.",
                                          "model.decoder.embed_positions.", NULL };

const struct dgm_import_kind dgm_import_hf_m2m100 = {
    .family = "huggingface",
    .format = "safetensors",
    .type = "m2m_100",
    .read = read_m2m,
    .place = place,
    .tag_open = "__",
    .tag_close = "__",
    .has_target_tags = 1,
    .spares = m2m_spares,
};
