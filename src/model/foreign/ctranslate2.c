/*
 * ctranslate2.c: Transformers of CTranslate2: model.bin, config.json (from version 3.0 of the
 * program on; before, variables say what it says), and vocabularies as a list of JSON or a token on
 * a line. A package of Argos Translate has them in the folder `model`, and sentencepiece.model
 * beside that folder.
 *
 * Revisions 2 to 7 of TransformerSpec, and TransformerBase and TransformerBig, as it was called
 * before (python/ctranslate2/specs/transformer_spec.py, src/models/transformer.cc). Queries, keys
 * and values of an attention are rows of one matrix. Where no positions are kept, they are those of
 * OpenNMT-tf.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "model/foreign/import.h"

enum { OLDEST = 2, NEWEST = 7 };

static const struct dgm_foreign_rule rules[] = {
    { "add_source_bos", "false" }, { "multi_query_attention", "false" },
    { "quantization_bits", NULL }, { "quantization_group_size", NULL },
    { "quantization_type", "0" },  { NULL, NULL },
};

/* ---- numbers that are variables -------------------------------------------------------------- */

/* The variable of this name or, in older revisions, of its last part; NULL: neither. */
static const struct dgm_foreign_tensor *find(const struct dgm_import *import, const char *name)
{
    const struct dgm_foreign_tensor *found = dgm_foreign_find(&import->weights, name);
    const char *last = strrchr(name, '/');

    return found != NULL || last == NULL ? found : dgm_foreign_find(&import->weights, last + 1);
}

/* *value stays if there is none. Such a variable has its place then. */
static dgm_status take_number(struct dgm_env *env, struct dgm_import *import, const char *name,
                              double *value)
{
    const struct dgm_foreign_tensor *tensor = find(import, name);

    if (tensor == NULL)
        return DGM_OK;
    import->used[tensor - import->weights.tensors] = 1;
    return dgm_foreign_number(env, &import->weights, tensor, value);
}

/* One that both sides have, and a network of ours once. */
static dgm_status take_common(struct dgm_env *env, struct dgm_import *import, const char *last,
                              double *value)
{
    double other = *value;
    char name[64];

    snprintf(name, sizeof name, "encoder/%s", last);
    DGM_TRY(take_number(env, import, name, value));
    snprintf(name, sizeof name, "decoder/%s", last);
    DGM_TRY(take_number(env, import, name, &other));
    if (*value == other)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                       "%s is %g in the encoder and %g in the decoder, which no network of ours "
                       "has; expected the same",
                       last, *value, other);
}

/* What a network of ours cannot have. */
static dgm_status refuse_numbers(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const names[] = { "encoder/multi_query_attention",
                                         "decoder/multi_query_attention",
                                         "decoder/alibi",
                                         "decoder/alibi_use_positive_positions",
                                         "decoder/scale_alibi",
                                         "with_source_bos",
                                         "with_relative_position" };
    /* Of several tables of a source, which has one; of links, which are found in our own way. */
    static const char *const rest[] = { "encoder/embeddings_merge", "decoder/alignment_layer",
                                        "decoder/alignment_heads" };
    double value;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        value = 0;
        DGM_TRY(take_number(env, import, names[i], &value));
        if (value != 0)
            return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                               "%s is %g, which no network of ours has; expected 0", names[i],
                               value);
    }
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        DGM_TRY(take_number(env, import, rest[i], &value));
    return DGM_OK;
}

/* ---- shape ----------------------------------------------------------------------------------- */

#define FIRST_LAYER "encoder/layer_0/"

static const char *const tables[2][3] = {
    { "encoder/embeddings_0/weight", "encoder/embeddings/weight", NULL },
    { "decoder/embeddings_0/weight", "decoder/embeddings/weight", NULL },
};
static const char *const scores = "decoder/projection/weight";

static const struct dgm_foreign_tensor *table_of(const struct dgm_import *import, int side)
{
    const struct dgm_foreign_tensor *first = dgm_foreign_find(&import->weights, tables[side][0]);

    return first != NULL ? first : dgm_foreign_find(&import->weights, tables[side][1]);
}

static int64_t depth_of(const struct dgm_import *import, const char *side)
{
    char name[96];
    int64_t depth = 0;

    do
        snprintf(name, sizeof name, "%s/layer_%d/ffn/linear_0/weight", side, (int)depth);
    while (dgm_import_has(import, name) && ++depth <= 64);
    return depth;
}

