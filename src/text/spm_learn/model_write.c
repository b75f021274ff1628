/*
 * model_write.c: a new model as messages of sentencepiece_model.proto: pieces, then how they were
 * learned, then how text is rewritten.
 *
 * Numbers of fields are those of the published .proto file. What has its default is left out, but
 * for what a reader may want to see.
 */
#include "text/spm_learn/model_write.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/le.h"

enum { MODEL_PIECE = 1, MODEL_TRAINER = 2, MODEL_NORMALIZER = 3 };
enum { PIECE_TEXT = 1, PIECE_SCORE = 2, PIECE_TYPE = 3 };
enum { TRAINER_KIND = 3, TRAINER_PIECES = 4, TRAINER_COVERAGE = 10, TRAINER_SEEDS = 14 };
enum { TRAINER_LONGEST_LINE = 18, TRAINER_SYMBOLS = 31, TRAINER_BYTES = 35 };
enum { RULES_NAME = 1, RULES_MAP = 2 };
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2, WIRE_FLOAT = 5 };

static const char *const reserved[] = { "<unk>", "<s>", "</s>" };
enum { RESERVED = 3, BYTES = 256 };

size_t dgm_spm_learn_given(const struct dgm_spm_learn_options *options)
{
    return RESERVED + options->symbol_count + (options->byte_fallback ? BYTES : 0);
}

int dgm_spm_learn_is_reserved(const char *text, size_t bytes)
{
    return dgm_bytes_which(text, bytes, reserved, RESERVED) < RESERVED ||
           dgm_spm_byte(text, bytes) >= 0;
}

/* ---- fields --------------------------------------------------------------------------------- */

static dgm_status add_number(struct dgm_env *env, struct dgm_buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        DGM_TRY(dgm_buf_add_char(env, out, (char)(unsigned char)(0x80 | (value & 0x7F))));
    return dgm_buf_add_char(env, out, (char)value);
}

static dgm_status add_tag(struct dgm_env *env, struct dgm_buf *out, unsigned field, unsigned type)
{
    return add_number(env, out, (uint64_t)field << 3 | type);
}

static dgm_status add_number_field(struct dgm_env *env, struct dgm_buf *out, unsigned field,
                                   uint64_t value)
{
    DGM_TRY(add_tag(env, out, field, WIRE_NUMBER));
    return add_number(env, out, value);
}

static dgm_status add_float_field(struct dgm_env *env, struct dgm_buf *out, unsigned field,
                                  float value)
{
    unsigned char bytes[4];

    dgm_le_f32_put(bytes, value);
    DGM_TRY(add_tag(env, out, field, WIRE_FLOAT));
    return dgm_buf_add(env, out, bytes, sizeof bytes);
}

static dgm_status add_bytes_field(struct dgm_env *env, struct dgm_buf *out, unsigned field,
                                  const void *bytes, size_t size)
{
    DGM_TRY(add_tag(env, out, field, WIRE_BYTES));
    DGM_TRY(add_number(env, out, size));
    return dgm_buf_add(env, out, bytes, size);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static dgm_status add_piece(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *message,
                            const char *text, size_t bytes, double score, enum dgm_spm_type type)
{
    dgm_buf_reset(message);
    DGM_TRY(add_bytes_field(env, message, PIECE_TEXT, text, bytes));
    DGM_TRY(add_float_field(env, message, PIECE_SCORE, (float)score));
    if (type != DGM_SPM_NORMAL)
        DGM_TRY(add_number_field(env, message, PIECE_TYPE, type));
    return add_bytes_field(env, out, MODEL_PIECE, message->data, message->size);
}

/* In the library's order. */
static dgm_status add_given(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *message,
                            const struct dgm_spm_learn_options *options)
{
    char name[8];

    for (int i = 0; i < RESERVED; i++)
        DGM_TRY(add_piece(env, out, message, reserved[i], strlen(reserved[i]), 0.0,
                          i == 0 ? DGM_SPM_UNKNOWN : DGM_SPM_CONTROL));
    for (size_t i = 0; i < options->symbol_count; i++)
        DGM_TRY(add_piece(env, out, message, options->symbols[i], strlen(options->symbols[i]), 0.0,
                          DGM_SPM_USER_DEFINED));
    for (unsigned byte = 0; byte < BYTES && options->byte_fallback; byte++) {
        snprintf(name, sizeof name, "<0x%02X>", byte);
        DGM_TRY(add_piece(env, out, message, name, 6, 0.0, DGM_SPM_BYTE));
    }
    return DGM_OK;
}

static dgm_status add_trainer(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *message,
                              const struct dgm_spm_learn_options *options, size_t pieces)
{
    dgm_buf_reset(message);
    DGM_TRY(add_number_field(env, message, TRAINER_KIND, options->kind));
    DGM_TRY(add_number_field(env, message, TRAINER_PIECES, pieces));
    DGM_TRY(add_float_field(env, message, TRAINER_COVERAGE, (float)options->coverage));
    DGM_TRY(add_number_field(env, message, TRAINER_SEEDS, options->seeds));
    DGM_TRY(add_number_field(env, message, TRAINER_LONGEST_LINE, options->longest_line));
    for (size_t i = 0; i < options->symbol_count; i++)
        DGM_TRY(add_bytes_field(env, message, TRAINER_SYMBOLS, options->symbols[i],
                                strlen(options->symbols[i])));
    if (options->byte_fallback)
        DGM_TRY(add_number_field(env, message, TRAINER_BYTES, 1));
    return add_bytes_field(env, out, MODEL_TRAINER, message->data, message->size);
}

static dgm_status add_rules(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *message,
                            const struct dgm_spm_learner *learner)
{
    dgm_buf_reset(message);
    DGM_TRY(add_bytes_field(env, message, RULES_NAME, learner->rules.name.data,
                            learner->rules.name.size));
    if (learner->charsmap.size > 0)
        DGM_TRY(add_bytes_field(env, message, RULES_MAP, learner->charsmap.data,
                                learner->charsmap.size));
    return add_bytes_field(env, out, MODEL_NORMALIZER, message->data, message->size);
}

dgm_status dgm_spm_model_write(struct dgm_env *env, const struct dgm_spm_learner *learner,
                               const struct dgm_spm_learned_set *set, struct dgm_buf *out)
{
    const struct dgm_spm_learn_options *options = &learner->options;
    const size_t pieces = dgm_spm_learn_given(options) + set->count;
    struct dgm_buf message = { 0 };
    dgm_status status;

    DGM_TRY_OUT(add_given(env, out, &message, options));
    for (size_t i = 0; i < set->count; i++) {
        const struct dgm_spm_learned *item = &set->items[i];

        DGM_TRY_OUT(add_piece(env, out, &message, set->text.data + item->text, item->bytes,
                              item->score, DGM_SPM_NORMAL));
    }
    DGM_TRY_OUT(add_trainer(env, out, &message, options, pieces));
    status = add_rules(env, out, &message, learner);
out:
    dgm_buf_clear(env, &message);
    return status;
}
