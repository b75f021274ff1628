/*
 * marian.c: Transformers of Marian (marian-nmt.github.io): an .npz, or a binary file, with its
 * configuration inside, special:model.yml, and vocabularies beside it.
 *
 * Facts are those of Marian 1.12 (src/models/transformer.h, src/layers, src/tensors): matrices
 * stand as (in, out); embeddings count sqrt(D) times; positions are sines, then cosines, from 0 on;
 * layer norm adds 1e-6; the decoder reads zeros first. Students, as browsers have them, decode by
 * simple recurrent units (decoder_ssru.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "model/foreign/import.h"

#define CONFIG "special:model.yml"

/* ---- settings -------------------------------------------------------------------------------- */

/* What must be as our network has it, and what changes no number that we compute. */
static const struct dgm_foreign_rule rules[] = {
    { "type", "transformer" },
    { "transformer-decoder-autoreg", "self-attention|rnn" },
    { "transformer-no-projection", "false" },
    { "transformer-no-bias", "false" },
    { "transformer-no-affine", "false" },
    { "transformer-ffn-depth", "2" },
    { "transformer-decoder-ffn-depth", "0|2" },
    { "transformer-train-position-embeddings", "false" },
    { "transformer-train-positions", "false" },
    { "transformer-rnn-projection", "false" },
    { "transformer-pool", "false" },
    { "transformer-postprocess-emb", "d|" },
    { "transformer-alibi", "false" },
    { "lemma-dim-emb", "0" },
    { "lemma-dependency", "" },
    { "factors-combine", "sum" },
    { "factors-dim-emb", "0" },
    { "factor-weight", NULL },
    { "right-left", "false" },
    { "ulr", "false" },
    { "original-type", "transformer" },
    { "embedding-normalization", "false" },
    { "input-types", NULL },
    { "special-vocab", "" },
    /* of other networks than Transformers, of training, and of other tasks */
    { "bert-class-symbol", NULL },
    { "bert-mask-symbol", NULL },
    { "bert-masking-fraction", NULL },
    { "bert-sep-symbol", NULL },
    { "bert-train-type-embeddings", NULL },
    { "bert-type-vocab-size", NULL },
    { "dec-cell", NULL },
    { "dec-cell-base-depth", NULL },
    { "dec-cell-high-depth", NULL },
    { "dim-rnn", NULL },
    { "enc-cell", NULL },
    { "enc-cell-depth", NULL },
    { "enc-type", NULL },
    { "char-conv-filters-num", NULL },
    { "char-conv-filters-widths", NULL },
    { "char-highway", NULL },
    { "char-stride", NULL },
    { "dim-vocabs", NULL },
    { "dropout-rnn", NULL },
    { "layer-normalization", NULL },
    { "max-length", NULL },
    { "skip", NULL },
    { "transformer-aan-activation", NULL },
    { "transformer-aan-depth", NULL },
    { "transformer-aan-nogate", NULL },
    { "transformer-dim-aan", NULL },
    { "transformer-depth-scaling", NULL },
    { "ulr-dim-emb", NULL },
    { "ulr-dropout", NULL },
    { "ulr-trainable-transformation", NULL },
    { "version", NULL },
    { NULL, NULL },
};

static const struct dgm_import_size sizes[] = {
    { "dim-emb", NULL, "dim-emb", 4, 65536, 0 },
    { "transformer-heads", NULL, "transformer-heads", 1, 256, 0 },
    { "transformer-dim-ffn", NULL, "transformer-dim-ffn", 1, 262144, 0 },
    { "enc-depth", NULL, "enc-depth", 1, 64, 0 },
    { "dec-depth", NULL, "dec-depth", 1, 64, 0 },
    { NULL, NULL, NULL, 0, 0, 0 },
};

static dgm_status set_sizes(struct dgm_env *env, struct dgm_import *import)
{
    struct dgm_foreign_config *config = &import->config;
    int64_t ffn, other = 0;

    DGM_TRY(dgm_import_sizes(env, import, sizes));
    DGM_TRY(dgm_foreign_config_int(env, config, "transformer-decoder-dim-ffn", 0, 262144, &other));
    ffn = dgm_settings_int(&import->settings, "transformer-dim-ffn");
    if (other == 0 || other == ffn)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, config->name, 0, 0,
                       "transformer-decoder-dim-ffn is %lld, which no network of ours has; "
                       "expected %lld, as transformer-dim-ffn",
                       (long long)other, (long long)ffn);
}