static dgm_status set_sizes(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const inner[] = { FIRST_LAYER "ffn/linear_0/weight", NULL };
    /* Older revisions do not say; the name does. */
    double heads = strcmp(import->weights.network, "TransformerBig") == 0 ? 16 : 8;
    const struct dgm_foreign_tensor *table = table_of(import, DGM_SOURCE);
    size_t rows;

    DGM_TRY(take_common(env, import, "num_heads", &heads));
    DGM_TRY(dgm_import_rows(env, import, tables[DGM_SOURCE], &rows));
    DGM_TRY(dgm_import_set_int(env, import, "dim-emb", (int64_t)table->dims[1]));
    DGM_TRY(dgm_import_rows(env, import, inner, &rows));
    DGM_TRY(dgm_import_set_int(env, import, "transformer-dim-ffn", (int64_t)rows));
    DGM_TRY(dgm_import_set_int(env, import, "transformer-heads", (int64_t)heads));
    DGM_TRY(dgm_import_set_int(env, import, "enc-depth", depth_of(import, "encoder")));
    return dgm_import_set_int(env, import, "dec-depth", depth_of(import, "decoder"));
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* enum Activation of common_spec.py. */
static dgm_status set_activation(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const names[] = { "relu", NULL, "swish", "gelu" };
    double number = 0;

    DGM_TRY(take_common(env, import, "activation", &number));
    if (number < 0 || number > 3 || names[(int)number] == NULL)
        return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                           "activation is %g, which no network of ours has; expected 0 (ReLU), 2 "
                           "(Swish) or 3 (GELU)",
                           number);
    return dgm_import_set(env, import, "ffn-activation", names[(int)number]);
}

/* Whether by the root of the width, or by how much. */
static dgm_status set_scale(struct dgm_env *env, struct dgm_import *import)
{
    const double root = sqrt((double)table_of(import, DGM_SOURCE)->dims[1]);
    double scale = 1, old = 1;
    int is_root;

    DGM_TRY(take_common(env, import, "embeddings/multiply_by_sqrt_depth", &old));
    scale = old;
    DGM_TRY(take_common(env, import, "scale_embeddings", &scale));
    is_root = find(import, "encoder/scale_embeddings") == NULL ||
                      find(import, "encoder/scale_embeddings")->type->bytes == 1
                  ? scale == 1
                  : fabs(scale - root) < 1e-3 * root;
    if (!is_root && scale != 0 && scale != 1)
        return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                           "embeddings are scaled by %g, which no network of ours has; expected 1 "
                           "or %g, the root of the width",
                           scale, root);
    return dgm_import_set(env, import, "embedding-scale", is_root ? "sqrt" : "one");
}

static dgm_status set_norm(struct dgm_env *env, struct dgm_import *import)
{
    const char *epsilon = dgm_foreign_config_text(&import->config, "layer_norm_epsilon");
    double is_pre = 1;

    DGM_TRY(take_common(env, import, "pre_norm", &is_pre));
    DGM_TRY(dgm_import_set(env, import, "transformer-norm", is_pre != 0 ? "pre" : "post"));
    return dgm_import_set(env, import, "norm-eps",
                          epsilon != NULL && epsilon[0] != '\0' ? epsilon : "1e-5");
}

static int is_same(const struct dgm_foreign_tensor *a, const struct dgm_foreign_tensor *b)
{
    return a != NULL && b != NULL && a->at == b->at;
}

static dgm_status set_forms(struct dgm_env *env, struct dgm_import *import, int is_shared)
{
    const struct dgm_foreign_tensor *out = dgm_foreign_find(&import->weights, scores);
    const int is_tied = is_same(out, table_of(import, DGM_TARGET));
    const int is_one = is_shared && is_tied && is_same(out, table_of(import, DGM_SOURCE));

    DGM_TRY(dgm_import_tie(env, import, is_one, is_tied));
    DGM_TRY(set_activation(env, import));
    DGM_TRY(set_scale(env, import));
    DGM_TRY(set_norm(env, import));
    /* Kept ones are found among our layouts when they are read. */
    DGM_TRY(dgm_import_set(env, import, "positions", "opennmt-tf"));
    DGM_TRY(dgm_import_set_int(env, import, "output-bias",
                               dgm_import_has(import, "decoder/projection/bias")));
    return dgm_import_set_int(env, import, "attention-bias",
                              dgm_import_has(import, FIRST_LAYER "self_attention/linear_0/bias"));
}

