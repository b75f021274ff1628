/*
 * export_huggingface.c: a folder that MarianMTModel.from_pretrained of transformers loads:
 * model.safetensors, config.json, generation_config.json and vocabularies.
 *
 * Names of tensors are fairseq's behind "model." (transformers 5, models/marian); a table that is
 * tied to another is left out. The tables of positions stand in the file: the library's own are
 * those of --positions marian, and a file's replace them. A safetensors file is the length of a
 * JSON header in 64 bits, the header, and the numbers (github.com/huggingface/safetensors).
 */
#include <stdio.h>
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "model/foreign/export.h"

enum { NAME = 128, BAD_PAD = 1 };

static dgm_status refuse(const struct dgm_export *job, const char *option, const char *expected)
{
    return dgm_fail_at(job->env, DGM_UNSUPPORTED, job->file.name, 0, 0,
                       "a model with --%s %s, which MarianMTModel does not have; expected %s%s",
                       option, dgm_export_option(job, option), expected, ", or --to ctranslate2");
}

static dgm_status check(const struct dgm_export *job)
{
    const struct dgm_model_config *config = &job->model.net.config;

    if (config->pre_norm)
        return refuse(job, "transformer-norm", "post");
    if (!config->attention_bias)
        return refuse(job, "attention-bias", "1");
    if (config->norm_eps != 1e-5)
        return refuse(job, "norm-eps", "1e-5");
    if (job->model.pipeline.omits_end)
        return refuse(job, "source-end", "1");
    return DGM_OK;
}

/* ---- which tensors --------------------------------------------------------------------------- */

/* Every parameter but tables, under its name behind "model.". */
static dgm_status add_layers(const struct dgm_export *job, struct dgm_export_list *list)
{
    const struct dgm_params *params = &job->model.net.params;
    char name[NAME + 16];

    for (size_t i = 0; i < params->count; i++) {
        const char *ours = params->items[i].name;

        if (strstr(ours, ".layers.") == NULL)
            continue;
        snprintf(name, sizeof name, "model.%s", ours);
        DGM_TRY(dgm_export_add(job, list, name, ours, NULL, NULL));
    }
    return DGM_OK;
}

static dgm_status add_bias(const struct dgm_export *job, struct dgm_export_list *list)
{
    struct dgm_export_tensor *bias;

    if (job->model.net.output_bias < 0)
        return dgm_export_add_zeros(job, list, "final_logits_bias",
                                    job->model.net.vocab[DGM_TARGET]);
    DGM_TRY(dgm_export_add(job, list, "final_logits_bias", "decoder.output_projection.bias", NULL,
                           NULL));
    bias = &list->items[list->count - 1];
    bias->rank = 2;
    bias->dims[1] = bias->dims[0];
    bias->dims[0] = 1;
    return DGM_OK;
}

static dgm_status add_tables(const struct dgm_export *job, struct dgm_export_list *list)
{
    const enum dgm_tying tying = job->model.net.config.tying;

    if (tying == DGM_TIED_ALL)
        return dgm_export_add(job, list, "model.shared.weight", "encoder.embed_tokens.weight", NULL,
                              NULL);
    DGM_TRY(dgm_export_add(job, list, "model.encoder.embed_tokens.weight",
                           "encoder.embed_tokens.weight", NULL, NULL));
    DGM_TRY(dgm_export_add(job, list, "model.decoder.embed_tokens.weight",
                           "decoder.embed_tokens.weight", NULL, NULL));
    if (tying == DGM_TIED_DECODER)
        return DGM_OK;
    return dgm_export_add(job, list, "lm_head.weight", "decoder.output_projection.weight", NULL,
                          NULL);
}

static dgm_status add_all(const struct dgm_export *job, struct dgm_export_list *list)
{
    DGM_TRY(add_tables(job, list));
    DGM_TRY(add_bias(job, list));
    DGM_TRY(dgm_export_add_positions(job, list, "model.encoder.embed_positions.weight"));
    DGM_TRY(dgm_export_add_positions(job, list, "model.decoder.embed_positions.weight"));
    return add_layers(job, list);
}

/* ---- model.safetensors ----------------------------------------------------------------------- */

static dgm_status make_header(const struct dgm_export *job, struct dgm_buf *text,
                              const struct dgm_export_list *list)
{
    int64_t at = 0;

    DGM_TRY(dgm_buf_add_text(job->env, text, "{\"__metadata__\":{\"format\":\"pt\"}"));
    for (size_t i = 0; i < list->count; i++) {
        const struct dgm_export_tensor *tensor = &list->items[i];
        const int64_t bytes = 4 * dgm_export_count(tensor);

        DGM_TRY(dgm_buf_add_format(job->env, text, ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%lld",
                                   tensor->name, (long long)tensor->dims[0]));
        if (tensor->rank > 1)
            DGM_TRY(dgm_buf_add_format(job->env, text, ",%lld", (long long)tensor->dims[1]));
        DGM_TRY(dgm_buf_add_format(job->env, text, "],\"data_offsets\":[%lld,%lld]}", (long long)at,
                                   (long long)(at + bytes)));
        at += bytes;
    }
    DGM_TRY(dgm_buf_add_char(job->env, text, '}'));
    while (text->size % 8 != 0)
        DGM_TRY(dgm_buf_add_char(job->env, text, ' '));
    return DGM_OK;
}

static dgm_status put_all(const struct dgm_export *job, struct dgm_writer *writer,
                          const struct dgm_export_list *list, const struct dgm_buf *header)
{
    unsigned char size[8] = { 0 };

    dgm_le32_put(size, (uint32_t)header->size);
    DGM_TRY(dgm_writer_add(job->env, writer, size, sizeof size));
    DGM_TRY(dgm_writer_add(job->env, writer, header->data, header->size));
    for (size_t i = 0; i < list->count; i++)
        DGM_TRY(dgm_export_write_tensor(job, writer, &list->items[i]));
    return DGM_OK;
}