static const char *text_of(struct dgm_import *import, const char *name, const char *fallback)
{
    const char *text = dgm_foreign_config_text(&import->config, name);

    return text != NULL ? text : fallback;
}

/* Where norms stand: "dan" behind sums, or "n" before sub-layers and at the top. */
static dgm_status set_norm(struct dgm_env *env, struct dgm_import *import)
{
    const char *pre = text_of(import, "transformer-preprocess", "");
    const char *post = text_of(import, "transformer-postprocess", "dan");
    const char *top = text_of(import, "transformer-postprocess-top", "");
    const int is_post = pre[0] == '\0' && strcmp(post, "dan") == 0 && top[0] == '\0';
    const int is_pre = strcmp(pre, "n") == 0 && strcmp(post, "da") == 0 && strcmp(top, "n") == 0;

    if (!is_post && !is_pre)
        return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                           "transformer-preprocess, -postprocess and -postprocess-top are "
                           "\"%.20s\", \"%.20s\" and \"%.20s\", which no network of ours has; "
                           "expected \"\", \"dan\" and \"\", or \"n\", \"da\" and \"n\"",
                           pre, post, top);
    DGM_TRY(dgm_import_set(env, import, "norm-eps", "1e-6"));
    return dgm_import_set(env, import, "transformer-norm", is_pre ? "pre" : "post");
}

static dgm_status set_activation(struct dgm_env *env, struct dgm_import *import)
{
    const char *kind = text_of(import, "transformer-ffn-activation", "swish");

    if (strcmp(kind, "swish") != 0 && strcmp(kind, "relu") != 0)
        return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                           "transformer-ffn-activation is \"%.40s\", which no network of ours has; "
                           "expected relu or swish",
                           kind);
    return dgm_import_set(env, import, "ffn-activation", kind);
}

/* tied-embeddings-all: one table; tied-embeddings: that of the target and of the output. */
static dgm_status set_tying(struct dgm_env *env, struct dgm_import *import, int *is_shared)
{
    int all = 0, decoder = 0, source = 0;

    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "tied-embeddings-all", &all));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "tied-embeddings", &decoder));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "tied-embeddings-src", &source));
    all |= source && decoder;
    *is_shared = all || source;
    return dgm_import_tie(env, import, all, decoder);
}

/* What the layers of a decoder begin with. */
static dgm_status set_decoder(struct dgm_env *env, struct dgm_import *import)
{
    static const struct dgm_foreign_rule units[] = {
        { "dec-cell", "ssru" },
        { "layer-normalization", "false" },
        { NULL, NULL },
    };

    if (strcmp(text_of(import, "transformer-decoder-autoreg", "self-attention"), "rnn") != 0)
        return DGM_OK;
    if (dgm_foreign_config_text(&import->config, "dec-cell") == NULL) /* a GRU is their default */
        return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                           "no dec-cell; expected ssru, as transformer-decoder-autoreg is rnn");
    DGM_TRY(dgm_foreign_config_check(env, &import->config, units));
    return dgm_import_set(env, import, "decoder", "ssru");
}

/* The number of the decoder's layer whose arrays layer `number` has, both from 1: item `number` of
 * the list "1, 1, 3"; 0: none. */
static long tied_layer(const char *list, int64_t number)
{
    for (; number > 1 && list != NULL; number--) {
        list = strchr(list, ',');
        list = list != NULL ? list + 1 : NULL;
    }
    return list != NULL ? strtol(list, NULL, 10) : 0;
}

static dgm_status set_tied(struct dgm_env *env, struct dgm_import *import)
{
    const char *list = text_of(import, "transformer-tied-layers", "");
    const int64_t depth = dgm_settings_int(&import->settings, "dec-depth");
    int is_whole = tied_layer(list, depth + 1) == 0;

    import->tied_layers = list;
    for (int64_t l = 1; l <= depth; l++)
        is_whole &= tied_layer(list, l) > 0 && tied_layer(list, l) <= depth;
    if (list[0] == '\0' || is_whole)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                       "transformer-tied-layers is \"%.40s\"; expected none, or the number of a "
                       "layer for each of %lld layers",
                       list, (long long)depth);
}