/* ---- vocabularies ---------------------------------------------------------------------------- */

/* name.json or name.txt beside the weights: 1 if one is there. */
static int find_vocab(struct dgm_env *env, const struct dgm_import *import, const char *name,
                      char path[1024])
{
    static const char *const ends[] = { "json", "txt" };
    const char *slash = strrchr(import->weights_path, '/');
    const int folder = slash != NULL ? (int)(slash - import->weights_path) + 1 : 0;
    char whole[1024];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const int length =
            snprintf(whole, sizeof whole, "%.*s%s.%s", folder, import->weights_path, name, ends[i]);

        if (length < (int)sizeof whole && dgm_file_exists(env, whole)) {
            strcpy(path, whole);
            return 1;
        }
    }
    return 0;
}

static dgm_status read_vocab(struct dgm_env *env, struct dgm_import *import, int side,
                             int is_shared)
{
    static const char *const names[] = { "source_vocabulary", "target_vocabulary" };
    const struct dgm_import_request *request = import->request;
    const char *name = is_shared ? "shared_vocabulary" : names[side];
    char path[1024];

    if (request->vocab_count > 0)
        snprintf(path, sizeof path, "%s",
                 request->vocabs[side < (int)request->vocab_count ? side : 0]);
    else if (!find_vocab(env, import, name, path))
        return dgm_fail_at(env, DGM_MODEL, import->weights_path, 0, 0,
                           "no %s.json or .txt beside it; expected one, or --vocabs", name);
    return dgm_import_vocab(env, import, side, path);
}

static const char *token_of(struct dgm_import *import, const char *name, const char *fallback)
{
    const char *token = dgm_foreign_config_text(&import->config, name);

    return token != NULL && token[0] != '\0' ? token : fallback;
}

/* An unknown word has a row behind the last where the file does not name it. */
static dgm_status find_specials(struct dgm_env *env, struct dgm_import *import, int side,
                                int is_joint, size_t rows, struct dgm_foreign_specials *specials)
{
    struct dgm_foreign_vocab *vocab = &import->vocab[side];
    const char *unknown = token_of(import, "unk_token", "<unk>");
    int64_t *numbers = specials->numbers;

    if (dgm_foreign_vocab_find(vocab, unknown) < 0 && vocab->count + 1 == rows) {
        vocab->most = rows;
        DGM_TRY(dgm_foreign_vocab_add(env, vocab, (int64_t)rows - 1, unknown, strlen(unknown)));
    }
    numbers[DGM_VOCAB_UNK] = dgm_foreign_vocab_find(vocab, unknown);
    numbers[DGM_VOCAB_BOS] = dgm_foreign_vocab_find(vocab, token_of(import, "bos_token", "<s>"));
    numbers[DGM_VOCAB_EOS] = dgm_foreign_vocab_find(vocab, token_of(import, "eos_token", "</s>"));
    numbers[DGM_VOCAB_PAD] = dgm_foreign_vocab_find(vocab, "<blank>");
    if (numbers[DGM_VOCAB_PAD] < 0)
        numbers[DGM_VOCAB_PAD] = dgm_foreign_vocab_find(vocab, "<pad>");
    if (numbers[DGM_VOCAB_EOS] < 0)
        return dgm_fail_at(env, DGM_MODEL, vocab->name, 0, 0, "no token %s; expected one",
                           token_of(import, "eos_token", "</s>"));
    if (dgm_import_has(import, "decoder/projection/bias") || (side == DGM_SOURCE && !is_joint))
        return DGM_OK;
    return dgm_import_need_specials(env, import, side, specials);
}

/* ---- the ends of sentences ------------------------------------------------------------------- */

/* What the decoder reads first: nothing but zeros, or a token. */
static dgm_status set_start(struct dgm_env *env, struct dgm_import *import,
                            const struct dgm_foreign_specials *specials, int is_zero)
{
    static const char *const starts[DGM_VOCAB_SPECIALS] = { "bos", "pad", "eos", NULL };
    const struct dgm_foreign_vocab *vocab =
        &import->vocab[import->vocab[DGM_TARGET].count > 0 ? DGM_TARGET : DGM_SOURCE];
    double has_bos = 1;
    const char *token;
    int64_t number;

    DGM_TRY(take_number(env, import, "with_target_bos", &has_bos));
    token = token_of(import, "decoder_start_token", has_bos != 0 ? "<s>" : "</s>");
    number = dgm_foreign_vocab_find(vocab, token);
    if (is_zero)
        return dgm_import_set(env, import, "decoder-start", "pad");
    for (int i = 0; number >= 0 && i < DGM_VOCAB_SPECIALS; i++)
        if (starts[i] != NULL && specials->numbers[i] == number)
            return dgm_import_set(env, import, "decoder-start", starts[i]);
    return dgm_fail_at(env, DGM_MODEL, vocab->name, 0, 0,
                       "the decoder starts with %s, which is none of <s>, </s> and the padding; "
                       "expected one of them",
                       token);
}

