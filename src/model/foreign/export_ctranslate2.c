/*
 * export_ctranslate2.c: a folder that CTranslate2 loads: model.bin, config.json, vocabularies.
 *
 * Names and the binary format, version 6, are those of CTranslate2 4 (python/ctranslate2/specs/
 * model_spec.py and transformer_spec.py, revision 7 of its TransformerSpec): the version; name and
 * revision of the specification; the variables, each with its name, its shape, the number of its
 * type and its bytes; and names of variables that are others. Strings have their length with a NUL
 * in 16 bits, all other whole numbers 32 bits, but ranks and types 8.
 */
#include <stdio.h>
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "model/foreign/export.h"

enum { FORMAT = 6, REVISION = 7, NAME = 128 };
enum { TYPE_F32 = 0, TYPE_INT8 = 1, TYPE_INT16 = 2 };
enum { RELU = 0, SWISH = 2, GELU = 3 }; /* enum Activation of common_spec.py */

static dgm_status check(const struct dgm_export *job)
{
    (void)job;
    return DGM_OK;
}

/* ---- which variables ------------------------------------------------------------------------- */

/* Where the variables of one part are gathered from. */
struct part {
    const struct dgm_export *job;
    struct dgm_export_list *list;
    char theirs[NAME / 2], ours[NAME / 2]; /* prefixes of names */
};

static void name_ours(const struct part *part, char name[NAME], const char *tail)
{
    snprintf(name, NAME, "%s%s", part->ours, tail);
}

/* theirs/to.(weight|bias) of one or more layers of ours, one below another. */
static dgm_status add_linear(const struct part *part, const char *to, const char *const *from,
                             int count, int has_bias)
{
    static const char *const ends[] = { "weight", "bias" };
    char name[NAME], names[DGM_EXPORT_PARTS][NAME], tail[NAME / 2];

    for (int e = 0; e < 1 + has_bias; e++) {
        for (int i = 0; i < count; i++) {
            snprintf(tail, sizeof tail, "%s.%s", from[i], ends[e]);
            name_ours(part, names[i], tail);
        }
        snprintf(name, sizeof name, "%s/%s/%s", part->theirs, to, ends[e]);
        DGM_TRY(dgm_export_add(part->job, part->list, name, names[0], count > 1 ? names[1] : NULL,
                               count > 2 ? names[2] : NULL));
    }
    return DGM_OK;
}

static dgm_status add_norm(const struct part *part, const char *to, const char *from)
{
    static const char *const ends[2][2] = { { "gamma", "weight" }, { "beta", "bias" } };
    char name[NAME], tail[NAME / 2], ours[NAME];

    for (int e = 0; e < 2; e++) {
        snprintf(name, sizeof name, "%s/%s/%s", part->theirs, to, ends[e][0]);
        snprintf(tail, sizeof tail, "%s.%s", from, ends[e][1]);
        name_ours(part, ours, tail);
        DGM_TRY(dgm_export_add(part->job, part->list, name, ours, NULL, NULL));
    }
    return DGM_OK;
}

static dgm_status add_self_attention(const struct part *part)
{
    static const char *const own[] = { "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj" };
    static const char *const out[] = { "self_attn.out_proj" };
    const int has_bias = part->job->model.net.config.attention_bias;

    DGM_TRY(add_norm(part, "self_attention/layer_norm", "self_attn_layer_norm"));
    DGM_TRY(add_linear(part, "self_attention/linear_0", own, 3, has_bias));
    return add_linear(part, "self_attention/linear_1", out, 1, has_bias);
}

static dgm_status add_cross_attention(const struct part *part)
{
    static const char *const q[] = { "encoder_attn.q_proj" };
    static const char *const kv[] = { "encoder_attn.k_proj", "encoder_attn.v_proj" };
    static const char *const out[] = { "encoder_attn.out_proj" };
    const int has_bias = part->job->model.net.config.attention_bias;

    DGM_TRY(add_norm(part, "attention/layer_norm", "encoder_attn_layer_norm"));
    DGM_TRY(add_linear(part, "attention/linear_0", q, 1, has_bias));
    DGM_TRY(add_linear(part, "attention/linear_1", kv, 2, has_bias));
    return add_linear(part, "attention/linear_2", out, 1, has_bias);
}

static dgm_status add_layer(const struct dgm_export *job, struct dgm_export_list *list, int side,
                            int number)
{
    static const char *const fc1[] = { "fc1" }, *const fc2[] = { "fc2" };
    struct part part = { job, list, "", "" };

    snprintf(part.theirs, sizeof part.theirs, "%s/layer_%d", dgm_side_name(side), number);
    snprintf(part.ours, sizeof part.ours, "%s.layers.%d.", dgm_side_name(side), number);
    DGM_TRY(add_self_attention(&part));
    if (side == DGM_TARGET)
        DGM_TRY(add_cross_attention(&part));
    DGM_TRY(add_norm(&part, "ffn/layer_norm", "final_layer_norm"));
    DGM_TRY(add_linear(&part, "ffn/linear_0", fc1, 1, 1));
    return add_linear(&part, "ffn/linear_1", fc2, 1, 1);
}