static dgm_status write_model(const struct dgm_export *job)
{
    struct dgm_export_list list = { 0 };
    struct dgm_buf header = { 0 };
    struct dgm_writer writer;
    int is_open = 0;
    dgm_status status;

    DGM_TRY_OUT(add_all(job, &list));
    DGM_TRY_OUT(make_header(job, &header, &list));
    DGM_TRY_OUT(dgm_export_open(job, &writer, "model.safetensors"));
    is_open = 1;
    DGM_TRY_OUT(put_all(job, &writer, &list, &header));
    is_open = 0;
    DGM_TRY_OUT(dgm_writer_close(job->env, &writer));
out:
    if (is_open)
        dgm_writer_abandon(job->env, &writer);
    dgm_buf_clear(job->env, &header);
    dgm_release(job->env, list.items);
    return status;
}

/* ---- settings -------------------------------------------------------------------------------- */

static const char *truth(int value)
{
    return value ? "true" : "false";
}

static dgm_status add_shape(const struct dgm_export *job, struct dgm_buf *text)
{
    const struct dgm_model_config *config = &job->model.net.config;

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const char *name = dgm_side_name(side);

        DGM_TRY(dgm_buf_add_format(
            job->env, text,
            "  \"%s_layers\": %d,\n  \"%s_attention_heads\": %lld,\n  \"%s_ffn_dim\": %lld,\n",
            name, side == DGM_SOURCE ? config->enc_depth : config->dec_depth, name,
            (long long)config->heads, name, (long long)config->ffn));
    }
    return dgm_buf_add_format(
        job->env, text,
        "  \"d_model\": %lld,\n  \"activation_function\": \"%s\",\n  \"scale_embedding\": %s,\n"
        "  \"max_position_embeddings\": %lld,\n  \"vocab_size\": %lld,\n"
        "  \"decoder_vocab_size\": %lld,\n  \"share_encoder_decoder_embeddings\": %s,\n"
        "  \"tie_word_embeddings\": %s,\n",
        (long long)config->dim, dgm_export_option(job, "ffn-activation"), truth(!config->unscaled),
        (long long)dgm_export_positions(job), (long long)job->model.net.vocab[DGM_SOURCE],
        (long long)job->model.net.vocab[DGM_TARGET], truth(config->tying == DGM_TIED_ALL),
        truth(config->tying != DGM_TIED_NONE));
}

static dgm_status write_config(const struct dgm_export *job)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_text(job->env, &text,
                                 "{\n  \"architectures\": [\"MarianMTModel\"],\n"
                                 "  \"model_type\": \"marian\",\n  \"is_encoder_decoder\": true,\n"
                                 "  \"dtype\": \"float32\",\n"));
    DGM_TRY_OUT(add_shape(job, &text));
    DGM_TRY_OUT(dgm_buf_add_format(
        job->env, &text,
        "  \"bos_token_id\": %d,\n  \"pad_token_id\": %d,\n  \"eos_token_id\": %d,\n"
        "  \"decoder_start_token_id\": %d,\n  \"forced_eos_token_id\": null\n}\n",
        DGM_VOCAB_BOS, DGM_VOCAB_PAD, DGM_VOCAB_EOS, (int)job->model.net.start));
    DGM_TRY_OUT(dgm_export_write_file(job, "config.json", text.data, text.size));
out:
    dgm_buf_clear(job->env, &text);
    return status;
}

/* A search as ours does by default: no padding, five hypotheses. */
static dgm_status write_generation(const struct dgm_export *job)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_format(
        job->env, &text,
        "{\n  \"bad_words_ids\": [[%d]],\n  \"bos_token_id\": %d,\n  \"pad_token_id\": %d,\n"
        "  \"eos_token_id\": %d,\n  \"decoder_start_token_id\": %d,\n  \"num_beams\": 5,\n"
        "  \"max_length\": %lld\n}\n",
        DGM_VOCAB_PAD, DGM_VOCAB_BOS, DGM_VOCAB_PAD, DGM_VOCAB_EOS, (int)job->model.net.start,
        (long long)(job->model.net.config.max_length < 512 ? job->model.net.config.max_length
                                                           : 512)));
    DGM_TRY_OUT(dgm_export_write_file(job, "generation_config.json", text.data, text.size));
out:
    dgm_buf_clear(job->env, &text);
    return status;
}

/* What MarianTokenizer reads, where the pieces are those of SentencePiece. */
static dgm_status write_pieces(const struct dgm_export *job)
{
    static const char *const names[2] = { "source.spm", "target.spm" };
    const struct dgm_pipeline *pipeline = &job->model.pipeline;

    for (int side = DGM_SOURCE; side <= DGM_TARGET && pipeline->has_spm; side++) {
        const struct dgm_buf *file = &pipeline->spm[pipeline->joint ? DGM_SOURCE : side].spm.file;

        DGM_TRY(dgm_export_write_file(job, names[side], file->data, file->size));
    }
    return DGM_OK;
}

static dgm_status write_all(const struct dgm_export *job)
{
    DGM_TRY(write_model(job));
    DGM_TRY(write_config(job));
    DGM_TRY(write_generation(job));
    DGM_TRY(write_pieces(job));
    DGM_TRY(dgm_export_write_vocab(job, "vocab.json", DGM_SOURCE, 1));
    return job->model.pipeline.joint
               ? DGM_OK
               : dgm_export_write_vocab(job, "target_vocab.json", DGM_TARGET, 1);
}

const struct dgm_export_format dgm_export_huggingface = { "huggingface", check, write_all };