/*
 * Whether the encoder reads </s> behind a sentence. Where the program does not add it, OpenNMT's
 * models have learned without (their decoders start with <s>), and those that came from
 * transformers expect it of whoever cuts the text: Marian's, and others with tags besides, which
 * cannot be told from what lies here.
 */
static dgm_status set_end(struct dgm_env *env, struct dgm_import *import, int is_marian)
{
    const int starts_with_bos =
        strcmp(dgm_settings_text(&import->settings, "decoder-start"), "bos") == 0;
    double old = 0;
    int adds_end;

    DGM_TRY(take_number(env, import, "with_source_eos", &old));
    adds_end = old != 0;
    DGM_TRY(dgm_foreign_config_flag(env, &import->config, "add_source_eos", &adds_end));
    if (!adds_end && !is_marian && !starts_with_bos)
        return dgm_fail_at(env, DGM_MODEL, import->weights_path, 0, 0,
                           "whoever cuts its text has to add ends and tags of languages, which "
                           "nothing here names (M2M-100, NLLB, mBART); expected add_source_eos, or "
                           "a decoder that starts with <s>; import the model that this one was "
                           "made of");
    return dgm_import_set_int(env, import, "source-end", adds_end || is_marian);
}

/* ---------------------------------------------------------------------------------------------- */

static dgm_status check_network(struct dgm_env *env, const struct dgm_import *import)
{
    static const char *const names[] = { "TransformerSpec", "TransformerBase", "TransformerBig" };
    const struct dgm_foreign *file = &import->weights;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(file->network, names[i]) == 0 && file->revision >= OLDEST &&
            file->revision <= NEWEST)
            return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "%s, revision %u, which no network of ours is; expected TransformerSpec, "
                       "revision %d to %d",
                       file->network, (unsigned)file->revision, OLDEST, NEWEST);
}

/* sentencepiece.model, as Argos Translate calls it, beside the folder of the weights. */
static dgm_status find_spm(struct dgm_env *env, struct dgm_import *import, char paths[2][1024],
                           const char *spm[2])
{
    static const char *const both[2] = { "sentencepiece.model", NULL };

    DGM_TRY(dgm_import_find_spm(env, import, both, paths, spm));
    return spm[0] != NULL ? dgm_import_choose_spm(env, import, spm)
                          : dgm_import_guess_spm(env, import, paths, spm);
}