/* The decoder's layer that learned links, from 1 in both programs. */
static dgm_status set_links(struct dgm_env *env, struct dgm_import *import)
{
    const char *layer = text_of(import, "transformer-guided-alignment-layer", "last");
    const int64_t depth = dgm_settings_int(&import->settings, "dec-depth");
    int64_t number = 0;

    import->has_links = strcmp(text_of(import, "guided-alignment", "none"), "none") != 0;
    if (strcmp(layer, "last") == 0)
        return DGM_OK;
    DGM_TRY(dgm_foreign_config_int(env, &import->config, "transformer-guided-alignment-layer", 1,
                                   depth, &number));
    return number > 0 ? dgm_import_set_int(env, import, "guided-alignment-layer", number) : DGM_OK;
}

/* ---- the configuration ----------------------------------------------------------------------- */

static dgm_status read_config(struct dgm_env *env, struct dgm_import *import)
{
    const struct dgm_foreign_tensor *tensor = dgm_foreign_find(&import->weights, CONFIG);
    char name[1024], *text;
    size_t bytes;
    dgm_status status;

    if (tensor == NULL || tensor->type->bytes != 1 || tensor->bytes > (1 << 20))
        return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                           "no array %s of at most a megabyte; expected a model of Marian", CONFIG);
    import->used[tensor - import->weights.tensors] = 1;
    snprintf(name, sizeof name, "%.900s:%s", import->weights_path, CONFIG);
    DGM_TRY(dgm_new(env, &text, tensor->bytes, 1));
    DGM_TRY_OUT(dgm_foreign_read_bytes(env, &import->weights, tensor, (unsigned char *)text));
    for (bytes = tensor->bytes; bytes > 0 && text[bytes - 1] == '\0'; bytes--)
        continue;
    status = dgm_foreign_config_yml(env, &import->config, name, text, bytes);
out:
    dgm_release(env, text);
    return status;
}

/* ---- vocabularies ---------------------------------------------------------------------------- */

/* What their program calls vocab.yml or NAME.vocab.yml beside the model, or .spm. */
static dgm_status find_vocab(struct dgm_env *env, const struct dgm_import *import, char path[1024])
{
    static const char *const ends[] = { "vocab.yml", "vocab.spm", NULL };
    static const char *const browsers[] = { ".spm", NULL }; /* vocab.deen.spm */
    int count;

    DGM_TRY(dgm_import_find_end(env, import, ends, path, &count));
    if (count == 0 && strcmp(import->weights.format, "marian") == 0)
        DGM_TRY(dgm_import_find_end(env, import, browsers, path, &count));
    if (count == 1)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, import->folder, 0, 0,
                       "%d files *vocab.yml or *vocab.spm here; expected one, or --vocabs", count);
}

/* Vocabularies of one side each, by their names: srcvocab.enja.spm, source.vocab.yml. */
struct sides {
    char names[2][256];
    int count[2];
};

static dgm_status note_side(struct dgm_env *env, void *user, const char *name)
{
    static const char *const starts[2][3] = { { "src", "source", NULL },
                                              { "trg", "target", "tgt" } };
    struct sides *sides = user;

    (void)env;
    if (strstr(name, "vocab.") == NULL ||
        (!dgm_import_ends(name, ".spm") && !dgm_import_ends(name, ".yml")))
        return DGM_OK;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3 && starts[side][i] != NULL; i++)
            if (strncmp(name, starts[side][i], strlen(starts[side][i])) == 0 &&
                strlen(name) < sizeof sides->names[side]) {
                strcpy(sides->names[side], name);
                sides->count[side]++;
            }
    return DGM_OK;
}