/* A whole number of a side. */
static dgm_status add_number(const struct part *part, const char *to, int number, int bytes)
{
    char name[NAME];

    snprintf(name, sizeof name, "%s/%s", part->theirs, to);
    return dgm_export_add_number(part->job, part->list, name, number, bytes);
}

static int activation_of(const struct dgm_model_config *config)
{
    return config->ffn_activation == DGM_FFN_SWISH  ? SWISH
           : config->ffn_activation == DGM_FFN_GELU ? GELU
                                                    : RELU;
}

static dgm_status add_numbers(const struct part *part, int side)
{
    const struct dgm_model_config *config = &part->job->model.net.config;

    DGM_TRY(add_number(part, "num_heads", (int)config->heads, 2));
    DGM_TRY(add_number(part, "pre_norm", config->pre_norm, 1));
    DGM_TRY(add_number(part, "activation", activation_of(config), 1));
    DGM_TRY(add_number(part, "scale_embeddings", !config->unscaled, 1));
    if (side == DGM_SOURCE) {
        DGM_TRY(add_number(part, "embeddings_merge", 0, 1));
        return add_number(part, "multi_query_attention", 0, 1);
    }
    /* Theirs count from 0; the last, which is 0 of ours, is -1. */
    DGM_TRY(add_number(part, "alignment_layer", config->guided_layer - 1, 2));
    DGM_TRY(add_number(part, "alignment_heads", 1, 2));
    DGM_TRY(add_number(part, "alibi", 0, 1));
    DGM_TRY(add_number(part, "alibi_use_positive_positions", 0, 1));
    DGM_TRY(add_number(part, "scale_alibi", 0, 1));
    return add_number(part, "start_from_zero_embedding", 0, 1);
}

static dgm_status add_side(const struct dgm_export *job, struct dgm_export_list *list, int side)
{
    const struct dgm_model_config *config = &job->model.net.config;
    struct part part = { job, list, "", "" };
    char name[NAME];

    snprintf(part.theirs, sizeof part.theirs, "%s", dgm_side_name(side));
    snprintf(part.ours, sizeof part.ours, "%s.", dgm_side_name(side));
    DGM_TRY(add_numbers(&part, side));
    snprintf(name, sizeof name, "%s/position_encodings/encodings", part.theirs);
    DGM_TRY(dgm_export_add_positions(job, list, name));
    if (config->pre_norm)
        DGM_TRY(add_norm(&part, "layer_norm", "layer_norm"));
    for (int i = 0; i < (side == DGM_SOURCE ? config->enc_depth : config->dec_depth); i++)
        DGM_TRY(add_layer(job, list, side, i));
    return DGM_OK;
}

#define SOURCE_TABLE "encoder/embeddings_0/weight"
#define TARGET_TABLE "decoder/embeddings/weight"
#define OUTPUT_TABLE "decoder/projection/weight"

/* Tables that are others: pairs of names. */
struct aliases {
    const char *names[2][2];
    int count;
};

static dgm_status add_tables(const struct dgm_export *job, struct dgm_export_list *list,
                             struct aliases *aliases)
{
    const enum dgm_tying tying = job->model.net.config.tying;

    DGM_TRY(dgm_export_add(job, list, SOURCE_TABLE, "encoder.embed_tokens.weight", NULL, NULL));
    if (tying != DGM_TIED_ALL)
        DGM_TRY(dgm_export_add(job, list, TARGET_TABLE, "decoder.embed_tokens.weight", NULL, NULL));
    if (tying == DGM_TIED_NONE)
        DGM_TRY(dgm_export_add(job, list, OUTPUT_TABLE, "decoder.output_projection.weight", NULL,
                               NULL));
    if (job->model.net.output_bias >= 0)
        DGM_TRY(dgm_export_add(job, list, "decoder/projection/bias",
                               "decoder.output_projection.bias", NULL, NULL));
    aliases->count = tying == DGM_TIED_ALL ? 2 : tying == DGM_TIED_DECODER;
    aliases->names[0][0] = OUTPUT_TABLE;
    aliases->names[0][1] = tying == DGM_TIED_ALL ? SOURCE_TABLE : TARGET_TABLE;
    aliases->names[1][0] = TARGET_TABLE;
    aliases->names[1][1] = SOURCE_TABLE;
    return DGM_OK;
}

/* ---- model.bin ------------------------------------------------------------------------------- */

static dgm_status put(const struct dgm_export *job, struct dgm_writer *writer, uint32_t number,
                      int bytes)
{
    unsigned char data[4];

    dgm_le32_put(data, number);
    return dgm_writer_add(job->env, writer, data, (size_t)bytes);
}