static dgm_status read_ctranslate2(struct dgm_env *env, struct dgm_import *import)
{
    struct dgm_foreign_specials specials[2];
    char paths[2][1024];
    const char *spm[2];
    size_t rows[2];
    double is_zero = 0;
    int is_shared, is_joint;

    DGM_TRY(check_network(env, import));
    DGM_TRY(dgm_foreign_config_check(env, &import->config, rules));
    DGM_TRY(refuse_numbers(env, import));
    DGM_TRY(set_sizes(env, import));
    is_shared = find_vocab(env, import, "shared_vocabulary", paths[0]);
    DGM_TRY(set_forms(env, import, is_shared));
    is_joint = strcmp(dgm_settings_text(&import->settings, "tied-embeddings"), "all") == 0;
    for (int side = 0; side < 2; side++) {
        DGM_TRY(dgm_import_rows(env, import, tables[side], &rows[side]));
        if (side == DGM_TARGET && is_joint)
            continue;
        DGM_TRY(read_vocab(env, import, side, is_shared));
        DGM_TRY(find_specials(env, import, side, is_joint, rows[side], &specials[side]));
    }
    DGM_TRY(take_number(env, import, "decoder/start_from_zero_embedding", &is_zero));
    DGM_TRY(set_start(env, import, &specials[is_joint ? DGM_SOURCE : DGM_TARGET], is_zero != 0));
    DGM_TRY(set_end(env, import, is_zero != 0));
    DGM_TRY(find_spm(env, import, paths, spm));
    return dgm_import_text(env, import, specials, rows, spm);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Entries that their model has not: never chosen, and nothing in a sum of probabilities. */
static const dgm_real never = -1000;

/* Ours of a layer without ".weight" or ".bias", theirs, and which of how many parts of theirs. */
static const struct {
    const char *ours, *theirs;
    int part, parts;
} tails[] = {
    { "self_attn.q_proj", "self_attention/linear_0", 0, 3 },
    { "self_attn.k_proj", "self_attention/linear_0", 1, 3 },
    { "self_attn.v_proj", "self_attention/linear_0", 2, 3 },
    { "self_attn.out_proj", "self_attention/linear_1", 0, 1 },
    { "self_attn_layer_norm", "self_attention/layer_norm", 0, 1 },
    { "encoder_attn.q_proj", "attention/linear_0", 0, 1 },
    { "encoder_attn.k_proj", "attention/linear_1", 0, 2 },
    { "encoder_attn.v_proj", "attention/linear_1", 1, 2 },
    { "encoder_attn.out_proj", "attention/linear_2", 0, 1 },
    { "encoder_attn_layer_norm", "attention/layer_norm", 0, 1 },
    { "fc1", "ffn/linear_0", 0, 1 },
    { "fc2", "ffn/linear_1", 0, 1 },
    { "final_layer_norm", "ffn/layer_norm", 0, 1 },
};

/* What they call the weight and the bias of a norm. */
static const char *norm_end(const char *end)
{
    return strcmp(end, ".weight") == 0 ? "gamma" : "beta";
}

static int place_tail(enum dgm_side side, int layer, const char *tail,
                      struct dgm_import_place *place)
{
    const char *end = strrchr(tail, '.'); /* .weight or .bias */

    for (size_t i = 0; end != NULL && i < sizeof tails / sizeof *tails; i++) {
        const size_t length = strlen(tails[i].ours);

        if (length != (size_t)(end - tail) || strncmp(tails[i].ours, tail, length) != 0)
            continue;
        dgm_import_name(place, "%s/layer_%d/%s/%s", dgm_side_name(side), layer, tails[i].theirs,
                        strstr(tails[i].ours, "norm") != NULL ? norm_end(end) : end + 1);
        place->part = tails[i].part;
        place->parts = tails[i].parts;
        return 1;
    }
    return 0;
}

static void place_table(const struct dgm_import *import, struct dgm_import_place *place, int side)
{
    const struct dgm_foreign *file = &import->weights;
    const int is_new = dgm_foreign_find(file, tables[side][0]) != NULL;

    dgm_import_name(place, "%s", tables[side][is_new ? 0 : 1]);
}

static int place(const struct dgm_import *import, const char *name, struct dgm_import_place *place)
{
    const enum dgm_tying tying = import->model.net.config.tying;
    enum dgm_side side;
    const char *tail;
    int layer;

    if (dgm_import_split(name, &side, &layer, &tail))
        return place_tail(side, layer, tail, place);
    side = strncmp(name, "encoder.", 8) == 0 ? DGM_SOURCE : DGM_TARGET;
    if (strstr(name, "layer_norm.") != NULL) {
        dgm_import_name(place, "%s/layer_norm/%s", dgm_side_name(side),
                        norm_end(strrchr(name, '.')));
        return 1;
    }
    place->is_table = 1;
    place->side = side;
    if (strcmp(name, "decoder.output_projection.bias") == 0) {
        place->missing = never;
        dgm_import_name(place, "decoder/projection/bias");
    } else if (strcmp(name, "decoder.output_projection.weight") == 0) {
        dgm_import_name(place, "%s", scores);
    } else {
        place_table(import, place, side);
        if (tying == DGM_TIED_ALL)
            place_table(import, place, DGM_TARGET);
        if (tying == DGM_TIED_ALL || (tying == DGM_TIED_DECODER && side == DGM_TARGET))
            dgm_import_name(place, "%s", scores);
    }
    return 1;
}

static const char *const positions[] = { "encoder/position_encodings/encodings",
                                         "decoder/position_encodings/encodings", NULL };

const struct dgm_import_kind dgm_import_ctranslate2 = {
    .family = "ctranslate2",
    .format = "ctranslate2",
    .read = read_ctranslate2,
    .place = place,
    .positions = positions,
};