/* The vocabularies of both sides: the user's, or what lies there, one file or one of each side. */
static dgm_status find_vocabs(struct dgm_env *env, const struct dgm_import *import, int is_joint,
                              char paths[2][1024])
{
    const struct dgm_import_request *request = import->request;
    struct sides sides = { .count = { 0 } };

    if (request->vocab_count == 0 && !is_joint)
        DGM_TRY(dgm_folder_list(env, import->folder, note_side, &sides));
    if (sides.count[0] == 1 && sides.count[1] == 1 &&
        dgm_import_find(env, import, sides.names[0], paths[0]) &&
        dgm_import_find(env, import, sides.names[1], paths[1]))
        return DGM_OK;
    if (request->vocab_count == 0)
        DGM_TRY(find_vocab(env, import, paths[0]));
    else
        snprintf(paths[0], 1024, "%s", request->vocabs[0]);
    if (request->vocab_count > 1)
        snprintf(paths[1], 1024, "%s", request->vocabs[1]);
    else
        memcpy(paths[1], paths[0], 1024);
    return DGM_OK;
}

static dgm_status read_vocabs(struct dgm_env *env, struct dgm_import *import, int is_joint,
                              char paths[2][1024])
{
    DGM_TRY(find_vocabs(env, import, is_joint, paths));
    DGM_TRY(dgm_import_vocab(env, import, DGM_SOURCE, paths[0]));
    return is_joint ? DGM_OK : dgm_import_vocab(env, import, DGM_TARGET, paths[1]);
}

/* Models of SentencePiece: the user's, source.spm and target.spm, or vocabularies that are some. */
static dgm_status find_spm(struct dgm_env *env, const struct dgm_import *import,
                           char vocabs[2][1024], char paths[2][1024], const char *spm[2])
{
    static const char *const names[2] = { "source.spm", "target.spm" };

    if (dgm_import_ends(vocabs[0], ".spm")) {
        spm[0] = vocabs[0];
        spm[1] = strcmp(vocabs[0], vocabs[1]) != 0 ? vocabs[1] : NULL;
    } else {
        DGM_TRY(dgm_import_find_spm(env, import, names, paths, spm));
    }
    return dgm_import_choose_spm(env, import, spm);
}

static dgm_status find_specials(struct dgm_env *env, const struct dgm_import *import, int side,
                                struct dgm_foreign_specials *specials)
{
    const struct dgm_foreign_vocab *vocab = &import->vocab[side];

    *specials = dgm_foreign_vocab_specials(vocab, NULL); /* Marian's decoder reads zeros first */
    if (specials->numbers[DGM_VOCAB_EOS] >= 0)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, vocab->name, 0, 0, "no token </s>; expected one");
}

static dgm_status read_text(struct dgm_env *env, struct dgm_import *import, int is_shared,
                            int is_joint)
{
    static const char *const shared[] = { "Wemb", "encoder_Wemb", NULL };
    static const char *const sources[] = { "encoder_Wemb", "Wemb", NULL };
    static const char *const targets[] = { "decoder_Wemb", "Wemb", NULL };
    struct dgm_foreign_specials specials[2];
    char vocabs[2][1024], paths[2][1024];
    const char *spm[2];
    size_t rows[2];

    DGM_TRY(dgm_import_rows(env, import, is_shared ? shared : sources, &rows[DGM_SOURCE]));
    DGM_TRY(dgm_import_rows(env, import, targets, &rows[DGM_TARGET]));
    DGM_TRY(read_vocabs(env, import, is_joint, vocabs));
    DGM_TRY(find_specials(env, import, DGM_SOURCE, &specials[DGM_SOURCE]));
    if (!is_joint)
        DGM_TRY(find_specials(env, import, DGM_TARGET, &specials[DGM_TARGET]));
    DGM_TRY(find_spm(env, import, vocabs, paths, spm));
    return dgm_import_text(env, import, specials, rows, spm);
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Of decoder.yml what changes a translation; the rest is files, speed and other tasks. */
static dgm_status read_decoder(struct dgm_env *env, struct dgm_import *import, const char *path)
{
    static const char *const names[] = { "beam-size", "normalize", "max-length-factor" };
    struct dgm_foreign_config config = { .name = "" };
    const char *value;
    double penalty = 0;
    dgm_status status;

    DGM_TRY(dgm_file_read_text(env, &import->text, path));
    DGM_TRY_OUT(dgm_foreign_config_yml(env, &config, path, import->text.data, import->text.size));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        value = dgm_foreign_config_text(&config, names[i]);
        if (value != NULL)
            DGM_TRY_OUT(dgm_import_habit(env, import, names[i], value, path));
    }
    value = dgm_foreign_config_text(&config, "word-penalty");
    if (value != NULL && (!dgm_number_real(&penalty, value, strlen(value)) || penalty != 0))
        dgm_log(env, DGM_LOG_WARNING,
                "%s: word-penalty %.40s is left out, as a search of ours has none", path, value);
out:
    dgm_foreign_config_clear(env, &config);
    return status;
}