static dgm_status put_text(const struct dgm_export *job, struct dgm_writer *writer,
                           const char *text)
{
    const size_t bytes = strlen(text) + 1;

    DGM_TRY(put(job, writer, (uint32_t)bytes, 2));
    return dgm_writer_add(job->env, writer, text, bytes);
}

static dgm_status put_variable(const struct dgm_export *job, struct dgm_writer *writer,
                               const struct dgm_export_tensor *tensor)
{
    const int64_t bytes = dgm_export_count(tensor) * (tensor->rank == 0 ? tensor->number_bytes : 4);
    const int type = tensor->rank > 0            ? TYPE_F32
                     : tensor->number_bytes == 1 ? TYPE_INT8
                                                 : TYPE_INT16;

    if (bytes > UINT32_MAX)
        return dgm_fail(job->env, DGM_UNSUPPORTED,
                        "%s has %lld bytes; CTranslate2 reads 4294967295 at most", tensor->name,
                        (long long)bytes);
    DGM_TRY(put_text(job, writer, tensor->name));
    DGM_TRY(put(job, writer, (uint32_t)tensor->rank, 1));
    for (int i = 0; i < tensor->rank; i++)
        DGM_TRY(put(job, writer, (uint32_t)tensor->dims[i], 4));
    DGM_TRY(put(job, writer, (uint32_t)type, 1));
    DGM_TRY(put(job, writer, (uint32_t)bytes, 4));
    return dgm_export_write_tensor(job, writer, tensor);
}

static dgm_status put_all(const struct dgm_export *job, struct dgm_writer *writer,
                          const struct dgm_export_list *list, const struct aliases *aliases)
{
    DGM_TRY(put(job, writer, FORMAT, 4));
    DGM_TRY(put_text(job, writer, "TransformerSpec"));
    DGM_TRY(put(job, writer, REVISION, 4));
    DGM_TRY(put(job, writer, (uint32_t)list->count, 4));
    for (size_t i = 0; i < list->count; i++)
        DGM_TRY(put_variable(job, writer, &list->items[i]));
    DGM_TRY(put(job, writer, (uint32_t)aliases->count, 4));
    for (int i = 0; i < aliases->count; i++)
        for (int j = 0; j < 2; j++)
            DGM_TRY(put_text(job, writer, aliases->names[i][j]));
    return DGM_OK;
}

static dgm_status write_model(const struct dgm_export *job)
{
    struct dgm_export_list list = { 0 };
    struct aliases aliases;
    struct dgm_writer writer;
    int is_open = 0;
    dgm_status status;

    DGM_TRY_OUT(add_side(job, &list, DGM_SOURCE));
    DGM_TRY_OUT(add_side(job, &list, DGM_TARGET));
    DGM_TRY_OUT(add_tables(job, &list, &aliases));
    DGM_TRY_OUT(dgm_export_open(job, &writer, "model.bin"));
    is_open = 1;
    DGM_TRY_OUT(put_all(job, &writer, &list, &aliases));
    is_open = 0;
    DGM_TRY_OUT(dgm_writer_close(job->env, &writer));
out:
    if (is_open)
        dgm_writer_abandon(job->env, &writer);
    dgm_release(job->env, list.items);
    return status;
}

/* ---- config.json ----------------------------------------------------------------------------- */

static dgm_status write_config(const struct dgm_export *job)
{
    static const char *const starts[] = { "</s>", "<s>", "<pad>" };
    const struct dgm_model_config *config = &job->model.net.config;
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_format(job->env, &text,
                                   "{\n"
                                   "  \"add_source_bos\": false,\n"
                                   "  \"add_source_eos\": %s,\n"
                                   "  \"bos_token\": \"<s>\",\n"
                                   "  \"decoder_start_token\": \"%s\",\n"
                                   "  \"eos_token\": \"</s>\",\n"
                                   "  \"layer_norm_epsilon\": ",
                                   job->model.pipeline.omits_end ? "false" : "true",
                                   starts[config->decoder_start]));
    DGM_TRY_OUT(dgm_buf_add_real(job->env, &text, config->norm_eps, 17));
    DGM_TRY_OUT(dgm_buf_add_text(job->env, &text,
                                 ",\n"
                                 "  \"multi_query_attention\": false,\n"
                                 "  \"unk_token\": \"<unk>\"\n"
                                 "}\n"));
    DGM_TRY_OUT(dgm_export_write_file(job, "config.json", text.data, text.size));
out:
    dgm_buf_clear(job->env, &text);
    return status;
}

static dgm_status write_all(const struct dgm_export *job)
{
    DGM_TRY(write_model(job));
    DGM_TRY(write_config(job));
    if (job->model.pipeline.joint)
        return dgm_export_write_vocab(job, "shared_vocabulary.json", DGM_SOURCE, 0);
    DGM_TRY(dgm_export_write_vocab(job, "source_vocabulary.json", DGM_SOURCE, 0));
    return dgm_export_write_vocab(job, "target_vocabulary.json", DGM_TARGET, 0);
}

const struct dgm_export_format dgm_export_ctranslate2 = { "ctranslate2", check, write_all };