/* Their decoder's defaults, but for its beam of twelve; those of browsers, which have no such file,
 * for their students. */
static dgm_status set_habits(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const habits[][3] = {
        { "beam-size", NULL, "1" },          { "beam-rule", "shrinking", "shrinking" },
        { "penalty", "fairseq", "fairseq" }, { "normalize", "0", "1" },
        { "max-length-factor", "3", "2" },   { "max-length-extra", "0", "0" },
    };
    const int is_student = strcmp(import->weights.format, "marian") == 0 &&
                           strcmp(dgm_settings_text(&import->settings, "decoder"), "ssru") == 0;
    char path[1024];

    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++)
        if (habits[i][1 + is_student] != NULL)
            DGM_TRY(dgm_import_habit(env, import, habits[i][0], habits[i][1 + is_student],
                                     import->weights_path));
    return dgm_import_find(env, import, "decoder.yml", path) ? read_decoder(env, import, path)
                                                             : DGM_OK;
}

static dgm_status read_marian(struct dgm_env *env, struct dgm_import *import)
{
    int is_shared = 0;

    DGM_TRY(read_config(env, import));
    DGM_TRY(dgm_foreign_config_check(env, &import->config, rules));
    DGM_TRY(set_sizes(env, import));
    DGM_TRY(set_norm(env, import));
    DGM_TRY(set_activation(env, import));
    DGM_TRY(set_decoder(env, import));
    DGM_TRY(set_tied(env, import));
    DGM_TRY(set_links(env, import));
    DGM_TRY(set_tying(env, import, &is_shared));
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "output-omit-bias", &import->lacks_bias));
    DGM_TRY(dgm_import_set(env, import, "positions", "tensor2tensor"));
    DGM_TRY(dgm_import_set(env, import, "decoder-start", "pad"));
    DGM_TRY(dgm_import_set(env, import, "output-bias", "1"));
    DGM_TRY(set_habits(env, import));
    return read_text(env, import, is_shared,
                     strcmp(dgm_settings_text(&import->settings, "tied-embeddings"), "all") == 0);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Entries that their model has not: never chosen, and nothing in a sum of probabilities. */
static const dgm_real never = -1000;

/* Ours of a layer, and Marian's behind "encoder_l1_"; of norms also what they are called in front
 * of a sub-layer. */
static const struct {
    const char *ours, *theirs;
    int is_transposed;
    const char *before;
} tails[] = {
    { "self_attn.q_proj.weight", "self_Wq", 1, NULL },
    { "self_attn.q_proj.bias", "self_bq", 0, NULL },
    { "self_attn.k_proj.weight", "self_Wk", 1, NULL },
    { "self_attn.k_proj.bias", "self_bk", 0, NULL },
    { "self_attn.v_proj.weight", "self_Wv", 1, NULL },
    { "self_attn.v_proj.bias", "self_bv", 0, NULL },
    { "self_attn.out_proj.weight", "self_Wo", 1, NULL },
    { "self_attn.out_proj.bias", "self_bo", 0, NULL },
    { "self_attn_layer_norm.weight", "self_Wo_ln_scale", 0, "self_Wo_ln_scale_pre" },
    { "self_attn_layer_norm.bias", "self_Wo_ln_bias", 0, "self_Wo_ln_bias_pre" },
    { "ssru.candidate.weight", "rnn_W", 1, NULL },
    { "ssru.forget.weight", "rnn_Wf", 1, NULL },
    { "ssru.forget.bias", "rnn_bf", 0, NULL },
    { "ssru_layer_norm.weight", "rnn_ffn_ln_scale", 0, "rnn_ln_scale_pre" },
    { "ssru_layer_norm.bias", "rnn_ffn_ln_bias", 0, "rnn_ln_bias_pre" },
    { "encoder_attn.q_proj.weight", "context_Wq", 1, NULL },
    { "encoder_attn.q_proj.bias", "context_bq", 0, NULL },
    { "encoder_attn.k_proj.weight", "context_Wk", 1, NULL },
    { "encoder_attn.k_proj.bias", "context_bk", 0, NULL },
    { "encoder_attn.v_proj.weight", "context_Wv", 1, NULL },
    { "encoder_attn.v_proj.bias", "context_bv", 0, NULL },
    { "encoder_attn.out_proj.weight", "context_Wo", 1, NULL },
    { "encoder_attn.out_proj.bias", "context_bo", 0, NULL },
    { "encoder_attn_layer_norm.weight", "context_Wo_ln_scale", 0, "context_Wo_ln_scale_pre" },
    { "encoder_attn_layer_norm.bias", "context_Wo_ln_bias", 0, "context_Wo_ln_bias_pre" },
    { "fc1.weight", "ffn_W1", 1, NULL },
    { "fc1.bias", "ffn_b1", 0, NULL },
    { "fc2.weight", "ffn_W2", 1, NULL },
    { "fc2.bias", "ffn_b2", 0, NULL },
    { "final_layer_norm.weight", "ffn_ffn_ln_scale", 0, "ffn_ffn_ln_scale_pre" },
    { "final_layer_norm.bias", "ffn_ffn_ln_bias", 0, "ffn_ffn_ln_bias_pre" },
};

static int place_tail(const struct dgm_import *import, enum dgm_side side, int layer,
                      const char *tail, struct dgm_import_place *place)
{
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        const int is_before = tails[i].before != NULL && import->model.net.config.pre_norm;
        const char *tied = side == DGM_TARGET ? import->tied_layers : "";

        if (strcmp(tails[i].ours, tail) != 0)
            continue;
        place->is_transposed = tails[i].is_transposed;
        dgm_import_name(place, "%s_l%ld_%s", dgm_side_name(side),
                        tied[0] != '\0' ? tied_layer(tied, layer + 1) : layer + 1,
                        is_before ? tails[i].before : tails[i].theirs);
        return 1;
    }
    return 0;
}

static void place_table(const struct dgm_import *import, const char *name,
                        struct dgm_import_place *place)
{
    const int is_source = strncmp(name, "encoder.", 8) == 0;

    place->is_table = 1;
    place->side = is_source ? DGM_SOURCE : DGM_TARGET;
    if (strcmp(name, "decoder.output_projection.weight") == 0) { /* older versions: (in, out) */
        place->is_transposed = dgm_import_has(import, "decoder_ff_logit_out_W");
        dgm_import_name(place, "decoder_ff_logit_out_%s", place->is_transposed ? "W" : "Wt");
        return;
    }
    dgm_import_name(place, is_source ? "encoder_Wemb" : "decoder_Wemb");
    dgm_import_name(place, "Wemb");
}

static int place(const struct dgm_import *import, const char *name, struct dgm_import_place *place)
{
    enum dgm_side side;
    const char *tail;
    int layer;

    if (dgm_import_split(name, &side, &layer, &tail))
        return place_tail(import, side, layer, tail, place);
    if (strcmp(name, "decoder.output_projection.bias") == 0) {
        place->is_table = 1;
        place->side = DGM_TARGET;
        place->missing = never;
        place->is_optional = import->lacks_bias;
        dgm_import_name(place, "decoder_ff_logit_out_b");
    } else if (strstr(name, "layer_norm.") != NULL) { /* at the top, of models with norms before */
        dgm_import_name(place, "%s_top_ln_%s", name[0] == 'e' ? "encoder" : "decoder",
                        strstr(name, ".weight") != NULL ? "scale" : "bias");
    } else {
        place_table(import, name, place);
    }
    return 1;
}

/* Arrays of zeros by which old versions began; the configuration. */
static const char *const spares[] = { "special:", NULL };

const struct dgm_import_kind dgm_import_marian = {
    .family = "marian",
    .format = "npz",
    .read = read_marian,
    .place = place,
    .tag_open = ">>",
    .tag_close = "<<",
    .spares = spares,
};

/* The same in a binary file. What products of whole numbers were scaled by is none of the model. */
const struct dgm_import_kind dgm_import_marian_bin = {
    .family = "marian",
    .format = "marian",
    .read = read_marian,
    .place = place,
    .tag_open = ">>",
    .tag_close = "<<",
    .spares = spares,
    .spare_end = "_QuantMultA",
};
